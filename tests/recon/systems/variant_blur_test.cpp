// SPDX-License-Identifier: Apache-2.0
// The blur by place against the Gaussians that it stands for.
#include <QTest>
#include <array>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/lines/variant_blur.h"
#include "tests/recon/projector_fixtures.h"

namespace variant_blur_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

PointSpread spreadOf(double tailShare) {
    PointSpread spread;
    spread.step_mm = 50;
    spread.at = {{2, 2, 2.5}, {5, 2.5, 3}};
    spread.tailShare = tailShare;
    spread.tailWidth = 2;
    return spread;
}

enum class Way { Forward, Back };

std::vector<float> blurred(const VariantBlur& blur, Way way, const std::vector<float>& image,
                           int threads = 2) {
    std::vector<float> scratch(VariantBlur::kScratchImages * image.size());
    std::vector<float> out(image.size());
    const ThreadPool pool(threads);
    if (way == Way::Forward) {
        blur.forward(image.data(), scratch.data(), out.data(), pool);
    } else {
        blur.back(image.data(), scratch.data(), out.data(), pool);
    }
    return out;
}

/// Sum, and covariance xx, xy, yy, zz in mm squared, of an image.
struct Moments {
    double sum = 0;
    std::array<double, 4> covariance{};
};

Moments momentsOf(const Lattice& lattice, const std::vector<float>& image) {
    Moments m;
    Vec3 mean;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const double v = static_cast<double>(image[lattice.index(x, y, z)]);
        m.sum += v;
        mean = mean + v * lattice.centre(x, y, z);
    });
    mean = (1 / m.sum) * mean;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const double v = static_cast<double>(image[lattice.index(x, y, z)]) / m.sum;
        const Vec3 d = lattice.centre(x, y, z) - mean;
        m.covariance[0] += v * d.x * d.x;
        m.covariance[1] += v * d.x * d.y;
        m.covariance[2] += v * d.y * d.y;
        m.covariance[3] += v * d.z * d.z;
    });
    return m;
}

}  // namespace

class VariantBlurTest : public QObject {
    Q_OBJECT

  private slots:
    void aPointHasTheCovarianceOfItsPlace_data() {
        QTest::addColumn<double>("voxel");
        QTest::addColumn<int>("degrees");
        QTest::addColumn<double>("radius");
        for (const double voxel : {2.0, 4.0}) {
            for (const int degrees : {0, 45, 120}) {
                for (const double radius : {0.0, 24.0, 48.0}) {
                    QTest::addRow("%.0f mm, %d degrees, %.0f mm off", voxel, degrees, radius)
                        << voxel << degrees << radius;
                }
            }
        }
    }
    void aPointHasTheCovarianceOfItsPlace() {
        QFETCH(double, voxel);
        QFETCH(int, degrees);
        QFETCH(double, radius);
        const int size = static_cast<int>(170 / voxel) | 1;
        const Lattice lattice = Lattice::centred({size, size, 31}, {voxel, voxel, voxel});
        const PointSpread spread = spreadOf(0);
        const VariantBlur blur(lattice, spread, RayMethod::Siddon, ThreadPool(2));
        const double azimuth = degrees * kRadPerDeg;
        const VoxelIndex at = lattice.voxelAt({radius * std::cos(azimuth), radius * std::sin(azimuth), 0});
        std::vector<float> image(lattice.voxels());
        image[lattice.index(at)] = 1;

        const std::vector<float> spreadOut = blurred(blur, Way::Forward, image);

        const Moments found = momentsOf(lattice, spreadOut);
        QVERIFY(std::abs(found.sum - 1) < 1e-5);
        const Vec3 p = lattice.centre(at);
        const double r = std::hypot(p.x, p.y);
        const PointSpread::Widths w = spread.widths(r);
        const double c = r > 0 ? p.x / r : 1;
        const double s = r > 0 ? p.y / r : 0;
        const double radial = w.radial_mm * w.radial_mm;
        const double tangential = w.tangential_mm * w.tangential_mm;
        const std::array<double, 4> expected{radial * c * c + tangential * s * s,
                                             (radial - tangential) * c * s,
                                             radial * s * s + tangential * c * c, w.axial_mm * w.axial_mm};
        const double most = std::max(expected[0], expected[2]);
        // Waves along x, y and between them, and along z, are left as a Gaussian leaves them.
        const double half = std::sqrt(0.5);
        const auto compare = [&](Vec3 n, double variance, double largest) {
            const double frequency = std::min(0.5 / voxel, 1 / (kPi * std::sqrt(2 * largest)));
            double wave = 0;
            lattice.forEachVoxel([&](int x, int y, int z) {
                wave += static_cast<double>(spreadOut[lattice.index(x, y, z)]) *
                        std::cos(2 * kPi * frequency * dot(n, lattice.centre(x, y, z) - p));
            });
            const double left = std::exp(-2 * kPi * kPi * frequency * frequency * variance);
            // 1 % of the variance is as much of the exponent, which is 1.2 at most.
            QVERIFY2(std::abs(wave - left) < 0.013 * left,
                     qPrintable(QString("%1, not %2").arg(wave).arg(left)));
        };
        compare({1, 0, 0}, expected[0], most);
        compare({0, 1, 0}, expected[2], most);
        compare({half, half, 0}, 0.5 * (expected[0] + expected[2]) + expected[1], most);
        compare({0, 0, 1}, expected[3], expected[3]);
        if (voxel > 2) {
            return;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const double allowed = 0.03 * (k == 3 ? expected[3] : most);
            QVERIFY2(std::abs(found.covariance[k] - expected[k]) < allowed,
                     qPrintable(QString("%1: %2, not %3").arg(k).arg(found.covariance[k]).arg(expected[k])));
        }
    }

