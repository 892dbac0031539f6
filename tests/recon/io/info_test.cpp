// SPDX-License-Identifier: Apache-2.0
// What `info` tells: of every file that a command reads, and of those that none reads.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "tests/support/places.h"
#include "tests/support/refusal.h"

namespace info_test {

using namespace tof;
using tof::test::inTree;
using tof::test::refusal;

class InfoTest : public QObject {
    Q_OBJECT

  private slots:
    void descriptionsAreToldOf_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("what");
        QTest::newRow("scanner") << "resources/scanners/labr3.json"
                                 << "scanner";
        QTest::newRow("rings") << "resources/ring-scanners/ge-ste.json"
                               << "rings";
        QTest::newRow("phantom") << "resources/phantoms/spheres.json"
                                 << "phantom";
    }
    void descriptionsAreToldOf() {
        QFETCH(QString, file);
        QFETCH(QString, what);
        const std::string path = inTree(file).toStdString();
        const auto info = nlohmann::json::parse(recognise(path).infoJson());
        QCOMPARE(info.at("kind").get<std::string>(), std::string("description"));
        QVERIFY(QString::fromStdString(info.at("describes").get<std::string>()).startsWith(what));
        QVERIFY_EXCEPTION_THROWN((void)convertFile(path, folder_.filePath("o.h5").toStdString()), WrongUse);
    }

    void kernelsRegionsAndCrystalMapsAreToldOf() {
        const auto info = [&](const char* name, const QByteArray& text) {
            return QString::fromStdString(recognise(save(name, text)).infoJson());
        };
        QVERIFY(info("k.json", R"({"tof_ps": 300, "axial_mm": 4, "radial_mm": 5})").contains("kernel ("));
        QVERIFY(info("r.json", R"({"rois": []})").contains("regions of interest"));
        const QString map =
            info("map.txt", "# ring, detector, x, y, z\n0,0,10.5,0,-3\n0,1,0,10.5,-3\n1 0 10.5 0 3\n");
        QVERIFY(map.contains("crystal map") && map.contains("\"crystals\": 3"));
        const QString castor = info("s.hscan", "modality: PET\nscanner name: S\nnumber of elements: 96\n");
        QVERIFY(castor.contains("scanner of CASToR") && castor.contains("96"));
        QVERIFY(refusal([&] { (void)info("x.json", "{\"a\": 1}"); }).contains("no scanner"));
        QVERIFY(refusal([&] { (void)info("y.json", "{\"a\": "); }).contains("y.json"));
    }

    void unknownFilesAreGuessedAt_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("guess");
        QTest::newRow("NumPy") << QByteArray("\x93NUMPY\1\0", 8) << "a.npy"
                               << "NumPy";
        QTest::newRow("MetaImage") << QByteArray("ObjectType = Image\nNDims = 3\n") << "a.mhd"
                                   << "MetaImage";
        QTest::newRow("sinogram numbers") << QByteArray("\1\2\3\4", 4) << "a.s"
                                          << "numbers of sinograms";
        QTest::newRow("anything") << QByteArray("\1\2\3\4", 4) << "a.xyz"
                                  << "docs/formats.md";
    }
    void unknownFilesAreGuessedAt() {
        QFETCH(QByteArray, start);
        QFETCH(QString, name);
        QFETCH(QString, guess);
        const std::string path = save(name, start);
        const QString info = refusal([&] { (void)recognise(path).infoJson(); });
        QVERIFY2(info.contains(guess), qPrintable(info));
        const QString convert =
            refusal([&] { (void)convertFile(path, folder_.filePath("o.nii").toStdString()); });
        QVERIFY2(convert.contains(guess), qPrintable(convert));
    }

    void sinogramsAndAddressesAreToldOfWithoutTheirData() {
        const std::string sinogram =
            save("a.hs",
                 "!INTERFILE :=\nname of data file := a.s\noriginating system := Siemens mMR\n"
                 "PET data type := Emission\napplied corrections := {None}\nnumber of dimensions := 4\n"
                 "matrix axis label [4] := segment\nmatrix size [4] := 1\n"
                 "matrix axis label [3] := view\nmatrix size [3] := 252\n"
                 "matrix axis label [2] := axial coordinate\nmatrix size [2] := {64}\n"
                 "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 344\n"
                 "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n"
                 "!END OF INTERFILE :=\n");
        const auto info = nlohmann::json::parse(recognise(sinogram).infoJson());
        QCOMPARE(info.at("kind").get<std::string>(), std::string("data"));
        QCOMPARE(info.at("rings").get<int>(), 64);
        QCOMPARE(info.at("crystals_per_ring").get<int>(), 504);
        const std::string list =
            save("a.l.hdr",
                 "!INTERFILE :=\n%SMS-MI header name space := PETLINK bin address\nname of data file := a.l\n"
                 "number of rings := 64\n%number of views := 252\ngantry crystal radius (cm) := 32.8\n"
                 "distance between rings (cm) := 0.40625\n%number of projections := 344\n"
                 "%maximum ring difference := 60\n%axial compression := 1\n%total listmode word counts := "
                 "254817\n");
        const auto words = nlohmann::json::parse(recognise(list).infoJson());
        QCOMPARE(words.at("kind").get<std::string>(), std::string("list"));
        QCOMPARE(words.at("announced_words").get<int>(), 254817);
    }

  private:
    std::string save(const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            throw std::runtime_error("cannot write");
        }
        return file.fileName().toStdString();
    }

    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(InfoTest)

}  // namespace info_test
#include "info_test.moc"
