// SPDX-License-Identifier: Apache-2.0
// Corrections of whole scans against what the simulator says its events are: `labr3` with all its physics,
// millions of prompts. With TOFSCOPE_FULL=1; photons are followed on a device where there is one, else by all
// cores.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/simulate/cuda_simulator.h"
#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/instruction_set.h"
#include "recon/binning/binning.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/cpu_histo_projector.h"
#include "tests/support/correct_as.h"
#include "tests/support/silent_progress.h"

namespace corrections_test {

using namespace tof;

namespace {

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string cylinder(double radius, double length) {
    return "{\"name\": \"cylinder\", \"shapes\": [{\"kind\": \"cylinder\", \"name\": \"water\", "
           "\"centre_mm\": [0, 0, 0], \"radius_mm\": " +
           std::to_string(radius) + ", \"length_mm\": " + std::to_string(length) +
           ", \"activity\": 1, \"mu_per_mm\": 0.0096}]}";
}

/// Share of the events that TOFSCOPE_FULL asks for; 0: the test is not asked for.
double fullness() {
    const char* const text = std::getenv("TOFSCOPE_FULL");
    return text == nullptr ? 0 : std::strtod(text, nullptr);
}

EventList ofKind(const EventList& events, EventKind kind) {
    EventList kept;
    kept.scannerJson = events.scannerJson;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events.kind[i] == kind) {
            kept.crystals.push_back(events.crystals[i]);
            kept.dt_ps.push_back(events.dt_ps[i]);
        }
    }
    return kept;
}

/// Sums of data by |s| (0) or |u| (1) of voxels, 16 mm each.
std::vector<double> marginal(const HistoData& data, const std::vector<float>& values, int which) {
    std::vector<double> sums(24, 0.0);
    for (std::size_t view = 0; view < data.views.size(); ++view) {
        const ViewAxes axes = data.views[view].axes();
        for (std::size_t i = 0; i < data.voxels(); ++i) {
            const Vec3 p = data.lattice.centre(data.lattice.voxel(i));
            const double at = std::abs(dot(p, which == 0 ? axes.r : axes.u));
            sums[std::min<std::size_t>(static_cast<std::size_t>(at / 16), 23)] +=
                static_cast<double>(values[view * data.voxels() + i]);
        }
    }
    return sums;
}

/// The largest difference over the largest value.
double worst(const std::vector<double>& seen, const std::vector<double>& model) {
    double most = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        most = std::max(most, std::abs(seen[i] - model[i]));
    }
    return most / *std::max_element(seen.begin(), seen.end());
}

Volume reconstruct(HistoData data, int threads) {
    const auto shared = std::make_shared<const HistoData>(std::move(data));
    const auto space = std::make_shared<HostSpace>(threads);
    KernelSpec kernel = KernelSpec::preset("invariant");
    kernel.sampling = KernelSampling::Voxel;
    CpuProjector projector(DirectModel{shared->lattice, shared->views, kernel, !shared->att.empty()}, space,
                           availableInstructionSets().back());
    HostHistoSource source(partsOf(shared), threads);
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = 4;
    settings.subsets = 10;
    RunControl control;
    Reconstruction reconstruction(projector, source, shared->lattice, settings,
                                  geometricOrder(shared->views, 1), control);
    reconstruction.run(control);
    return reconstruction.image();
}

/// Mean over voxels that lie wholly between two distances from the axis, and within |z| < 60 mm.
double ringMean(const Volume& image, double inner, double outer) {
    double total = 0;
    double count = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        const double r = std::hypot(p.x, p.y);
        if (r >= inner && r < outer && std::abs(p.z) < 60) {
            total += static_cast<double>(image.at(x, y, z));
            count += 1;
        }
    });
    return total / count;
}

/// A scan: prompts, delayeds, and data with mult and att.
struct Scan {
    EventList prompts;
    EventList delayeds;
    HistoData data;
    std::string phantom;
    Phantom object;
};

Scan scanOf(const std::string& phantom, std::uint64_t events, double activity_MBq) {
    const Scanner scanner = Scanner::find("labr3");
    Scan scan;
    scan.phantom = phantom;
    scan.object = Phantom::fromNameOrText(phantom, "test");
    SimulationSettings settings;
    settings.events = static_cast<std::uint64_t>(static_cast<double>(events) * fullness());
    settings.seed = 11;
    settings.activity_MBq = activity_MBq;
    SimulationHooks hooks;
    try {
        hooks.slices = cudaSlices();
    } catch (const Unavailable&) {
        settings.events /= 10;
    }
    hooks.delayed = &scan.delayeds;
    const auto start = std::chrono::steady_clock::now();
    scan.prompts = simulateWith(scanner, scan.object, settings, ThreadPool(0), hooks);
    std::printf("  simulated %zu prompts in %.1f s\n", scan.prompts.size(), secondsSince(start));
    BinningSettings binning;
    binning.azimuths = 20;
    binning.tilts = 3;
    binning.lattice = Lattice::centred({48, 48, 24}, {8, 8, 8});
    scan.data = depositEvents(scan.prompts, scanner, binning, ThreadPool(0), {});
    const Volume mu = scan.object.wholeAttenuation(binning.lattice, kAttenuationSpacing_mm);
    computeMult(scan.data, scanner, &mu, ThreadPool(0), {});
    scan.data.phantom = phantom;
    return scan;
}

HistoData depositOf(const Scan& scan, EventKind kind) {
    BinningSettings binning;
    binning.azimuths = 20;
    binning.tilts = 3;
    binning.lattice = scan.data.lattice;
    return depositEvents(ofKind(scan.prompts, kind), Scanner::find("labr3"), binning, ThreadPool(0), {});
}