    void tailsAddTheirShare() {
        const Lattice lattice = Lattice::centred({61, 61, 61}, {2, 2, 2});
        PointSpread spread = spreadOf(0.3);
        spread.at = {{3, 3, 3}, {3, 3, 3}};
        const VariantBlur blur(lattice, spread, RayMethod::Siddon, ThreadPool(2));
        std::vector<float> image(lattice.voxels());
        image[lattice.index(30, 30, 30)] = 1;
        const Moments found = momentsOf(lattice, blurred(blur, Way::Forward, image));
        QVERIFY(std::abs(found.sum - 1) < 1e-5);
        const double expected = 9 * (0.7 + 0.3 * 4);
        for (const std::size_t k : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
            QVERIFY2(std::abs(found.covariance[k] / expected - 1) < 0.012,
                     qPrintable(QString::number(found.covariance[k])));
        }
    }

    void backIsTheAdjoint() {
        const Lattice lattice = Lattice::centred({37, 29, 11}, {4, 5, 3});
        const VariantBlur blur(lattice, spreadOf(0.25), RayMethod::Joseph, ThreadPool(2));
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            const std::vector<float> x = uniformData(lattice.voxels(), seed, 0.1F, 1.0F);
            const std::vector<float> y = uniformData(lattice.voxels(), seed + 5, 0.1F, 1.0F);
            const double one = dotProduct(blurred(blur, Way::Forward, x), y);
            const double two = dotProduct(x, blurred(blur, Way::Back, y));
            QVERIFY2(std::abs(one - two) <= 1e-5 * one, qPrintable(QString::number(two / one - 1)));
        }
    }

    void threadsChangeNoBit() {
        const Lattice lattice = Lattice::centred({37, 29, 11}, {4, 5, 3});
        const PointSpread spread = spreadOf(0.25);
        const std::vector<float> x = uniformData(lattice.voxels(), 1, 0.1F, 1.0F);
        const VariantBlur one(lattice, spread, RayMethod::Siddon, ThreadPool(1));
        const VariantBlur three(lattice, spread, RayMethod::Siddon, ThreadPool(3));
        QVERIFY(blurred(one, Way::Forward, x, 1) == blurred(three, Way::Forward, x, 3));
        QVERIFY(blurred(one, Way::Back, x, 1) == blurred(three, Way::Back, x, 3));
    }

    /// Joseph's lines see a voxel wider than Siddon's by what the blur leaves out for them.
    void josephsOwnBlurIsLeftOut() {
        const Lattice lattice = Lattice::centred({21, 21, 21}, {4, 4, 4});
        std::vector<float> image(lattice.voxels());
        image[lattice.index(10, 10, 10)] = 1;
        const std::shared_ptr<const Engine> engine = makeCpuEngine();
        const auto spreadAcross = [&](RayMethod method, bool axial) {
            // Parallel lines at many azimuths past the voxel in the middle.
            auto events = std::make_shared<LineEvents>();
            constexpr int kAzimuths = 90;
            constexpr int kOffsets = 401;
            std::vector<double> offsets;
            for (int a = 0; a < kAzimuths; ++a) {
                const double phi = (a + 0.5) * kPi / kAzimuths;
                for (int k = 0; k < kOffsets; ++k) {
                    const double s = 10.0 * (2.0 * k / (kOffsets - 1) - 1);
                    const double across = axial ? 0.013 : s;
                    const double z = axial ? s : 0.013;
                    const auto end = [&](double t) {
                        return Vec3{t * std::cos(phi) - across * std::sin(phi),
                                    t * std::sin(phi) + across * std::cos(phi), z};
                    };
                    const auto first = static_cast<std::uint32_t>(events->points.size());
                    events->points.push_back(end(-100));
                    events->points.push_back(end(100));
                    events->pairs.push_back({first, first + 1});
                    offsets.push_back(s);
                }
            }
            events->eventsPerPart = events->pairs.size();
            LineModel model;
            model.lattice = lattice;
            model.lines = std::shared_ptr<const LineEvents>(events);
            model.method = method;
            HostHarness harness(*engine, model, {});
            const std::vector<float> p = harness.forward(0, image);
            double sum = 0;
            double squares = 0;
            for (std::size_t i = 0; i < p.size(); ++i) {
                sum += static_cast<double>(p[i]);
                squares += static_cast<double>(p[i]) * offsets[i] * offsets[i];
            }
            return squares / sum;
        };
        const double across = spreadAcross(RayMethod::Joseph, false) - spreadAcross(RayMethod::Siddon, false);
        const double axial = spreadAcross(RayMethod::Joseph, true) - spreadAcross(RayMethod::Siddon, true);
        // 16 mm^2 over 12, and 2/pi of that across. Samples lie 0.05 mm apart.
        QVERIFY2(std::abs(across - 16.0 / 12 * 2 / kPi) < 0.02, qPrintable(QString::number(across)));
        QVERIFY2(std::abs(axial - 16.0 / 12) < 0.02, qPrintable(QString::number(axial)));

        PointSpread spread = spreadOf(0);
        spread.at = {{3, 3, 3}, {3, 3, 3}};
        const auto narrower = [&](RayMethod method) {
            const VariantBlur blur(lattice, spread, method, ThreadPool(2));
            return momentsOf(lattice, blurred(blur, Way::Forward, image)).covariance;
        };
        const auto siddon = narrower(RayMethod::Siddon);
        const auto joseph = narrower(RayMethod::Joseph);
        QVERIFY(std::abs(siddon[0] - joseph[0] - across) < 0.02 * 9);
        QVERIFY(std::abs(siddon[3] - joseph[3] - axial) < 0.02 * 9);
    }
};

QTEST_GUILESS_MAIN(VariantBlurTest)

}  // namespace variant_blur_test
#include "variant_blur_test.moc"
