// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "recon/base/box.h"
#include "recon/base/constants.h"
#include "recon/phantom/attenuation.h"
#include "recon/simulate/early_loss.h"
#include "recon/simulate/made_events.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/start_pairs.h"

namespace tof {

namespace {

constexpr std::size_t kPairsPerChunk = 512;
constexpr std::uint32_t kMostAttempts = 50'000'000;  ///< per event

void count(PhotonFate fate, SimulationReport& report) {
    switch (fate) {
        case PhotonFate::Attenuated: ++report.attenuated; break;
        case PhotonFate::Missed: ++report.missed; break;
        case PhotonFate::OutsideWindow: ++report.outsideWindow; break;
        case PhotonFate::Recorded: break;
    }
}

/// Where emissions lie at most from the axis, mm.
double emissionRadius(const Phantom& phantom) {
    double radius = 0;
    if (phantom.emission) {
        const Box box = latticeBox(phantom.emission->lattice);
        return std::hypot(std::max(-box.low.x, box.high.x), std::max(-box.low.y, box.high.y));
    }
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.activity > 0) {
            const Vec3 half = shape.halfExtent();
            radius =
                std::max(radius, std::hypot(shape.centre.x, shape.centre.y) + std::hypot(half.x, half.y));
        }
    }
    return radius;
}

/// Sine of the largest tilt of a pair whose photons, not scattered, can both meet crystals; 1 where there is
/// no bound.
double steepest(const CrystalView& view, const Phantom& phantom, const PairPhysics& physics) {
    constexpr double kFarthest = 10;                  // mean ranges: beyond lie 5e-8 of all annihilations
    constexpr double kAcollinear = 1.5 * kRadPerDeg;  // more than the largest angle that is drawn
    const double reach = emissionRadius(phantom) + (physics.moves ? kFarthest * physics.range.mean_mm() : 0);
    const auto inner = static_cast<double>(view.inner);
    if (reach >= 0.95 * inner) {
        return 1;
    }
    const double chord = 2 * std::sqrt(inner * inner - reach * reach);
    const double tilt = std::atan(static_cast<double>(view.zHigh - view.zLow) / chord) + kAcollinear;
    return tilt < kPi / 2 ? std::sin(tilt) : 1;
}

class PairSource {
  public:
    PairSource(const Scanner& scanner, const Phantom& phantom, const Physics& physics, std::uint64_t seed,
               const ThreadPool& pool)
        : scanner_(scanner),
          phantom_(phantom),
          seed_(seed),
          model_(scanner, phantom, physics, pool),
          attenuation_(phantom),
          blur_ps_(scanner.timing_fwhm_ps / kFwhmPerSigma),
          scatter_(physics.scatter),
          sinDrawn_(scatter_ ? 1 : steepest(model_.physics().crystals, phantom, model_.physics())),
          earlyLoss_(phantom, model_.emission(), attenuation_, tangentOf(sinDrawn_)) {}

    [[nodiscard]] double sphereShare() const { return sinDrawn_; }

    void make(std::size_t index, std::size_t place, EventList& events, SimulationReport& report) const {
        const auto judge = [this](const WordBatch& batch, EarlyLoss::Verdicts& verdicts) {
            if (scatter_) {
                verdicts.fill(EarlyLoss::Verdict::Unsure);
            } else {
                earlyLoss_.judge(batch, verdicts);
            }
        };
        startPairs({seed_, RandomUse::Photons, kMostAttempts, scanner_, phantom_}, index, report, judge,
                   [&](RandomStream& random) { return tryPair(random, place, events, report); });
    }

  private:
    static double tangentOf(double sine) {
        return std::min(1e3, sine / std::sqrt(std::max(1e-12, 1 - sine * sine)));
    }

    /// One attempt at an event; true when it gave one.
    bool tryPair(RandomStream& random, std::size_t place, EventList& events, SimulationReport& report) const {
        const auto nucleus = model_.emission().sample(random);
        if (!nucleus) {
            return false;
        }
        ++report.started;
        const auto start =
            scatter_ ? drawFirst(model_.physics(), *nucleus, random) : drawSurvivor(*nucleus, random);
        if (!start) {
            ++report.attenuated;
            return false;
        }
        Photon photon1 = *start;
        Photon photon2;
        Single one;
        Single two;
        PhotonFate fate = fly(photon1, random, one);
        if (fate == PhotonFate::Recorded) {
            photon2 = drawSecond(model_.physics(), *start, random);
            fate = fly(photon2, random, two);
        }
        if (fate != PhotonFate::Recorded) {
            count(fate, report);
            return false;
        }
        if (!model_.accepts(one.crystal, two.crystal)) {
            ++report.beyond;
            return false;
        }
        const double dt = static_cast<double>(one.path_mm - two.path_mm) / (2 * kMmPerPs) +
                          blur_ps_ * static_cast<double>(drawNormal(random));
        const std::uint32_t scatters = photon1.scatters + photon2.scatters;
        events.crystals[place] = {one.crystal, two.crystal};
        events.dt_ps[place] = static_cast<float>(dt);
        events.kind[place] = scatters > 0 ? EventKind::Scattered : EventKind::True;
        events.scatters[place] = static_cast<std::uint8_t>(scatters < 255 ? scatters : 255);
        events.energy_keV[place] = {one.energy_keV, two.energy_keV};
        ++(scatters > 0 ? report.scattered : report.trues);
        return true;
    }

    /// A first photon whose pair gets out of the phantom; its numbers begin as EarlyLoss takes them to.
    [[nodiscard]] std::optional<Photon> drawSurvivor(Vec3 nucleus, RandomStream& random) const {
        const double survives = random.exponential();
        const double sine = sinDrawn_ * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        Photon photon;
        const Vec3 direction{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        if (attenuation_.along(nucleus, direction, survives) >= survives) {
            return std::nullopt;
        }
        photon.direction = direction;
        const Real3 from = nucleus;
        photon.at = model_.physics().moves ? from + drawRange(model_.physics().range, random) : from;
        return photon;
    }

    PhotonFate fly(Photon& photon, RandomStream& random, Single& single) const {
        return scatter_ ? follow(model_.physics(), photon, random, single)
                        : detect(model_.physics(), photon, random, single);
    }

    const Scanner& scanner_;
    const Phantom& phantom_;
    std::uint64_t seed_;
    PairModel model_;
    PairAttenuation attenuation_;
    double blur_ps_;
    bool scatter_;
    double sinDrawn_;
    EarlyLoss earlyLoss_;
};

}  // namespace

EventList simulatePairs(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                        const SimulationSettings& settings, const ThreadPool& pool,
                        const SimulationHooks& hooks, SimulationReport& report) {
    const PairSource source(scanner, phantom, physics, settings.seed, pool);
    report.sphereShare = source.sphereShare();
    const EventMaker maker{kPairsPerChunk,
                           [](std::size_t n, EventList& events) {
                               events.crystals.resize(n);
                               events.dt_ps.resize(n);
                               events.kind.resize(n);
                               events.scatters.resize(n);
                               events.energy_keV.resize(n);
                           },
                           [&source](std::size_t index, std::size_t place, EventList& events,
                                     SimulationReport& part) { source.make(index, place, events, part); }};
    return makeEvents(settings.events, maker, pool, hooks, report);
}

}  // namespace tof