/// The scatter that correct() finds against that of the simulator; randoms first.
struct CorrectedScan {
    HistoData randomsOnly;
    HistoData all;
    HistoData trues;
};

}  // namespace

class CorrectionsTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;

    CorrectedScan corrected(Scan& scan) {
        const std::string delayeds = folder_.filePath("delayeds.h5").toStdString();
        writeEvents(delayeds, scan.delayeds);
        test::SilentProgress quiet;
        CorrectedScan result;
        CorrectRequest request;
        request.delayeds = delayeds;
        result.randomsOnly = scan.data;
        const CorrectResult randoms = correct(result.randomsOnly, "test", request, ThreadPool(0), quiet);
        request.scatter = true;
        result.all = scan.data;
        const auto start = std::chrono::steady_clock::now();
        const CorrectResult both = correct(result.all, "test", request, ThreadPool(0), quiet);
        const double seconds = secondsSince(start);

        const HistoData scattered = depositOf(scan, EventKind::Scattered);
        const HistoData random = depositOf(scan, EventKind::Random);
        result.trues = scan.data;
        result.trues.counts = depositOf(scan, EventKind::True).counts;
        result.trues.add.clear();
        std::vector<float> scatter = result.all.add;
        for (std::size_t i = 0; i < scatter.size(); ++i) {
            scatter[i] -= result.randomsOnly.add[i];
        }
        const auto found = static_cast<double>(scattered.kept);
        const double total = both.scatter / found;
        const double byRandoms = randoms.randoms / static_cast<double>(random.kept);
        const double s = worst(marginal(scattered, scattered.counts, 0), marginal(scattered, scatter, 0));
        const double u = worst(marginal(scattered, scattered.counts, 1), marginal(scattered, scatter, 1));
        std::printf(
            "  %.0f trues, %.0f scattered, %.0f random kept: scatter %.4f (once %.4f, tails times %.3f), "
            "marginals "
            "of s %.3f, u %.3f; randoms %.4f; corrected in %.1f s\n",
            sum(result.trues.counts), found, static_cast<double>(random.kept), total, both.single / found,
            both.scale, s, u, byRandoms, seconds);
        std::fflush(stdout);
        check(std::abs(total - 1) < 0.05, total);
        check(s < 0.1, s);
        check(u < 0.1, u);
        const double error = std::sqrt(2 / static_cast<double>(random.kept));
        check(std::abs(byRandoms - 1) < 0.01 + 3 * error, byRandoms);
        return result;
    }

    void check(bool holds, double value) {
        if (!holds) {
            failed_ += std::to_string(value) + " ";
        }
    }
    std::string failed_;

  private slots:
    void init() {
        failed_.clear();
        if (!(fullness() > 0)) {
            QSKIP("minutes of a whole machine; set TOFSCOPE_FULL=1");
        }
    }

    void centreOfALargeCylinder() {
        Scan scan = scanOf(cylinder(175, 180), 12000000, 20);
        CorrectedScan data = corrected(scan);
        const double voxel = 512 * scan.prompts.decays / (kPi * 175 * 175 * 180);
        const Volume without = reconstruct(std::move(data.randomsOnly), 0);
        const Volume with = reconstruct(std::move(data.all), 0);
        const Volume trues = reconstruct(std::move(data.trues), 0);
        std::printf("  over decays, by distance from the axis: without, with, trues alone\n");
        for (const double r : {0, 25, 50, 75, 100, 125}) {
            std::printf("  %3.0f mm: %.4f %.4f %.4f\n", r, ringMean(without, r, r + 25) / voxel,
                        ringMean(with, r, r + 25) / voxel, ringMean(trues, r, r + 25) / voxel);
        }
        std::fflush(stdout);
        const double reference = ringMean(trues, 0, 25);
        check(ringMean(without, 0, 25) / reference > 1.15, ringMean(without, 0, 25) / reference);
        check(std::abs(ringMean(with, 0, 25) / reference - 1) <= 0.02, ringMean(with, 0, 25) / reference);
        const double slope = (ringMean(with, 0, 50) / ringMean(with, 100, 150)) /
                             (ringMean(trues, 0, 50) / ringMean(trues, 100, 150));
        check(std::abs(slope - 1) < 0.02, slope);
        QVERIFY2(failed_.empty(), failed_.c_str());
    }

    void coldLungInsert() {
        Scan scan = scanOf("nema-iq", 12000000, 20);
        CorrectedScan data = corrected(scan);
        const Volume without = reconstruct(std::move(data.randomsOnly), 0);
        const Volume with = reconstruct(std::move(data.all), 0);
        const Volume trues = reconstruct(std::move(data.trues), 0);
        const auto residual = [](const Volume& image) {
            return ringMean(image, 0, 12.5) / ringMean(image, 90, 130);
        };
        std::printf("  lung residual without %.4f, with %.4f, trues alone %.4f\n", residual(without),
                    residual(with), residual(trues));
        std::fflush(stdout);
        check(residual(without) > 1.5 * residual(with), residual(without));
        check(residual(with) < 0.10, residual(with));
        QVERIFY2(failed_.empty(), failed_.c_str());
    }

    void activityBeyondTheField() {
        Scan scan = scanOf(cylinder(100, 600), 6000000, 40);
        static_cast<void>(corrected(scan));
        QVERIFY2(failed_.empty(), failed_.c_str());
    }
};

QTEST_GUILESS_MAIN(CorrectionsTest)

}  // namespace corrections_test
#include "corrections_test.moc"
