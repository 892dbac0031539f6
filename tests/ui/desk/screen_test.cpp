// SPDX-License-Identifier: Apache-2.0
// Figures of many voxels are measured away from the window.
#include "ui/desk/screen.h"

#include <QTest>

#include "tests/ui/fixture.h"

namespace screen_test {

using namespace tof;
using namespace tof::ui;
using tof::test::stays;
using tof::test::until;

namespace {

const Lattice kLattice = Lattice::centred({60, 60, 60}, {2, 2, 2});

std::shared_ptr<const Volume> gradient(float slope = 1) {
    auto volume = std::make_shared<Volume>(kLattice);
    for (std::size_t i = 0; i < volume->data.size(); ++i) {
        volume->data[i] = 100 + slope * static_cast<float>(kLattice.voxel(i)[0]) + static_cast<float>(i % 7);
    }
    return volume;
}

/// A cube in the middle of the lattice.
Roi cube(int edge, const std::string& name) {
    std::vector<std::size_t> voxels;
    const int from = (60 - edge) / 2;
    for (int z = from; z < from + edge; ++z) {
        for (int y = from; y < from + edge; ++y) {
            for (int x = from; x < from + edge; ++x) {
                voxels.push_back(kLattice.index(x, y, z));
            }
        }
    }
    Roi roi;
    roi.name = name;
    roi.shape = Roi::Shape::Region;
    roi.region = RoiRegion::ofVoxels(kLattice, voxels);
    roi.centre = roi.region->home_mm;
    return roi;
}

}  // namespace

class ScreenTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { begin(Threading::Threaded); }
    void cleanup() { desk_.reset(); }

    void figuresOfManyVoxelsComeByTheEventLoop() {
        desk_->rois().add({cube(40, "large"), cube(6, "small")}, "Add");

        QVERIFY(screen().figures(*item_).rois.empty());

        QVERIFY(screen().busy() && desk_->busy());
        expectMeasured(awaited());
    }

    void figuresOfFewVoxelsAreThereAtOnce() {
        desk_->rois().add({cube(10, "small")}, "Add");

        expectMeasured(screen().figures(*item_));
        QVERIFY(screen().measure(1, *item_->volume()).has_value());
    }

    void withoutThreadsAllAreThereAtOnce() {
        begin(Threading::Inline);
        desk_->rois().add({cube(40, "large")}, "Add");

        expectMeasured(screen().figures(*item_));
        QVERIFY(!screen().busy());
    }

    void aLargeShapeIsMeasuredAwayFromTheWindow() {
        Roi ball;
        ball.name = "ball";
        ball.shape = Roi::Shape::Sphere;
        ball.radius_mm = 50;
        desk_->rois().add({ball}, "Add");

        QVERIFY(screen().figures(*item_).rois.empty());
        expectMeasured(awaited());
    }

    void aDragEndsWithTheFiguresOfItsLastPlace() {
        desk_->rois().add({cube(40, "large")}, "Add");
        expectMeasured(awaited());
        desk_->rois().beginDrag("Move");
        for (int step = 1; step <= 8; ++step) {
            moveTo(step);
            QCOMPARE(screen().figures(*item_).rois.size(), std::size_t{1});  // the last ones
            QCoreApplication::processEvents();
        }
        desk_->rois().endDrag();

        expectMeasured(awaited());
    }

    void figuresComeWhileADragGoesOn() {
        desk_->rois().add({cube(40, "large")}, "Add");
        const double before = awaited().rois[0].statistics.mean;
        desk_->rois().beginDrag("Move");
        int step = 0;
        QVERIFY(until([&] {
            moveTo(1 + ++step % 8);
            return screen().figures(*item_).rois[0].statistics.mean != before;
        }));
        desk_->rois().endDrag();
    }

