// SPDX-License-Identifier: Apache-2.0
// Sinograms of a ring scanner through the real program: simulated, reconstructed, analysed.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>

#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/rdf9_norm.h"
#include "tests/cli/cli_process.h"
#include "tests/support/ecat8_norm.h"
#include "tests/support/ge_lists.h"
#include "tests/support/small_ecat8.h"

namespace ring_pipeline_test {

using namespace tof;
using namespace tof::test;

namespace {

/// How far the mean of a quarter of a slice, within 70 mm, lies from that of all, relative to it.
double worstQuarter(const Volume& image) {
    const auto& size = image.lattice.size;
    std::vector<std::array<double, 2>> sums(4 * static_cast<std::size_t>(size[2]));
    for (std::size_t i = 0; i < image.data.size(); ++i) {
        const int index = static_cast<int>(i);
        const int slice = index / (size[0] * size[1]);
        const Vec3 at = image.lattice.centre(index % size[0], index / size[0] % size[1], slice);
        if (std::hypot(at.x, at.y) < 70) {
            auto& sum = sums[static_cast<std::size_t>(4 * slice + (at.x < 0 ? 1 : 0) + (at.y < 0 ? 2 : 0))];
            sum[0] += static_cast<double>(image.data[i]);
            sum[1] += 1;
        }
    }
    double all = 0;
    for (const auto& sum : sums) {
        all += sum[0] / sum[1] / static_cast<double>(sums.size());
    }
    double worst = 0;
    for (const auto& sum : sums) {
        worst = std::max(worst, std::abs(sum[0] / sum[1] / all - 1));
    }
    return worst;
}

}  // namespace

class RingPipelineTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QFile file(path("rings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"kind":"rings","name":"small","rings":4,"crystals_per_ring":96,"radius_mm":300,)"
                   R"("ring_spacing_mm":8,"segments":"ge","radial_bins":55,"angles_per_part":4})");
    }

