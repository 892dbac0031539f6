// SPDX-License-Identifier: Apache-2.0
// Single scatter beside what another program, STIR 4, expects of the same cylinder (its recon_test_pack,
// run_scatter_tests.sh). Its file lies beside the project, in shared/data.
#include <QFile>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/corrections/scatter.h"
#include "tests/support/places.h"

namespace stir_scatter_test {

using namespace tof;
using tof::test::inTree;

namespace {

constexpr int kDetectors = 64;
constexpr int kRings = 8;
constexpr std::size_t kAlike = 6;  // rings that STIR's profile along the axis is smooth in
constexpr int kViews = 32;
constexpr int kBins = 35;
constexpr double kRing_mm = 19.62;
constexpr double kRadius_mm = 443.1 + 8.4;

/// STIR's ring: detectors stop whatever meets them, so crystals are 30 cm deep, and a block is four of them
/// wide, so that nothing leaves it aside.
Scanner ring() {
    Scanner scanner = Scanner::fromJson(
        R"({"name": "stir", "modules": {"count": 16, "face_to_face_mm": 886.2, "first_angle_deg": 0,
            "crystals": [4, 8], "pitch_mm": [43, 19.62]}, "crystal_mm": [43, 19.62, 300],
            "attenuation_per_mm": 0.0906, "acceptance_deg": 12, "fov_diameter_mm": 800, "timing_fwhm_ps": 3000,
            "detection": {"material": "BGO", "energy_resolution": 0.22, "window_kev": [350, 650],
            "efficiency": 1, "block": [4, 8], "position": "centroid", "position_fwhm_mm": 1}})",
        "test");
    double mean = 0;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 at = scanner.reference(c);
        mean += std::hypot(at.x, at.y) / static_cast<double>(scanner.crystals.size());
    }
    scanner.meanDepth_mm += kRadius_mm - mean;
    return scanner;
}

/// `value` in the voxels whose centre lies in the cylinder of generate_uniform_cylinder.par: radius 100 mm,
/// length 110 mm, origin {70, 10, 20}, which STIR takes as z from the first plane, y and x.
Volume cylinder(double value) {
    Volume volume(Lattice::centred({111, 111, 47}, {3, 3, 3.27}));
    const double middle = 70 - 23 * 3.27;
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = volume.lattice.centre(x, y, z);
        const bool inside = std::hypot(p.x - 20, p.y - 10) <= 100 && std::abs(p.z - middle) <= 55;
        volume.at(x, y, z) = inside ? static_cast<float>(value) : 0.0F;
    });
    return volume;
}

/// Centre of a detector in STIR's sense of rotation, in the axes of its images.
Vec3 detector(int number, int ring) {
    const double angle = 2 * kPi * number / kDetectors;
    return {kRadius_mm * std::sin(angle), -kRadius_mm * std::cos(angle), kRing_mm * (ring - 3.5)};
}

/// Bins [ring][view][tangential] as STIR pairs its detectors.
std::vector<double> expected(const LineFunction& scatter) {
    std::vector<double> bins;
    for (int ring = 0; ring < kRings; ++ring) {
        for (int view = 0; view < kViews; ++view) {
            for (int bin = -kBins / 2; bin <= kBins / 2; ++bin) {
                const Vec3 one = detector(view + (bin >> 1) + kDetectors, ring);
                const Vec3 two = detector(view - ((bin + 1) >> 1) + kDetectors / 2, ring);
                const Vec3 d = normalized(two - one);
                const LineFunction::OnLine line(scatter, 0.5 * (one + two), d);
                double sum = 0;
                for (std::size_t k = 0; k < scatter.along().count; ++k) {
                    sum += line.at(scatter.along().at(k)) * scatter.along().step;
                }
                bins.push_back(sum);
            }
        }
    }
    return bins;
}

