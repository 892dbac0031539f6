// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/correct_scatter.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/instruction_set.h"
#include "recon/base/sum.h"
#include "recon/corrections/line_corrections.h"
#include "recon/motion/pose_shares.h"
#include "recon/seam/host_space.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/cpu_histo_projector.h"
#include "recon/systems/lines/cpu_line_projector.h"

namespace tof {

namespace {

constexpr double kBodyMu_perMm = 0.002;
constexpr double kTailShare = 0.3;       ///< share of the scatter: tails hold fewer trues of the grown image
constexpr double kLeastTails = 300;      ///< counts that say something of a scale
constexpr double kAbsoluteError = 0.05;  ///< share of the simulated scatter
/// The error of the scale that tails say, however many counts they hold: they are where single scatter is the
/// least part, beside trues that crystals have put there.
constexpr double kTailError = 0.1;
constexpr int kPasses = 3;
constexpr int kSubsets = 12;
constexpr std::size_t kFloatsAtATime = std::size_t{1} << 18U;

double nearestValue(const Volume& volume, Vec3 p) {
    const VoxelIndex at = volume.lattice.voxelAt(p);
    return volume.lattice.contains(at) ? static_cast<double>(volume.at(at)) : 0.0;
}

/// How much of what tails say is taken, by what they and the simulation are sure of.
double trusted(double tailCounts) {
    const double known = kAbsoluteError * kAbsoluteError;
    return known / (known + kTailError * kTailError + 1 / tailCounts);
}

/// Whether something that attenuates lies in a voxel or beside it.
std::vector<char> bodyOn(const Lattice& lattice, const Volume& attenuation) {
    std::vector<char> body(lattice.voxels(), 0);
    std::size_t i = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        for (int corner = 0; corner < 27 && body[i] == 0; ++corner) {
            const double dx = 0.75 * (corner % 3 - 1);
            const double dy = 0.75 * (corner / 3 % 3 - 1);
            const double dz = 0.75 * (corner / 9 - 1);
            body[i] = nearestValue(attenuation, lattice.centre(x + dx, y + dy, z + dz)) > kBodyMu_perMm;
        }
        ++i;
    });
    return body;
}

/// The image with its body grown by two voxels across: crystals that scatter put some trues beside it.
Volume grown(const Volume& image) {
    Volume result = image;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        float most = 0;
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                if (image.lattice.contains(x + dx, y + dy, z)) {
                    most = std::max(most, image.at(x + dx, y + dy, z));
                }
            }
        }
        result.at(x, y, z) = most;
    });
    return result;
}

Volume osemOf(Projector& projector, DataSource& source, const Lattice& lattice, std::size_t parts,
              std::vector<std::size_t> order) {
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = kPasses;
    settings.subsets = std::min(kSubsets, static_cast<int>(parts));
    RunControl control;
    Reconstruction reconstruction(projector, source, lattice, settings, std::move(order), control);
    reconstruction.run(control);
    return reconstruction.image();
}

/// Data and their projections on coarse voxels, of any form.
class CoarseModel {
  public:
    CoarseModel() = default;
    CoarseModel(const CoarseModel&) = delete;
    CoarseModel& operator=(const CoarseModel&) = delete;
    virtual ~CoarseModel() = default;
    [[nodiscard]] virtual const Lattice& lattice() const = 0;
    [[nodiscard]] virtual const std::vector<float>& counts() const = 0;
    /// As long as the counts.
    [[nodiscard]] virtual std::vector<float>& add() = 0;
    [[nodiscard]] virtual Volume reconstruct() = 0;
    /// Counts that an image makes expected, without add.
    [[nodiscard]] virtual std::vector<float> expected(const Volume& image) = 0;
    [[nodiscard]] virtual std::vector<float> scatter(const std::vector<PosedScatter>& lines) const = 0;
};

