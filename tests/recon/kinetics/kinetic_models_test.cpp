// SPDX-License-Identifier: Apache-2.0
// Kinetic models against curves in closed form.
#include <QTest>
#include <cmath>
#include <string>

#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/kinetics/parametric_images.h"
#include "tests/recon/kinetics/exponentials.h"

namespace kinetic_models_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kMinute_s = 60;

KineticSetUp setUpOf(const std::vector<TimeFrame>& frames, const TimeCurve& input, double start_s) {
    KineticSetUp setUp{frames, input, std::nullopt, std::vector<double>(frames.size(), 1.0)};
    while (setUp.firstFrame < frames.size() && frames[setUp.firstFrame].start_s < start_s) {
        ++setUp.firstFrame;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        setUp.weights[i] = frames[i].duration_s;
    }
    return setUp;
}

std::vector<double> fitted(const char* model, const KineticSetUp& setUp, const std::vector<double>& means) {
    const KineticModel& row = kineticModel(model);
    std::vector<double> values(row.images.size(), -1);
    return row.make(setUp)->fit(means.data(), values.data()) ? values : std::vector<double>();
}

void verifyNear(double value, double expected, double tolerance) {
    QVERIFY2(std::abs(value / expected - 1) < tolerance,
             qPrintable(QString("%1 in place of %2").arg(value, 0, 'g', 9).arg(expected)));
}

/// A region whose one compartment has the rates K1 and k2, per minute.
Exponentials oneTissue(const Exponentials& plasma, double k1, double k2) {
    return plasma.convolved(k2 / kMinute_s).times(k1 / kMinute_s);
}

/// slope x integral + intercept x curve, as means over frames: the integral of factor exp(-rate t) from 0 on
/// is (factor - factor exp(-rate t))/rate.
std::vector<double> lineOf(const Exponentials& curve, const std::vector<TimeFrame>& frames, double slope_perS,
                           double intercept) {
    std::vector<double> tissue;
    for (const TimeFrame& frame : frames) {
        double integral = 0;
        for (const Exponentials::Term& one : curve.terms) {
            integral += (one.factor - Exponentials{{one}}.mean(frame)) / one.rate;
        }
        tissue.push_back(slope_perS * integral + intercept * curve.mean(frame));
    }
    return tissue;
}

}  // namespace

class KineticModelsTest : public QObject {
    Q_OBJECT

  private slots:
    /// Frames, slope (1/s), intercept and first frame are those of STIR's test of Patlak, which accepts 1 %;
    /// means are exact here, so that the line comes back but for the samples' curvature.
    void patlakFindsTheLineOfStirsTest() {
        const std::vector<TimeFrame> frames =
            framesOf({{1, 30}, {1, 15}, {1, 5}, {4, 10}, {4, 30}, {4, 60}, {4, 120}, {9, 300}});
        const Exponentials plasma = plasmaLike();
        const std::vector<double> tissue = lineOf(plasma, frames, 0.0005, 0.5);
        KineticSetUp setUp = setUpOf(frames, plasma.sampled(3700), 0);
        setUp.firstFrame = 22;

        const std::vector<double> values = fitted("patlak", setUp, tissue);

        QCOMPARE(values.size(), std::size_t{2});
        verifyNear(values[0], 0.0005 * kMinute_s, 1e-4);
        verifyNear(values[1], 0.5, 1e-3);
    }

    void patlakWithAReferenceFindsItsLine() {
        const std::vector<TimeFrame> frames = usualFrames();
        const Exponentials reference = oneTissue(plasmaLike(), 0.1, 0.09);

        const std::vector<double> values = fitted(
            "patlak-reference", setUpOf(frames, TimeCurve::ofMeans(frames, reference.means(frames)), 1800),
            lineOf(reference, frames, 0.02 / kMinute_s, 0.8));

        verifyNear(values.at(0), 0.02, 1e-4);
        verifyNear(values.at(1), 0.8, 1e-4);
    }

    void loganFindsTheVolumeOfOneTissue_data() {
        QTest::addColumn<double>("k1");
        QTest::addColumn<double>("k2");
        QTest::newRow("VT 1") << 0.1 << 0.1;
        QTest::newRow("VT 4") << 0.4 << 0.1;
        QTest::newRow("VT 12") << 0.24 << 0.02;
    }
    void loganFindsTheVolumeOfOneTissue() {
        QFETCH(double, k1);
        QFETCH(double, k2);
        const Exponentials plasma = plasmaLike();

        const std::vector<double> values = fitted("logan", setUpOf(usualFrames(), plasma.sampled(5500), 1800),
                                                  oneTissue(plasma, k1, k2).means(usualFrames()));

        verifyNear(values.at(0), k1 / k2, 2e-4);
        verifyNear(values.at(1), -1 / k2, 2e-3);
    }

