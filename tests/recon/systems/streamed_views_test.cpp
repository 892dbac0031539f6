// SPDX-License-Identifier: Apache-2.0
// Data that do not fit: as many views as fit stay, the others are fetched in time and beside the work. And
// images that leave beside the next iteration.
#include <QTest>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/seam/host_space.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/support/small_data.h"

namespace streamed_views_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr std::size_t kArrays = 3;  // counts, mult, add

/// Copies beside the work come as late as they may: when they are joined.
class LateSpace : public HostSpace {
  public:
    LateSpace() : HostSpace(1) {}
    void beginAside() override { story += 'b'; }
    void uploadAside(std::span<const float> from, MutableView to) override {
        waiting_.push_back({from, to});
        story += 'c';
        ++aside;
    }
    void joinAside() override {
        for (const auto& [from, to] : waiting_) {
            upload(from, to);
        }
        waiting_.clear();
    }
    int aside = 0;
    std::string story;  ///< b: copies may come from here on, c: a copy sets out, w: work is given

  private:
    std::vector<std::pair<std::span<const float>, MutableView>> waiting_;
};

/// As a device that replays what it has recorded: the host goes on before a step is made.
class ReplayingSpace : public HostSpace {
  public:
    ReplayingSpace() : HostSpace(1) {}
    void sequence(const SequenceKey& /*key*/, std::size_t steps, const std::function<void(std::size_t)>& step,
                  const std::function<void(std::size_t)>& between) override {
        between(steps);
        for (std::size_t i = 0; i < steps; ++i) {
            step(i);
        }
    }
};

class Control : public RunControl {
  public:
    void checkpoint() override {
        if (cancelAt > 0 && ++checkpoints_ == cancelAt) {
            throw Cancelled();
        }
    }
    [[nodiscard]] ImagesAre images() const override { return are; }
    void progress(const RunProgress& progress) override {
        told.push_back(QString("%1.%2").arg(progress.iteration).arg(progress.block));
    }
    void iterateDone(Iterate iterate) override {
        told.push_back(QString("image %1").arg(iterate.iteration));
        iterates.push_back(std::move(iterate));
    }
    ImagesAre are = ImagesAre::HandedOverAtOnce;
    int cancelAt = 0;
    QStringList told;
    std::vector<Iterate> iterates;

  private:
    int checkpoints_ = 0;
};

/// Whether the image of an iterate was told after `before` and, where there is that, before `after`.
bool comesBetween(const Control& control, int iterate, const QString& before, const QString& after) {
    const auto at = control.told.indexOf(QString("image %1").arg(iterate));
    const auto next = control.told.indexOf(after);
    return control.told.count(QString("image %1").arg(iterate)) == 1 && at > control.told.indexOf(before) &&
           (next < 0 || at < next);
}

/// One block after the other, as ranks project.
class StepByStep : public Projector {
  public:
    StepByStep(Projector& inner, LateSpace& space) : inner_(inner), space_(space) {}
    [[nodiscard]] Space& space() override { return inner_.space(); }
    [[nodiscard]] std::size_t imageSize() const override { return inner_.imageSize(); }
    [[nodiscard]] std::size_t parts() const override { return inner_.parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override { return inner_.dataSize(part); }
    [[nodiscard]] std::size_t memoryBytes() const override { return inner_.memoryBytes(); }
    [[nodiscard]] bool recordable() const override { return false; }
    void forward(std::size_t part, ConstView x, MutableView p) override { inner_.forward(part, x, p); }
    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        inner_.back(part, p, x, write);
        space_.story += 'w';
    }

  private:
    Projector& inner_;
    LateSpace& space_;
};

}  // namespace

class StreamedViewsTest : public QObject {
    Q_OBJECT

    const std::shared_ptr<HistoData> data_ = smallData(KernelSpec::preset("variant1"));
    const std::shared_ptr<LateSpace> space_ = std::make_shared<LateSpace>();
    const std::shared_ptr<const Engine> engine_ = makeCpuEngine();

    [[nodiscard]] std::vector<std::size_t> order() const { return geometricOrder(data_->views, 1); }
    [[nodiscard]] std::size_t bytesOfViews(std::size_t views) const {
        return views * kArrays * data_->voxels() * sizeof(float);
    }

    /// `copies`: started beside the work in the last of the iterations.
    std::vector<float> run(std::size_t budget, Control& control, int* copies = nullptr) {
        const auto projector = requireProjector(
            *engine_, DirectModel{data_->lattice, data_->views, KernelSpec::preset("variant1")}, space_, {});
        StepByStep steps(*projector, *space_);
        SpaceHistoSource source(data_, space_, budget);
        AlgorithmSettings settings;
        settings.algorithm = &algorithmNamed("osem");
        settings.subsets = 3;
        settings.iterations = 3;
        Control none;
        Reconstruction run(steps, source, data_->lattice, settings, order(), none);
        const int before = space_->aside;
        space_->story.clear();
        run.run(control);
        if (copies != nullptr) {
            *copies = space_->aside - before;
        }
        return run.image().data;
    }

  private slots:
    void asManyViewsStayAsFit_data() {
        QTest::addColumn<int>("fit");
        QTest::addColumn<int>("stay");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("the two that take turns") << 2 << 0;
        QTest::newRow("seven") << 7 << 5;
        QTest::newRow("all but one") << 17 << 15;
        QTest::newRow("all") << 18 << 18;
    }
    void asManyViewsStayAsFit() {
        QFETCH(int, fit);
        QFETCH(int, stay);
        const std::size_t budget = bytesOfViews(static_cast<std::size_t>(fit));
        SpaceHistoSource source(data_, space_, budget);
        int streamed = 0;
        for (std::size_t part = 0; part < source.parts(); ++part) {
            streamed += source.streamed(part) ? 1 : 0;
        }
        QCOMPARE(streamed, 18 - stay);
        QCOMPARE(source.resident(), stay == 18);

        Control control;
        Control whole;
        int copies = 0;
        const std::vector<float> image = run(budget, control, &copies);
        QCOMPARE(image, run(SIZE_MAX, whole));
        // Each streamed view once an iteration; sensitivities may have left the first one there, and the last
        // fetches the first of an iteration that does not come.
        const int once = static_cast<int>(kArrays) * streamed * 3;
        QVERIFY2(std::abs(copies - once) <= static_cast<int>(kArrays), qPrintable(QString::number(copies)));
    }

