// SPDX-License-Identifier: Apache-2.0
// `kernel` and `project` do on the command line what the kernel lab does in the window.
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "app/cli/kernel_options.h"
#include "recon/io/format_table.h"
#include "recon/kernel/point_response.h"
#include "tests/cli/cli_process.h"

namespace kernel_lab_commands_test {

using namespace tof;
using namespace tof::test;

namespace {

const double kDegree = std::acos(-1.0) / 180;
const QStringList kSmall{"--grid", "31x27x11", "--voxel", "4"};

double largestDifference(const Volume& a, const Volume& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
        largest =
            std::max(largest, std::abs(static_cast<double>(a.data[i]) - static_cast<double>(b.data[i])));
    }
    return largest;
}

}  // namespace

class KernelLabCommandsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_CONFIG_HOME", path("config").toUtf8());  // for every command below, too
    }

    // ---- kernel ----

    void aKernelIsBuiltFromItsNumbers() {
        const Said said =
            cli(QStringList{"kernel",   "invariant",   "--tof",      "600",        "--axial",         "10",
                            "--widths", "0:10;288:80", "--symmetry", "asymmetric", "--ratio",         "3",
                            "--shift",  "0.5",         "--weight",   "0.75",       "--cutoff",        "2",
                            "--step",   "4",           "--json",     "--out",      path("built.json")} +
                kSmall);

        QVERIFY2(said.code == 0, said.all());
        KernelSpec expected = KernelSpec::preset("ha-fig7-variant");
        expected.name.clear();
        expected.asymmetry = Asymmetry{3, 0.5, 0.75};
        expected.cutoff = 2;
        expected.id_step_mm = 4;
        QCOMPARE(KernelSpec::parse(path("built.json").toStdString()).toJson(), expected.toJson());
        QCOMPARE(said.json()["radial_ids"].toInt(),
                 buildKernelTables(expected, lattice(), View{0, 0}).radialIds);
    }

    void aNumberThatMakesNoSenseIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::newRow("negative") << QStringList{"--tof", "-5"} << 3;
        QTest::newRow("no number") << QStringList{"--axial", "wide"} << 2;
        QTest::newRow("ratio of a symmetric one") << QStringList{"--ratio", "2"} << 2;
        QTest::newRow("half a pair") << QStringList{"--widths", "0:5;60"} << 2;
        QTest::newRow("off the lattice") << QStringList{"--radius", "500"} << 2;
        QTest::newRow("with a list") << QStringList{"--list"} << 2;
    }

    void aNumberThatMakesNoSenseIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, code);

        const Said said = cli(QStringList{"kernel", "variant1"} + kSmall + words);

        QVERIFY2(said.code == code, said.all());
        QVERIFY2(isOneSentence(said), said.all());
    }

    void theSampledKernelIsWrittenAsAVolume() {
        const Said said = cli(QStringList{"kernel", "variant2", "--azimuth", "30", "--tilt", "5", "--radius",
                                          "41", "--volume", path("kernel.nii"), "--id-map", path("ids.h5"),
                                          "--widths-csv", path("widths.csv"), "--json"} +
                              kSmall);

        QVERIFY2(said.code == 0, said.all());
        const View view{30 * kDegree, 5 * kDegree};
        const KernelTables tables = buildKernelTables(KernelSpec::preset("variant2"), lattice(), view);
        const int row = 20;  // floor(41 / 2)
        const Volume expected = kernelVolume(tables, {4, 4, 4}, row);
        const Volume kernel = readVolume(path("kernel.nii").toStdString());
        QVERIFY(kernel.lattice.size == expected.lattice.size);
        QCOMPARE(largestDifference(kernel, expected), 0.0);
        const Volume ids = readVolume(path("ids.h5").toStdString());
        QCOMPARE(ids.data.size(), tables.ids.size());
        QVERIFY(std::equal(ids.data.begin(), ids.data.end(), tables.ids.begin(),
                           [](float a, std::int32_t b) { return a == static_cast<float>(b); }));
        const QJsonObject sampled = said.json()["sampled"].toObject();
        QCOMPARE(sampled["s_mm"].toDouble(), 41.0);
        QVERIFY(std::abs(sampled["sum"].toDouble() - 1) < 1e-5);
        QFile csv(path("widths.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readLine().startsWith("s_mm,kernel_fwhm_mm,invariant"));
    }

    void everyPartCanBePrinted() {
        const QStringList common = QStringList{"kernel", "invariant"} + kSmall;

        const QString slices = cli(common + QStringList{"--print", "slices"}).out;
        const QString ids = cli(common + QStringList{"--print", "ids"}).out;
        const QString taps = cli(common + QStringList{"--print", "taps"}).out;

        for (const char* plane : {"transverse", "coronal", "sagittal"}) {
            QVERIFY(slices.contains(plane));
        }
        QVERIFY(slices.contains(" 1000 "));  // the middle, per mille of the largest value
        QCOMPARE(ids.trimmed().split('\n').size(), 1 + 27);
        // At azimuth 0 the id is floor(|y| / 2 mm): 13 voxels of 4 mm from the centre line it is 26.
        QCOMPARE(ids.trimmed().split('\n')[1].simplified().split(' '), QStringList(31, "26"));
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), lattice(), View{0, 0});
        QCOMPARE(taps.trimmed().split('\n').size(), 1 + static_cast<int>(tables.taps.size()));
    }

    // ---- presets ----

    void aSavedPresetIsAKernelEverywhere() {
        const Said saved =
            cli(QStringList{"kernel", "variant1", "--tof", "250", "--save", "fast crystal"} + kSmall);
        const Said listed = cli({"kernel", "--list", "--json"});
        const Said used = cli(QStringList{"kernel", "preset:fast crystal", "--json"} + kSmall);
        const Said projected =
            cli(QStringList{"project", "points:0,0,0", "--op", "forward", "--kernel", "preset:fast crystal",
                            "--engine", "cpu", "--against-kernel", "preset:variant1", "--json"} +
                kSmall);
        const Said timed = cli({"bench", "--engine", "cpu", "--kernels", "preset:fast crystal,variant1",
                                "--grid", "31x27x9", "--azimuths", "1", "--rounds", "1", "--json"});
        const Said deleted = cli({"kernel", "--delete", "fast crystal"});
        const Said gone = cli(QStringList{"kernel", "preset:fast crystal"} + kSmall);

        QVERIFY2(saved.code == 0, saved.all());
        QVERIFY2(used.code == 0, used.all());
        QCOMPARE(used.json()["kernel"].toObject()["tof_ps"].toDouble(), 250.0);
        bool found = false;
        for (const auto& item : listed.json()["presets"].toArray()) {
            found = found || item.toObject()["kernel"].toString() == "preset:fast crystal";
        }
        QVERIFY2(found, listed.all());
        QVERIFY2(projected.code == 0, projected.all());
        QVERIFY(!projected.json()["differences"].toArray()[0].toObject()["identical"].toBool());
        QVERIFY2(timed.code == 0, timed.all());
        // 250 ps reach less far than 400: fewer taps, for the case of its own name.
        std::map<QString, double> taps;
        for (const auto& item : timed.json()["results"].toArray()) {
            taps[item.toObject()["kernel"].toString()] = item.toObject()["useful_taps"].toDouble();
        }
        QVERIFY2(taps["preset:fast crystal"] > 0 && taps["preset:fast crystal"] < taps["variant1"],
                 timed.all());
        QVERIFY2(deleted.code == 0, deleted.all());
        QVERIFY2(gone.code == 2, gone.all());
    }

    void theWindowLooksIntoTheSameFolder() {
        const QString window =
            QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/tofscope/kernels";

        QCOMPARE(QString::fromStdString(ownKernels().folder()), window);
    }

    // ---- project ----

    void pointsAreProjectedAsTheDefinitionSays_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"out.h5", "out.nii", "out.nii.gz", "out.hv", "out.json"}) {
            QTest::newRow(name) << name;
        }
    }

    void pointsAreProjectedAsTheDefinitionSays() {
        QFETCH(QString, name);
        const std::vector<VoxelIndex> points{{15, 13, 5}, {22, 6, 3}};  // (0,0,0) and (28,-28,-8) mm
        const View view{20 * kDegree, -5 * kDegree};
        const KernelTables tables = buildKernelTables(KernelSpec::preset("variant2"), lattice(), view);
        const Volume expected = forwardOfPoints(tables, lattice(), points);
        const double peak =
            static_cast<double>(*std::max_element(expected.data.begin(), expected.data.end()));

        const Said said =
            cli(QStringList{"project", "points:0,0,0;28,-28,-8", path(name), "--op", "forward", "--engine",
                            "cpu", "--kernel", "variant2", "--azimuth", "20", "--tilt", "-5", "--json"} +
                kSmall);

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["operation"].toString(), QString("forward"));
        const Volume got =
            name.endsWith(".json") ? volumeOfJson(path(name), 0) : readVolume(path(name).toStdString());
        // Design: engines agree with the definition to 2e-5 of the maximum.
        QVERIFY(largestDifference(got, expected) <= 2e-5 * peak);
        QVERIFY(peak > 0);
    }

    void twoWaysAreComparedAndWritten() {
        const Said said = cli(QStringList{"project", "points:4,8,0;-40,12,-4", path("two.nii"), "--op",
                                          "forward", "--engine", "cpu", "--against-op", "back", "--kernel",
                                          "variant2", "--azimuth", "37", "--repeat", "3", "--json"} +
                              kSmall);

        QVERIFY2(said.code == 0, said.all());
        const Volume a = readVolume(path("two-a.nii").toStdString());
        const Volume b = readVolume(path("two-b.nii").toStdString());
        const Volume d = readVolume(path("two-difference.nii").toStdString());
        double largest = 0;
        double squares = 0;
        double reference = 0;
        for (std::size_t i = 0; i < a.data.size(); ++i) {
            QCOMPARE(d.data[i], a.data[i] - b.data[i]);
            largest = std::max(largest, static_cast<double>(std::abs(d.data[i])));
            squares += static_cast<double>(d.data[i]) * static_cast<double>(d.data[i]);
            reference += static_cast<double>(b.data[i]) * static_cast<double>(b.data[i]);
        }
        const QJsonObject figures = said.json()["differences"].toArray()[0].toObject();
        QVERIFY(largest > 0);
        QVERIFY(std::abs(figures["largest"].toDouble() - largest) <= 1e-7 * largest);
        const double rms = std::sqrt(squares / static_cast<double>(a.data.size()));
        QVERIFY(std::abs(figures["rms"].toDouble() - rms) <= 1e-6 * rms);
        const double relative = std::sqrt(squares / reference);
        QVERIFY(std::abs(figures["relative_rms"].toDouble() - relative) <= 1e-6 * relative);
        const QJsonArray where = figures["where_mm"].toArray();
        const VoxelIndex at =
            nearestVoxel(a.lattice, {where[0].toDouble(), where[1].toDouble(), where[2].toDouble()});
        QCOMPARE(static_cast<double>(std::abs(d.at(at[0], at[1], at[2]))), largest);
        for (const auto& item : said.json()["projections"].toArray()) {
            QCOMPARE(item.toObject()["runs"].toInt(), 3);
            QVERIFY(item.toObject()["projection_ms"].toDouble() > 0);
            QVERIFY(item.toObject()["min_ms"].toDouble() > 0);
        }
    }

    void anEngineBesideItselfIsBitIdentical() {
        const Said said = cli(QStringList{"project", "points:0,0,0", "--op", "both", "--engine", "cpu",
                                          "--against-engine", "cpu", "--kernel", "variant1", "--json"} +
                              kSmall);

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["projections"].toArray().size(), 4);
        const QJsonArray differences = said.json()["differences"].toArray();
        QCOMPARE(differences.size(), 2);
        for (const auto& item : differences) {
            QVERIFY(item.toObject()["identical"].toBool());
            QCOMPARE(item.toObject()["largest"].toDouble(), 0.0);
        }
    }

    void theDefinitionIsAnEngineForPoints() {
        const QStringList common =
            QStringList{"--op",     "back", "--kernel",         "ha-fig7-variant-asymmetric",
                        "--engine", "cpu",  "--against-engine", "definition",
                        "--json"};
        writeVolume(path("image.h5").toStdString(), Volume(lattice(), 1.0F));

        const Said points = cli(QStringList{"project", "points:20,16,0"} + kSmall + common);
        const Said image = cli(QStringList{"project", path("image.h5")} + common);

        QVERIFY2(points.code == 0, points.all());
        const QJsonObject figures = points.json()["differences"].toArray()[0].toObject();
        QVERIFY(figures["largest"].toDouble() <= 2e-5 * figures["peak"].toDouble());
        QVERIFY2(image.code == 4, image.all());
        QVERIFY(image.err.contains("point sources"));
    }

    void everyStrategyIsMeasured() {
        const Said said = cli(QStringList{"project", "points:0,0,0", "--op", "forward", "--engine", "cpu",
                                          "--measure", "--repeat", "1", "--json"} +
                              kSmall);

        QVERIFY2(said.code == 0, said.all());
        bool cpu = false;
        for (const auto& item : said.json()["strategies"].toArray()) {
            const QJsonObject row = item.toObject();
            cpu = cpu || (row["engine"].toString() == "cpu" && row["median_ms"].toDouble() > 0);
            QVERIFY(row.contains("median_ms") != row.contains("why_not"));
        }
        QVERIFY(cpu);
        // Float sums of some hundred terms, twice.
        QVERIFY(said.json()["adjoint_error"].toDouble() < 1e-5);
        QVERIFY(said.json().contains("adjoint_error"));
    }

    void whatMakesNoSenseIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no points") << QStringList{"points:", "--op", "forward"};
        QTest::newRow("outside") << QStringList{"points:900,0,0", "--op", "forward"};
        QTest::newRow("half a point") << QStringList{"points:1,2", "--op", "forward"};
        QTest::newRow("unknown engine")
            << QStringList{"points:0,0,0", "--op", "forward", "--against-engine", "gpu"};
        QTest::newRow("both against one")
            << QStringList{"points:0,0,0", "--op", "both", "--against-op", "back"};
        QTest::newRow("unknown map") << QStringList{"points:0,0,0", "--op", "forward", "--against-op", "up"};
    }

    void whatMakesNoSenseIsRefused() {
        QFETCH(QStringList, words);

        const Said said = cli(QStringList{"project"} + words + kSmall);

        QVERIFY2(said.code == 2, said.all());
        QVERIFY2(isOneSentence(said), said.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] static Lattice lattice() { return Lattice::centred({31, 27, 11}, {4, 4, 4}); }

    /// A volume out of what a .json output holds: the voxels that are not zero.
    static Volume volumeOfJson(const QString& name, int projection) {
        QFile file(name);
        Volume volume(lattice());
        if (file.open(QIODevice::ReadOnly)) {
            const QJsonObject form = QJsonDocument::fromJson(file.readAll()).object();
            const QJsonObject saved =
                form["projections"].toArray()[projection].toObject()["volume"].toObject();
            for (const auto& item : saved["voxels"].toArray()) {
                const QJsonArray v = item.toArray();
                volume.at(v[0].toInt(), v[1].toInt(), v[2].toInt()) = static_cast<float>(v[3].toDouble());
            }
        }
        return volume;
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(KernelLabCommandsTest)

}  // namespace kernel_lab_commands_test
#include "kernel_lab_commands_test.moc"
