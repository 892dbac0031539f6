// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/multiple_scatter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "recon/corrections/single_scatter.h"
#include "recon/phantom/phantom.h"
#include "recon/physics/positron.h"
#include "recon/simulate/emission.h"
#include "recon/simulate/phantom_medium.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kPairsPerChunk = 16384;
constexpr std::size_t kChunksPerTurn = 32;
/// Standard deviation of what is scattered more than once at a place, over what is scattered once, at which
/// enough pairs were followed.
constexpr double kPreciseEnough = 0.01;
/// The estimate has random numbers of its own, which no seed that a person gives shares.
constexpr std::uint64_t kSeed = 0x9216D5D98979FB1BU;
constexpr double kFarthest =
    1.5;  ///< share of the object's reach: beyond, the polynomial goes on as it is there

/// Where a photon meets the cylinder.
struct Arrival {
    Vec3 at;
    double way = 0;     ///< mm, from where the photon is
    double cosine = 0;  ///< cosine of the incidence
};

class Cylinder {
  public:
    Cylinder(const CoarseRing& ring, double rowReach_mm)
        : radius_(ring.radius_mm),
          low_(ring.heights.first - rowReach_mm),
          high_(ring.heights.at(ring.heights.count - 1) + rowReach_mm) {}

    [[nodiscard]] std::optional<Arrival> arrival(const Photon& photon) const {
        const Vec3 p = photon.at;
        const Vec3 d = photon.direction;
        const double a = d.x * d.x + d.y * d.y;
        const double b = p.x * d.x + p.y * d.y;
        const double c = p.x * p.x + p.y * p.y - radius_ * radius_;
        if (!(a > 1e-9) || b * b - a * c <= 0) {
            return std::nullopt;
        }
        const double way = (std::sqrt(b * b - a * c) - b) / a;
        const Vec3 at = p + way * d;
        if (!(way > 0) || at.z < low_ || at.z > high_) {
            return std::nullopt;
        }
        return Arrival{at, way, (at.x * d.x + at.y * d.y) / radius_};
    }

  private:
    double radius_;
    double low_;
    double high_;
};

/// A coincidence that may be recorded.
struct Counted {
    Vec3 place;
    double distance = 0;
    double weight = 0;
    std::uint32_t scatters = 0;
};

class Tracer {
  public:
    Tracer(const Scanner& scanner, const EnergyAcceptance& acceptance, const CoarseRing& ring,
           const Phantom& object, const ThreadPool& pool)
        : acceptance_(acceptance),
          cylinder_(ring, 0.5 * scanner.crystalSize_mm[1]),
          emission_(object, pool),
          medium_(object),
          cut_(comptonCut(acceptance.least_keV())),
          crystal_(crossSections(scanner.detection->material)),
          depth_mm_(scanner.crystalSize_mm[2]),
          steepest_(std::tan(scanner.acceptance_rad)),
          widest_mm_(scanner.fovRadius_mm) {}

    [[nodiscard]] std::optional<Counted> pair(std::uint64_t index) const {
        RandomStream random(kSeed, RandomUse::Photons, index);
        Vec3 from;
        if (!drawEmission(emission_.view(), random, from)) {
            return std::nullopt;
        }
        Photon one;
        one.at = from;
        one.direction = drawUnit(random);
        Photon two = one;
        two.direction = -one.direction;
        if (!leaves(one, random) || !leaves(two, random) || one.scatters + two.scatters == 0) {
            return std::nullopt;
        }
        return counted(one, two);
    }

  private:
    /// Whether the photon comes out towards the cylinder.
    bool leaves(Photon& photon, RandomStream& random) const {
        while (true) {
            const bool heads = cylinder_.arrival(photon).has_value();
            if (!heads && !drawUse(photon.energy_keV, cut_, random)) {
                return false;
            }
            switch (flyInPhantom(medium_.view(), photon, Compton::Turns,
                                 heads ? PhotonAim::Crystals : PhotonAim::Elsewhere, cut_, random)) {
                case FlightEnd::Escaped: return heads;
                case FlightEnd::Absorbed:
                case FlightEnd::Faded: return false;
                case FlightEnd::Scattered: break;
            }
        }
    }

