// SPDX-License-Identifier: Apache-2.0
// Filtered back projection of histo-images: a Gaussian blob becomes the Gaussian that is asked for, whatever
// the data have lost, and the image is linear in them.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/reference.h"
#include "recon/work/reconstruct.h"

namespace back_filter_test {

using namespace tof;

namespace {

const Lattice kImage = Lattice::centred({45, 42, 15}, {4, 4, 4});
constexpr double kSigma_mm = 9;        // of the blob
constexpr double kResolution_mm = 10;  // FWHM that is asked for, where it is
const Vec3 kBlob{18, -12, 3};

/// A blob of activity 1 in its middle, seen through a Gaussian of this sigma.
std::vector<float> blob(double blur_mm) {
    const double wide = std::hypot(kSigma_mm, blur_mm);
    std::vector<float> image;
    kImage.forEachVoxel([&](int x, int y, int z) {
        const Vec3 d = kImage.centre(x, y, z) - kBlob;
        image.push_back(
            static_cast<float>(std::pow(kSigma_mm / wide, 3) * std::exp(-dot(d, d) / (2 * wide * wide))));
    });
    return image;
}

enum class Lost { Nothing, Gaps, Attenuated, AxialEnds };

/// What 36 views expect of the blob, 1 count a voxel in its middle.
HistoData expectedData(Lost lost) {
    HistoData data;
    data.lattice = kImage;
    data.views = ViewGrid(12, 3, 0.3).views();
    const std::vector<float> truth = blob(0);
    for (const View& view : data.views) {
        std::vector<float> seen = truth;
        std::vector<float> mult(seen.size(), 1.0F);
        std::vector<float> att(seen.size(), 1.0F);
        kImage.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = kImage.centre(x, y, z);
            const std::size_t i = kImage.index(x, y, z);
            const double across = dot(p, view.axes().r);
            if (lost == Lost::Attenuated) {
                att[i] = static_cast<float>(std::exp(-0.0096 * (120 + 0.5 * across)));
            }
            if (lost == Lost::Gaps) {
                mult[i] = std::abs(across - 30) < 5 ? 0.0F : static_cast<float>(0.6 + 0.002 * across);
            }
            if (lost == Lost::AxialEnds && std::abs(p.z + 60 * std::tan(view.theta)) > 24) {
                mult[i] = 0;
            }
            seen[i] *= att[i];
        });
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), kImage, view);
        const std::vector<double> e = referenceForward(tables, kImage, seen);
        for (std::size_t i = 0; i < e.size(); ++i) {
            data.counts.push_back(static_cast<float>(e[i]) * mult[i] + 0.25F);
        }
        data.mult.insert(data.mult.end(), mult.begin(), mult.end());
        data.att.insert(data.att.end(), att.begin(), att.end());
    }
    data.add.assign(data.counts.size(), 0.25F);
    return data;
}

ReconstructRequest requestOf(HistoData data, const std::string& algorithm, int iterations,
                             double resolution_mm = kResolution_mm) {
    static int number = 0;
    data.hash = "analytic" + std::to_string(++number);
    ReconstructRequest request;
    request.data =
        std::make_shared<const HistoMeasurement>(std::make_shared<const HistoData>(std::move(data)));
    request.settings.set("algorithm", algorithm);
    request.settings.set("engine", "cpu");
    request.settings.set("kernel", "invariant");
    request.settings.set("iterations", std::to_string(iterations));
    request.settings.set("resolution", std::to_string(resolution_mm));
    // 3000 leave nothing of the blob's frequencies; iterations take few, as gaps are not in the filter.
    request.settings.set("filter-steps", iterations == 1 ? "3000" : "30");
    return request;
}

std::vector<float> run(const ReconstructRequest& request, JobListener& listener) {
    EngineRegistry engines;
    engines.add(
        "cpu", [] { return makeCpuEngine(); }, 1);
    return reconstruct(request, engines, listener).image->data;
}

std::vector<float> reconstructed(HistoData data, int iterations, double resolution_mm = kResolution_mm) {
    JobListener listener;
    return run(requestOf(std::move(data), "analytic", iterations, resolution_mm), listener);
}

struct NoticeListener : JobListener {
    std::vector<std::string> notices;
    void notice(const std::string& sentence) override { notices.push_back(sentence); }
};

