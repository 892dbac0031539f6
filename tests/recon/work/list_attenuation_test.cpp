// SPDX-License-Identifier: Apache-2.0
// Attenuation of list-mode: found, switched and kept; in sensitivities, events, scatter and images.
#include <QTest>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/line_corrections.h"
#include "recon/data/data_hash.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/cpu_line_projector.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/correct_as.h"
#include "tests/support/rings.h"
#include "tests/support/silent_progress.h"

namespace list_attenuation_test {

using namespace tof;
using namespace tof::test;

namespace {

/// 12 modules of 4 x 6 crystals of 10 mm. Each interaction counts, or modules have energies.
Scanner scannerOf(bool detects) {
    return Scanner::fromJson(
        std::string(
            R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[4,6],"pitch_mm":[10,10]},)"
            R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":20,)"
            R"("fov_diameter_mm":200,"timing_fwhm_ps":300)") +
            (detects ? R"(,"detection":{"material":"LSO","energy_resolution":0.12,"window_kev":[435,650],)"
                       R"("coincidence_ns":4,"dead_time_ns":1000}})"
                     : "}"),
        "test");
}

const char* const kCylinder =
    R"({"name":"cylinder","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":70,"length_mm":60,
        "activity":1,"mu_per_mm":0.0096}]})";
const Lattice kImage = Lattice::centred({20, 20, 6}, {8, 8, 10});

/// A scan of the cylinder, or of one that attenuates otherwise.
EventList scanOf(const Scanner& scanner, std::uint64_t events, const char* mu_perMm = "0.0096") {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = 5;
    settings.physics = Physics::fromText(scanner.detection ? "energy" : "none");
    std::string phantom = kCylinder;
    phantom.replace(phantom.find("0.0096"), 6, mu_perMm);
    EventList list = simulate(scanner, Phantom::fromJson(phantom, "test"), settings, ThreadPool(2), {});
    list.phantom = phantom;
    return list;
}

/// As 'bin --to lors' makes it, with attenuation or without.
LineData binned(const EventList& events, const Scanner& scanner, bool attenuated) {
    LineData lines = listLines(events, scanner, timeBinsFor(scanner), kImage);
    if (attenuated) {
        lines.attenuation = Phantom::fromJson(kCylinder, "test")
                                .wholeAttenuation(kImage, std::numeric_limits<double>::infinity());
    }
    return lines;
}

CorrectRequest switchedTo(bool on) {
    CorrectRequest request;
    request.switches.attenuation = on;
    return request;
}

void run(LineData& data, const CorrectRequest& request, CorrectionParts* parts) {
    SilentProgress progress;
    static_cast<void>(correct(data, "test", request, ThreadPool(2), progress, parts));
}

/// The sentence that a request is refused with; empty where it is not.
QString refusalOf(LineData data, const CorrectRequest& request, CorrectionParts* parts = nullptr) {
    try {
        run(data, request, parts);
    } catch (const WrongUse& fault) {
        return fault.what();
    }
    return {};
}

/// Sum over pairs of mult times chords, by the engine's own projector, on one thread.
std::vector<float> sensitivityOf(const LineData& data) {
    const AllLines all = allLines(data, ThreadPool(1));
    LineModel model;
    model.lattice = data.lattice;
    model.lines = all.lines;
    const auto space = std::make_shared<HostSpace>(1);
    CpuLineProjector projector(model, space);
    Array image = space->allocate(projector.imageSize());
    space->fill(image.view(), 0.0F);
    std::size_t first = 0;
    for (std::size_t part = 0; part < projector.parts(); ++part) {
        const std::size_t size = projector.dataSize(part);
        Array own = space->allocate(size);
        space->upload({all.data.mult.data() + first, size}, own.view());
        projector.back(part, own.view(), image.view(), Write::Add);
        first += size;
    }
    std::vector<float> result(image.size());
    space->download(image.view(), result);
    return result;
}

