// SPDX-License-Identifier: Apache-2.0
// Valleys over peaks of pictures whose rods are known.
#include <QTest>
#include <cmath>

#include "tests/support/derenzo_figures.h"

namespace derenzo_figures_test {

using namespace tof;

namespace {

/// Two planes of the image of hrrt-panel, a Gaussian of `fwhm_mm` in every rod of small-derenzo.
Volume rods(double fwhm_mm) {
    Volume image(Lattice::centred({3, 100, 100}, {0.5, 0.4, 0.4}), 0.0F);
    const double sigma = fwhm_mm / 2.354820045;
    for (std::size_t s = 0; s < 3; ++s) {
        constexpr std::array<double, 3> kDiameters{2.4, 2.0, 1.7};
        for (const auto& [y, z] :
             derenzoRods(kDiameters.at(s), kPi / 3 * static_cast<double>(s) + kPi / 6, 19)) {
            image.lattice.forEachVoxel([&, y = y, z = z](int vx, int vy, int vz) {
                const Vec3 at = image.lattice.centre(vx, vy, vz);
                const double d = std::hypot(at.y - y, at.z - z) / sigma;
                image.at(vx, vy, vz) += static_cast<float>(std::exp(-0.5 * d * d));
            });
        }
    }
    return image;
}

}  // namespace

class DerenzoFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    void rodsApartHaveNoValleysAndBlurFillsThem() {
        double last = 0;
        for (const double fwhm : {1.0, 2.0, 3.0}) {
            const auto figures = rodFigures(acrossRods(rods(fwhm), 4), "small-derenzo");
            QCOMPARE(figures.size(), std::size_t{3});
            // Half-way between two rods, d from each: two Gaussians' feet there, one in the peak; others of
            // the triangle, sqrt(3) d away, add to both.
            const double sigma = fwhm / 2.354820045;
            const double d = 2.4 / sigma;
            const double near = 2 * std::exp(-0.5 * d * d);
            QVERIFY2(std::abs(figures[0].valleyOverPeak() - near) < 0.02 + 1.2 * near,
                     qPrintable(QString::number(figures[0].valleyOverPeak())));
            QVERIFY(figures[0].valleyOverPeak() >= last);
            QVERIFY(figures[2].valleyOverPeak() >= figures[0].valleyOverPeak());
            last = figures[0].valleyOverPeak();
            QVERIFY(figures[0].pairs == 9 && figures[2].pairs > figures[0].pairs);
        }
    }

    void evenActivityHasNoContrast() {
        const Volume even(Lattice::centred({3, 100, 100}, {0.5, 0.4, 0.4}), 2.0F);
        for (const RodFigures& f : rodFigures(acrossRods(even, 4), "small-derenzo")) {
            QVERIFY(std::abs(f.valleyOverPeak() - 1) < 1e-6);
            QVERIFY(std::abs(f.peak - 2) < 1e-6);
        }
    }

    void valuesAreLinearBetweenVoxels() {
        Volume picture(Lattice::centred({1, 3, 2}, {1, 2, 4}), 0.0F);
        picture.at(0, 1, 0) = 8;
        QVERIFY(std::abs(valueAt(picture, 0, -2) - 8) < 1e-12);
        QVERIFY(std::abs(valueAt(picture, 1, 0) - 2) < 1e-12);
        QCOMPARE(valueAt(picture, 50, 0), 0.0);
    }

    void otherPhantomsHaveNoRods() {
        const Volume even(Lattice::centred({1, 4, 4}, {1, 1, 1}), 1.0F);
        QVERIFY_EXCEPTION_THROWN((void)rodFigures(even, "rat"), WrongUse);
    }
};

QTEST_GUILESS_MAIN(DerenzoFiguresTest)

}  // namespace derenzo_figures_test
#include "derenzo_figures_test.moc"
