// SPDX-License-Identifier: Apache-2.0
// The browser of folders as a command: series, studies, and names of patients on request alone.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "recon/io/dicom/dicom_slices.h"
#include "tests/cli/cli_process.h"
#include "tests/support/pet_slice.h"

namespace list_test {

using namespace tof;
using namespace tof::test;

class ListCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        if (!whyNoDicom().empty()) {
            QSKIP("this build reads no DICOM");
        }
        for (const char* series : {"5", "6"}) {
            for (int i = 0; i < 3; ++i) {
                write(QString("visit/%1/%2.dcm").arg(series).arg(i), fileOf(slice(series, i)));
            }
        }
        write("visit/6/damaged.dcm", fileOf(slice("6", 9)).left(300));
        write("visit/notes.txt", "nothing to see");
    }

    void seriesAreListedWithoutPatients() {
        const Said said = cli({"list", folder_.path(), "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonArray items = said.json()["items"].toArray();
        QCOMPARE(items.size(), 2);
        const QJsonObject first = items[0].toObject();
        QCOMPARE(first["kind"].toString(), QString("PT"));
        QCOMPARE(first["name"].toString(), QString("WB 5"));
        QCOMPARE(first["when"].toString(), QString("2026-11-22 12:00"));
        QCOMPARE(first["size"].toString(), QString("4 x 4 x 3, 4 x 4 mm"));
        QCOMPARE(first["path"].toString(), folder_.filePath("visit/5"));
        QCOMPARE(first["visit"].toInt(), items[1].toObject()["visit"].toInt());
        QVERIFY(!first.contains("patient"));
        QCOMPARE(said.json()["damaged"].toInt(), 1);
        QVERIFY(cli({"list", folder_.path(), "--patients", "--json"})
                    .json()["items"]
                    .toArray()[0]
                    .toObject()
                    .contains("patient"));
    }

    void theTableHasARowForEach() {
        const Said said = cli({"list", folder_.path()});

        QCOMPARE(said.out.count('\n'), 3);
        QVERIFY(said.out.contains("WB 6"));
        QVERIFY(said.err.contains("left out: 1 that cannot be read"));
    }

    void whatIsNoFolderIsRefused() {
        QCOMPARE(cli({"list", folder_.filePath("none")}).code, 3);
        QCOMPARE(cli({"list", folder_.filePath("visit/notes.txt")}).code, 3);
    }

  private:
    static PetSlice slice(const char* series, int i) {
        return {.uid = QByteArray("1.2.3.") + series + "." + QByteArray::number(i),
                .series = QByteArray("1.2.3.") + series,
                .number = series,
                .description = QByteArray("WB ") + series,
                .columns = 4,
                .rows = 4,
                .voxel_mm = 4,
                .corner = {-6, -6, 4.0 * i},
                .pixels = raw(100).repeated(16)};
    }
    void write(const QString& name, const QByteArray& bytes) {
        const QString path = folder_.filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(ListCliTest)

}  // namespace list_test
#include "list_test.moc"
