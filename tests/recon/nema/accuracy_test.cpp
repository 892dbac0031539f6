// SPDX-License-Identifier: Apache-2.0
// Errors of slices against activity, of images whose errors are known.
#include <QTest>
#include <array>
#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/nema/accuracy.h"

namespace accuracy_test {

using namespace tof;

namespace {

/// A cylinder whose slices have 3 + z of a unit per activity, times a factor for each slice.
AccuracyScan scanAt(double kBqPerMl, const std::array<double, 3>& factors) {
    auto image = std::make_shared<Volume>(Lattice::centred({50, 50, 3}, {4, 4, 100}));
    image->units = "Bq/ml";
    image->lattice.forEachVoxel([&](int x, int y, int z) {
        image->data[image->lattice.index(x, y, z)] =
            static_cast<float>((3.0 + z) * kBqPerMl * factors[static_cast<std::size_t>(z)]);
    });
    return {image, kBqPerMl};
}

std::vector<AccuracyScan> scansWith(const std::array<double, 3>& factors) {
    const std::array<double, 3> right{1, 1, 1};
    return {scanAt(1, right), scanAt(2, right), scanAt(4, right), scanAt(20, factors)};
}

}  // namespace

class AccuracyTest : public QObject {
    Q_OBJECT

  private slots:
    void errorsOfSlicesComeBack() {
        const std::vector<AccuracyError> errors = accuracyErrors(scansWith({0.97, 1, 1.02}), {});

        QCOMPARE(errors.size(), std::size_t{4});
        // Single precision of voxels: 1e-7 of 100 %.
        QVERIFY(errors[1].largest() < 1e-4);
        QVERIFY(std::abs(errors[3].lowest + 3) < 1e-4);
        QVERIFY(std::abs(errors[3].highest - 2) < 1e-4);
        QVERIFY(std::abs(errors[3].mean - 100 * (-0.03 * 3 + 0.02 * 5) / 12) < 1e-4);
        QVERIFY(std::abs(errors[3].largest() - 3) < 1e-4);
    }

    void aReferenceIsTheMeanOfThree() {
        std::vector<AccuracyScan> scans = scansWith({1, 1, 1});
        scans[0] = scanAt(1, {1.03, 1.03, 1.03});

        const std::vector<AccuracyError> errors = accuracyErrors(scans, {});

        // What is right is 1.01 of it.
        QVERIFY(std::abs(errors[3].mean - 100 * (1 / 1.01 - 1)) < 1e-4);
        QVERIFY(std::abs(errors[0].mean - 100 * (1.03 / 1.01 - 1)) < 1e-4);
    }

    void whatCannotBeComparedIsSaid() {
        std::vector<AccuracyScan> scans = scansWith({1, 1, 1});
        QVERIFY_EXCEPTION_THROWN((void)accuracyErrors({scans.begin(), scans.begin() + 3}, {}), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)accuracyErrors(scans, {200, 0, 0}), BadInput);
        std::swap(scans[2], scans[3]);
        QVERIFY_EXCEPTION_THROWN((void)accuracyErrors(scans, {}), WrongUse);
        std::swap(scans[2], scans[3]);
        auto other = std::make_shared<Volume>(*scans[3].image);
        other->units = "SUV";
        scans[3].image = other;
        QVERIFY_EXCEPTION_THROWN((void)accuracyErrors(scans, {}), BadInput);
        for (AccuracyScan& scan : scans) {
            auto total = std::make_shared<Volume>(*scan.image);
            total->units = "emissions";
            scan.image = total;
        }
        QVERIFY_EXCEPTION_THROWN((void)accuracyErrors(scans, {}), BadInput);
    }
};

QTEST_APPLESS_MAIN(AccuracyTest)

}  // namespace accuracy_test
#include "accuracy_test.moc"