    void anotherImageHasNoFiguresOfThisOne() {
        desk_->rois().add({cube(40, "large")}, "Add");
        expectMeasured(awaited());
        const Figures first = screen().figures(*item_);
        const RunItem& other = *desk_->runs().find(desk_->runs().addVolume("other", gradient(2)));

        QVERIFY(screen().figures(other).rois.empty());

        QVERIFY(until([&] { return !screen().figures(other).rois.empty(); }));
        QVERIFY(screen().figures(other).rois[0].statistics.mean > first.rois[0].statistics.mean);
        // Two that are asked for in turn do not drive each other out.
        QCOMPARE(screen().figures(*item_).rois[0].statistics.mean, first.rois[0].statistics.mean);
        QVERIFY(until([&] { return !screen().busy(); }));
        QVERIFY(!screen().figures(*item_).rois.empty() && !screen().figures(other).rois.empty());
        QVERIFY(!screen().busy());
    }

    void otherRoisDoNotGetTheFiguresOfTheLastOnes() {
        desk_->rois().add({cube(40, "large"), cube(38, "inner")}, "Add");
        expectMeasured(awaited());

        desk_->rois().remove(0);

        QVERIFY(screen().figures(*item_).rois.empty());
        expectMeasured(awaited());
    }

    void whatIsWrittenDownIsNeverOlder() {
        desk_->rois().add({cube(40, "large")}, "Add");
        expectMeasured(awaited());
        moveTo(3);

        expectMeasured(screen().exactFigures());
    }

    void whoeverCannotWaitIsToldSo() {
        desk_->rois().add({cube(40, "large")}, "Add");

        QVERIFY(!screen().measure(1, *item_->volume()).has_value());
    }

    void nothingIsBegunAfterTheEnd() {
        desk_->rois().add({cube(40, "large")}, "Add");
        static_cast<void>(screen().figures(*item_));
        QVERIFY(screen().busy());

        screen().stop();

        QVERIFY(!screen().busy());
        QVERIFY(screen().figures(*item_).rois.empty());
        QVERIFY(stays([&] { return !screen().busy(); }));
    }

  private:
    void begin(Threading threading) {
        desk_ = std::make_unique<Desk>(engines_, threading);
        item_ = desk_->runs().find(desk_->runs().addVolume("image", gradient()));
        desk_->runs().select(item_->id());
        QVERIFY(until([&] { return !desk_->busy(); }));
    }
    [[nodiscard]] Screen& screen() { return desk_->screen(); }
    void moveTo(int step) {
        Roi roi = *desk_->rois().at(0);
        roi.centre = roi.region->home_mm + Vec3{1.5 * step, 0, 0};
        if (desk_->rois().dragging()) {
            desk_->rois().dragTo(0, roi);
        } else {
            desk_->rois().change(0, roi, "Move");
        }
    }
    /// Asks for the figures again and again, as tables do, until there is nothing more to come.
    Figures awaited() {
        Figures last;
        const bool came = until([&] {
            last = screen().figures(*item_);
            return !screen().busy();
        });
        return came ? last : Figures{};
    }
    /// Compares figures with those of an evaluator of its own.
    void expectMeasured(const Figures& figures) {
        const Figures expected =
            FigureEvaluator(desk_->rois().set(), kLattice).evaluate(1, item_->volume()->data.data());
        QCOMPARE(figures.rois.size(), expected.rois.size());
        for (std::size_t i = 0; i < expected.rois.size(); ++i) {
            QCOMPARE(figures.rois[i].name, expected.rois[i].name);
            QCOMPARE(figures.rois[i].statistics.mean, expected.rois[i].statistics.mean);
            QCOMPARE(figures.rois[i].statistics.sd, expected.rois[i].statistics.sd);
            QCOMPARE(figures.rois[i].statistics.weight, expected.rois[i].statistics.weight);
            QCOMPARE(figures.rois[i].peak, expected.rois[i].peak);
        }
    }

    const EngineRegistry engines_ = makeEngineRegistry();
    std::unique_ptr<Desk> desk_;
    RunItem* item_ = nullptr;
};

QTEST_GUILESS_MAIN(ScreenTest)

}  // namespace screen_test
#include "screen_test.moc"
