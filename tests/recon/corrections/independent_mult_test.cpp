// SPDX-License-Identifier: Apache-2.0
// mult against a Monte Carlo of its own: numbers of the scanner's description, boxes, standard random
// numbers. Nothing of the simulator, of Detector or of the tables behind mult.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "recon/binning/binning.h"

namespace independent_mult_test {

using namespace tof;

namespace {

// resources/scanners/labr3-ideal.json: 24 modules of 27 x 60 crystals of 4 x 4 x 30 mm at 4.3 mm, 930 mm from
// face to face, 0.0431 per mm, 10 degrees.
constexpr double kPi_ = 3.14159265358979323846;
constexpr int kModules = 24;
constexpr int kColumns = 27;
constexpr int kRows = 60;
constexpr double kPitch = 4.3;
constexpr double kCrystal = 4;
constexpr double kDepth = 30;
constexpr double kFace = 465;
constexpr double kMu = 0.0431;
constexpr double kAcceptance = 10 * kPi_ / 180;
constexpr int kViews = 12;

using Three = std::array<double, 3>;

struct Hit {
    bool any = false;
    int module = 0;
    int column = 0;
    int row = 0;
};

/// Where a photon stops: tentative collisions in every module's box, kept where there is a crystal.
Hit follow(const Three& p, const Three& d, std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    struct Crossing {
        double from;
        double to;
        int module;
    };
    std::vector<Crossing> crossings;
    for (int module = 0; module < kModules; ++module) {
        const double angle = 2 * kPi_ * module / kModules;
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const double towards = d[0] * c + d[1] * s;
        if (towards <= 0) {
            continue;
        }
        const double along = p[0] * c + p[1] * s;
        double from = (kFace - along) / towards;
        double to = (kFace + kDepth - along) / towards;
        const std::array<double, 2> place{-p[0] * s + p[1] * c, p[2]};
        const std::array<double, 2> slope{-d[0] * s + d[1] * c, d[2]};
        const std::array<double, 2> half{0.5 * kColumns * kPitch, 0.5 * kRows * kPitch};
        for (std::size_t k = 0; k < 2; ++k) {
            if (std::abs(slope[k]) < 1e-12) {
                to = std::abs(place[k]) < half[k] ? to : from;
                continue;
            }
            const double a = (-half[k] - place[k]) / slope[k];
            const double b = (half[k] - place[k]) / slope[k];
            from = std::max(from, std::min(a, b));
            to = std::min(to, std::max(a, b));
        }
        if (to > from) {
            crossings.push_back({from, to, module});
        }
    }
    std::sort(crossings.begin(), crossings.end(),
              [](const Crossing& a, const Crossing& b) { return a.from < b.from; });
    for (const Crossing& crossing : crossings) {
        const double angle = 2 * kPi_ * crossing.module / kModules;
        double t = crossing.from;
        while (true) {
            t -= std::log(1 - uniform(random)) / kMu;
            if (t >= crossing.to) {
                break;
            }
            const double x = p[0] + t * d[0];
            const double y = p[1] + t * d[1];
            const double across = (-x * std::sin(angle) + y * std::cos(angle)) / kPitch + 0.5 * kColumns;
            const double up = (p[2] + t * d[2]) / kPitch + 0.5 * kRows;
            const auto inside = [](double at) {
                return std::abs(at - std::floor(at) - 0.5) * kPitch <= 0.5 * kCrystal;
            };
            if (inside(across) && inside(up)) {
                return {true, crossing.module, static_cast<int>(std::floor(across)),
                        static_cast<int>(std::floor(up))};
            }
        }
    }
    return {};
}

Three pointOf(const Hit& hit, double depth, double across_mm, double up_mm) {
    const double angle = 2 * kPi_ * hit.module / kModules;
    const double v = (hit.column + 0.5 - 0.5 * kColumns) * kPitch + across_mm;
    const double r = kFace + depth;
    return {r * std::cos(angle) - v * std::sin(angle), r * std::sin(angle) + v * std::cos(angle),
            (hit.row + 0.5 - 0.5 * kRows) * kPitch + up_mm};
}

}  // namespace

class IndependentMultTest : public QObject {
    Q_OBJECT
  private slots:
    void itIsTheChanceOfBeingRecorded() {
        // 20 points times 12 views, gaps of 6.6 mm between modules included, some 1,500 counts each: chi
        // squared per view below 1.5 (of 240; by chance it is below 1.16 in 95 of 100).
        const Scanner scanner = Scanner::find("labr3-ideal");
        HistoData data;
        data.lattice = Lattice::centred({24, 24, 10}, {20, 20, 20});
        data.views = ViewGrid(kViews, 1, scanner.acceptance_rad).views();
        data.counts.assign(data.views.size() * data.voxels(), 0.0F);
        data.deposit = "face";
        computeMult(data, scanner, nullptr, ThreadPool(2), {});
        const std::vector<std::array<int, 3>> voxels{
            {11, 11, 5}, {12, 12, 1}, {12, 9, 4},  {15, 12, 7}, {9, 15, 5}, {6, 12, 3},  {18, 11, 5},
            {12, 19, 6}, {8, 6, 2},   {16, 17, 8}, {3, 12, 5},  {20, 9, 4}, {12, 21, 5}, {5, 5, 6},
            {19, 19, 3}, {2, 9, 5},   {21, 14, 5}, {11, 2, 7},  {17, 5, 1}, {7, 19, 8}};
        constexpr int kPairs = 60000;
        const double belt = std::sin(1.25 * kAcceptance);
        // Mean depth of what interacts, head-on.
        const double gone = std::exp(-kMu * kDepth);
        const double depth = 1 / kMu - kDepth * gone / (1 - gone);
        std::mt19937_64 random(2026);
        std::uniform_real_distribution<double> uniform(0, 1);
        double chi2 = 0;
        double seenAll = 0;
        double expectedAll = 0;
        for (const auto& voxel : voxels) {
            const Vec3 centre = data.lattice.centre(voxel[0], voxel[1], voxel[2]);
            const Three p{centre.x, centre.y, centre.z};
            std::array<double, kViews> counts{};
            for (int i = 0; i < kPairs; ++i) {
                const double sine = belt * (2 * uniform(random) - 1);
                const double cosine = std::sqrt(1 - sine * sine);
                const double azimuth = 2 * kPi_ * uniform(random);
                const Three d{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
                const Hit one = follow(p, d, random);
                if (!one.any) {
                    continue;
                }
                const Hit two = follow(p, {-d[0], -d[1], -d[2]}, random);
                if (!two.any) {
                    continue;
                }
                const Three a0 = pointOf(one, depth, 0, 0);
                const Three b0 = pointOf(two, depth, 0, 0);
                const double length = std::hypot(b0[0] - a0[0], b0[1] - a0[1], b0[2] - a0[2]);
                if (std::abs(b0[2] - a0[2]) > std::sin(kAcceptance) * length) {
                    continue;
                }
                const auto spread = [&] { return kCrystal * (uniform(random) - 0.5); };
                const Three a = pointOf(one, depth, spread(), spread());
                const Three b = pointOf(two, depth, spread(), spread());
                const double phi = std::atan2(b[1] - a[1], b[0] - a[0]) / (kPi_ / kViews) + 0.5;
                const int view = static_cast<int>(std::floor(phi)) + 2 * kViews;
                counts[static_cast<std::size_t>(view % kViews)] += 1;
            }
            // Both directions of a pair lie in the belt: its share of the sphere is its sine.
            const double emissions = kPairs / belt;
            for (std::size_t view = 0; view < kViews; ++view) {
                const auto mult = static_cast<double>(
                    data.mult[view * data.voxels() + data.lattice.index(voxel[0], voxel[1], voxel[2])]);
                const double expected = emissions * mult;
                QVERIFY(expected > 100);
                chi2 += (counts[view] - expected) * (counts[view] - expected) / expected;
                seenAll += counts[view];
                expectedAll += expected;
            }
        }
        const double dof = static_cast<double>(voxels.size()) * kViews;
        qInfo("chi squared per view %.3f of %.0f views, %.0f counts; counts over mult %.4f +- %.4f",
              chi2 / dof, dof, seenAll, seenAll / expectedAll, 1 / std::sqrt(seenAll));
        QVERIFY2(chi2 / dof < 1.5, qPrintable(QString::number(chi2 / dof)));
        QVERIFY2(std::abs(seenAll / expectedAll - 1) < 0.01,
                 qPrintable(QString::number(seenAll / expectedAll)));
    }
};

QTEST_GUILESS_MAIN(IndependentMultTest)

}  // namespace independent_mult_test
#include "independent_mult_test.moc"