class CoarseViews : public CoarseModel {
  public:
    CoarseViews(std::shared_ptr<HistoData> data, const Scanner& scanner, const ThreadPool& pool)
        : data_(std::move(data)), pool_(pool), space_(std::make_shared<HostSpace>(pool.threads())) {
        KernelSpec kernel = KernelSpec::preset("invariant");
        kernel.name.clear();
        kernel.tof_ps = std::max(scanner.timing_fwhm_ps, 30.0);
        kernel.sampling = KernelSampling::Voxel;
        kernel.cutoff = 4;  // beyond 3 sigma in time lie more trues than the tails may hold
        projector_ = std::make_unique<CpuProjector>(
            DirectModel{data_->lattice, data_->views, kernel, !data_->att.empty()}, space_,
            availableInstructionSets().back());
        data_->add.resize(data_->counts.size(), 0.0F);
    }

    [[nodiscard]] const Lattice& lattice() const override { return data_->lattice; }
    [[nodiscard]] const std::vector<float>& counts() const override { return data_->counts; }
    [[nodiscard]] std::vector<float>& add() override { return data_->add; }

    [[nodiscard]] Volume reconstruct() override {
        HostHistoSource source(partsOf(std::shared_ptr<const HistoData>(data_)), space_->pool().threads());
        return osemOf(*projector_, source, data_->lattice, data_->views.size(),
                      geometricOrder(data_->views, 1));
    }

    [[nodiscard]] std::vector<float> scatter(const std::vector<PosedScatter>& lines) const override {
        return scatterOfViews(lines, *data_, pool_);
    }

    [[nodiscard]] std::vector<float> expected(const Volume& image) override {
        const std::size_t n = data_->voxels();
        std::vector<float> counts(data_->counts.size());
        Array seen = space_->allocate(n);
        Array made = space_->allocate(n);
        for (std::size_t view = 0; view < data_->views.size(); ++view) {
            std::vector<float> x = image.data;
            for (std::size_t i = 0; i < n && !data_->att.empty(); ++i) {
                x[i] *= data_->att[view * n + i];
            }
            space_->upload(x, seen.view());
            projector_->forward(view, seen.view(), made.view());
            space_->download(made.view(), x);
            for (std::size_t i = 0; i < n; ++i) {
                counts[view * n + i] = x[i] * (data_->mult.empty() ? 1.0F : data_->mult[view * n + i]);
            }
        }
        return counts;
    }

  private:
    std::shared_ptr<HistoData> data_;
    const ThreadPool& pool_;
    std::shared_ptr<HostSpace> space_;
    std::unique_ptr<CpuProjector> projector_;
};

/// Sinograms on coarse voxels.
class CoarseSinograms : public CoarseModel {
  public:
    CoarseSinograms(std::shared_ptr<SinogramData> data, std::vector<float> survival, const ThreadPool& pool)
        : data_(std::move(data)),
          survival_(std::move(survival)),
          pool_(pool),
          space_(std::make_shared<HostSpace>(pool.threads())),
          projector_(modelOf(*data_), space_) {
        data_->add.resize(data_->counts.size(), 0.0F);
    }

    [[nodiscard]] const Lattice& lattice() const override { return data_->lattice; }
    [[nodiscard]] const std::vector<float>& counts() const override { return data_->counts; }
    [[nodiscard]] std::vector<float>& add() override { return data_->add; }

    [[nodiscard]] Volume reconstruct() override {
        HostHistoSource source(partsOf(std::shared_ptr<const SinogramData>(data_)), space_->pool().threads());
        std::vector<std::size_t> order(projector_.parts());
        std::iota(order.begin(), order.end(), std::size_t{0});
        return osemOf(projector_, source, data_->lattice, order.size(), order);
    }

    [[nodiscard]] std::vector<float> expected(const Volume& image) override {
        std::vector<float> all;
        all.reserve(data_->counts.size());
        Array x = space_->allocate(image.data.size());
        space_->upload(image.data, x.view());
        for (std::size_t part = 0; part < projector_.parts(); ++part) {
            std::vector<float> values(projector_.dataSize(part));
            Array made = space_->allocate(values.size());
            projector_.forward(part, x.view(), made.view());
            space_->download(made.view(), values);
            all.insert(all.end(), values.begin(), values.end());
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] *= data_->mult[i];
        }
        return all;
    }

    [[nodiscard]] std::vector<float> scatter(const std::vector<PosedScatter>& lines) const override {
        return scatterOfBins(lines.front().lines, *data_, survival_, pool_);
    }

  private:
    static LineModel modelOf(const SinogramData& data) {
        LineModel model;
        model.lattice = data.lattice;
        model.lines = data.michelogram;
        return model;
    }

    std::shared_ptr<SinogramData> data_;
    std::vector<float> survival_;
    const ThreadPool& pool_;
    std::shared_ptr<HostSpace> space_;
    CpuLineProjector projector_;
};

