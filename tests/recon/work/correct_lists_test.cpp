// SPDX-License-Identifier: Apache-2.0
// Efficiencies and dead time of list-mode: in what events expect, in the sensitivity and in images.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/line_corrections.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/bin_factors.h"
#include "recon/systems/lines/cpu_line_projector.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/correct_as.h"
#include "tests/support/event_lists.h"
#include "tests/support/full_run.h"
#include "tests/support/silent_progress.h"

namespace correct_lists_test {

using namespace tof;
using namespace tof::test;

namespace {

/// 12 modules of crystals of 10 mm. Each interaction counts, or modules have energies and are dead for 1 us
/// after a photon.
Scanner scannerOf(int columns, int rows, bool detects) {
    return Scanner::fromJson(
        R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[)" +
            std::to_string(columns) + "," + std::to_string(rows) +
            R"(],"pitch_mm":[10,10]},"crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,)"
            R"("acceptance_deg":20,"fov_diameter_mm":200,"timing_fwhm_ps":300)" +
            (detects ? R"(,"detection":{"material":"LSO","energy_resolution":0.12,"window_kev":[435,650],)"
                       R"("coincidence_ns":4,"dead_time_ns":1000}})"
                     : "}"),
        "test");
}

/// A hot rod off the axis of a cylinder of water.
const char* const kObject =
    R"({"name":"object","shapes":[
        {"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":70,"length_mm":54,"activity":1,"mu_per_mm":0.0096},
        {"kind":"cylinder","centre_mm":[25,10,0],"radius_mm":20,"length_mm":54,"activity":3,
         "mu_per_mm":0.0096}]})";
const char* const kSource =
    R"({"name":"source","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":90,"length_mm":58,
        "activity":1,"mu_per_mm":0.001}]})";
const Lattice kImage = Lattice::centred({20, 20, 6}, {8, 8, 10});

/// Crystals of uneven efficiency: one module of 0.35, all others from 0.6 to 1.
std::vector<double> unevenOf(const Scanner& scanner) {
    std::vector<double> efficiencies;
    for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
        const double turn = std::atan2(scanner.crystals[c].front.y, scanner.crystals[c].front.x) / (2 * kPi);
        const bool weak = static_cast<int>(turn * 12 + 12.5) % 12 == 3;
        efficiencies.push_back(weak ? 0.35 : 0.6 + 0.4 * std::fmod(0.618034 * static_cast<double>(c), 1.0));
    }
    return efficiencies;
}

/// The counters of one second: every block, which is a module, alive for 0.6 to 0.9 of the time.
std::vector<double> busyOf(std::size_t blocks) {
    std::vector<double> busy;
    for (std::size_t b = 0; b < blocks; ++b) {
        busy.push_back(1e5 * (1 + static_cast<double>(b % 4)));
    }
    return busy;
}

/// Events that both crystals keep, by their shares.
EventList thinned(const EventList& all, const std::vector<double>& shares, std::uint64_t seed) {
    return test::eventsThat(all, [&](std::size_t i) {
        RandomStream random(seed, RandomUse::Deposit, i);
        const auto [one, two] = all.crystals[i];
        return random.uniform() < shares[one] * shares[two];
    });
}

EventList scanOf(const Scanner& scanner, const char* phantom, std::uint64_t events, std::uint64_t seed) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = seed;
    settings.physics = Physics::fromText(scanner.detection ? "energy" : "none");
    EventList list = simulate(scanner, Phantom::fromJson(phantom, "test"), settings, ThreadPool(2), {});
    list.phantom = phantom;
    return list;
}

LineData linesOf(const EventList& events, const Scanner& scanner) {
    LineData lines = listLines(events, scanner, timeBinsFor(scanner), kImage);
    lines.attenuation = Phantom::fromJson(kObject, "test").wholeAttenuation(kImage, 4);
    lines.phantom = kObject;
    lines.duration_s = 1;
    return lines;
}

