// SPDX-License-Identifier: Apache-2.0
// The system matrix of two panels as the real program makes it: ended in the middle, and gone on with.
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "recon/scanner/scanner.h"
#include "recon/systems/panel/panel_matrix_file.h"
#include "tests/cli/small_panel.h"

namespace panel_set_up_test {

using namespace tof;
using namespace tof::test;

class PanelSetUpTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const Said made = makePanelData(QDir(folder_.path()), 20, {}, {"--events", "20000"});
        QVERIFY2(made.code == 0, made.all());
        geometry_ = PanelGeometry::of(Scanner::find(path("panel.json").toStdString())).value();
        geometry_.efficiency = 1;
        qputenv("XDG_CACHE_HOME", path("whole").toUtf8());
        whole_ = storedPanelMatrix(geometry_, {}, hostPanelKernels(), [](double) {});
    }

    void aMatrixWhoseMakingWasEndedGoesOnToTheSameBits_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::newRow("killed") << SIGKILL << -1;
        QTest::newRow("interrupted") << SIGINT << 130;
    }
    void aMatrixWhoseMakingWasEndedGoesOnToTheSameBits() {
        QFETCH(int, signal);
        QFETCH(int, code);
        qputenv("XDG_CACHE_HOME", path(QTest::currentDataTag()).toUtf8());
        const QString cache = QString::fromStdString(panelMatrixPath(geometry_, {}));
        const auto kept = [&] { return QFile(cache + ".half").size(); };
        // A fifth of the entries, each 8 bytes.
        const auto enough = static_cast<qint64>(1.6 * static_cast<double>(whole_.values.size()));

        QProcess process;
        process.start(kProgram, words());
        while (process.state() != QProcess::NotRunning && kept() < enough) {
            process.waitForFinished(5);
        }
        QCOMPARE(process.state(), QProcess::Running);
        QElapsedTimer since;
        since.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        const Said ended = finish(process);
        qInfo("ended %lld ms after the signal", static_cast<long long>(since.elapsed()));
        QVERIFY2(ended.code == code, ended.all());
        QVERIFY(!QFile::exists(cache));
        QVERIFY(!QFile::exists(path("run.h5")));
        const qint64 before = kept();
        QVERIFY(before >= enough && before < static_cast<qint64>(8 * whole_.values.size()));

        const Said went = cli(words());

        QVERIFY2(went.code == 0, went.all());
        // It says how far it was, and begins with no 0 %.
        QVERIFY2(!went.err.contains("system matrix: 0 %") && went.err.contains("system matrix: 90 %"),
                 went.all());
        QVERIFY(!QFile::exists(cache + ".half"));
        const PanelMatrix made = readPanelMatrix(cache.toStdString(), geometry_, {}).value();
        QCOMPARE(made.values, whole_.values);
        QCOMPARE(made.places, whole_.places);
        QCOMPARE(made.sums, whole_.sums);
        QVERIFY(QFile::remove(path("run.h5")));

        const Said third = cli(words());
        QVERIFY2(third.code == 0 && !third.err.contains("system matrix"), third.all());
        QVERIFY(QFile::remove(path("run.h5")));
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QStringList words() const {
        return {"reconstruct", path("data.h5"), "--out", path("run.h5"), "--algorithm",
                "osem",        "--engine",      "cpu",   "--iterations", "1"};
    }

    QTemporaryDir folder_;
    PanelGeometry geometry_;
    PanelMatrix whole_;
};

QTEST_GUILESS_MAIN(PanelSetUpTest)

}  // namespace panel_set_up_test
#include "panel_set_up_test.moc"