/// The image with slices added at both ends, as far as something attenuates: its outermost slices go on.
Volume extended(const Volume& image, const Volume& attenuation, double limit_mm) {
    const Lattice& old = image.lattice;
    const Box box = latticeBox(old);
    const Box object = latticeBox(attenuation.lattice);
    const auto slices = [&](double beyond) {
        return static_cast<int>(std::ceil(std::clamp(beyond, 0.0, limit_mm) / old.spacing_mm[2]));
    };
    const int below = slices(box.low.z - object.low.z);
    const int above = slices(object.high.z - box.high.z);
    Lattice lattice = old;
    lattice.size[2] += below + above;
    lattice.origin_mm.z -= below * old.spacing_mm[2];
    Volume result(lattice);
    const int mean = std::min(2, old.size[2]);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const int from = z - below;
        if (from >= 0 && from < old.size[2]) {
            result.at(x, y, z) = image.at(x, y, from);
            return;
        }
        if (nearestValue(attenuation, lattice.centre(x, y, z)) < kBodyMu_perMm) {
            return;
        }
        float sum = 0;
        for (int k = 0; k < mean; ++k) {
            sum += image.at(x, y, from < 0 ? k : old.size[2] - 1 - k);
        }
        result.at(x, y, z) = sum / static_cast<float>(mean);
    });
    return result;
}

/// Every voxel's share of the matter in the coarse voxel `target` that it belongs to: `even` where
/// there is none.
std::vector<float> matterShares(const Volume& matter, const Lattice& lattice,
                                const std::vector<std::size_t>& target, std::size_t targets, float even) {
    std::vector<float> shares;
    shares.reserve(target.size());
    std::vector<float> sums(targets, 0.0F);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const double mu = nearestValue(matter, lattice.centre(x, y, z));
        shares.push_back(mu > kBodyMu_perMm ? static_cast<float>(mu) : 0.0F);
        sums[target[shares.size() - 1]] += shares.back();
    });
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i] = sums[target[i]] > 0 ? shares[i] / sums[target[i]] : even;
    }
    return shares;
}

}  // namespace

HistoData coarsened(const HistoData& data, std::array<int, 3> factors, const ThreadPool& pool,
                    const Volume* matter) {
    HistoData coarse;
    coarse.views = data.views;
    coarse.scannerJson = data.scannerJson;
    Lattice& lattice = coarse.lattice = data.lattice;
    for (std::size_t k = 0; k < 3; ++k) {
        lattice.size[k] = (data.lattice.size[k] + factors[k] - 1) / factors[k];
        lattice.spacing_mm[k] *= factors[k];
        lattice.origin_mm[k] += 0.5 * (factors[k] - 1) * data.lattice.spacing_mm[k];
    }
    const std::size_t n = lattice.voxels();
    const float share = 1.0F / static_cast<float>(factors[0] * factors[1] * factors[2]);
    std::vector<std::size_t> target;
    target.reserve(data.voxels());
    data.lattice.forEachVoxel([&](int x, int y, int z) {
        target.push_back(lattice.index(x / factors[0], y / factors[1], z / factors[2]));
    });
    const auto join = [&](const std::vector<float>& from, const std::vector<float>& weights,
                          std::vector<float>& to) {
        if (from.empty()) {
            return;
        }
        to.assign(n * data.views.size(), 0.0F);
        pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                to[view * n + target[i]] += weights[i] * from[view * data.voxels() + i];
            }
        });
    };
    const std::vector<float> ones(data.voxels(), 1.0F);
    const std::vector<float> even(data.voxels(), share);
    join(data.counts, ones, coarse.counts);
    join(data.add, ones, coarse.add);
    join(data.mult, even, coarse.mult);
    join(data.att, matter == nullptr ? even : matterShares(*matter, data.lattice, target, n, share),
         coarse.att);
    return coarse;
}