Volume imageOf(const LineData& lines) {
    ReconstructRequest request;
    request.data = std::make_shared<LineMeasurement>(lines);
    request.settings.set("engine", "cpu");
    request.settings.set("algorithm", "osem");
    request.settings.set("iterations", "3");
    request.settings.set("subsets", "2");
    JobListener listener;
    return *reconstruct(request, makeEngineRegistry(), listener).image;
}

/// Mean over |z| < 20 mm of voxels between two distances from the axis.
double meanBetween(const Volume& image, double low_mm, double high_mm) {
    double sum = 0;
    double count = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        const double r = std::hypot(p.x, p.y);
        if (r >= low_mm && r < high_mm && std::abs(p.z) < 20) {
            sum += static_cast<double>(image.at(x, y, z));
            count += 1;
        }
    });
    return sum / count;
}

}  // namespace

class ListAttenuationTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Scanner plain_ = scannerOf(false);
    Scanner detecting_ = scannerOf(true);

    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] QByteArray bytes(const char* name) const {
        QFile read(folder_.filePath(name));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    /// Counters of one second whose blocks are alive for 0.9 of the time.
    [[nodiscard]] std::string singlesFile() const {
        CrystalSingles singles;
        singles.scannerJson = detecting_.toJson();
        singles.duration_s = 1;
        singles.recorded.assign(detecting_.crystals.size(), 100);
        singles.busy.assign(12, 1e5);
        writeSingles(file("singles.h5"), singles);
        return file("singles.h5");
    }

  private slots:
    void theListBecomesTheOneThatWasBinnedSo_data() {
        QTest::addColumn<bool>("byFile");
        QTest::addColumn<bool>("rings");
        QTest::newRow("of the phantom that it names") << false << false;
        QTest::newRow("of a volume") << true << false;
        QTest::newRow("on rings that no scanner is known of") << true << true;
    }
    void theListBecomesTheOneThatWasBinnedSo() {
        // Nothing is computed twice in two ways: equal volumes make equal data, sensitivities to the bit.
        QFETCH(bool, byFile);
        QFETCH(bool, rings);
        const EventList events = rings ? EventList() : scanOf(plain_, 2000);
        const auto list = [&](bool attenuated) {
            LineData lines = binned(events, plain_, attenuated);
            if (rings) {
                const auto bins =
                    std::make_shared<const Michelogram>(ringsOf({"rings", 6, 48, 160, 10.0, 0.0}, 1, 5, 31));
                lines.events = listLines(EventList(), nullptr, bins, kImage).events;
                lines.michelogram = bins;
                lines.possible = {};
            }
            return lines;
        };
        LineData with = list(true);
        LineData without = list(false);
        writeVolume(file("mu.h5"), *with.attenuation);
        CorrectRequest on = switchedTo(true);
        on.mu = byFile ? file("mu.h5") : "";

        LineData found = list(false);
        CorrectionParts parts;
        run(found, on, &parts);

        QCOMPARE(dataHash(found), dataHash(with));
        const std::vector<float> expected = sensitivityOf(with);
        QCOMPARE(sensitivityOf(found), expected);
        QVERIFY(sensitivityOf(without) != expected);

        run(found, switchedTo(false), &parts);
        QCOMPARE(dataHash(found), dataHash(without));
        QCOMPARE(sensitivityOf(found), sensitivityOf(without));
        // The part of the list that 'bin' attenuated alike.
        CorrectionParts own;
        run(with, switchedTo(false), &own);
        QCOMPARE(dataHash(with), dataHash(without));
    }

    void filesAreTheSameOffAndOnAgain() {
        const EventList events = scanOf(detecting_, 500);
        CorrectRequest request = switchedTo(true);
        request.singles = singlesFile();
        LineData data = binned(events, detecting_, false);
        data.duration_s = 1;
        CorrectionParts parts;
        run(data, request, &parts);
        writeMeasured(file("on.h5"), data, parts);

        const auto again = [&](const char* from, const char* to, bool on) {
            LineData lines = readLineData(file(from));
            CorrectionParts stored = partsOfFile(file(from));
            run(lines, switchedTo(on), &stored);
            writeMeasured(file(to), lines, stored);
            return lines;
        };
        const LineData off = again("on.h5", "off.h5", false);
        const LineData on = again("off.h5", "again.h5", true);

        QVERIFY(!off.attenuation);
        QVERIFY(!readLineData(file("off.h5")).attenuation);
        QVERIFY(!partsOfFile(file("off.h5")).find(PartName::Attenuation)->on);
        QCOMPARE(readLineData(file("again.h5")).hash, readLineData(file("on.h5")).hash);
        QVERIFY(readLineData(file("off.h5")).hash != readLineData(file("on.h5")).hash);
        QCOMPARE(bytes("again.h5"), bytes("on.h5"));
        // What events expect beside their add: survival came out, and nothing else.
        QCOMPARE(on.mult, data.mult);
        QCOMPARE(off.add, data.add);
        const std::vector<float> survival = attenuationOf(*data.events, *data.attenuation, ThreadPool(2));
        for (std::size_t i = 0; i < survival.size(); ++i) {
            QVERIFY(std::abs(data.mult[i] / (off.mult[i] * survival[i]) - 1) < 1e-6F);
        }
    }

    void anotherVolumeIsAnotherList() {
        // By value and by place: what is 8 mm beside attenuates other lines.
        const EventList events = scanOf(plain_, 500);
        LineData data = binned(events, plain_, true);
        Volume moved = *data.attenuation;
        moved.lattice.origin_mm.x += 8;
        writeVolume(file("moved.h5"), moved);
        const std::string before = dataHash(data);
        CorrectionParts parts;
        run(data, switchedTo(true), &parts);
        const std::string key = parts.find(PartName::Attenuation)->key;
        QCOMPARE(dataHash(data), before);
        CorrectRequest other = switchedTo(true);
        other.mu = file("moved.h5");

        run(data, other, &parts);

        QVERIFY(parts.find(PartName::Attenuation)->key != key);
        QVERIFY(dataHash(data) != before);
        QCOMPARE(data.attenuation->lattice.origin_mm.x, moved.lattice.origin_mm.x);
        writeMeasured(file("moved-list.h5"), data, parts);
        QCOMPARE(partsOfFile(file("moved-list.h5")).find(PartName::Attenuation)->lattice, moved.lattice);
    }

    void aSwitchLeavesScatterAsItIs() {
        const EventList events = scanOf(detecting_, 3000);
        CorrectRequest all = switchedTo(true);
        all.singles = singlesFile();
        all.scatter = true;
        all.scatterSettings.rounds = 1;
        all.scatterSettings.simulation.detectorStep_mm = 120;
        LineData data = binned(events, detecting_, false);
        data.duration_s = 1;
        CorrectionParts parts;
        run(data, all, &parts);
        const std::vector<float> add = data.add;
        QVERIFY(parts.find(PartName::Scatter) != nullptr);

        // Nothing that it is found from is at hand: it is the part that is kept.
        CorrectRequest off = switchedTo(false);
        off.switches.scatter = false;
        off.switches.randoms = RandomsBy::Off;
        run(data, off, &parts);
        QCOMPARE(std::accumulate(data.add.begin(), data.add.end(), 0.0), 0.0);
        CorrectRequest scatter = all;
        scatter.singles.clear();
        scatter.scatter = false;
        scatter.switches = {false, std::nullopt, std::nullopt, RandomsBy::Singles, true};
        KeptParts kept;
        static_cast<void>(correct(data, "test", scatter, ThreadPool(2), kept, &parts));

        QCOMPARE(kept.kept, 1);
        QCOMPARE(data.add, add);
        QVERIFY(!data.attenuation);
        // With other settings it would have to be found, beside randoms that events alone do not tell.
        scatter.scatterSettings.rounds = 2;
        QVERIFY(refusalOf(data, scatter, &parts).contains("--singles"));
    }

    void imagesHoldTheDecaysWithItAlone() {
        // What a scan of the cylinder makes of its decays is what one of air makes of them: three deviations
        // of both counts and 1 % for voxels of 8 mm. Without, a third of it is left, by the share of pairs
        // that survive, and the middle less than a ring beside it: 30 mm around the axis over 40 to 60 mm,
        // some 12,000 and 30,000 events, whose noise an image of times doubles.
        const EventList events = scanOf(plain_, 100000);
        const EventList air = scanOf(plain_, 100000, "0.0000");
        LineData data = binned(events, plain_, false);
        CorrectionParts parts;
        const auto overDecays = [](const Volume& image, const EventList& list) {
            return std::accumulate(image.data.begin(), image.data.end(), 0.0) / list.decays;
        };

        run(data, switchedTo(true), &parts);
        const Volume with = imageOf(data);
        run(data, switchedTo(false), &parts);
        const Volume without = imageOf(data);
        const double expected = overDecays(imageOf(binned(air, plain_, false)), air);

        const double flat = meanBetween(with, 0, 30) / meanBetween(with, 40, 60);
        const double dished = meanBetween(without, 0, 30) / meanBetween(without, 40, 60);
        qInfo("%.4f survive; over decays: %.4f of air, %.4f with, %.4f without; middle over ring %.3f, %.3f",
              air.decays / events.decays, expected, overDecays(with, events), overDecays(without, events),
              flat, dished);
        const double error = std::sqrt(2.0 / 100000);
        QVERIFY2(std::abs(overDecays(with, events) / expected - 1) < 0.01 + 3 * error,
                 qPrintable(QString::number(overDecays(with, events))));
        // Pairs of one decay in air are those that survive over those of water.
        const double survives = air.decays / events.decays;
        QVERIFY2(std::abs(overDecays(without, events) / expected / survives - 1) < 0.05,
                 qPrintable(QString::number(overDecays(without, events) / expected / survives)));
        const double noise = 2 * std::sqrt(1.0 / 12000 + 1.0 / 30000);
        QVERIFY2(std::abs(flat - 1) < 4 * noise, qPrintable(QString::number(flat)));
        QVERIFY2(dished < 1 - 8 * noise, qPrintable(QString::number(dished)));
    }

    void whatCannotBeIsSaid() {
        const EventList events = scanOf(plain_, 200);
        const LineData measured = binned(events, plain_, true);
        LineData nameless = binned(events, plain_, false);
        nameless.phantom.clear();
        QVERIFY(refusalOf(nameless, switchedTo(true)).contains("--mu FILE"));
        QVERIFY(refusalOf(nameless, switchedTo(false)).isEmpty());
        LineData given = measured;
        given.possible.mult.assign(3, 1.0F);
        QVERIFY(refusalOf(given, switchedTo(false)).contains("--corrections"));
        LineData counted = measured;
        counted.counts.assign(events.size(), 1.0F);
        QVERIFY(refusalOf(counted, switchedTo(false)).contains("counts"));
        LineData nobodys = measured;
        nobodys.possible.scanner = nullptr;
        QVERIFY(refusalOf(nobodys, switchedTo(false)).isEmpty());
        CorrectRequest more = switchedTo(false);
        more.singles = singlesFile();
        QVERIFY(refusalOf(nobodys, more).contains("scanner"));
        nobodys.add.assign(events.size(), 1.0F);
        QVERIFY(refusalOf(nobodys, switchedTo(false)).contains("--mu"));
        // A file that says otherwise.
        CorrectionParts flat;
        flat.list.push_back({PartName::Attenuation, "key", true, {}, {1, 2, 3}});
        LineData data = measured;
        QVERIFY_EXCEPTION_THROWN(run(data, switchedTo(true), &flat), BadInput);
    }
};

QTEST_GUILESS_MAIN(ListAttenuationTest)

}  // namespace list_attenuation_test
#include "list_attenuation_test.moc"
