// SPDX-License-Identifier: Apache-2.0
// What the window does with priors: an anatomy among the open images, and the prior of a run as images.
#include <QTest>
#include <algorithm>
#include <array>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/charts/chart.h"
#include "ui/desk/made_images.h"

namespace prior_runs_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class PriorRunsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = writeSmallData();
        // Two halves, as an organ and what is beside it.
        Volume body(Lattice::centred({60, 60, 8}, {4, 4, 4}));
        body.lattice.forEachVoxel([&](int x, int y, int z) { body.at(x, y, z) = x < 30 ? 1.0F : 2.0F; });
        bodyFile_ = folder_.filePath("body.h5");
        static_cast<void>(writeVolume(bodyFile_.toStdString(), body));
    }

    [[nodiscard]] std::string anatomy() const { return desk_->settings().current().anatomy; }
    [[nodiscard]] bool trigger(const char* id) { return window_->commands().trigger(id); }
    void selectBody() {
        for (const auto& item : desk_->runs().items()) {
            if (item->file() == bodyFile_) {
                desk_->runs().select(item->id());
            }
        }
        QCOMPARE(desk_->runs().selected()->file(), bodyFile_);
    }

  private slots:
    void anOpenImageIsTheAnatomyOfTheNextRun() {
        open(dataFile_);
        open(bodyFile_);
        selectBody();
        desk_->settings().set("algorithm", "osem");
        window_->refreshNow();
        QVERIFY2(!trigger("run.anatomy"), "OSEM goes by none");
        desk_->settings().set("algorithm", "bsrem");
        desk_->settings().set("beta", "0.05");
        window_->refreshNow();

        QVERIFY2(trigger("run.anatomy"), qPrintable(window_->commands().action("run.anatomy")->toolTip()));

        QCOMPARE(QString::fromStdString(anatomy()), bodyFile_);
        reconstruct(2);
        QCOMPARE(QString::fromStdString(desk_->runs().selected()->settings().anatomy), bodyFile_);
        selectBody();
        window_->refreshNow();
        QVERIFY2(trigger("run.anatomy"), qPrintable(window_->commands().action("run.anatomy")->toolTip()));
        QCOMPARE(anatomy(), std::string());
    }

    void thePriorOfARunIsTwoImagesBesideIt() {
        open(dataFile_);
        desk_->settings().set("algorithm", "bsrem");
        desk_->settings().set("beta", "0.05");
        reconstruct(2);
        const std::size_t before = desk_->runs().items().size();

        QVERIFY(trigger("run.show-prior"));

        QVERIFY(until([&] { return desk_->runs().items().size() == before + 2; }));
        const auto& pull = desk_->runs().items()[before];
        const auto& kappa = desk_->runs().items()[before + 1];
        QVERIFY(pull->isVolume() && kappa->isVolume());
        const std::vector<float>& pulls = pull->volume()->data;
        QVERIFY(*std::min_element(pulls.begin(), pulls.end()) < 0);
        QVERIFY(*std::max_element(pulls.begin(), pulls.end()) > 0);
        const std::vector<float>& strength = kappa->volume()->data;
        QVERIFY(*std::min_element(strength.begin(), strength.end()) >= 0);
    }

    void runsThatDifferInBetaAreACurveAlongIt() {
        open(dataFile_);
        desk_->settings().set("algorithm", "bsrem");
        const CurveChart& chart = *window_->figuresPanel().chart();
        for (const char* const beta : {"0.3", "0.003", "0.03"}) {
            desk_->settings().set("beta", beta);
            reconstruct(2);
        }
        desk_->settings().set("prior-gamma", "4");
        reconstruct(2);
        window_->refreshNow();

        const auto curves = chart.alongBeta();
        QCOMPARE(curves.size(), std::size_t{1});  // the fourth run is of another family, and alone in it
        const auto& points = curves[0].points;
        QCOMPARE(points.size(), std::size_t{3});
        const std::array strengths{0.003, 0.03, 0.3};
        for (std::size_t i = 0; i < points.size(); ++i) {
            QCOMPARE(points[i].beta, strengths[i]);
            QVERIFY2(i == 0 || points[i].noise < points[i - 1].noise, "a stronger prior is quieter");
        }
        QVERIFY(chart.toCsv().contains("# along beta, run B: beta 0.003, noise "));
        QVERIFY(desk_->runs().find("A")->name().endsWith(", RDP β 0.3"));
    }

    void liveTuningLeavesACurveAlongBeta() {
        open(dataFile_);
        desk_->settings().set("algorithm", "bsrem");
        desk_->settings().set("beta", "0.01");
        desk_->live().setOn(true);
        for (const char* const beta : {"0.01", "0.1", "1", "0.1"}) {
            desk_->settings().set("beta", beta);
            QVERIFY(until([&] { return !desk_->busy() && desk_->live().times(); }));
        }
        desk_->live().setOn(false);
        window_->refreshNow();

        const auto curves = window_->figuresPanel().chart()->alongBeta();
        QCOMPARE(curves.size(), std::size_t{1});
        QCOMPARE(curves[0].points.size(), std::size_t{3});
        QCOMPARE(curves[0].points[0].iteration, 0);
        QCOMPARE(curves[0].points[1].iteration, 3);  // the one in the pictures
        QVERIFY(curves[0].points[2].noise < curves[0].points[0].noise);
        const auto labels = window_->figuresPanel().chart()->labels();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const CurveChart::Label& label) {
            return label.iteration == CurveChart::kBeta && label.text.startsWith("β ");
        }));
    }

    void aRunIsFilteredToTheNoiseOfAnother() {
        open(dataFile_);
        desk_->settings().set("algorithm", "bsrem");
        desk_->settings().set("beta", "0.3");
        reconstruct(2);
        desk_->settings().set("beta", "0.003");
        reconstruct(2);
        window_->refreshNow();
        const RunItem& quiet = *desk_->runs().find("A");

        desk_->madeImages().filterToNoiseOf("B", "A", desk_->rois().set());

        QVERIFY(until([&] { return !desk_->busy() && desk_->runs().items().size() == 3; }));
        const RunItem& filtered = *desk_->runs().items().back();
        QVERIFY(until([&] { return filtered.figuresOf(2) != nullptr; }));
        const double asked = quiet.figuresOf(2)->noise;
        const double found = filtered.figuresOf(2)->noise;
        QVERIFY2(found <= asked && found > 0.98 * asked, qPrintable(QString("%1 %2").arg(found).arg(asked)));
        QVERIFY_EXCEPTION_THROWN(desk_->madeImages().filterToNoiseOf("A", "B", desk_->rois().set()),
                                 WrongUse);
    }

  private:
    QString dataFile_;
    QString bodyFile_;
};

QTEST_MAIN(PriorRunsTest)

}  // namespace prior_runs_test
#include "prior_runs_test.moc"