namespace {

/// What the rounds leave: scatter of lines as simulated, and what it is to be multiplied with.
struct ScatterOfRounds {
    std::shared_ptr<std::vector<PosedScatter>> lines;
    double absolute = 1;  ///< the image's scale, by which it made more counts expected than there are
    double scale = 1;
    double tailCounts = 0;
};

/// Poses as few as scatter tells apart; that of the data where nothing moved.
std::vector<WeighedPose> posesThatScatter(const std::vector<WeighedPose>& poses) {
    constexpr double kAlike_mm = 20;  // less than a step of scatter points
    if (poses.empty()) {
        return {WeighedPose{}};
    }
    const RigidMotion motion = motionOver(poses);
    return motion.steps(1e-3 * motion.end_ms(), 0, kAlike_mm).poses;
}

/// The scatter of images on one lattice in every pose.
class PosedEstimates {
  public:
    PosedEstimates(const std::vector<WeighedPose>& poses, const Scanner& scanner, const Lattice& image,
                   const Volume& attenuation, const ScatterCorrection& settings, const ThreadPool& pool)
        : poses_(poses) {
        ScatterSettings simulation = settings.simulation;
        simulation.pairs /= poses.size();
        for (const WeighedPose& at : poses) {
            estimates_.emplace_back(scanner, movedVolume(attenuation, at.pose), movedLattice(image, at.pose),
                                    simulation, pool);
        }
    }

    [[nodiscard]] std::vector<PosedScatter> of(const Volume& image,
                                               const std::function<void(double)>& progress) {
        std::vector<PosedScatter> lines;
        const auto part = [&](double share) {
            progress((static_cast<double>(lines.size()) + share) / static_cast<double>(poses_.size()));
        };
        for (std::size_t i = 0; i < poses_.size(); ++i) {
            lines.push_back({poses_[i], estimates_[i].of(movedVolume(image, poses_[i].pose), part)});
        }
        return lines;
    }

  private:
    const std::vector<WeighedPose>& poses_;
    std::vector<ScatterEstimate> estimates_;
};

ScatterOfRounds findRounds(CoarseModel& model, const Scanner& scanner, const Volume& attenuation,
                           const ScatterCorrection& settings, const ThreadPool& pool,
                           const std::function<void(double)>& progress,
                           const std::vector<WeighedPose>& moved = {}) {
    const std::vector<WeighedPose> poses = posesThatScatter(moved);
    const std::vector<float> randoms = model.add();
    const std::vector<float>& counts = model.counts();
    const std::vector<char> body = bodyOn(model.lattice(), attenuation);
    std::optional<PosedEstimates> estimates;
    ScatterOfRounds found;
    for (int round = 0; round < settings.rounds; ++round) {
        const auto part = [&](double share) {
            if (progress) {
                progress((round + share) / settings.rounds);
            }
        };
        Volume image = model.reconstruct();
        for (std::size_t i = 0; i < body.size(); ++i) {
            image.data[i] = body[i] != 0 ? image.data[i] : 0.0F;
        }
        part(0.3);
        const Volume longer = extended(image, attenuation, settings.extension_mm);
        if (!estimates) {
            estimates.emplace(poses, scanner, longer.lattice, attenuation, settings, pool);
        }
        found.lines = std::make_shared<std::vector<PosedScatter>>(
            estimates->of(longer, [&](double share) { part(0.3 + 0.6 * share); }));
        std::vector<float> single = model.scatter(*found.lines);
        std::vector<float> trues = model.expected(image);
        std::vector<float> most = model.expected(grown(image));
        // The image took for activity what the add of its round did not hold of the scatter.
        const double prompts = sumOf(counts) - sumOf(randoms);
        const double made = sumOf(trues) + sumOf(single);
        const double share = prompts > 0 && made > 0 ? prompts / made : 1;
        for (std::vector<float>* values : {&single, &trues, &most}) {
            for (float& value : *values) {
                value *= static_cast<float>(share);
            }
        }
        double measured = 0;
        double simulated = 0;
        for (std::size_t i = 0; i < single.size(); ++i) {
            if (static_cast<double>(most[i]) < kTailShare * static_cast<double>(single[i])) {
                measured += static_cast<double>(counts[i]) - static_cast<double>(randoms[i]) -
                            static_cast<double>(trues[i]);
                simulated += static_cast<double>(single[i]);
            }
        }
        found.tailCounts = measured;
        // The first image is blurred by all its scatter, so are its tails.
        const bool fit = settings.fitTails && (round > 0 || settings.rounds == 1);
        found.scale = fit && simulated > kLeastTails && measured > 0
                          ? std::clamp(1 + trusted(simulated) * (measured / simulated - 1), 0.3, 4.0)
                          : 1.0;
        for (std::size_t i = 0; i < single.size(); ++i) {
            model.add()[i] = randoms[i] + static_cast<float>(found.scale) * single[i];
        }
        found.absolute = share;
        part(1);
    }
    return found;
}

/// `scatter` is that of the lines as simulated.
ScatterFound scaled(ScatterOfRounds rounds, std::vector<float> scatter, const ThreadPool& pool) {
    ScatterFound found;
    found.scatter = std::move(scatter);
    found.scale = rounds.scale;
    found.tailCounts = rounds.tailCounts;
    found.single = rounds.absolute * sumOf(found.scatter, pool);
    pool.forRange(found.scatter.size(), kFloatsAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            found.scatter[i] *= static_cast<float>(rounds.absolute * rounds.scale);
        }
    });
    found.total = found.scale * found.single;
    for (PosedScatter& one : *rounds.lines) {
        one.lines.scale(rounds.absolute * rounds.scale);
    }
    found.lines = std::move(rounds.lines);
    return found;
}

}  // namespace

