// SPDX-License-Identifier: Apache-2.0
// Plans of the column strategy: no device needed.
#include <QTest>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "tests/gpu/probes/chosen_plans.h"
#include "tests/recon/projector_fixtures.h"

namespace plan_chooser_test {

using namespace tof;

class PlanChooserTest : public QObject {
    Q_OBJECT
  private slots:
    void aViewsPlanDependsOnNoOtherView_data();
    void aViewsPlanDependsOnNoOtherView();
};

void PlanChooserTest::aViewsPlanDependsOnNoOtherView_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("azimuths");
    QTest::addColumn<int>("width");
    QTest::newRow("square") << "variant1" << 16 << 48;
    QTest::newRow("oblong") << "variant1" << 12 << 33;
    QTest::newRow("sided") << R"({"tof_ps":400,"axial_mm":5.8,"radial_mm":[[0,4.8],[288,10]],
                                   "asymmetry":{"ratio":2,"shift":1,"weight":0.5}})"
                           << 8 << 40;
}

void PlanChooserTest::aViewsPlanDependsOnNoOtherView() {
    QFETCH(QString, kernel);
    QFETCH(int, azimuths);
    QFETCH(int, width);
    const auto views = ViewGrid(azimuths, 2, 10 * kRadPerDeg).views();
    const DirectModel model{Lattice::centred({width, width == 33 ? 20 : width, 16}, {4, 4, 4}), views,
                            KernelSpec::parse(kernel.toStdString())};
    // Half of the views as one of two ranks has them, so that the first of a family is another.
    std::vector<std::size_t> some;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (7 * v % views.size() >= views.size() / 2) {
            some.push_back(v);
        }
    }

    try {
        QCOMPARE(countPlansThatDiffer(model, some), 0);
    } catch (const Unavailable& reason) {
        QSKIP(reason.what());
    }
}

QTEST_GUILESS_MAIN(PlanChooserTest)

}  // namespace plan_chooser_test
#include "plan_chooser_test.moc"
