// SPDX-License-Identifier: Apache-2.0
// Photons through phantoms: attenuation, scatter of any order, scatter fractions that others computed.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "recon/base/constants.h"
#include "recon/phantom/attenuation.h"
#include "recon/physics/positron.h"
#include "recon/simulate/emission.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/phantom_medium.h"
#include "recon/simulate/random_stream.h"

namespace scatter_test {

using namespace tof;

namespace {

PhantomShape shape(PhantomShape::Kind kind, Vec3 centre, double radius, double mu) {
    PhantomShape made;
    made.kind = kind;
    made.centre = centre;
    made.radius_mm = radius;
    made.size_mm = {1.5 * radius, radius, 2 * radius};
    made.mu_per_mm = mu;
    return made;
}

/// A body with an insert of lung and a rod of bone.
Phantom threeMaterials() {
    using Kind = PhantomShape::Kind;
    Phantom phantom;
    phantom.name = "three";
    phantom.shapes = {shape(Kind::Cylinder, {0, 0, 0}, 120, 0.0096),
                      shape(Kind::Sphere, {40, 10, 0}, 50, 0.0028),
                      shape(Kind::Box, {-60, 0, 0}, 30, 0.0171)};
    return phantom;
}

/// What became of a photon in the phantom.
enum class PhantomFate {
    Escaped,   ///< left it, scattered or not
    Absorbed,  ///< photoelectric
    Faded      ///< scattered below the energy that is still of use
};

/// Follows a photon until it leaves the phantom or is lost there.
template <class Random>
PhantomFate followInPhantom(const MediumView& medium, Photon& photon, Compton compton, const ComptonCut& cut,
                            Random& random) {
    while (true) {
        switch (flyInPhantom(medium, photon, compton, PhotonAim::Crystals, cut, random)) {
            case FlightEnd::Escaped: return PhantomFate::Escaped;
            case FlightEnd::Absorbed: return PhantomFate::Absorbed;
            case FlightEnd::Faded: return PhantomFate::Faded;
            case FlightEnd::Scattered: break;
        }
    }
}

/// A cylinder that detects every photon it meets, with energies blurred and cut: what the reference used.
struct IdealRing {
    double radius;
    double half;
    double tanAcceptance;
    double resolution;
    double low;
};

struct Arrival {
    bool met = false;
    Vec3 where;
};

Arrival meet(const IdealRing& ring, const Photon& photon) {
    const Vec3& p = photon.at;
    const Vec3& d = photon.direction;
    const double a = d.x * d.x + d.y * d.y;
    const double b = p.x * d.x + p.y * d.y;
    const double c = p.x * p.x + p.y * p.y - ring.radius * ring.radius;
    if (a < 1e-12) {
        return {};
    }
    const Vec3 where = p + ((-b + std::sqrt(b * b - a * c)) / a) * d;
    return {std::abs(where.z) < ring.half, where};
}

bool inWindow(const IdealRing& ring, double energy, RandomStream& random) {
    const double sigma = ring.resolution / kFwhmPerSigma * std::sqrt(kElectron_keV * energy);
    const double seen = energy + sigma * random.normal();
    return seen > ring.low && seen < 650;
}

struct Counts {
    double trues = 0;
    double scattered = 0;
    double single = 0;  ///< share of the scattered: one scatter in all
};

Counts countNema(const IdealRing& ring, std::uint64_t decays) {
    const Phantom phantom = Phantom::find("nema-scatter");
    const PhantomMedium medium(phantom);
    const ThreadPool pool;
    const EmissionSampler emission(phantom, pool);
    const ComptonCut cut = comptonCut(200);
    Counts counts;
    for (std::uint64_t i = 0; i < decays; ++i) {
        RandomStream random(1, RandomUse::Photons, i);
        std::optional<Vec3> from;
        for (std::uint32_t attempt = 0; !from; ++attempt) {
            random.startAttempt(attempt);
            from = emission.sample(random);
        }
        const Vec3 direction = drawUnit(random);
        Photon one{*from, direction};
        Photon two{*from, -direction};
        if (followInPhantom(medium.view(), one, Compton::Turns, cut, random) != PhantomFate::Escaped) {
            continue;
        }
        const Arrival first = meet(ring, one);
        if (!first.met || !inWindow(ring, one.energy_keV, random) ||
            followInPhantom(medium.view(), two, Compton::Turns, cut, random) != PhantomFate::Escaped) {
            continue;
        }
        const Arrival second = meet(ring, two);
        if (!second.met || !inWindow(ring, two.energy_keV, random)) {
            continue;
        }
        const Vec3 line = second.where - first.where;
        const double across = std::hypot(line.x, line.y);
        const double s = std::abs(first.where.x * line.y - first.where.y * line.x) / across;
        if (s > 120 || std::abs(line.z) > ring.tanAcceptance * across) {
            continue;
        }
        const std::uint32_t scatters = one.scatters + two.scatters;
        counts.trues += scatters == 0 ? 1 : 0;
        counts.scattered += scatters > 0 ? 1 : 0;
        counts.single += scatters == 1 ? 1 : 0;
    }
    return counts;
}

}  // namespace

class ScatterTest : public QObject {
    Q_OBJECT
  private slots:
    void photonsSurviveByTheExponentialOfTheirChords_data() {
        QTest::addColumn<bool>("voxels");
        QTest::newRow("solids") << false;
        QTest::newRow("voxels") << true;
    }
    void photonsSurviveByTheExponentialOfTheirChords() {
        // Woodcock's steps against exact chords (attenuation.h), which share nothing with them.
        QFETCH(bool, voxels);
        Phantom phantom = threeMaterials();
        if (voxels) {
            phantom.attenuation = phantom.attenuationOn(Lattice::centred({64, 64, 64}, {4, 4, 4}), 2);
        }
        const PhantomMedium medium(phantom);
        const PairAttenuation chords(phantom);
        constexpr int kPerRay = 20000;
        const std::array<std::array<Vec3, 2>, 4> rays{{{Vec3{5, 3, 1}, {1, 0, 0}},
                                                       {Vec3{0, -20, 0}, {-1, 0, 0}},
                                                       {Vec3{-10, 20, -5}, {0.36, 0.48, 0.8}},
                                                       {Vec3{90, 0, 200}, {0, 0, -1}}}};
        for (std::size_t r = 0; r < rays.size(); ++r) {
            const double expected = std::exp(-chords.ahead(rays[r][0], rays[r][1]));
            int survived = 0;
            for (int i = 0; i < kPerRay; ++i) {
                RandomStream random(2, RandomUse::Photons, r * kPerRay + static_cast<std::size_t>(i));
                Photon photon{rays[r][0], rays[r][1]};
                survived += followInPhantom(medium.view(), photon, Compton::Absorbs, ComptonCut(), random) ==
                            PhantomFate::Escaped;
            }
            const double error = std::sqrt(expected * (1 - expected) / kPerRay);
            // The tables are those of 511 keV within 1e-4 of the phantom's own coefficients.
            QVERIFY2(std::abs(survived / static_cast<double>(kPerRay) - expected) < 4.5 * error + 2e-4,
                     qPrintable(QString("ray %1: %2 beside %3").arg(r).arg(survived).arg(expected)));
        }
    }