    /// Chance to be recorded, up to a factor that all photons share.
    [[nodiscard]] double chance(const Photon& photon, const Arrival& arrival) const {
        const double mu = atEnergy(crystal_.total_perMm.data(), photon.energy_keV);
        return acceptance_.at(static_cast<double>(photon.energy_keV)) *
               slabResponse(arrival.cosine, mu, depth_mm_) / arrival.cosine;
    }

    [[nodiscard]] std::optional<Counted> counted(const Photon& one, const Photon& two) const {
        const auto first = cylinder_.arrival(one);
        const auto second = cylinder_.arrival(two);
        if (!first || !second) {
            return std::nullopt;
        }
        const Vec3 line = second->at - first->at;
        const double across = std::hypot(line.x, line.y);
        if (!(across > 0) || std::abs(line.z) > steepest_ * across) {
            return std::nullopt;
        }
        Counted found;
        found.distance = std::abs(first->at.x * line.y - first->at.y * line.x) / across;
        found.weight = chance(one, *first) * chance(two, *second);
        if (found.distance > widest_mm_ || !(found.weight > 0)) {
            return std::nullopt;
        }
        const double u = 0.5 * (static_cast<double>(one.path_mm) + first->way -
                                static_cast<double>(two.path_mm) - second->way);
        found.place = 0.5 * (first->at + second->at) + (u / norm(line)) * line;
        found.scatters = one.scatters + two.scatters;
        return found;
    }

    const EnergyAcceptance& acceptance_;
    Cylinder cylinder_;
    EmissionSampler emission_;
    PhantomMedium medium_;
    ComptonCut cut_;
    const CrossSections& crystal_;
    double depth_mm_;
    double steepest_;
    double widest_mm_;
};

/// Sums over pairs: products of all terms over single scatter, terms over multiple scatter.
struct Moments {
    std::array<MultipleScatter::Terms, MultipleScatter::kTerms> once{};
    MultipleScatter::Terms more{};
    double squares = 0;

    [[nodiscard]] bool known() const { return once[0][0] > 0 && squares > 0; }
    [[nodiscard]] double mean() const { return more[0] / once[0][0]; }
    [[nodiscard]] double events() const { return more[0] * more[0] / squares; }

    void add(const MultipleScatter::Terms& terms, const Counted& pair) {
        if (pair.scatters > 1) {
            squares += pair.weight * pair.weight;
        }
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (pair.scatters > 1) {
                more[i] += pair.weight * terms[i];
                continue;
            }
            for (std::size_t k = 0; k <= i; ++k) {
                once[i][k] += pair.weight * terms[i] * terms[k];
            }
        }
    }
    void add(const Moments& part) {
        squares += part.squares;
        for (std::size_t i = 0; i < more.size(); ++i) {
            more[i] += part.more[i];
            for (std::size_t k = 0; k <= i; ++k) {
                once[i][k] += part.once[i][k];
            }
        }
    }
};

/// Whether the polynomial is precise enough: with as many terms the variance at a place is about as many
/// times that of the mean.
bool tells(const Moments& moments) {
    return moments.known() &&
           moments.mean() * std::sqrt(MultipleScatter::kTerms / moments.events()) < kPreciseEnough;
}