    void fromPhantomToImage() {
        const Said simulated =
            cli({"simulate", "--scanner", path("rings.json"), "--phantom", "uniform-cylinder", "--events",
                 "200000", "--grid", "40x40x7", "--voxel", "8x8x4", path("sim.h5"), "--json"});
        QVERIFY2(simulated.code == 0, simulated.all());
        const SinogramData data = readSinogramData(path("sim.h5").toStdString());
        QCOMPARE(static_cast<double>(data.kept), simulated.json()["counts"].toDouble());

        const Said info = cli({"info", path("sim.h5"), "--json"});
        QCOMPARE(info.json()["form"].toString(), QString("sinogram"));
        QCOMPARE(info.json()["angles"].toInt(), 48);

        const Said there = cli({"convert", path("sim.h5"), path("sim.hs")});
        QVERIFY2(there.code == 0, there.all());
        const Said back = cli({"convert", path("sim.hs"), path("back.h5")});
        QVERIFY2(back.code == 0, back.all());
        QCOMPARE(readSinogramData(path("back.h5").toStdString()).kept, data.kept);

        // What was assumed of foreign data stays with the run.
        const Said foreign = cli({"reconstruct", path("sim.hs"), "--out", path("foreign.h5"), "--algorithm",
                                  "osem", "--iterations", "1", "--engine", "cpu", "--projector", "joseph"});
        QVERIFY2(foreign.code == 0 && foreign.err.contains("--multiplicity"), foreign.all());
        const QJsonObject settings =
            cli({"info", path("foreign.h5"), "--json"}).json()["settings"].toObject();
        QVERIFY(settings["data_note"].toString().contains("--multiplicity"));

        const Said made =
            cli({"reconstruct", path("sim.h5"), "--out", path("run.h5"), "--algorithm", "osem", "--subsets",
                 "6", "--iterations", "2", "--engine", "cpu", "--projector", "joseph", "--json"});
        QVERIFY2(made.code == 0, made.all());
        const Volume image = readVolume(path("run.h5").toStdString());
        QVERIFY(image.lattice == data.lattice);
        double inside = 0;
        double outside = 0;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 40; ++x) {
                const Vec3 at = image.lattice.centre(x, y, 3);
                const double radius = std::hypot(at.x, at.y);
                inside += radius < 80 ? static_cast<double>(image.at(x, y, 3)) / 317 : 0;
                outside += radius > 125 ? static_cast<double>(image.at(x, y, 3)) / 832 : 0;
            }
        }
        QVERIFY2(outside < 0.05 * inside, qPrintable(QString("%1 %2").arg(outside).arg(inside)));
    }

    void recoveryFromPhantomToFigures() {
        // Without noise to speak of: hot spheres above the background, cold ones below, large ones more so.
        QFile file(path("iq-rings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"kind":"rings","name":"iq","rings":2,"crystals_per_ring":288,"radius_mm":400,)"
                   R"("ring_spacing_mm":8,"segments":"ge","radial_bins":161,"angles_per_part":8})");
        file.close();
        const Said simulated =
            cli({"simulate", "--scanner", path("iq-rings.json"), "--phantom", "nema-iq", "--events",
                 "100000000", "--grid", "100x100x3", "--voxel", "4", path("iq.h5"), "--json"});
        QVERIFY2(simulated.code == 0, simulated.all());
        const Said made = cli({"reconstruct", path("iq.h5"), "--out", path("iq-run.h5"), "--algorithm",
                               "osem", "--subsets", "6", "--iterations", "8", "--save-every", "8", "--engine",
                               "cpu", "--fov-radius", "200", "--json"});
        QVERIFY2(made.code == 0, made.all());
        double diameter = 0;
        for (const char* circle : {"diameter", "radius"}) {
            const Said found =
                cli({"analyze", path("iq-run.h5"), "--rois", "recovery", "--circle", circle, "--json"});
            QVERIFY2(found.code == 0, found.all());
            const QJsonObject last = found.json()["iterations"].toArray().last().toObject();
            QVERIFY(last["nsr"].toDouble() < 0.1);
            double largestCold = 0;
            for (const auto& row : last["rois"].toArray()) {
                const QJsonObject roi = row.toObject();
                if (!roi.contains("contrast_recovery")) {
                    continue;
                }
                const double recovery = roi["contrast_recovery"].toDouble();
                QVERIFY2(recovery > 0.2 && recovery < 1.3,
                         qPrintable(QString("%1 %2").arg(roi["name"].toString()).arg(recovery)));
                largestCold = recovery;  // 37 mm, the last one
            }
            QVERIFY(largestCold > 0.7);
            // The smaller circle lies farther from the edge.
            QVERIFY(diameter == 0 || largestCold > diameter);
            diameter = largestCold;
        }
        QCOMPARE(cli({"analyze", path("iq-run.h5"), "--rois", "recovery", "--circle", "half"}).code, 2);
    }

    void listModeGivesTheImageOfSinograms_data() {
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("mu");
        QTest::newRow("plain") << ""
                               << "none";
        QTest::newRow("time of flight") << R"("tof":{"bins":5,"width_ps":400,"fwhm_ps":500},)"
                                        << "none";
        QTest::newRow("attenuated") << "" << path("mu.h5");
    }
    void listModeGivesTheImageOfSinograms() {
        QFETCH(QString, time);
        QFETCH(QString, mu);
        // Every bin is one pair of crystals, so that both see the same lines.
        QFile file(path("span1.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QString(R"({"kind":"rings","name":"span 1","rings":3,"crystals_per_ring":60,)"
                           R"("radius_mm":200,"ring_spacing_mm":10,%1"radial_bins":31})")
                       .arg(time)
                       .toUtf8());
        file.close();
        Volume water;
        water.lattice = Lattice::centred({20, 20, 5}, {10, 10, 5});
        water.data.assign(water.lattice.voxels(), 0.003F);
        water.units = "1/mm";
        writeVolume(path("mu.h5").toStdString(), water);
        EventList events;
        std::mt19937 random(8);
        for (int i = 0; i < 20000; ++i) {
            events.crystals.push_back(
                {static_cast<std::uint32_t>(random() % 180), static_cast<std::uint32_t>(random() % 180)});
            events.dt_ps.push_back(static_cast<float>(random() % 801) - 400.0F);
        }
        writeEvents(path("pairs.h5").toStdString(), events);
        std::vector<Volume> images;
        std::vector<double> counted;
        for (const char* form : {"sinogram", "lors"}) {
            const QString data = path(QString(form) + ".h5");
            const Said made =
                cli({"bin", path("pairs.h5"), data, "--to", form, "--scanner", path("span1.json"), "--grid",
                     "20x20x5", "--voxel", "10x10x5", "--mu", mu, "--json"});
            QVERIFY2(made.code == 0, made.all());
            counted.push_back(made.json()[form == std::string("lors") ? "events" : "kept"].toDouble());
            const Said info = cli({"info", data, "--json"});
            QCOMPARE(info.json()["form"].toString(), QString(form));
            const Said run = cli({"reconstruct", data, "--out", path("list-run.h5"), "--algorithm", "mlem",
                                  "--iterations", "6", "--engine", "cpu", "--json"});
            QVERIFY2(run.code == 0, run.all());
            images.push_back(readVolume(path("list-run.h5").toStdString()));
        }
        QCOMPARE(counted[1], counted[0]);
        QVERIFY(counted[0] > 5000);
        const float largest = *std::max_element(images[0].data.begin(), images[0].data.end());
        QVERIFY(largest > 0);
        for (std::size_t i = 0; i < images[0].data.size(); ++i) {
            QVERIFY2(std::abs(images[1].data[i] - images[0].data[i]) <= 1e-4F * largest,
                     qPrintable(QString("%1: %2, %3").arg(i).arg(images[1].data[i]).arg(images[0].data[i])));
        }
    }

    void correctedListModeGivesTheImageOfSinograms() {
        QFile file(path("corrected.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"kind":"rings","name":"span 1","rings":3,"crystals_per_ring":60,)"
                   R"("radius_mm":200,"ring_spacing_mm":10,"radial_bins":31})");
        file.close();
        EventList events;
        std::mt19937 random(9);
        for (int i = 0; i < 20000; ++i) {
            events.crystals.push_back(
                {static_cast<std::uint32_t>(random() % 180), static_cast<std::uint32_t>(random() % 180)});
        }
        writeEvents(path("untimed.h5").toStdString(), events);
        QCOMPARE(cli({"bin", path("untimed.h5"), path("no.h5"), "--scanner", "labr3-ideal"}).code, 3);
        const Said binned =
            cli({"bin", path("untimed.h5"), path("corrections.h5"), "--to", "sinogram", "--scanner",
                 path("corrected.json"), "--grid", "20x20x5", "--voxel", "10x10x5", "--mu", "none"});
        QVERIFY2(binned.code == 0, binned.all());
        SinogramData data = readSinogramData(path("corrections.h5").toStdString());
        for (std::size_t i = 0; i < data.mult.size(); ++i) {
            data.mult[i] *= 0.3F + 0.01F * static_cast<float>(i % 50);
            data.add.push_back(0.02F + 0.001F * static_cast<float>(i % 30));
        }
        writeSinogramData(path("corrections.h5").toStdString(), data);

        const Said made = cli({"bin", path("untimed.h5"), path("corrected.h5"), "--to", "lors",
                               "--corrections", path("corrections.h5"), "--json"});
        QVERIFY2(made.code == 0, made.all());
        QVERIFY(made.json()["mult"].toBool() && made.json()["add"].toBool());
        std::vector<Volume> images;
        for (const char* name : {"corrections.h5", "corrected.h5"}) {
            const Said run = cli({"reconstruct", path(name), "--out", path("corrected-run.h5"), "--algorithm",
                                  "mlem", "--iterations", "6", "--engine", "cpu"});
            QVERIFY2(run.code == 0, run.all());
            images.push_back(readVolume(path("corrected-run.h5").toStdString()));
        }
        const float largest = *std::max_element(images[0].data.begin(), images[0].data.end());
        for (std::size_t i = 0; i < images[0].data.size(); ++i) {
            QVERIFY(std::abs(images[1].data[i] - images[0].data[i]) <= 1e-4F * largest);
        }
        const Said twice = cli({"bin", path("untimed.h5"), path("no.h5"), "--to", "lors", "--corrections",
                                path("corrections.h5"), "--mu", "none"});
        QCOMPARE(twice.code, 2);
        QVERIFY2(isOneSentence(twice), twice.all());
    }

    void siemensListModeBecomesSinogramsAndLines() {
        QVERIFY(test::writeSmallEcat8(folder_.path()));

        QCOMPARE(cli({"bin", path("list.l.hdr"), path("no.h5")}).code, 2);
        // Head first: the first ring is the upper one. The words lie in planes 0 (ring 0) and 1 (ring 1);
        // leave those of plane 1 out and the counts are all in the upper half.
        QFile upside(path("hfs.l"));
        QVERIFY(upside.open(QIODevice::WriteOnly));
        QByteArray ringZero;
        for (int i = 0; i < 1062; ++i) {
            const quint32 word = 0x40000000U | (4U + 9U * static_cast<quint32>(i % 12));
            ringZero.append(reinterpret_cast<const char*>(&word), 4);
        }
        upside.write(ringZero);
        upside.close();
        QFile header(path("list.l.hdr"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        const QByteArray text = header.readAll().replace("list.l\n", "hfs.l\n");
        header.close();
        // Where nothing is said patients lie as STIR has them, head first and supine.
        for (const char* position : {"", "HFS", "FFS"}) {
            QFile turned(path("hfs.l.hdr"));
            QVERIFY(turned.open(QIODevice::WriteOnly));
            turned.write(text + (*position != '\0' ? QByteArray("%patient orientation:=") + position + "\n"
                                                   : QByteArray()));
            turned.close();
            const Said made = cli({"bin", path("hfs.l.hdr"), path("hfs.h5"), "--to", "sinogram"});
            QVERIFY2(made.code == 0, made.all());
            const SinogramData data = readSinogramData(path("hfs.h5").toStdString());
            const Michelogram& m = *data.michelogram;
            for (std::size_t bin = 0; bin < data.counts.size(); ++bin) {
                if (data.counts[bin] > 0) {
                    QCOMPARE(m.sinograms()[bin / 9 % m.sinograms().size()].z1_mm,
                             position == std::string("FFS") ? -5.0 : 5.0);
                }
            }
        }
        std::vector<Volume> images;
        for (const char* form : {"sinogram", "lors"}) {
            const QString data = path(QString("ecat8-") + form + ".h5");
            const Said made = cli({"bin", path("list.l.hdr"), data, "--to", form, "--json"});
            QVERIFY2(made.code == 0, made.all());
            QCOMPARE(made.json()["words"].toInt(), 1062);
            QCOMPARE(made.json()["prompts"].toInt(), 960);
            QCOMPARE(made.json()["delayeds"].toInt(), 100);
            QCOMPARE(made.json()["randoms"].toDouble(), 100.0);
            QCOMPARE(made.json()["duration_s"].toDouble(), 0.5);
            QCOMPARE(made.json()[form == std::string("lors") ? "events" : "kept"].toInt(), 960);
            const Said run = cli({"reconstruct", data, "--out", path("ecat8-run.h5"), "--algorithm", "mlem",
                                  "--iterations", "10", "--engine", "cpu"});
            QVERIFY2(run.code == 0, run.all());
            images.push_back(readVolume(path("ecat8-run.h5").toStdString()));
        }
        const auto best = std::max_element(images[0].data.begin(), images[0].data.end());
        QCOMPARE(images[0].lattice.size, (std::array<int, 3>{9, 9, 3}));
        QCOMPARE((best - images[0].data.begin()) % 81, std::ptrdiff_t{40});  // the middle of a plane
        for (std::size_t i = 0; i < images[0].data.size(); ++i) {
            QVERIFY(std::abs(images[1].data[i] - images[0].data[i]) <= 1e-4F * *best);
        }
    }

    // Siemens' list-mode of a cylinder, as crystals of any efficiency count it, is uniform by its
    // normalisation.
    void aNormalisedCylinderIsUniform() {
        Ecat8NormTables tables{4, 192, 8, 91, 3, 1, 7, {}, {}, {}, {}};
        tables.fill();
        const std::string folder = folder_.path().toStdString();
        writeEcat8Norm(folder, "cylinder.n", tables);
        std::ofstream(folder + "/cylinder.l.hdr") << ecat8ListHeader(tables, "cylinder.l");
        const std::vector<std::uint32_t> words = cylinderWords(tables);
        std::ofstream(folder + "/cylinder.l", std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));

        const auto worst = [&](const QStringList& more) {
            const Said made = cli(
                QStringList{"bin", path("cylinder.l.hdr"), path("cylinder.h5"), "--to", "sinogram"} + more);
            const Said run =
                cli({"reconstruct", path("cylinder.h5"), "--out", path("cylinder-run.h5"), "--algorithm",
                     "osem", "--subsets", "8", "--iterations", "4", "--engine", "cpu"});
            return made.code + run.code == 0 ? worstQuarter(readVolume(path("cylinder-run.h5").toStdString()))
                                             : std::nan("");
        };
        const double counted = worst({});
        const double normalised = worst({"--norm", path("cylinder.n.hdr")});
        QVERIFY2(counted > 0.1 && normalised < 0.02,
                 qPrintable(QString("%1 %2").arg(counted).arg(normalised)));
        QCOMPARE(cli({"bin", path("cylinder.l.hdr"), path("no.h5"), "--to", "lors", "--norm",
                      path("cylinder.n.hdr")})
                     .code,
                 2);
    }

    // A list of GE takes the efficiencies of its pairs from GE's normalisation, and no other's.
    void aListOfGeTakesItsNormalisation() {
        GeList list;
        list.marker(70000);
        for (int place = 0; place < 200; ++place) {
            list.coincidence(place % 12, place, (place + 3) % 12, place + 240, 0);
        }
        GeList norm = list;
        for (int at = 0; at < 2 * kGeRings * kGePlaces; ++at) {
            norm.factors.push_back(1 + 0.001F * static_cast<float>(at % 997));
        }
        const std::string listPath = path("ge.BLF").toStdString();
        writeRdf9(listPath, list);
        const std::string normPath = path("ge-norm.h5").toStdString();
        writeRdf9(normPath, norm, {{"/HeaderData/RDFConfiguration/isListFile", 0}});
        std::ofstream(path("ge.json").toStdString())
            << R"({"kind": "rings", "name": "ge", "rings": 12, "crystals_per_ring": 480, "radius_mm": 320,)"
            << R"( "ring_spacing_mm": 5, "first_angle_deg": 5.729577951308232, "radial_bins": 21})";
        const auto bin = [&](const char* with) {
            return cli({"bin", path("ge.BLF"), path("ge.h5"), "--to", "sinogram", "--scanner",
                        path("ge.json"), "--mu", "none", "--norm", path(with)});
        };

        const Said made = bin("ge-norm.h5");

        QVERIFY2(made.code == 0 && made.all().contains("holds no geometric factors"), made.all());
        const SinogramData data = readSinogramData(path("ge.h5").toStdString());
        QCOMPARE(data.kept, 200U);
        const auto scanner = readEvents(listPath).events.scannerJson.scanner("list");
        QCOMPARE(data.mult, rdf9BinEfficiencies(normPath, *data.michelogram, *scanner, ThreadPool()).values);
        std::ofstream(path("ge-crystals.json").toStdString()) << scanner->toJson();
        const Said twice = cli({"correct", path("ge.h5"), path("twice.h5"), "--norm", path("ge-norm.h5"),
                                "--scanner", path("ge-crystals.json")});
        QVERIFY2(twice.code == 2 && twice.all().contains("would count twice"), twice.all());
        const Said other = bin("ge.BLF");
        QVERIFY2(other.code == 3 && other.all().contains("no normalisation of GE RDF 9"), other.all());
    }

    // Frames of an mMR's list say what the singles at their times leave; without tags of singles nothing is
    // said.
    void framesOfTheMmrHaveTheirDeadTime() {
        const Ecat8NormTables t = smallMmr();
        const std::string folder = folder_.path().toStdString();
        writeEcat8Norm(folder, "small.n", t);
        std::ofstream(folder + "/small.l.hdr") << ecat8ListHeader(t, "small.l");
        const std::vector<std::uint32_t> words = mmrWords(t, {30000, 20000, 80000, 10000});
        std::ofstream(folder + "/small.l", std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));

        const Said made = cli({"bin", path("small.l.hdr"), path("small.h5"), "--to", "sinogram", "--norm",
                               path("small.n.hdr"), "--frames", "2x10s"});

        QVERIFY2(made.code == 0 && made.all().contains("in frames of what it leaves in the whole list"),
                 made.all());
        const auto data = readSinogramData(path("small.h5").toStdString());
        const double first = data.frames->frames[0].live;
        const double second = data.frames->frames[1].live;
        QVERIFY2(std::abs(first - 1) > 0.01 && std::abs(second - 1) > 0.01 && (first < 1) != (second < 1),
                 qPrintable(QString("%1 %2").arg(first).arg(second)));
    }

    // The mMR as it is: 64 rings of 504 places, 344 bins, span 11, with its gaps, its shift by a crystal and
    // dead time that takes up to a third of a crystal's photons.
    void aListOfTheMmrIsQuantitative() {
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("40 million words take minutes: TOFSCOPE_FULL=1");
        }
        Ecat8NormTables t{64, 504, 9, 344, 11, 5, 127, {}, {}, {}, {}};
        t.fill();
        t.radius_mm = 335;
        t.spacing_mm = 4.0625;
        t.perMm = 0.025;
        t.system = "2008";
        for (float& value : t.efficiencies) {
            value = 0.8F + 0.4F * (value - 0.5F);
        }
        const std::string folder = folder_.path().toStdString();
        std::array<Volume, 2> images;
        for (const std::size_t dead : {0U, 1U}) {
            if (dead == 1) {
                t.paralysing.assign(64, -1e-7F);
                t.other.assign(64, 2e-6F);
                for (std::uint32_t block = 0; block < 224; ++block) {
                    t.singles.push_back(20000 + 500 * (block % 28) + 3000 * (block / 28));
                }
            }
            writeEcat8Norm(folder, "mmr.n", t);
            std::ofstream(folder + "/mmr.l.hdr") << ecat8ListHeader(t, "mmr.l");
            const std::vector<std::uint32_t> words = cylinderWords(t);
            std::ofstream(folder + "/mmr.l", std::ios::binary)
                .write(reinterpret_cast<const char*>(words.data()),
                       static_cast<std::streamsize>(4 * words.size()));
            const Said made = cli({"bin", path("mmr.l.hdr"), path("mmr.h5"), "--to", "sinogram", "--norm",
                                   path("mmr.n.hdr"), "--grid", "64x64x65", "--voxel", "4"});
            const Said run = cli({"reconstruct", path("mmr.h5"), "--out", path("mmr-run.h5"), "--algorithm",
                                  "osem", "--subsets", "14", "--iterations", "4", "--engine", "cpu"});
            QVERIFY2(made.code + run.code == 0, made.all() + run.all());
            QCOMPARE(made.all().contains("dead time leaves"), dead == 1);
            images[dead] = readVolume(path("mmr-run.h5").toStdString());
            const double worst = worstQuarter(images[dead]);
            qInfo("%zu words, worst quarter %.4f", words.size(), worst);
            QVERIFY2(worst < 0.02, qPrintable(QString::number(worst)));
        }
        const auto sum = [](const Volume& image) {
            return std::accumulate(image.data.begin(), image.data.end(), 0.0);
        };
        const double ratio = sum(images[1]) / sum(images[0]);
        qInfo("activity with dead time over without: %.4f", ratio);
        QVERIFY2(std::abs(ratio - 1) < 0.02, qPrintable(QString::number(ratio)));
    }

    // The cylinder of the test before, which was measured for 2 s.
    void aPhantomOfKnownActivityCalibrates() {
        const std::string folder = folder_.path().toStdString();
        std::ofstream(folder + "/inside.json")
            << R"([{"name": "inside", "shape": "cylinder", "centre_mm": [0, 0, 0], "radius_mm": 60,)"
            << R"( "size_mm": [0, 0, 10]}])";
        const QStringList calibrate{"calibrate", path("cylinder-run.h5"), path("cal.json"),
                                    "--rois",    path("inside.json"),     "--activity"};

        const Said made = cli(calibrate + QStringList{"5000", "--json"});
        const Said used =
            cli({"convert", path("cylinder-run.h5"), path("Bq.nii"), "--calibration", path("cal.json")});

        QVERIFY2(made.code == 0 && used.code == 0, made.all() + used.all());
        const Volume image = readVolume(path("Bq.nii").toStdString());
        const Volume counts = readVolume(path("cylinder-run.h5").toStdString());
        QCOMPARE(image.units, std::string("Bq/ml"));
        const double factor = made.json()["bq_per_ml_per_unit_s"].toDouble() / 2;
        double sum = 0;
        double voxels = 0;
        for (std::size_t i = 0; i < image.data.size(); ++i) {
            const double value = static_cast<double>(image.data[i]);
            QVERIFY(std::abs(value - factor * static_cast<double>(counts.data[i])) <= 1e-6 * value);
            const int index = static_cast<int>(i);
            const Vec3 at = image.lattice.centre(index % 91, index / 91 % 91, index / 8281);
            const bool inside = std::hypot(at.x, at.y) < 60 && std::abs(at.z) < 5;
            sum += inside ? value : 0;
            voxels += inside ? 1 : 0;
        }
        QVERIFY2(std::abs(sum / voxels - 5000) < 50, qPrintable(QString::number(sum / voxels)));
        QVERIFY(cli({"convert", path("Bq.nii"), path("no.nii"), "--calibration", path("cal.json")}).code ==
                2);
        QFile file(path("cal.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        file.close();
        // A NIfTI of the calibration's own name has no sidecar where there is no dose, and none is let in.
        const QStringList beside{"convert", path("cylinder-run.h5"), path("cal.nii"), "--calibration",
                                 path("cal.json")};
        QCOMPARE(cli(beside).code, 0);
        QCOMPARE(cli(beside + QStringList{"--weight", "70", "--dose", "370"}).code, 2);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before);
        const QByteArray text = QByteArray(before).replace("Siemens ECAT8", "another");
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const Said other =
            cli({"convert", path("cylinder-run.h5"), path("no.nii"), "--calibration", path("cal.json")});
        QVERIFY2(other.code == 3 && other.all().contains("'another'"), other.all());
        QCOMPARE(cli(calibrate + QStringList{"0"}).code, 2);
    }

    void reversedTimesAreFoundAndTurnedBack() {
        QFile phantom(path("off-centre.json"));
        QVERIFY(phantom.open(QIODevice::WriteOnly));
        phantom.write(R"({"name":"off","shapes":[{"kind":"sphere","centre_mm":[80,-40,0],"radius_mm":20,)"
                      R"("activity":1}]})");
        phantom.close();
        const Said made = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", path("off-centre.json"),
                               "--events", "20000", path("stated.h5")});
        QVERIFY2(made.code == 0, made.all());
        EventList events = readEvents(path("stated.h5").toStdString()).events;
        for (float& dt : events.dt_ps) {
            dt = -dt;
        }
        writeEvents(path("reversed.h5").toStdString(), events);

        const auto sign = [&](const char* name) {
            return cli({"info", path(name), "--check-tof", "--json"}).json()["tof_check"].toObject();
        };
        QCOMPARE(sign("stated.h5")["sign"].toString(), QString("as stated"));
        QCOMPARE(sign("reversed.h5")["sign"].toString(), QString("reversed"));
        const QJsonArray point = sign("reversed.h5")["point_mm"].toArray();
        QVERIFY(std::hypot(point[0].toDouble() - 80, point[1].toDouble() + 40, point[2].toDouble()) < 3);
        const Said warned = cli({"bin", path("reversed.h5"), path("binned.h5"), "--to", "lors"});
        QVERIFY2(warned.code == 0 && warned.all().contains("--reverse-tof"), warned.all());
        QCOMPARE(sign("binned.h5")["sign"].toString(), QString("reversed"));
        const Said turned =
            cli({"bin", path("reversed.h5"), path("binned.h5"), "--to", "lors", "--reverse-tof"});
        QVERIFY2(turned.code == 0 && !turned.all().contains("look reversed"), turned.all());
        QCOMPARE(sign("binned.h5")["sign"].toString(), QString("as stated"));
        QCOMPARE(cli({"info", path("rings.json"), "--check-tof"}).code, 3);
    }

    void castorHistogramsGiveTheImageOfSinograms() {
        QFile file(path("castor.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"kind":"rings","name":"span 1","rings":3,"crystals_per_ring":60,)"
                   R"("radius_mm":200,"ring_spacing_mm":10,"radial_bins":31})");
        file.close();
        const QStringList grid{"--grid", "20x20x5", "--voxel", "10x10x5"};
        const Said simulated = cli(QStringList{"simulate", "--scanner", path("castor.json"), "--phantom",
                                               "uniform-cylinder", "--events", "50000"} +
                                   grid + QStringList{path("sinograms.h5")});
        QVERIFY2(simulated.code == 0, simulated.all());

        const Said there = cli({"convert", path("sinograms.h5"), path("histogram.cdh")});
        QVERIFY2(there.code == 0, there.all());
        QCOMPARE(cli({"info", path("histogram.cdh"), "--json"}).json()["kind"].toString(), QString("data"));
        const Said lines =
            cli(QStringList{"bin", path("histogram.cdh"), path("lines.h5"), "--to", "lors"} + grid);
        QVERIFY2(lines.code == 0, lines.all());
        const Said again = cli(QStringList{"bin", path("histogram.cdh"), path("again.h5"), "--to", "sinogram",
                                           "--scanner", path("castor.json")} +
                               grid);
        QVERIFY2(again.code == 0, again.all());
        QCOMPARE(cli({"bin", path("histogram.cdh"), path("no.h5")}).code, 2);
        QCOMPARE(readSinogramData(path("again.h5").toStdString()).counts,
                 readSinogramData(path("sinograms.h5").toStdString()).counts);
        std::vector<Volume> images;
        for (const char* name : {"sinograms.h5", "lines.h5", "again.h5"}) {
            const Said run = cli({"reconstruct", path(name), "--out", path("castor-run.h5"), "--algorithm",
                                  "mlem", "--iterations", "5", "--engine", "cpu"});
            QVERIFY2(run.code == 0, run.all());
            images.push_back(readVolume(path("castor-run.h5").toStdString()));
        }
        const float largest = *std::max_element(images[0].data.begin(), images[0].data.end());
        for (std::size_t i = 0; i < images[0].data.size(); ++i) {
            QVERIFY(std::abs(images[1].data[i] - images[0].data[i]) <= 1e-4F * largest);
            QVERIFY(std::abs(images[2].data[i] - images[0].data[i]) <= 1e-4F * largest);
        }
        const Said direct =
            cli({"reconstruct", path("histogram.cdh"), "--out", path("castor-run.h5"), "--algorithm", "osem",
                 "--subsets", "4", "--iterations", "1", "--engine", "cpu"});
        QVERIFY2(direct.code == 0, direct.all());

        // Counts/mm over seconds, times the factor.
        QFile header(path("histogram.cdh"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        QByteArray text = header.readAll();
        header.close();
        QVERIFY(text.contains("\nDuration (s): 0\n") && text.contains("\nCalibration factor: 1\n"));
        text.replace("Duration (s): 0\n", "Duration (s): 4\n").replace("factor: 1\n", "factor: 37.5\n");
        QVERIFY(header.open(QIODevice::WriteOnly) && header.write(text) == text.size());
        header.close();
        const Said again4 =
            cli({"reconstruct", path("histogram.cdh"), "--out", path("castor-run.h5"), "--algorithm", "osem",
                 "--subsets", "4", "--iterations", "1", "--engine", "cpu"});
        QVERIFY2(again4.code == 0 && again4.all().contains("'Calibration factor' is 37.5"), again4.all());
        const Said used = cli(
            {"convert", path("castor-run.h5"), path("castor-Bq.h5"), "--calibration", path("histogram.cdh")});
        QVERIFY2(used.code == 0 && used.all().contains("'Calibration factor' 37.5"), used.all());
        const Volume counts = readVolume(path("castor-run.h5").toStdString());
        const Volume activity = readVolume(path("castor-Bq.h5").toStdString());
        QCOMPARE(activity.units, std::string("Bq/ml"));
        for (std::size_t i = 0; i < counts.data.size(); ++i) {
            QVERIFY(std::abs(activity.data[i] - 37.5F / 4 * counts.data[i]) <= 1e-6F * activity.data[i]);
        }

        // The run kept the factor: images take it by themselves, and stay as they are where that is said.
        const Said itself = cli({"convert", path("castor-run.h5"), path("itself.h5")});
        QVERIFY2(itself.code == 0 && itself.all().contains("'Calibration factor' 37.5") &&
                     itself.all().contains("'--calibration none' leaves that out"),
                 itself.all());
        QCOMPARE(readVolume(path("itself.h5").toStdString()).data, activity.data);
        const Said bare = cli({"convert", path("castor-run.h5"), path("bare.h5"), "--calibration", "none"});
        QVERIFY2(bare.code == 0, bare.all());
        QCOMPARE(readVolume(path("bare.h5").toStdString()).data, counts.data);
        QCOMPARE(readVolume(path("bare.h5").toStdString()).units, std::string("counts/mm"));
        QVERIFY(cli({"info", path("castor-run.h5")}).out.contains("by the factor 37.5"));

        const Said other =
            cli({"convert", path("cylinder-run.h5"), path("no.h5"), "--calibration", path("histogram.cdh")});
        QVERIFY2(other.code == 3 && other.all().contains("histogram.cdh' was made with"), other.all());
    }

    void fromListToSinograms() {
        // The built-in Monte Carlo scanner is no ring of this size: its crystals are refused by name.
        const Said list = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                               "2000", path("list.h5")});
        QVERIFY2(list.code == 0, list.all());
        const Said refused = cli({"bin", path("list.h5"), path("no.h5"), "--to", "sinogram", "--scanner",
                                  path("rings.json"), "--mu", "none"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(isOneSentence(refused), refused.all());
        QVERIFY(!QFile::exists(path("no.h5")));
    }

  private:
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
};

QTEST_GUILESS_MAIN(RingPipelineTest)

}  // namespace ring_pipeline_test
#include "ring_pipeline_test.moc"
