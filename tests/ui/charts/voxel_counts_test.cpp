// SPDX-License-Identifier: Apache-2.0
// Voxels of a histogram are counted away from the window, and the chart is painted without waiting for them.
#include <QImage>
#include <QTest>

#include "recon/metrics/profile.h"
#include "tests/ui/fixture.h"
#include "ui/charts/profile_chart.h"
#include "ui/charts/voxel_counts.h"
#include "ui/kit/theme.h"
#include "ui/window/main_window.h"

namespace voxel_counts_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// Values from 0 to 1, longer than one stretch of counting and no multiple of it.
std::shared_ptr<const Volume> ramp(int slices) {
    auto volume = std::make_shared<Volume>(Lattice::centred({256, 256, slices}, {1, 1, 1}), 0.0F);
    for (std::size_t i = 0; i < volume->data.size(); ++i) {
        volume->data[i] = static_cast<float>(i % 1009) / 1009;
    }
    return volume;
}

std::vector<std::size_t> expected(const Volume& volume, DisplayRange range) {
    return histogram(volume.data, range.low, range.high, VoxelCounts::kBins);
}

constexpr DisplayRange kWhole{0, 1};
constexpr DisplayRange kHalf{0.25, 0.75};

}  // namespace

class VoxelCountsTest : public test::WindowTest {
    Q_OBJECT

  private:
    /// Pixels of a chart that have the colour of a run's bars.
    int barPixels(QWidget& chart) {
        const QRgb bars = Theme::of(chart).run(desk_->runs().selected()->mark()).rgb();
        const QImage picture = chart.grab().toImage().convertToFormat(QImage::Format_RGB32);
        int count = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                count += picture.pixel(x, y) == bars ? 1 : 0;
            }
        }
        return count;
    }

  private Q_SLOTS:
    void whoAsksDoesNotWait() {
        const auto volume = ramp(17);
        int came = 0;
        VoxelCounts counts(Threading::Threaded, [&came] { ++came; });
        QVERIFY(counts.newest(volume, kWhole).bins.empty());
        QVERIFY(until([&came] { return came == 1; }));
        const VoxelCounts::Histogram found = counts.newest(volume, kWhole);
        QCOMPARE(found.bins, expected(*volume, kWhole));
        QVERIFY(!counts.busy());  // they are not counted again

        // The last ones stay, and say of which range they are, until those of another range come.
        QVERIFY(counts.newest(volume, kHalf).range == kWhole);
        QCOMPARE(counts.newest(volume, kHalf).bins, found.bins);
        QVERIFY(until([&] { return counts.newest(volume, kHalf).range == kHalf; }));
        QCOMPARE(counts.newest(volume, kHalf).bins, expected(*volume, kHalf));

        QVERIFY(counts.newest(nullptr, kHalf).bins.empty());
    }

    void aCallerOfInlineHasThemAtOnce() {
        const auto volume = ramp(17);
        VoxelCounts counts(Threading::Inline, [] {});
        QCOMPARE(counts.newest(volume, kWhole).bins, expected(*volume, kWhole));
        QCOMPARE(counts.newest(volume, kHalf).bins, expected(*volume, kHalf));
        const auto other = ramp(3);
        QCOMPARE(counts.newest(other, kHalf).bins, expected(*other, kHalf));
    }

    void anExportCountsWhatIsNotThere() {
        const auto volume = ramp(17);
        VoxelCounts counts(Threading::Threaded, [] {});
        QVERIFY(counts.newest(volume, kWhole).bins.empty());
        QCOMPARE(counts.exactly(volume, kHalf).bins, expected(*volume, kHalf));
        QCOMPARE(counts.exactly(volume, kWhole).bins, expected(*volume, kWhole));
    }

    void whatIsWantedLastComesAndWishesThatChangeFastDoNotStarve() {
        const auto volume = ramp(64);
        VoxelCounts counts(Threading::Threaded, [] {});
        int asked = 0;
        QVERIFY(until([&] {
            for (int i = 0; i < 3; ++i) {
                ++asked;
                static_cast<void>(counts.newest(volume, {0, 1.0 + asked}));
            }
            return !counts.newest(volume, {0, 1.0 + asked}).bins.empty();
        }));
        QVERIFY(until([&] { return counts.newest(volume, kHalf).range == kHalf; }));
        QCOMPARE(counts.newest(volume, kHalf).bins, expected(*volume, kHalf));
    }

    void countsKeepNoImageInMemory() {
        auto volume = ramp(3);
        const std::weak_ptr<const Volume> left = volume;
        VoxelCounts counts(Threading::Inline, [] {});
        QVERIFY(!counts.newest(volume, kWhole).bins.empty());
        volume.reset();
        QVERIFY(left.expired());
    }

    void theChartIsPaintedBeforeItsVoxelsAreCounted() {
        open(writeSmallData());
        reconstruct(1);
        auto* chart = window_->findChild<ProfileChart*>("chart.profile");
        desk_->view().setChart(ChartKind::Histogram);
        QCOMPARE(barPixels(*chart), 0);  // no event came since, and so no counts
        QVERIFY(chart->toCsv().count('\n') == 1 + static_cast<int>(VoxelCounts::kBins));
        QVERIFY(until([&] { return barPixels(*chart) > 100; }));
    }
};

QTEST_MAIN(VoxelCountsTest)

}  // namespace voxel_counts_test
#include "voxel_counts_test.moc"