    void energiesAndPathsAgreeWithWhatHappened() {
        const Phantom phantom = threeMaterials();
        const PhantomMedium medium(phantom);
        const ComptonCut cut = comptonCut(150);
        int lost = 0;
        int scattered = 0;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            RandomStream random(3, RandomUse::Photons, i);
            Photon photon{{0, 0, 0}, drawUnit(random)};
            const PhantomFate fate = followInPhantom(medium.view(), photon, Compton::Turns, cut, random);
            if (fate == PhantomFate::Faded) {
                QVERIFY(photon.scatters > 0);
            } else if (photon.scatters == 0) {
                QCOMPARE(photon.energy_keV, kRealElectron_keV);
            } else {
                // Photoelectric after a scatter, or out: with what the cut lets pass.
                QVERIFY(photon.energy_keV < kElectron_keV && photon.energy_keV >= 150);
                QVERIFY(photon.path_mm > 0);
                QVERIFY(norm(photon.at) <= static_cast<double>(photon.path_mm) + 1e-3);
            }
            lost += fate == PhantomFate::Escaped ? 0 : 1;
            scattered += photon.scatters > 0 ? 1 : 0;
        }
        QVERIFY(scattered > 10000);
        QVERIFY(lost > 0);
    }

    void solidsWithinTheirLikeAreLeftOut() {
        // Hot spheres of the water that they lie in change nothing; an insert of lung and what lies in it do.
        const Phantom spheres = Phantom::find("spheres");
        const PhantomMedium one(spheres);
        QCOMPARE(one.view().solidCount, 1);
        QVERIFY(one.view().uniform);

        Phantom phantom = threeMaterials();
        phantom.shapes.push_back(shape(PhantomShape::Kind::Sphere, {50, 10, 0}, 10, 0.0096));  // within lung
        phantom.shapes.push_back(shape(PhantomShape::Kind::Sphere, {0, 80, 0}, 10, 0.0096));   // within water
        phantom.shapes.push_back(shape(PhantomShape::Kind::Sphere, {0, -110, 0}, 30, 0.0096));  // sticks out
        const PhantomMedium several(phantom);
        QCOMPARE(several.view().solidCount, 5);
        QVERIFY(!several.view().uniform);
        RandomStream random(9, RandomUse::Photons, 0);
        for (int i = 0; i < 20000; ++i) {
            const Vec3 p{300 * random.uniform() - 150, 320 * random.uniform() - 160,
                         260 * random.uniform() - 130};
            double mu = 0;  // the last shape that holds it
            for (const PhantomShape& one_ : phantom.shapes) {
                mu = one_.contains(p) ? one_.mu_per_mm : mu;
            }
            const MediumView::Stuff stuff = several.view().at(p);
            const double found = stuff.material < 0
                                     ? 0
                                     : static_cast<double>(stuff.scale) *
                                           attenuationAt511(static_cast<Material>(stuff.material));
            QVERIFY(std::abs(found - mu) < 1e-6);
        }
    }

