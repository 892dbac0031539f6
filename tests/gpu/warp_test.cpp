// SPDX-License-Identifier: Apache-2.0
// Warps of images on the device against the host's.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "recon/base/parallel.h"
#include "recon/joined/warps_images.h"
#include "tests/gpu/gpu_fixtures.h"

namespace warp_test {

using namespace tof;
using fixtures::uniformData;

class GpuWarpTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const fixtures::EngineOrReason found = fixtures::cudaOrReason();
        if (!found.engine) {
            QSKIP(found.whyNot.c_str());
        }
        engine_ = found.engine;
        space_ = engine_->makeSpace({});
        QVERIFY(engine_->offers<WarpsImages>() != nullptr);
        warps_ = engine_->offers<WarpsImages>()->warps(space_);
    }

    void imagesAreTheHosts_data() {
        QTest::addColumn<bool>("moves");
        QTest::addColumn<float>("least");
        QTest::newRow("a shift") << false << 0.0F;
        QTest::newRow("displacements") << true << 0.0F;
        QTest::newRow("displacements, values of both signs") << true << -1.0F;
    }
    /// Sums of at most 8 floats forward, and of some tens back: single precision of the host's leaves 1e-6 of
    /// the largest for each of ten.
    void imagesAreTheHosts() {
        QFETCH(bool, moves);
        QFETCH(float, least);
        const Warp warp = warpOf(moves);
        const std::vector<float> x = uniformData(from_.voxels(), 1, least, 1);
        const std::vector<float> y = uniformData(to_.voxels(), 2, least, 1);
        const std::vector<float> before = uniformData(from_.voxels(), 3, 0, 1);
        std::vector<float> seen(to_.voxels());
        std::vector<float> back = before;
        std::vector<float> room;
        const ThreadPool pool(2);
        warp.apply(x.data(), seen.data(), pool);
        warp.transpose(y.data(), back.data(), Write::Add, pool, room);

        Array there = placed(x);
        Array warped = space_->allocate(to_.voxels());
        warps_->apply(warp, there.view(), warped.view());
        QVERIFY(farthest(fetched(warped), seen) < 1e-6);
        Array image = placed(before);
        warps_->transpose(warp, placed(y).view(), image.view(), Write::Add);
        QVERIFY(farthest(fetched(image), back) < 1e-5);
        warp.transpose(y.data(), back.data(), Write::Overwrite, pool, room);
        warps_->transpose(warp, placed(y).view(), image.view(), Write::Overwrite);
        QVERIFY(farthest(fetched(image), back) < 1e-5);
    }

    void transposesAreAdjointAndRepeatTheirBits() {
        const Warp warp = warpOf(true);
        const std::vector<float> x = uniformData(from_.voxels(), 5, 0, 1);
        const std::vector<float> y = uniformData(to_.voxels(), 6, 0, 1);
        Array seen = space_->allocate(to_.voxels());
        Array image = space_->allocate(from_.voxels());
        warps_->apply(warp, placed(x).view(), seen.view());
        warps_->transpose(warp, placed(y).view(), image.view(), Write::Overwrite);
        const std::vector<float> back = fetched(image);
        const double one = fixtures::dotProduct(fetched(seen), y);
        const double two = fixtures::dotProduct(x, back);
        QVERIFY2(std::abs(one - two) <= 1e-6 * one, qPrintable(QString::number(two / one - 1)));
        for (int i = 0; i < 5; ++i) {
            warps_->transpose(warp, placed(y).view(), image.view(), Write::Overwrite);
            QVERIFY(fetched(image) == back);
        }
        std::vector<float> damaged = y;
        damaged[3] = std::numeric_limits<float>::quiet_NaN();
        warps_->transpose(warp, placed(damaged).view(), image.view(), Write::Overwrite);
        const std::vector<float> spoilt = fetched(image);
        QVERIFY(std::any_of(spoilt.begin(), spoilt.end(), [](float value) { return std::isnan(value); }));
        const std::vector<float> nothing(to_.voxels(), 0.0F);
        warps_->transpose(warp, placed(nothing).view(), image.view(), Write::Overwrite);
        QVERIFY(fetched(image) == std::vector<float>(from_.voxels(), 0.0F));
    }

  private:
    [[nodiscard]] Warp warpOf(bool moves) const {
        std::shared_ptr<DisplacementField> field;
        if (moves) {
            field = std::make_shared<DisplacementField>();
            field->lattice = to_;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                field->mm[axis] = uniformData(to_.voxels(), 7 + static_cast<unsigned>(axis), -12, 12);
            }
        }
        return {from_, to_, {1, -2, 3}, field, 0.3};
    }
    [[nodiscard]] Array placed(const std::vector<float>& values) const {
        Array array = space_->allocate(values.size());
        space_->upload(values, array.view());
        return array;
    }
    [[nodiscard]] std::vector<float> fetched(const Array& array) const {
        std::vector<float> values(array.size());
        space_->download(array.view(), values);
        return values;
    }
    /// The largest difference, over the largest value.
    static double farthest(const std::vector<float>& one, const std::vector<float>& other) {
        double most = 0;
        double off = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            most = std::max(most, std::abs(static_cast<double>(other[i])));
            off = std::max(off, std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])));
        }
        return off / most;
    }

    const Lattice from_ = Lattice::centred({61, 50, 43}, {4, 5, 6});
    const Lattice to_ = Lattice::centred({57, 48, 52}, {5, 4, 4});
    std::shared_ptr<const Engine> engine_;
    std::shared_ptr<Space> space_;
    std::unique_ptr<DeviceWarps> warps_;
};

QTEST_GUILESS_MAIN(GpuWarpTest)

}  // namespace warp_test
#include "warp_test.moc"