    void loganWithAReferenceFindsTheRatio() {
        const Exponentials plasma = plasmaLike();
        const Exponentials reference = oneTissue(plasma, 0.1, 0.1);
        const std::vector<TimeFrame> frames = usualFrames();
        KineticSetUp setUp = setUpOf(frames, TimeCurve::ofMeans(frames, reference.means(frames)), 1800);
        setUp.referenceK2_perMin = 0.1;

        const std::vector<double> values =
            fitted("logan-reference", setUp, oneTissue(plasma, 0.12, 0.03).means(frames));

        verifyNear(values.at(0), 4, 3e-3);
        QCOMPARE(values.at(1), values.at(0) - 1);
    }

    void srtmFindsBindingFromMeansAlone_data() {
        QTest::addColumn<double>("r1");
        QTest::addColumn<double>("k2");
        QTest::addColumn<double>("bp");
        QTest::newRow("none") << 1.1 << 0.12 << 0.05;
        QTest::newRow("little") << 0.9 << 0.1 << 0.5;
        QTest::newRow("much") << 1.0 << 0.1 << 2.5;
        QTest::newRow("slow") << 1.2 << 0.06 << 4.0;
    }
    void srtmFindsBindingFromMeansAlone() {
        QFETCH(double, r1);
        QFETCH(double, k2);
        QFETCH(double, bp);
        const std::vector<TimeFrame> frames = usualFrames();
        const Exponentials reference = oneTissue(plasmaLike(), 0.1, 0.09);
        const double apparent = k2 / (1 + bp);
        const Exponentials tissue = reference.times(r1).plus(
            reference.convolved(apparent / kMinute_s).times((k2 - r1 * apparent) / kMinute_s));

        const std::vector<double> values =
            fitted("srtm", setUpOf(frames, TimeCurve::ofMeans(frames, reference.means(frames)), 0),
                   tissue.means(frames));

        // Rates of the grid are 0.7 % apart: the parabola leaves a hundredth of that, and frames of ten
        // seconds about the peak of the reference as much.
        verifyNear(values.at(0), r1, 2e-4);
        verifyNear(values.at(1), k2, 2e-4);
        verifyNear(values.at(2), bp, 2e-4);
    }

    void oneTissueFindsRatesAndBlood() {
        const Exponentials plasma = plasmaLike();
        const std::vector<TimeFrame> frames = usualFrames();
        const Exponentials tissue = oneTissue(plasma, 0.3, 0.15).times(0.95).plus(plasma.times(0.05));

        const std::vector<double> values =
            fitted("one-tissue", setUpOf(frames, plasma.sampled(5500), 0), tissue.means(frames));

        verifyNear(values.at(0), 0.3, 1e-3);
        verifyNear(values.at(1), 0.15, 1e-3);
        verifyNear(values.at(2), 2, 1e-3);
        verifyNear(values.at(3), 0.05, 5e-3);
    }

    void tooFewFramesAreRefused() {
        const KineticSetUp late = setUpOf(usualFrames(), plasmaLike().sampled(5500), 5000);
        QVERIFY_EXCEPTION_THROWN((void)kineticModel("patlak").make(late), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)kineticModel("logan").make(late), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)kineticModel("none of ours"), WrongUse);
    }

    /// A voxel that is fitted, one without activity, one whose activity is not above 0: any number of
    /// threads.
    void imagesHaveAValueForEachVoxelThatCanBeFitted() {
        const std::vector<TimeFrame> frames = usualFrames();
        const Exponentials plasma = plasmaLike();
        const std::vector<double> means = oneTissue(plasma, 0.4, 0.1).means(frames);
        DynamicImage image;
        image.lattice = Lattice::centred({40, 40, 3}, {2, 2, 2});
        image.frames = frames;
        for (const double mean : means) {
            image.values.emplace_back(image.lattice.voxels(), static_cast<float>(mean));
            image.values.back()[0] = 0;
            image.values.back()[1] = static_cast<float>(image.values.size() % 2 == 0 ? mean : -0.9 * mean);
        }
        const KineticModel& logan = kineticModel("logan");
        const auto fit = logan.make(setUpOf(frames, plasma.sampled(5500), 1800));
        const std::vector<double> factors(frames.size(), 2.0);

        const ParametricImages one = fitImage(image, factors, logan, *fit, 0, ThreadPool(1));
        const ParametricImages three = fitImage(image, factors, logan, *fit, 0, ThreadPool(3));

        QCOMPARE(one.quiet, std::size_t{1});
        QCOMPARE(one.failed, std::size_t{1});
        QCOMPARE(one.fitted, image.lattice.voxels() - 2);
        QCOMPARE(one.images[0].units, std::string("ml/cm3"));
        QVERIFY(one.images[0].data[0] == 0 && one.images[0].data[1] == 0);
        verifyNear(static_cast<double>(one.images[0].data[2]), 8, 2e-3);  // means were doubled
        QCOMPARE(one.images[0].data, three.images[0].data);
        QCOMPARE(fitImage(image, factors, logan, *fit, 0.5, ThreadPool(1)).quiet, std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(KineticModelsTest)

}  // namespace kinetic_models_test
#include "kinetic_models_test.moc"