    void viewsThatStayAreSpread() {
        SpaceHistoSource source(data_, space_, bytesOfViews(11));
        int inARow = 0;
        for (std::size_t part = 0; part < source.parts(); ++part) {
            inARow = source.streamed(part) ? inARow + 1 : 0;
            QVERIFY(inARow <= 1);  // nine stay of 18
        }
    }

    /// What a device is at work on while the host brings a copy on its way has to be given before it.
    void copiesSetOutWhenWorkHasBeenGiven() {
        Control control;
        static_cast<void>(run(bytesOfViews(7), control));
        const std::string& story = space_->story;
        QVERIFY(story.find("wc") != std::string::npos);
        // Sensitivities leave the first view there or not: one that is not expected has to be waited for.
        QVERIFY2(story.find("bc", 2) == std::string::npos, story.c_str());
    }

    void oneViewAloneIsStreamedToo() {
        auto one = std::make_shared<HistoData>(*data_);
        one->views.resize(1);
        for (std::vector<float>* values : {&one->counts, &one->mult, &one->add}) {
            values->resize(one->voxels());
        }
        SpaceHistoSource source(one, space_, 0);
        const PartData part = source.part(0);
        QVERIFY(std::equal(one->counts.begin(), one->counts.end(), part.y.data));
    }

    void imagesThatLeaveBesideTheNextAreTheSame() {
        Control atOnce;
        Control beside;
        beside.are = ImagesAre::HandedOverBesideTheNext;
        static_cast<void>(run(SIZE_MAX, atOnce));
        static_cast<void>(run(SIZE_MAX, beside));

        QCOMPARE(beside.iterates.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(beside.iterates[i].iteration, static_cast<int>(i) + 1);
            QCOMPARE(beside.iterates[i].image->data, atOnce.iterates[i].image->data);
            QVERIFY(beside.iterates[i].image->lattice == data_->lattice);
        }
        const QStringList first{"1.1", "1.2", "1.3"};
        QCOMPARE(atOnce.told.mid(0, 5), first + QStringList({"image 1", "2.1"}));
        QCOMPARE(beside.told.filter("."), atOnce.told.filter("."));
        for (int i = 1; i <= 3; ++i) {
            QVERIFY(comesBetween(beside, i, QString("%1.3").arg(i), QString("image %1").arg(i + 1)));
        }
    }

    void imagesLeaveBesideAReplayedIteration() {
        const auto space = std::make_shared<ReplayingSpace>();
        const auto projector = requireProjector(
            *engine_, DirectModel{data_->lattice, data_->views, KernelSpec::preset("variant1")}, space, {});
        SpaceHistoSource source(data_, space, SIZE_MAX);
        AlgorithmSettings settings;
        settings.iterations = 3;
        settings.subsets = 3;
        Control control;
        control.are = ImagesAre::HandedOverBesideTheNext;
        Reconstruction run(*projector, source, data_->lattice, settings, order(), control);
        run.run(control);

        QCOMPARE(control.told.filter("."), QStringList({"1.3", "2.3", "3.3"}));
        for (int i = 1; i <= 3; ++i) {
            QVERIFY(comesBetween(control, i, QString("%1.3").arg(i), QString("image %1").arg(i + 1)));
        }
        QCOMPARE(control.iterates.back().image->data, run.image().data);
        QVERIFY(control.iterates[0].image->data != control.iterates[1].image->data);
    }

    /// Pages of an image that nobody has any more are those of a later one, whose owner is another.
    void memoryOfImagesIsUsedAgain() {
        auto spare = std::make_shared<SpareImages>();
        std::shared_ptr<Volume> first = spare->volume();
        first->data.assign(1000, 1.0F);
        const float* const pages = first->data.data();
        const std::weak_ptr<Volume> known = first;
        const std::shared_ptr<Volume> second = spare->volume();
        QVERIFY(second->data.empty());

        first.reset();
        const std::shared_ptr<Volume> third = spare->volume();
        QVERIFY(known.expired());
        QVERIFY(third->data.data() == pages && third->data.size() == 1000);

        spare.reset();  // images outlive a run
        third->data.assign(1000, 2.0F);
    }

    void aCancelledRunHandsOverItsLastIterateFirst() {
        Control control;
        control.are = ImagesAre::HandedOverBesideTheNext;
        control.cancelAt = 5;  // before the second iteration, whose blocks have none yet
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(run(SIZE_MAX, control)), Cancelled);
        QCOMPARE(control.iterates.size(), std::size_t{1});
        QCOMPARE(control.told.last(), QString("image 1"));
    }

    void iteratesComeWithoutImagesWhereNobodyWantsThem() {
        Control control;
        control.are = ImagesAre::NotWanted;
        static_cast<void>(run(SIZE_MAX, control));
        QCOMPARE(control.iterates.size(), std::size_t{3});
        QVERIFY(control.iterates.front().image == nullptr);
        QVERIFY(control.iterates.front().seconds > 0);
    }
};

QTEST_GUILESS_MAIN(StreamedViewsTest)

}  // namespace streamed_views_test
#include "streamed_views_test.moc"