    void photonsWithoutHopeAreNotMissed_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<QString>("phantom");
        QTest::newRow("labr3, water") << "labr3"
                                      << "spheres";
        QTest::newRow("labr3, three materials") << "labr3"
                                                << "";
        QTest::newRow("ge-ste-blocks, water") << "ge-ste-blocks"
                                              << "spheres";
    }
    void photonsWithoutHopeAreNotMissed() {
        // follow() drops a photon that heads past the crystals before it flies where no scatter would be of
        // use. Against every photon flown to its end: what is recorded, by scatters, by row of crystals and
        // by energy, from other random numbers.
        QFETCH(QString, scanner);
        QFETCH(QString, phantom);
        Phantom object = phantom.isEmpty() ? threeMaterials() : Phantom::find(phantom.toStdString());
        for (PhantomShape& part : object.shapes) {
            part.activity = 1;
        }
        const PairModel model(Scanner::find(scanner.toStdString()), object, Physics(), ThreadPool());
        const PairPhysics& physics = model.physics();
        constexpr std::uint64_t kPhotons = 300000;
        using Histogram = std::map<int, std::array<double, 2>>;
        Histogram scatters;
        Histogram heights;
        Histogram energies;
        std::array<double, 2> recorded{};
        for (const std::size_t all : {0, 1}) {
            for (std::uint64_t i = 0; i < kPhotons; ++i) {
                RandomStream random(all == 0 ? 5 : 6, RandomUse::Photons, i);
                const auto nucleus = model.emission().sample(random);
                if (!nucleus) {
                    continue;
                }
                Photon photon = drawFirst(physics, *nucleus, random);
                Single single;
                PhotonFate fate = PhotonFate::Attenuated;
                if (all == 0) {
                    fate = follow(physics, photon, random, single);
                } else if (followInPhantom(physics.medium, photon, Compton::Turns, physics.cut, random) ==
                           PhantomFate::Escaped) {
                    fate = detect(physics, photon, random, single);
                }
                if (fate == PhotonFate::Recorded) {
                    recorded[all] += 1;
                    scatters[static_cast<int>(std::min(photon.scatters, 3U))][all] += 1;
                    heights[static_cast<int>(model.lines().points[single.crystal].z / 10)][all] += 1;
                    energies[static_cast<int>(single.energy_keV / 10)][all] += 1;
                }
            }
        }
        QVERIFY(recorded[0] > 5000);
        const double difference = (recorded[0] - recorded[1]) / std::sqrt(recorded[0] + recorded[1]);
        QVERIFY2(std::abs(difference) < 4, qPrintable(QString::number(difference)));
        for (const Histogram* histogram : {&scatters, &heights, &energies}) {
            double chi2 = 0;
            double bins = 0;
            for (const auto& bin : *histogram) {
                const double sum = bin.second[0] + bin.second[1];
                if (sum >= 20) {
                    chi2 += (bin.second[0] - bin.second[1]) * (bin.second[0] - bin.second[1]) / sum;
                    bins += 1;
                }
            }
            // Four standard deviations of chi-squared: 1 in 10,000 or so.
            QVERIFY2(chi2 < bins + 4.5 * std::sqrt(2 * bins),
                     qPrintable(QString("%1 over %2").arg(chi2).arg(bins)));
        }
    }

    void nemaScatterFractionsAreTheReferences_data() {
        // ../physics.md, appendix: 1e7 to 3e7 pairs of a program of its own. Teraes et al. (EJNMMI 2007)
        // measured 0.339 on the STE.
        QTest::addColumn<double>("radius");
        QTest::addColumn<double>("half");
        QTest::addColumn<double>("acceptance");
        QTest::addColumn<double>("resolution");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("fraction");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("LaBr3, 480 keV") << 465.0 << 129.0 << 10.0 << 0.07 << 480.0 << 0.164 << 0.015;
        QTest::newRow("LaBr3, 450 keV") << 465.0 << 129.0 << 10.0 << 0.07 << 450.0 << 0.267 << 0.015;
        QTest::newRow("STE, 425 keV") << 443.1 << 78.5 << 89.0 << 0.17 << 425.0 << 0.327 << 0.02;
        QTest::newRow("STE, 375 keV") << 443.1 << 78.5 << 89.0 << 0.17 << 375.0 << 0.408 << 0.02;
    }
    void nemaScatterFractionsAreTheReferences() {
        QFETCH(double, radius);
        QFETCH(double, half);
        QFETCH(double, acceptance);
        QFETCH(double, resolution);
        QFETCH(double, low);
        QFETCH(double, fraction);
        QFETCH(double, tolerance);
        const IdealRing ring{radius, half, std::tan(acceptance * kRadPerDeg), resolution, low};

        const Counts counts = countNema(ring, 1'500'000);

        const double all = counts.trues + counts.scattered;
        const double found = counts.scattered / all;
        const double error = std::sqrt(found * (1 - found) / all);
        QVERIFY2(error < 0.4 * tolerance, qPrintable(QString::number(error)));
        QVERIFY2(std::abs(found - fraction) < tolerance,
                 qPrintable(QString("%1 +- %2").arg(found).arg(error)));
        qInfo("scatter fraction %.4f +- %.4f, %.0f %% of it single", found, error,
              100 * counts.single / counts.scattered);
    }
};

QTEST_GUILESS_MAIN(ScatterTest)

}  // namespace scatter_test
#include "scatter_test.moc"
