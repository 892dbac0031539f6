// SPDX-License-Identifier: Apache-2.0
// Figures of papers by tofscope-cli: begun from a study, made, and made again after its runs changed.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/constants.h"
#include "recon/data/histo_data.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/study/study.h"
#include "tests/cli/cli_process.h"

namespace figure_command_test {

using namespace tof;
using tof::test::cli;
using tof::test::Said;

class FigureCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        HistoData data;
        data.lattice = Lattice::centred({32, 32, 4}, {4, 4, 4});
        data.views = ViewGrid(8, 1, 10 * kRadPerDeg).views();
        data.counts.resize(data.voxels() * data.views.size());
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            data.counts[i] = static_cast<float>((i * 2654435761U) % 7);
        }
        data.phantom = "nema-iq";
        writeData(file("data.h5").toStdString(), data);
        study_ = file("s.tofstudy");
        static_cast<void>(Study::create(study_.toStdString(), file("data.h5").toStdString()));
        QCOMPARE(reconstruct(2).code, 0);
    }

    void aFigureIsMadeAndMadeAgainAfterItsStudyChanged() {
        const QString path = study_ + "/figures/first.json";
        const Said begun = cli({"figure", study_, "--out", path});
        QVERIFY2(begun.code == 0, begun.all());
        for (const char* ending : {".pdf", ".svg"}) {
            const Said made = cli({"figure", path, "--out", file("f") + ending});
            QVERIFY2(made.code == 0, made.all());
            QCOMPARE(cli({"figure", path, "--out", file("g") + ending}).code, 0);
            QVERIFY(contents(file("f") + ending) == contents(file("g") + ending));
        }
        QVERIFY(contents(file("f.pdf")).startsWith("%PDF-1.5"));
        QVERIFY(contents(file("f.svg")).contains("width='85mm'"));

        QCOMPARE(cli({"runs", study_, "--rename", "A=wide kernel"}).code, 0);
        QCOMPARE(cli({"figure", path, "--out", file("h.svg")}).code, 0);
        QVERIFY(contents(file("h.svg")).contains("wide kernel"));

        QCOMPARE(cli({"figure", path, "--out", file("w.svg"), "--width-mm", "120"}).code, 0);
        QVERIFY(contents(file("w.svg")).contains("width='120mm'"));
    }

    void filesBesideTheTemplateAreShownAndOthersAreNot() {
        Volume volume(Lattice::centred({8, 8, 2}, {4, 4, 4}), 1.0F);
        QDir().mkpath(file("apart"));
        writeVolume(file("apart/one.nii").toStdString(), volume);
        writeVolume(file("two.nii").toStdString(), volume);
        for (const auto& [name, code] :
             {std::pair{"one.nii", 0}, std::pair{"../two.nii", 3}, std::pair{"/etc/passwd", 3}}) {
            write(file("apart/t.json"),
                  panels(QString(R"({"kind": "slice", "images": [{"file": "%1"}]})").arg(name)));
            const Said said =
                cli({"figure", file("apart/t.json"), "--study", study_, "--out", file("o.pdf")});
            QVERIFY2(said.code == code, said.all());
        }
    }

    void whatCannotBeMadeIsSaidInOneSentence_data() {
        QTest::addColumn<QString>("panel");
        QTest::addColumn<QString>("out");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const QString right = R"({"kind": "slice", "images": [{"run": "A"}]})";
        QTest::newRow("ending") << right << "x.png" << 2 << ".pdf or .svg";
        QTest::newRow("folder") << right << "no/x.pdf" << 5 << "no/x.pdf";
        QTest::newRow("run") << R"({"kind": "slice", "images": [{"run": "Q"}]})"
                             << "x.pdf" << 3 << "panel 1";
        QTest::newRow("run as path") << R"({"kind": "slice", "images": [{"run": "../A"}]})"
                                     << "x.pdf" << 3 << "panel 1";
        QTest::newRow("iteration") << R"({"kind": "slice", "images": [{"run": "A", "iteration": 9}]})"
                                   << "x.pdf" << 3 << "iteration 9";
        QTest::newRow("outside") << R"({"kind": "slice", "images": [{"run": "A"}], "at_mm": 900})"
                                 << "x.pdf" << 2 << "900 mm";
        QTest::newRow("measure") << R"({"kind": "curves", "images": [{"run": "A"}], "y": "crcc"})"
                                 << "x.pdf" << 3 << "did you mean 'crc'";
    }
    void whatCannotBeMadeIsSaidInOneSentence() {
        QFETCH(QString, panel);
        QFETCH(QString, out);
        QFETCH(int, code);
        QFETCH(QString, says);
        write(study_ + "/t.json", panels(panel));
        const Said said = cli({"figure", study_ + "/t.json", "--out", file(out)});
        QVERIFY2(said.code == code && said.err.contains(says), said.all());
        QVERIFY(!QFile::exists(file(out)));
    }

  private:
    [[nodiscard]] QString file(const QString& name) const { return folder_.filePath(name); }
    static QByteArray contents(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString& path, const QString& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    static QString panels(const QString& panel) {
        return QString(R"({"format": "tofscope-figure", "version": 1, "panels": [%1]})").arg(panel);
    }
    Said reconstruct(int iterations) const {
        return cli({"reconstruct", study_, "--engine", "cpu", "--iterations", QString::number(iterations)});
    }

    QTemporaryDir folder_;
    QString study_;
};

QTEST_GUILESS_MAIN(FigureCommandTest)

}  // namespace figure_command_test
#include "figure_command_test.moc"
