// SPDX-License-Identifier: Apache-2.0
// What the window does with priors: an anatomy among the open images, and the prior of a run as images.
#include <QTest>
#include <algorithm>

#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"

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

        QCOMPARE(desk_->runs().items().size(), before + 2);
        const auto& pull = desk_->runs().items()[before];
        const auto& kappa = desk_->runs().items()[before + 1];
        QVERIFY(pull->isVolume() && kappa->isVolume());
        const std::vector<float>& pulls = pull->volume()->data;
        QVERIFY(*std::min_element(pulls.begin(), pulls.end()) < 0);
        QVERIFY(*std::max_element(pulls.begin(), pulls.end()) > 0);
        const std::vector<float>& strength = kappa->volume()->data;
        QVERIFY(*std::min_element(strength.begin(), strength.end()) >= 0);
    }

  private:
    QString dataFile_;
    QString bodyFile_;
};

QTEST_MAIN(PriorRunsTest)
#include "prior_runs_test.moc"