ScatterFound findScatter(const HistoData& data, const Scanner& scanner, const Volume& attenuation,
                         const ScatterCorrection& settings, const ThreadPool& pool,
                         const std::function<void(double)>& progress) {
    std::array<int, 3> factors{};
    for (std::size_t k = 0; k < 3; ++k) {
        factors[k] =
            std::max(1, static_cast<int>(std::lround(settings.voxel_mm / data.lattice.spacing_mm[k])));
    }
    CoarseViews model(std::make_shared<HistoData>(coarsened(data, factors, pool, &attenuation)), scanner,
                      pool);
    ScatterOfRounds rounds = findRounds(model, scanner, attenuation, settings, pool, progress, data.poses);
    std::vector<float> scatter = scatterOfViews(*rounds.lines, data, pool);
    return scaled(std::move(rounds), std::move(scatter), pool);
}

ScatterFound findScatter(const SinogramData& data, const Scanner& scanner, const Volume& attenuation,
                         const ScatterCorrection& settings, const ThreadPool& pool,
                         const std::function<void(double)>& progress) {
    if (!data.absolute || data.mult.empty()) {
        throw WrongUse(
            "scatter of sinograms needs a mult that counts emissions; bin the list of a scanner whose "
            "efficiencies are known");
    }
    auto coarse = std::make_shared<SinogramData>(data);
    const Box box = latticeBox(data.lattice);
    Lattice lattice = data.lattice;
    for (std::size_t k = 0; k < 3; ++k) {
        const double length = box.high[k] - box.low[k];
        lattice.size[k] = std::max(1, static_cast<int>(std::lround(length / settings.voxel_mm)));
        lattice.spacing_mm[k] = length / lattice.size[k];
        const double first = box.low[k] + 0.5 * lattice.spacing_mm[k];
        (k == 0 ? lattice.origin_mm.x : k == 1 ? lattice.origin_mm.y : lattice.origin_mm.z) = first;
    }
    fitVoxels(*coarse, lattice);
    const std::vector<float> survival = survivalOfBins(data, attenuation, pool);
    CoarseSinograms model(coarse, survival, pool);
    ScatterOfRounds rounds = findRounds(model, scanner, attenuation, settings, pool, progress);
    std::vector<float> scatter = scatterOfBins(rounds.lines->front().lines, data, survival, pool);
    return scaled(std::move(rounds), std::move(scatter), pool);
}

}  // namespace tof