/// Solves once x = more by Cholesky's decomposition; a ridge holds terms that nothing decides at zero.
MultipleScatter::Terms solved(Moments moments) {
    constexpr std::size_t n = MultipleScatter::kTerms;
    auto& m = moments.once;
    MultipleScatter::Terms x = moments.more;
    const double ridge = 1e-6 * m[0][0];
    for (std::size_t i = 0; i < n; ++i) {
        m[i][i] += ridge;
        for (std::size_t k = 0; k <= i; ++k) {
            double sum = m[i][k];
            for (std::size_t j = 0; j < k; ++j) {
                sum -= m[i][j] * m[k][j];
            }
            m[i][k] = i == k ? std::sqrt(std::max(sum, ridge)) : sum / m[k][k];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            x[i] -= m[i][j] * x[j];
        }
        x[i] /= m[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) {
            x[i] -= m[j][i] * x[j];
        }
        x[i] /= m[i][i];
    }
    return x;
}

}  // namespace

MultipleScatter::MultipleScatter(const Scanner& scanner, const EnergyAcceptance& acceptance,
                                 const CoarseRing& ring, const Volume& activity, const Volume& attenuation,
                                 std::uint64_t pairs, const ThreadPool& pool) {
    const auto emits = [](float value) { return value > 0; };
    if (std::none_of(activity.data.begin(), activity.data.end(), emits)) {
        return;
    }
    Vec3 low{1e9, 1e9, 1e9};
    Vec3 high{-1e9, -1e9, -1e9};
    std::size_t at = 0;
    attenuation.lattice.forEachVoxel([&](int x, int y, int z) {
        if (attenuation.data[at++] > 0) {
            const Vec3 p = attenuation.lattice.centre(x, y, z);
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
    });
    if (!(low.x <= high.x)) {
        return;
    }
    centre_ = 0.5 * (low + high);
    reach_ = 0.5 * (high - low);
    for (std::size_t k = 0; k < 3; ++k) {
        reach_[k] = std::max(reach_[k], 0.5 * attenuation.lattice.spacing_mm[k]);
    }
    farthest_ = std::hypot(reach_.x, reach_.y) + std::hypot(centre_.x, centre_.y);

    Phantom object;
    object.emission = activity;
    for (float& value : object.emission->data) {
        value = std::max(value, 0.0F);
    }
    object.attenuation = attenuation;
    const Tracer tracer(scanner, acceptance, ring, object, pool);
    const std::size_t chunks = (pairs + kPairsPerChunk - 1) / kPairsPerChunk;
    Moments all;
    for (std::size_t begin = 0; begin < chunks && !tells(all); begin += kChunksPerTurn) {
        std::vector<Moments> parts(std::min(kChunksPerTurn, chunks - begin));
        pool.forRange(parts.size(), 1, [&](std::size_t part, std::size_t) {
            const std::uint64_t first = (begin + part) * kPairsPerChunk;
            const std::uint64_t last = std::min<std::uint64_t>(first + kPairsPerChunk, pairs);
            for (std::uint64_t i = first; i < last; ++i) {
                if (const auto pair = tracer.pair(i)) {
                    parts[part].add(termsAt(pair->place, pair->distance), *pair);
                }
            }
        });
        for (const Moments& part : parts) {
            all.add(part);
        }
    }
    if (all.known()) {
        factors_ = solved(all);
        mean_ = all.mean();
        events_ = all.events();
    }
}

MultipleScatter::Terms MultipleScatter::termsAt(Vec3 place, double distance) const {
    const Vec3 from = place - centre_;
    const auto within = [](double value) { return std::clamp(value, -kFarthest, kFarthest); };
    const double x = within(from.x / reach_.x);
    const double y = within(from.y / reach_.y);
    const double z = within(from.z / reach_.z);
    const double s = within(distance / farthest_);
    const double s2 = s * s;
    const double r2 = x * x + y * y;
    return {1, x, y, z, x * x, y * y, z * z, x * y, s2, s2 * s2, r2 * r2, s2 * r2};
}

double MultipleScatter::over(Vec3 place, double distance) const {
    const Terms terms = termsAt(place, distance);
    double sum = 0;
    for (std::size_t i = 0; i < kTerms; ++i) {
        sum += factors_[i] * terms[i];
    }
    return std::max(sum, 0.0);
}

}  // namespace tof