Volume imageOf(const LineData& lines) {
    ReconstructRequest request;
    request.data = std::make_shared<LineMeasurement>(lines);
    request.settings.set("engine", "cpu");
    request.settings.set("algorithm", "osem");
    request.settings.set("iterations", "2");
    request.settings.set("subsets", "4");
    JobListener listener;
    return *reconstruct(request, makeEngineRegistry(), listener).image;
}

/// Means over |z| < 20 mm of 12 sectors within 35 mm of the axis and of 12 beyond to 65 mm, over their mean.
std::vector<double> regionsOf(const Volume& image) {
    constexpr std::size_t kSectors = 12;
    std::vector<double> sums(2 * kSectors, 0.0);
    std::vector<double> counts(sums.size(), 0.0);
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        const double r = std::hypot(p.x, p.y);
        if (r < 65 && std::abs(p.z) < 20) {
            const double turn = std::atan2(p.y, p.x) / (2 * kPi) + 1;
            const std::size_t region =
                (r < 35 ? 0 : kSectors) + static_cast<std::size_t>(turn * kSectors) % kSectors;
            sums[region] += static_cast<double>(image.at(x, y, z));
            counts[region] += 1;
        }
    });
    std::transform(sums.begin(), sums.end(), counts.begin(), sums.begin(), std::divides<>());
    const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
    std::transform(sums.begin(), sums.end(), sums.begin(), [mean](double v) { return v / mean; });
    return sums;
}

/// Root of the mean square of the differences, over the values.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares += (a[i] / b[i] - 1) * (a[i] / b[i] - 1);
    }
    return std::sqrt(squares / static_cast<double>(a.size()));
}

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

class CorrectListsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Scanner plain_ = scannerOf(4, 6, false);
    Scanner detecting_ = scannerOf(4, 6, true);

    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    void writeBusy(const Scanner& scanner) const {
        CrystalSingles singles;
        singles.scannerJson = scanner.toJson();
        singles.duration_s = 1;
        singles.recorded.assign(scanner.crystals.size(), 100);
        singles.busy = busyOf(12);
        writeSingles(file("singles.h5"), singles);
    }
    /// F^T of all lines' mult, and with F of x the sum over all lines.
    static std::vector<float> backOfAll(const AllLines& all, const Lattice& lattice) {
        LineModel model;
        model.lattice = lattice;
        model.lines = all.lines;
        const auto space = std::make_shared<HostSpace>(2);
        CpuLineProjector projector(model, space);
        Array image = space->allocate(projector.imageSize());
        space->fill(image.view(), 0.0F);
        std::size_t first = 0;
        for (std::size_t part = 0; part < projector.parts(); ++part) {
            const std::size_t size = projector.dataSize(part);
            Array data = space->allocate(size);
            space->upload({all.data.mult.data() + first, size}, data.view());
            projector.back(part, data.view(), image.view(), Write::Add);
            first += size;
        }
        std::vector<float> result(image.size());
        space->download(image.view(), result);
        return result;
    }

  private slots:
    void sensitivityIsADoubleLoopOverPairs() {
        // 72 crystals: every pair by itself, its chord through every voxel by steps of 0.05 mm: of voxels of
        // 25 mm each chord is right to 0.2 %, and hundreds of lines are added up.
        const Scanner scanner = scannerOf(2, 3, true);
        const Lattice lattice = Lattice::centred({4, 4, 2}, {25, 25, 15});
        LineData lines = listLines({}, scanner, timeBinsFor(scanner), lattice);
        for (const double e : unevenOf(scanner)) {
            lines.possible.efficiencies.push_back(static_cast<float>(e));
        }
        Volume mu(lattice, 0.004F);
        lines.attenuation = mu;

        const std::vector<float> found = backOfAll(allLines(lines, ThreadPool(2)), lattice);

        std::vector<double> expected(lattice.voxels(), 0.0);
        std::vector<double> even(lattice.voxels(), 0.0);
        const PairFactors factors = recordedFactors(scanner, ThreadPool(2));
        const double volume = lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
        for (std::uint32_t one = 0; one < scanner.crystals.size(); ++one) {
            for (std::uint32_t two = one + 1; two < scanner.crystals.size(); ++two) {
                const Vec3 from = scanner.reference(one);
                const Vec3 line = scanner.reference(two) - from;
                if (!lines.possible.accepts(from, from + line)) {
                    continue;
                }
                constexpr double kStep_mm = 0.05;
                const auto steps = static_cast<int>(norm(line) / kStep_mm);
                std::vector<double> chords(lattice.voxels(), 0.0);
                double inside = 0;
                for (int i = 0; i < steps; ++i) {
                    const Vec3 at = lattice.continuousIndex(from + ((i + 0.5) / steps) * line);
                    const auto x = static_cast<int>(std::lround(at.x));
                    const auto y = static_cast<int>(std::lround(at.y));
                    const auto z = static_cast<int>(std::lround(at.z));
                    if (lattice.contains(x, y, z)) {
                        chords[lattice.index(x, y, z)] += norm(line) / steps;
                        inside += norm(line) / steps;
                    }
                }
                const double own = factors.of(one, two) * std::exp(-0.004 * inside) / volume;
                const double both = static_cast<double>(lines.possible.efficiencies[one]) *
                                    static_cast<double>(lines.possible.efficiencies[two]);
                for (std::size_t i = 0; i < chords.size(); ++i) {
                    expected[i] += own * both * chords[i];
                    even[i] += own * chords[i];
                }
            }
        }
        double most = 0;
        double without = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            most = std::max(most, std::abs(static_cast<double>(found[i]) / expected[i] - 1));
            without = std::max(without, std::abs(static_cast<double>(found[i]) / even[i] - 1));
        }
        qInfo("off by %.5f at most, by %.3f from even crystals", most, without);
        QVERIFY2(most < 2e-3, qPrintable(QString::number(most)));
        QVERIFY(without > 0.2);
    }

    void whatEventsExpectAddsUpToTheSensitivity() {
        // One event of every pair in every time bin: the sum of mult (F x) over them is that of the
        // sensitivity times x, since time bins share out a line. Single precision of 1e5 lines, 1e-4.
        const Scanner scanner = scannerOf(2, 3, true);
        EventList events;
        const TofBins tof = timeBinsFor(scanner);
        for (std::uint32_t one = 0; one < scanner.crystals.size(); ++one) {
            for (std::uint32_t two = one + 1; two < scanner.crystals.size(); ++two) {
                for (int bin = 0; bin < tof.count; ++bin) {
                    events.crystals.push_back({one, two});
                    events.dt_ps.push_back(static_cast<float>((bin + 0.5 - 0.5 * tof.count) * tof.width_ps));
                }
            }
        }
        const Lattice lattice = Lattice::centred({9, 9, 4}, {12, 12, 8});
        LineData lines = listLines(events, scanner, tof, lattice);
        lines.attenuation = Volume(lattice, 0.004F);
        for (const double e : unevenOf(scanner)) {
            lines.possible.efficiencies.push_back(static_cast<float>(e));
        }
        Volume x(lattice);
        for (std::size_t i = 0; i < x.data.size(); ++i) {
            x.data[i] = 1 + static_cast<float>(i % 7);
        }

        const std::vector<float> sensitivity = backOfAll(allLines(lines, ThreadPool(2)), lattice);
        const std::vector<float> mult = ListExpectations(lines, ThreadPool(2)).mult();

        LineModel model;
        model.lattice = lattice;
        model.lines = lines.events;
        const auto space = std::make_shared<HostSpace>(2);
        CpuLineProjector projector(model, space);
        Array image = space->allocate(x.data.size());
        space->upload(x.data, image.view());
        double forward = 0;
        std::size_t event = 0;
        for (std::size_t part = 0; part < projector.parts(); ++part) {
            std::vector<float> made(projector.dataSize(part));
            Array data = space->allocate(made.size());
            projector.forward(part, image.view(), data.view());
            space->download(data.view(), made);
            for (const float value : made) {
                forward += static_cast<double>(value) * static_cast<double>(mult[event++]);
            }
        }
        double back = 0;
        for (std::size_t i = 0; i < sensitivity.size(); ++i) {
            back += static_cast<double>(sensitivity[i]) * static_cast<double>(x.data[i]);
        }
        QVERIFY2(std::abs(forward / back - 1) < 1e-4, qPrintable(QString::number(forward / back)));
    }

    void imagesOfUnevenCrystalsAreThoseOfEvenOnes() {
        // Two lists of even crystals say what chance does to 24 regions of an image; a list whose crystals
        // record 0.35 to 1 must be no farther off once it is corrected by a normalisation of its own noise,
        // and far off without.
        const std::vector<double> uneven = unevenOf(plain_);
        writeEvents(file("norm.h5"),
                    thinned(scanOf(plain_, kSource, fullRun() ? 800000 : 400000, 7), uneven, 1));
        const EventList measured =
            thinned(scanOf(plain_, kObject, fullRun() ? 500000 : 250000, 8), uneven, 2);
        const auto n = static_cast<std::uint64_t>(measured.size());
        const std::vector<double> even = regionsOf(imageOf(linesOf(scanOf(plain_, kObject, n, 9), plain_)));
        const std::vector<double> other = regionsOf(imageOf(linesOf(scanOf(plain_, kObject, n, 10), plain_)));
        LineData lines = linesOf(measured, plain_);
        CorrectRequest request;
        request.norm = file("norm.h5");
        SilentProgress progress;

        const std::vector<double> without = regionsOf(imageOf(lines));
        const CorrectResult result = correct(lines, "test", request, ThreadPool(2), progress);
        const std::vector<double> corrected = regionsOf(imageOf(lines));

        const double chance = apart(other, even);
        qInfo(
            "%zu events, efficiencies spread by %.3f; regions %.4f apart by chance, %.4f corrected, %.4f not",
            measured.size(), result.efficiencySd, chance, apart(corrected, even), apart(without, even));
        QVERIFY2(apart(corrected, even) < 1.4 * chance, qPrintable(QString::number(apart(corrected, even))));
        QVERIFY(apart(without, even) > 3 * chance);
    }

    void deadTimeOfAScanIsMadeUpFor() {
        // Trues of a simulated scan whose blocks are dead after photons: once corrected the image holds as
        // many of the decays as that of a scan without dead time (more than there are: without Compton
        // scatter in crystals more is recorded than the list's mult knows), 1 % of what live shares leave to
        // chance (correct_test) and three deviations of the counting; without, as much less as pairs were
        // lost.
        SimulationSettings settings;
        settings.events = 40000;
        settings.seed = 4;
        settings.activity_MBq = 25;
        settings.physics = Physics::fromText("randoms,energy");
        const Phantom phantom = Phantom::fromJson(kObject, "test");
        const EventList alive =
            test::ofKind(simulate(detecting_, phantom, settings, ThreadPool(2), {}), EventKind::True);
        settings.physics = Physics::fromText("randoms,energy,dead-time");
        CrystalSingles singles;
        SimulationHooks hooks;
        hooks.singles = &singles;
        const EventList dead =
            test::ofKind(simulateWith(detecting_, phantom, settings, ThreadPool(2), hooks), EventKind::True);
        writeSingles(file("scan-singles.h5"), singles);
        LineData lines = linesOf(dead, detecting_);
        const double base = sum(imageOf(linesOf(alive, detecting_)).data) / alive.decays;
        const double before = sum(imageOf(lines).data) / dead.decays;
        CorrectRequest request;
        request.singles = file("scan-singles.h5");
        request.switches.randoms = RandomsBy::Off;
        SilentProgress progress;

        static_cast<void>(correct(lines, "test", request, ThreadPool(2), progress));

        const double after = sum(imageOf(lines).data) / dead.decays;
        const double error =
            std::sqrt(1 / static_cast<double>(alive.size()) + 1 / static_cast<double>(dead.size()));
        qInfo("over decays: %.4f alive, %.4f dead at times, %.4f corrected, +- %.4f", base, before, after,
              error * base);
        QVERIFY(before < 0.85 * base);
        QVERIFY2(std::abs(after / base - 1) < 0.01 + 3 * error, qPrintable(QString::number(after / base)));
    }

    void partsAreSwitchedAndKept() {
        writeBusy(detecting_);
        const EventList events = scanOf(detecting_, kObject, 3000, 5);
        writeEvents(file("some.h5"), thinned(scanOf(detecting_, kSource, 30000, 6), unevenOf(detecting_), 1));
        const LineData measured = linesOf(events, detecting_);
        CorrectRequest all;
        all.norm = file("some.h5");
        all.singles = file("singles.h5");
        CorrectionParts parts;
        KeptParts first;
        LineData data = measured;
        static_cast<void>(correct(data, "test", all, ThreadPool(2), first, &parts));
        QCOMPARE(first.kept, 0);
        QCOMPARE(data.possible.efficiencies.size(), detecting_.crystals.size());
        QCOMPARE(data.add.size(), events.size());
        writeMeasured(file("all.h5"), data, parts);

        // Read back: all off, which is what nothing was found of, and on again, to the bit.
        LineData again = readLineData(file("all.h5"));
        CorrectionParts stored = partsOfFile(file("all.h5"));
        QCOMPARE(again.possible.efficiencies, data.possible.efficiencies);
        QVERIFY(again.hash != readBack(measured).hash);
        CorrectRequest off;
        off.switches = {std::nullopt, false, false, RandomsBy::Off, std::nullopt};
        SilentProgress silent;
        static_cast<void>(correct(again, "test", off, ThreadPool(2), silent, &stored));
        QVERIFY(again.possible.efficiencies.empty());
        QCOMPARE(sum(again.add), 0.0);
        const std::vector<float> even = ListExpectations(measured, ThreadPool(2)).mult();
        QCOMPARE(again.mult, even);
        CorrectRequest on;
        on.switches = {std::nullopt, true, true, RandomsBy::Singles, std::nullopt};
        static_cast<void>(correct(again, "test", on, ThreadPool(2), silent, &stored));
        QCOMPARE(again.possible.efficiencies, data.possible.efficiencies);
        QCOMPARE(again.mult, data.mult);
        QCOMPARE(again.add, data.add);
        QCOMPARE(again.possible.totalAdd, data.possible.totalAdd);
        // Events' mult follows their crystals.
        for (std::size_t i = 0; i < 50; ++i) {
            const auto [one, two] = events.crystals[i];
            const std::vector<float>& e = data.possible.efficiencies;
            QVERIFY(std::abs(data.mult[i] / (e[one] * e[two] * even[i]) - 1) < 1e-5F);
        }

        // From the measured data anew, beside what was found before: nothing is found twice.
        KeptParts cached;
        LineData anew = measured;
        CorrectionParts own;
        static_cast<void>(correct(anew, "test", all, ThreadPool(2), cached, &own, &stored));
        QCOMPARE(cached.kept, 3);  // efficiencies, dead time, randoms
        QCOMPARE(anew.possible.efficiencies, data.possible.efficiencies);
    }

    void whatCannotBeIsSaid() {
        const EventList events = scanOf(detecting_, kObject, 200, 5);
        const LineData measured = linesOf(events, detecting_);
        SilentProgress silent;
        const auto refused = [&](LineData data, const CorrectRequest& request) {
            try {
                static_cast<void>(correct(data, "test", request, ThreadPool(1), silent));
            } catch (const WrongUse&) {
                return true;
            }
            return false;
        };
        CorrectRequest on;
        on.switches.efficiencies = true;
        QVERIFY(refused(measured, on));
        LineData nobodys = measured;
        nobodys.possible.scanner = nullptr;
        CorrectRequest dead;
        writeBusy(detecting_);
        dead.singles = file("singles.h5");
        QVERIFY(refused(nobodys, dead));
        QVERIFY(!refused(measured, dead));
        LineData others = measured;
        others.possible.efficiencies = {1, 1};
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(allLines(others, ThreadPool(1))), WrongUse);
    }

  private:
    static LineData readBack(const LineData& data) {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("data.h5").toStdString();
        writeLineData(path, data);
        return readLineData(path);
    }
};

QTEST_GUILESS_MAIN(CorrectListsTest)

}  // namespace correct_lists_test
#include "correct_lists_test.moc"