/// Sums over two of the three axes, by the one that is left: 0 ring, 1 view, 2 tangential.
std::vector<double> profile(const std::vector<double>& bins, int axis) {
    constexpr std::array<int, 3> kSizes{kRings, kViews, kBins};
    std::vector<double> sums(static_cast<std::size_t>(kSizes[static_cast<std::size_t>(axis)]), 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const std::array<std::size_t, 3> at{i / kBins / kViews, i / kBins % kViews, i % kBins};
        sums[at[static_cast<std::size_t>(axis)]] += bins[i];
    }
    return sums;
}

double sumOf(const std::vector<double>& values, std::size_t first) {
    return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first), 0.0);
}

}  // namespace

class StirScatterTest : public QObject {
    Q_OBJECT

  private slots:
    void anotherProgramExpectsTheSame() {
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("2,000 scatter points take 15 s of a core; TOFSCOPE_FULL=1 runs them");
        }
        QFile file(inTree("../shared/data/scatter_cylinder/scatter_cylinder.s"));
        if (!file.open(QIODevice::ReadOnly)) {
            QSKIP("shared/data/scatter_cylinder is not beside the project");
        }
        const QByteArray bytes = file.readAll();
        std::vector<float> theirs(static_cast<std::size_t>(kRings * kViews * kBins));
        QCOMPARE(static_cast<std::size_t>(bytes.size()), theirs.size() * sizeof(float));
        // The file has [view][ring][tangential].
        std::memcpy(theirs.data(), bytes.constData(), theirs.size() * sizeof(float));
        std::vector<double> stir(theirs.size());
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            const std::size_t view = i / kBins / kRings;
            const std::size_t ring = i / kBins % kRings;
            stir[(ring * kViews + view) * kBins + i % kBins] = static_cast<double>(theirs[i]);
        }
        ScatterSettings settings;
        settings.detectorStep_mm = 2 * kPi * kRadius_mm / kDetectors;
        settings.rowStep_mm = kRing_mm;
        settings.pointStep_mm = 15;
        const Volume activity = cylinder(3 * 3 * 3.27);  // 1 per mm3
        const LineFunction scatter =
            singleScatter(ring(), activity, cylinder(0.0096), settings, ThreadPool(2), {});
        QCOMPARE(scatter.ring().azimuths, std::size_t{kDetectors});
        std::vector<double> ours = expected(scatter);

        // STIR's source has the unit: 0.75 / (2 pi) over what a pair of detectors sees without scatter, mu in
        // 1/cm with volumes in mm3, and activity in pixels of 3 mm along a ray
        // (detection_efficiency_no_scatter(), simulate_for_one_scatter_point(), integral_between_2_points()).
        // Their points stand for up to half a plane of 19.62 mm more or less at either end of 110 mm.
        const double unit = 0.75 / (2 * kPi) * 10 / 3;
        const double scale = sumOf(profile(stir, 0), kAlike) / sumOf(profile(ours, 0), kAlike);
        qInfo("STIR's sum is %.4f of ours in its unit", scale / unit);
        QVERIFY(std::abs(scale / unit - 1) < 0.5 * kRing_mm / 110);
        for (double& bin : ours) {
            bin *= scale;
        }
        for (std::size_t i = 0; i < kAlike; ++i) {
            const double ratio = profile(ours, 0)[i] / profile(stir, 0)[i];
            QVERIFY2(std::abs(ratio - 1) < 0.01, qPrintable(QString("ring %1: %2").arg(i).arg(ratio)));
        }
        // Bins of one sinogram each; the last two rings of theirs are lower by a step that no curve has.
        ours.resize(kAlike * kViews * kBins);
        stir.resize(ours.size());
        for (const int axis : {1, 2}) {
            const std::vector<double> a = profile(ours, axis);
            const std::vector<double> b = profile(stir, axis);
            double off = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                off = std::max(off, std::abs(a[i] - b[i]) / *std::max_element(b.begin(), b.end()));
            }
            qInfo("%s: %.4f of the maximum", axis == 1 ? "by view" : "by distance", off);
            QVERIFY(off < 0.03);
        }
    }
};

QTEST_APPLESS_MAIN(StirScatterTest)

}  // namespace stir_scatter_test
#include "stir_scatter_test.moc"
