// SPDX-License-Identifier: Apache-2.0
// Efficiencies, dead time and attenuation of a list, found, switched and reconstructed by the real program.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"
#include "tests/support/ge_lists.h"

namespace list_correct_test {

using namespace tof;
using namespace tof::test;

class ListCorrectTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }
    [[nodiscard]] bool write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    /// Emissions of the image that the program makes of a file.
    [[nodiscard]] double emissions(const char* data) const {
        const Said made = cli({"reconstruct", path(data), "--out", path("run.h5"), "--algorithm", "osem",
                               "--subsets", "1", "--iterations", "4", "--engine", "cpu"});
        if (made.code != 0) {
            qWarning("%s", made.all().constData());
            return 0;
        }
        const Volume image = readVolume(path("run.h5").toStdString());
        return std::accumulate(image.data.begin(), image.data.end(), 0.0);
    }

  private slots:
    /// Singles and crystal efficiencies of GE's own files correct the histo-images of their list.
    void filesOfGeCorrectTheirList() {
        GeList list;
        list.marker(70000);
        list.point({-60, 35, 12}, 2000);
        list.marker(72500);
        const std::size_t crystals = std::size_t{kGeRings} * kGePlaces;
        list.singles = {std::vector<std::uint32_t>(crystals, 1000),
                        std::vector<std::uint32_t>(crystals, 3000)};
        writeRdf9(path("list.BLF").toStdString(), list);
        GeList norm;
        for (std::size_t i = 0; i < 2 * crystals; ++i) {
            norm.factors.push_back(i / kGePlaces % 4 == 0 ? 1.0F : 2.0F);  // of every second ring half
        }
        writeRdf9(path("norm.BLF").toStdString(), norm, {{"/HeaderData/RDFConfiguration/isListFile", 0}});

        const Said bins = cli({"bin", path("list.BLF"), path("ge.h5"), "--to", "histo", "--views", "6x1",
                               "--grid", "20x20x6", "--voxel", "8x8x10"});
        QVERIFY2(bins.code == 0, bins.all());
        const auto corrected = [&](bool json) {
            QStringList words{"correct",   path("ge.h5"),    path("ge-both.h5"), "--norm", path("norm.BLF"),
                              "--singles", path("list.BLF"), "--randoms",        "singles"};
            return cli((json ? QStringList{"--json"} : QStringList()) + words);
        };
        const Said made = corrected(true);
        QVERIFY2(made.code == 0, made.all());
        // Half of the crystals have 4/3 of the mean, the others 2/3.
        QVERIFY(std::abs(made.json()["efficiency_sd"].toDouble() - 1.0 / 3) < 1e-3);
        QVERIFY(made.json()["randoms"].toDouble() > 0);
        QVERIFY(corrected(false).all().contains("geometric factors are not applied"));

        list.singles = {std::vector<std::uint32_t>(crystals, 4000)};  // twice the mean rate
        writeRdf9(path("list.BLF").toStdString(), list);
        const double ratio = corrected(true).json()["randoms"].toDouble() / made.json()["randoms"].toDouble();
        QVERIFY2(std::abs(ratio - 4) < 1e-6, qPrintable(QString::number(ratio)));
    }

    void factorsAreFoundSwitchedAndTaken() {
        QVERIFY(write("scanner.json",
                      R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[4,6],)"
                      R"("pitch_mm":[10,10]},"crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,)"
                      R"("acceptance_deg":20,"fov_diameter_mm":200,"timing_fwhm_ps":300,"detection":)"
                      R"({"material":"LSO","energy_resolution":0.12,"window_kev":[435,650],)"
                      R"("coincidence_ns":4,"dead_time_ns":1000}})"));
        QVERIFY(write("rings.json",
                      R"({"kind":"rings","name":"rings","rings":6,"crystals_per_ring":96,"radius_mm":157,)"
                      R"("ring_spacing_mm":10,"segments":"ge","radial_bins":55})"));
        QVERIFY(write("source.json",
                      R"({"name":"source","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":80,)"
                      R"("length_mm":56,"activity":1}]})"));
        const Said scan = cli({"simulate", "--scanner", path("scanner.json"), "--phantom",
                               path("source.json"), "--events", "8000", "--activity", "25", "--physics",
                               "energy,randoms,dead-time", "--singles", path("singles.h5"), path("list.h5")});
        QVERIFY2(scan.code == 0, scan.all());
        const Said lines = cli({"bin", path("list.h5"), path("lines.h5"), "--to", "lors", "--grid", "20x20x6",
                                "--voxel", "8x8x10"});
        QVERIFY2(lines.code == 0, lines.all());

        const Said both = cli({"--json", "correct", path("lines.h5"), path("both.h5"), "--norm",
                               path("list.h5"), "--singles", path("singles.h5"), "--randoms", "off"});
        const Said alive = cli({"correct", path("both.h5"), path("alive.h5"), "--efficiencies", "off"});
        const Said none = cli({"correct", path("alive.h5"), path("none.h5"), "--dead-time", "off"});

        for (const Said& said : {both, alive, none}) {
            QVERIFY2(said.code == 0, said.all());
        }
        QVERIFY(both.json()["efficiency_sd"].toDouble() > 0);
        const QJsonObject parts = cli({"--json", "info", path("alive.h5")}).json()["parts"].toObject();
        QVERIFY(!parts["efficiencies"].toObject()["on"].toBool());
        QVERIFY(parts["dead-time"].toObject()["on"].toBool());
        QVERIFY(readLineData(path("none.h5").toStdString()).possible.efficiencies.empty());
        // Every module is dead alike: emissions are more by the square of the time that it is alive.
        const double share = parts["dead-time"].toObject()["alive"].toDouble();
        const double ratio = emissions("none.h5") / emissions("alive.h5");
        QVERIFY(share > 0 && share < 0.97);
        QVERIFY2(std::abs(ratio / (share * share) - 1) < 0.01, qPrintable(QString::number(ratio)));
        QCOMPARE(emissions("none.h5"), emissions("lines.h5"));
        // Attenuation comes out and in; 'bin' took it from the phantom that the list names: it has none.
        QVERIFY(!cli({"--json", "info", path("none.h5")}).json()["attenuation"].toBool());
        Volume water(Lattice::centred({20, 20, 6}, {8, 8, 10}), 0.0096F);
        water.units = "1/mm";
        writeVolume(path("mu.h5").toStdString(), water);
        const Said wet =
            cli({"correct", path("none.h5"), path("wet.h5"), "--attenuation", "on", "--mu", path("mu.h5")});
        const Said dry = cli({"correct", path("wet.h5"), path("dry.h5"), "--attenuation", "off"});
        QVERIFY2(wet.code == 0, wet.all());
        QVERIFY2(dry.code == 0, dry.all());
        const QJsonObject info = cli({"--json", "info", path("wet.h5")}).json();
        QVERIFY(info["attenuation"].toBool());
        QVERIFY(info["parts"].toObject()["attenuation"].toObject()["on"].toBool());
        const QJsonObject after = cli({"--json", "info", path("dry.h5")}).json();
        QVERIFY(!after["attenuation"].toBool());
        QVERIFY(!after["parts"].toObject()["attenuation"].toObject()["on"].toBool());
        QVERIFY(emissions("wet.h5") > 1.5 * emissions("none.h5"));
        QCOMPARE(emissions("dry.h5"), emissions("none.h5"));
        // What came from --corrections cannot be parted.
        QVERIFY(cli({"bin", path("list.h5"), path("sino.h5"), "--to", "sinogram", "--scanner",
                     path("rings.json")})
                    .code == 0);
        QVERIFY(
            cli({"bin", path("list.h5"), path("given.h5"), "--to", "lors", "--corrections", path("sino.h5")})
                .code == 0);
        const Said refused = cli({"correct", path("given.h5"), path("no.h5"), "--attenuation", "off"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(isOneSentence(refused) && refused.all().contains("--corrections"), refused.all());
    }
};

QTEST_GUILESS_MAIN(ListCorrectTest)

}  // namespace list_correct_test
#include "list_correct_test.moc"
