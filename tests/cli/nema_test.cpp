// SPDX-License-Identifier: Apache-2.0
// The command that tests a scanner by NEMA NU 2: its files, and what it refuses.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>

#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"
#include "tests/cli/cli_process.h"

namespace nema_test {

using namespace tof;
using namespace tof::test;

class NemaCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void aTestWritesItsPage() {
        const QString folder = folder_.filePath("nema");

        const Said said = cli({"nema", "ge-ste-blocks", "--tests", "scatter", "--events", "2000", "--output",
                               folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonObject row = said.json()["comparisons"].toArray()[0].toObject();
        QCOMPARE(said.json()["comparisons"].toArray().size(), qsizetype{1});
        QCOMPARE(row["quantity"].toString(), QString("Scatter fraction at a low rate"));
        // 2000 events of a share of about a third: a standard deviation is 1.1 %.
        QVERIFY(std::abs(row["ours"].toDouble() - 33) < 6);
        QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name),
                 (QStringList{"nema-scatter.svg", "nema.csv", "nema.html", "nema.json", "nema.md"}));
    }

    /// Lists of one rate each: the fit goes through both, so that what was lost in a sleeve comes back.
    void measuredListsAreExtrapolated() {
        const double seconds[] = {10, 12.5};
        QStringList lists;
        for (const double duration : seconds) {
            lists << folder_.filePath(QString("%1.h5").arg(lists.size()));
            const Said made =
                cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "nema-line", "--events", "5000",
                     "--duration", QString::number(duration), lists.back()});
            QVERIFY2(made.code == 0, made.all());
        }

        const Said said = cli({"nema", "--sensitivity", lists.join(','), "--activity", "2", "--output",
                               folder_.filePath("measured"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        // R(0) = R1^2 / R2 of walls X and 2 X.
        const double expected = 5000.0 / seconds[0] * seconds[1] / seconds[0] / 2 / 1000;
        const double found = said.json()["comparisons"].toArray()[0].toObject()["ours"].toDouble();
        QVERIFY2(std::abs(found / expected - 1) < 1e-6,
                 qPrintable(QString("%1: %2").arg(expected).arg(found)));
    }

    /// The phantom's own activity, moved, with spheres ten times as active as the background: perfect
    /// contrast, and more recovery than EARL allows.
    void anImageIsJudged() {
        QString text = QString::fromStdString(Phantom::find("nema-iq-2018").description);
        QVERIFY(text.contains("\"activity\": 4"));
        const Phantom phantom =
            Phantom::fromJson(text.replace("\"activity\": 4", "\"activity\": 10").toStdString(), "test");
        Lattice lattice = Lattice::centred({160, 125, 40}, {2, 2, 4});
        lattice.origin_mm = lattice.origin_mm + Vec3{10, 0, 0};
        Volume image = phantom.emissionOn(Lattice::centred({160, 125, 40}, {2, 2, 4}), 2);
        image.lattice = lattice;
        writeVolume(folder_.filePath("iq.h5").toStdString(), image);
        QFile file(folder_.filePath("iq.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
        file.close();

        const Said said =
            cli({"nema", "--image-quality", folder_.filePath("iq.h5"), "--phantom", file.fileName(),
                 "--centre", "10,0,0", "--output", folder_.filePath("image"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonArray rows = said.json()["comparisons"].toArray();
        QCOMPARE(rows.size(), qsizetype{13});
        QCOMPARE(rows[10].toObject()["quantity"].toString(), QString("Contrast recovery, hot 37 mm"));
        // Voxels of 2 mm mix a rim of the sphere with the background.
        QVERIFY2(std::abs(rows[10].toObject()["ours"].toDouble() - 97) < 3, said.all());
        QVERIFY(rows[11].toObject()["ours"].toDouble() < 0.1);
        QCOMPARE(said.json()["checks"].toArray().size(), qsizetype{12});
        QVERIFY(said.json()["checks"].toArray()[0].toObject()["value"].toDouble() > 0.6);
        const Said far = cli({"nema", "--image-quality", folder_.filePath("iq.h5"), "--centre", "200,0,0",
                              "--output", folder_.filePath("far")});
        QVERIFY2(far.code == 3 && far.err.contains("--centre"), far.all());
        const Said nowhere = cli({"nema", "--image-quality", folder_.filePath("iq.h5"), "--centre", "nan,0,0",
                                  "--output", folder_.filePath("far")});
        QVERIFY2(nowhere.code == 2 && nowhere.err.contains("three numbers"), nowhere.all());
    }

    /// Images of one value each, of which the last one has lost a tenth.
    void imagesAreJudgedAgainstActivity() {
        const double activities[] = {2, 4, 8, 20};
        QStringList images;
        for (const double activity : activities) {
            Volume image(Lattice::centred({50, 50, 4}, {4, 4, 4}));
            image.units = "Bq/ml";
            std::fill(image.data.begin(), image.data.end(),
                      static_cast<float>(activity * (activity < 20 ? 30 : 27)));
            images << folder_.filePath(QString("at-%1.h5").arg(activity));
            writeVolume(images.back().toStdString(), image);
        }
        const QString folder = folder_.filePath("accuracy");

        const Said said = cli({"nema", "vereos", "--accuracy", images.join(','), "--activities", "2,4,8,20",
                               "--output", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonArray rows = said.json()["comparisons"].toArray();
        QCOMPARE(rows.size(), qsizetype{5});
        QVERIFY(std::abs(rows[3].toObject()["ours"].toDouble() + 10) < 1e-3);
        // The peak of NECR of vereos was published at 50 kBq/ml.
        QVERIFY2(std::abs(rows[4].toObject()["ours"].toDouble() - 10) < 1e-3, said.all());
        QVERIFY(QFile::exists(folder + "/nema-accuracy.svg"));
        const Said few =
            cli({"nema", "--accuracy", images.join(','), "--activities", "2,4", "--output", folder});
        QVERIFY2(few.code == 2 && isOneSentence(few) && few.err.contains("--activities"), few.all());
    }

    /// A coarse ring scans the torso and the line behind it: with TOFSCOPE_FULL=1, as corrections and
    /// sensitivities take half a minute of a core.
    void aSimulatedScanOfImageQualityIsEvaluated() {
        const QString scanner = writeCoarse("coarse.json", R"("timing_fwhm_ps": 400, )");
        const QString folder = folder_.filePath("scan");
        const Said refused = cli({"nema", writeCoarse("no-tof.json", ""), "--tests", "image-quality",
                                  "--output", folder_.filePath("no-tof")});
        QVERIFY2(refused.code == 2 && isOneSentence(refused) && refused.err.contains("times of flight"),
                 refused.all());
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("TOFSCOPE_FULL is not set: the scan takes half a minute of a core");
        }

        const Said said = cli(
            {"nema", scanner, "--tests", "image-quality", "--events", "2000", "--output", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonArray rows = said.json()["comparisons"].toArray();
        QCOMPARE(rows.size(), qsizetype{13});
        QVERIFY(QFile::exists(folder + "/nema-spheres.png"));
        // A hundred thousand prompts in voxels of 4 mm: the largest sphere is hotter, the insert colder.
        QVERIFY2(rows[10].toObject()["ours"].toDouble() > 20, said.all());
        QVERIFY2(rows[12].toObject()["ours"].toDouble() < 70, said.all());
    }

    /// A ring of 100 mm and 60 mm length, without anything that blurs but its crystals of 2 mm.
    QString smallScanner() {
        QFile scanner(folder_.filePath("small.json"));
        [[maybe_unused]] const bool open = scanner.open(QIODevice::WriteOnly);
        scanner.write(R"({"name": "small", "modules": {"count": 16, "face_to_face_mm": 100,
            "crystals": [10, 30], "pitch_mm": [1.95, 2]}, "crystal_mm": [1.9, 1.95, 12],
            "attenuation_per_mm": 0.087, "acceptance_deg": 35, "fov_diameter_mm": 80,
            "detection": {"material": "LSO", "energy_resolution": 0.15, "window_kev": [350, 650],
            "position": "first", "position_fwhm_mm": 0, "coincidence_ns": 3, "dead_time_ns": 0}})");
        scanner.close();
        return scanner.fileName();
    }

    /// It scans a point in acrylic and a mouse by NU 4.
    void aSmallScannerIsTested() {
        const QString folder = folder_.filePath("nu4");

        const Said said = cli({"nema", smallScanner(), "--tests", "nu4-sensitivity,nu4-mouse", "--events",
                               "3000", "--activities", "100,500,3000", "--output", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        std::map<QString, double> found;
        for (const auto& row : said.json()["comparisons"].toArray()) {
            found[row.toObject()["quantity"].toString()] = row.toObject()["ours"].toDouble();
        }
        // The ring spans 0.5 of all directions, crystals stop 0.65 of photons, some of them in one step.
        const double middle = found.at("NU 4: sensitivity in the middle");
        QVERIFY2(middle > 2 && middle < 25, said.all());
        // A ring as it gets shorter for a source nearer to its end loses pairs about in proportion.
        const double mean = found.at("NU 4: sensitivity, mean along the axis") / middle;
        QVERIFY2(mean > 0.35 && mean < 0.7, said.all());
        // 3000 events know a share of a tenth to 1 %; of 25 mm of polyethylene a photon in five scatters.
        const double scattered = found.at("NU 4, mouse: scatter fraction at a low rate");
        QVERIFY2(scattered > 1 && scattered < 25, said.all());
        QVERIFY(QFile::exists(folder + "/nema-mouse_rates.svg"));
    }

    /// Its points get wider off the axis along the radius, where crystals of 12 mm are seen from the side.
    void aSmallScannersResolutionIsTested() {
        const QString folder = folder_.filePath("nu4-points");

        const Said said = cli({"nema", smallScanner(), "--tests", "nu4-resolution", "--events", "6000",
                               "--output", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        std::map<QString, double> found;
        for (const auto& row : said.json()["comparisons"].toArray()) {
            found[row.toObject()["quantity"].toString()] = row.toObject()["ours"].toDouble();
        }
        QCOMPARE(found.size(), std::size_t{12});
        // Half of a crystal is 0.95 mm; the range of positrons, 0.2 mm of angles and the bins make it wider.
        for (const char* axis : {"radial", "tangential", "axial"}) {
            const double width = found.at(QString("NU 4: FWHM 5 mm off the axis, %1").arg(axis));
            QVERIFY2(width > 0.95 && width < 2.2, said.all());
        }
        // A photon to a crystal 25 mm off the axis of a ring of 50 mm crosses 6 mm of crystals at half of a
        // right angle's sine: that adds more than a millimetre.
        QVERIFY2(found.at("NU 4: FWHM 25 mm off the axis, radial") >
                     1.4 * found.at("NU 4: FWHM 5 mm off the axis, radial"),
                 said.all());
        QVERIFY(QFile::exists(folder + "/nema-nu4-points.png"));
    }

    void whatMakesNoSenseIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("scanner without detection") << QStringList{"labr3-ideal"} << "add 'detection'";
        QTest::newRow("unknown test")
            << QStringList{"labr3", "--tests", "scater"} << "did you mean 'scatter'";
        QTest::newRow("scanner and lists")
            << QStringList{"labr3", "--sensitivity", "a.h5,b.h5"} << "either SCANNER";
        QTest::newRow("accuracy of three activities")
            << QStringList{"vereos", "--tests", "accuracy", "--activities", "2,5,10"} << "four --activities";
        QTest::newRow("one list") << QStringList{"--sensitivity", "a.h5", "--activity", "2"} << "2 to 5";
        QTest::newRow("no activity") << QStringList{"--sensitivity", "a.h5,b.h5"} << "--activity";
        QTest::newRow("activities that fall") << QStringList{"labr3", "--activities", "5,3"} << "ascending";
    }
    void whatMakesNoSenseIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);

        const Said said = cli(QStringList{"nema"} + words + QStringList{"--output", folder_.filePath("no")});

        QVERIFY2(said.code == 2 && said.err.contains(says), said.all());
    }

  private:
    [[nodiscard]] QString writeCoarse(const QString& name, const QByteArray& timing) {
        QFile scanner(folder_.filePath(name));
        if (!scanner.open(QIODevice::WriteOnly)) {
            return {};
        }
        scanner.write(R"({"name": "coarse", "modules": {"count": 36, "face_to_face_mm": 800,
            "crystals": [6, 8], "pitch_mm": [11, 21]}, "crystal_mm": [10.8, 20.8, 20],
            "attenuation_per_mm": 0.087, "acceptance_deg": 9, "fov_diameter_mm": 500, )" +
                      timing + R"("detection": {"material": "LSO", "energy_resolution": 0.1,
            "window_kev": [435, 650], "position": "first", "position_fwhm_mm": 0, "coincidence_ns": 2,
            "dead_time_ns": 0}})");
        return scanner.fileName();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(NemaCommandTest)

}  // namespace nema_test
#include "nema_test.moc"