double total(const std::vector<float>& image) {
    return std::accumulate(image.begin(), image.end(), 0.0);
}

}  // namespace

class BackFilterTest : public QObject {
    Q_OBJECT

  private slots:
    void aBlobBecomesTheGaussianThatIsAskedFor_data() {
        QTest::addColumn<int>("lost");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("bound");
        // By what the arithmetic leaves: kernels that end at 3 sigma, and a border. Attenuation is divided
        // out.
        QTest::newRow("nothing lost") << static_cast<int>(Lost::Nothing) << 1 << 0.02;
        QTest::newRow("attenuated") << static_cast<int>(Lost::Attenuated) << 1 << 0.02;
        // A strip of 10 mm is missing at 30 mm: a point 60 mm out lacks 2 x 10 / (pi 52) = 12 % of its
        // directions, which N makes up for as a sum, not one by one. Refining brings back half of it at
        // least.
        QTest::newRow("gaps") << static_cast<int>(Lost::Gaps) << 1 << 0.12;
        QTest::newRow("gaps, refined") << static_cast<int>(Lost::Gaps) << 16 << 0.06;
        // Tilted views lack planes at one end; the blob is in the middle, and sees a border more.
        QTest::newRow("axial ends") << static_cast<int>(Lost::AxialEnds) << 1 << 0.03;
    }
    void aBlobBecomesTheGaussianThatIsAskedFor() {
        QFETCH(int, lost);
        QFETCH(int, iterations);
        QFETCH(double, bound);
        // A Gaussian beside the filter is taken off by further iterations: they are judged without one.
        const double resolution_mm = iterations == 1 ? kResolution_mm : 0;
        const std::vector<float> wanted = blob(resolution_mm / std::sqrt(8 * std::log(2.0)));

        const std::vector<float> image =
            reconstructed(expectedData(static_cast<Lost>(lost)), iterations, resolution_mm);

        const float most = *std::max_element(wanted.begin(), wanted.end());
        double worst = 0;
        for (std::size_t i = 0; i < image.size(); ++i) {
            worst = std::max(worst, static_cast<double>(std::abs(image[i] - wanted[i]) / most));
        }
        const QString said =
            QString("worst %1 of the maximum, total %2").arg(worst).arg(total(image) / total(wanted));
        qInfo("%s", qPrintable(said));
        QVERIFY2(worst < bound, qPrintable(said));
    }

    void theImageIsLinearInTheData() {
        const HistoData one = expectedData(Lost::Gaps);
        HistoData other = one;
        std::mt19937 random(5);
        for (float& count : other.counts) {
            count = std::uniform_real_distribution<float>(0, 1)(random);
        }
        HistoData both = one;
        for (std::size_t i = 0; i < both.counts.size(); ++i) {
            both.counts[i] = 0.25F * one.counts[i] + 0.75F * other.counts[i];
        }

        const std::vector<float> a = reconstructed(one, 1);
        const std::vector<float> b = reconstructed(other, 1);
        const std::vector<float> sum = reconstructed(both, 1);

        const float most = *std::max_element(sum.begin(), sum.end());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            QVERIFY(std::abs(sum[i] - (0.25F * a[i] + 0.75F * b[i])) < 1e-4F * most);
        }
    }

    void itsImageStartsOthers() {
        Volume start(kImage);
        start.data = blob(0);
        start.data[0] = -0.5F;
        ReconstructRequest request = requestOf(expectedData(Lost::Nothing), "osem", 1);
        request.startImage = std::make_shared<const Volume>(start);
        NoticeListener listener;

        const std::vector<float> image = run(request, listener);

        QVERIFY(*std::min_element(image.begin(), image.end()) >= 0);
        QCOMPARE(std::count_if(listener.notices.begin(), listener.notices.end(),
                               [](const std::string& text) {
                                   return text.find("negative in 1 voxels") != std::string::npos;
                               }),
                 1);
        // From nothing nothing would come, and what is no number is not raised to one.
        for (const float value : {-1.0F, -std::numeric_limits<float>::infinity()}) {
            Volume none(kImage);
            none.data[0] = value;
            request.startImage = std::make_shared<const Volume>(none);
            QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(run(request, listener)));
        }
    }
};

QTEST_GUILESS_MAIN(BackFilterTest)

}  // namespace back_filter_test
#include "back_filter_test.moc"
