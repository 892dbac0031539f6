// SPDX-License-Identifier: Apache-2.0
#include "recon/work/expected_background.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "recon/base/error.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/corrections/scatter.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/slices.h"

namespace tof {

namespace {

constexpr double kScatterVoxel_mm = 12;
constexpr std::uint64_t kDecays = std::uint64_t{1} << 20U;
constexpr std::uint64_t kDecayGrain = 4096;
constexpr std::size_t kRowsTogether = 4;

/// The phantom's activity on coarse voxels that hold all of it, `decays` in sum.
Volume activityOf(const Phantom& phantom, double decays) {
    Volume volume = [&] {
        if (phantom.emission) {
            return *phantom.emission;
        }
        constexpr double kForever = std::numeric_limits<double>::infinity();
        Vec3 low{kForever, kForever, kForever};
        Vec3 high{-kForever, -kForever, -kForever};
        for (const PhantomShape& shape : phantom.shapes) {
            for (std::size_t axis = 0; axis < 3 && shape.activity > 0; ++axis) {
                low[axis] = std::min(low[axis], shape.centre[axis] - shape.halfExtent()[axis]);
                high[axis] = std::max(high[axis], shape.centre[axis] + shape.halfExtent()[axis]);
            }
        }
        Lattice lattice;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lattice.size[axis] =
                std::max(1, static_cast<int>(std::ceil((high[axis] - low[axis]) / kScatterVoxel_mm)));
            lattice.spacing_mm[axis] =
                std::max((high[axis] - low[axis]) / lattice.size[axis], 0.1 * kScatterVoxel_mm);
            const double middle = 0.5 * (low[axis] + high[axis]);
            lattice.origin_mm[axis] = middle - 0.5 * (lattice.size[axis] - 1) * lattice.spacing_mm[axis];
        }
        return phantom.emissionOn(lattice);
    }();
    const double sum = std::accumulate(volume.data.begin(), volume.data.end(), 0.0);
    for (float& value : volume.data) {
        value = static_cast<float>(decays * static_cast<double>(value) / sum);
    }
    return volume;
}

/// Photons of kDecays that every crystal records.
std::vector<double> singlesByCrystal(const PairModel& model, const Phantom& phantom, const ThreadPool& pool) {
    std::vector<double> all(model.crystalCount(), 0.0);
    std::mutex mutex;
    pool.forRange(kDecays, kDecayGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> hits;
        for (std::size_t decay = begin; decay < end; ++decay) {
            RandomStream random(0, RandomUse::Photons, decay);
            std::optional<Vec3> nucleus;
            for (std::uint32_t attempt = 0; !nucleus; ++attempt) {
                if (attempt == kPlaceTries) {
                    throw WrongUse("phantom '{}' emits next to nowhere", phantom.name);
                }
                random.startAttempt(attempt);
                nucleus = model.emission().sample(random);
            }
            Photon first = drawFirst(model.physics(), *nucleus, random);
            Photon second = drawSecond(model.physics(), first, random);
            Single single;
            random.startAttempt(kPhotonNumbers);
            if (follow(model.physics(), first, random, single) == PhotonFate::Recorded) {
                hits.push_back(single.crystal);
            }
            random.startAttempt(kPhotonNumbers + 1);
            if (follow(model.physics(), second, random, single) == PhotonFate::Recorded) {
                hits.push_back(single.crystal);
            }
        }
        const std::lock_guard lock(mutex);
        for (const std::uint32_t crystal : hits) {
            all[crystal] += 1;
        }
    });
    return all;
}

/// Shared evenly among neighbours: rows of four crystals across a whole module.
void smooth(std::vector<double>& singles, const Detector& detector) {
    for (const DetectorModule& module : detector.modules()) {
        const auto across = static_cast<std::size_t>(module.count[0]);
        const std::size_t group = kRowsTogether * across;
        for (std::size_t begin = 0; begin < module.ids.size(); begin += group) {
            const std::size_t end = std::min(begin + group, module.ids.size());
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                sum += singles[module.ids[i]];
            }
            for (std::size_t i = begin; i < end; ++i) {
                singles[module.ids[i]] = sum / static_cast<double>(end - begin);
            }
        }
    }
}

}  // namespace

void requireBackground(const Scanner& scanner) {
    if (!scanner.detection || !(scanner.detection->coincidence_ns > 0)) {
        throw WrongUse(
            "scanner '{}' does not say how it detects; scatter and randoms need its 'detection' with "
            "'coincidence_ns'",
            scanner.name);
    }
}

void addBackground(HistoData& data, const Scanner& scanner, const Phantom& phantom, const Volume& attenuation,
                   double activity_MBq, const ThreadPool& pool, WorkProgress& progress) {
    requireBackground(scanner);
    progress.stage("randoms");
    const PairModel model(scanner, phantom, Physics(), pool);
    std::vector<double> rates = singlesByCrystal(model, phantom, pool);
    smooth(rates, Detector(scanner));
    const double perSecond = 1e6 * activity_MBq / static_cast<double>(kDecays);
    for (double& rate : rates) {
        rate *= perSecond;
    }
    const double duration_s = data.decays / (1e6 * activity_MBq);
    const double randoms = randomsKept(rates, scanner, data.lattice, duration_s, pool);
    data.add = randomsOfViews(rates, scanner, data, randoms, pool);
    ScatterSettings settings;
    settings.pairs = kScatteredPairs;
    const LineFunction lines = singleScatter(scanner, activityOf(phantom, data.decays), attenuation, settings,
                                             pool, progress.begin("scatter"));
    addScatterOfViews(lines, data, pool, data.add);
}

}  // namespace tof
