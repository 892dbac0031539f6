// SPDX-License-Identifier: Apache-2.0
// Experiments: what mathematics says of their numbers.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/ha_crc.h"
#include "recon/experiment/registry.h"
#include "recon/kernel/kernel_spec.h"
#include "tests/recon/experiment/quick_checks.h"

namespace experiment_test {

using namespace tof;
using namespace tof::test;

namespace {

ExperimentReport run(const std::string& name, ExperimentSize size) {
    const EngineRegistry engines = makeEngineRegistry();
    double last = 0;
    const ExperimentContext context{engines, size, "cpu", 2, [&](const std::string&, double done) {
                                        QVERIFY(done >= 0 && done <= 1 + 1e-9);
                                        last = done;
                                    }};
    return runExperiment(findExperiment(name), context);
}

bool there(const std::string& engine) {
    return std::holds_alternative<std::shared_ptr<const Engine>>(makeEngineRegistry().find(engine));
}

double number(const ExperimentReport& report, std::size_t row, const std::string& column) {
    const auto& columns = report.data.columns;
    const auto at = std::find(columns.begin(), columns.end(), column) - columns.begin();
    return std::get<double>(report.data.rows.at(row).at(static_cast<std::size_t>(at)));
}

std::string text(const ExperimentReport& report, std::size_t row, std::size_t column) {
    return std::get<std::string>(report.data.rows.at(row).at(column));
}

}  // namespace

class ExperimentTest : public QObject {
    Q_OBJECT

  private slots:
    /// Those of the tests that look at the checks of the quick size are whole there.
    void everyExperimentGivesAWholeReport_data() {
        QTest::addColumn<QString>("name");
        for (const Experiment& experiment : experiments()) {
            if (!isChecked(experiment.name)) {
                QTest::newRow(experiment.name.c_str()) << QString::fromStdString(experiment.name);
            }
        }
    }

    void everyExperimentGivesAWholeReport() {
        QFETCH(QString, name);
        const Experiment& experiment = findExperiment(name.toStdString());

        const ExperimentReport report = run(experiment.name, ExperimentSize::Tiny);

        verifyWhole(experiment, report);
    }

    void everyExperimentCanBeStopped_data() {
        QTest::addColumn<QString>("name");
        for (const Experiment& experiment : experiments()) {
            QTest::newRow(experiment.name.c_str()) << QString::fromStdString(experiment.name);
        }
    }

    void everyExperimentCanBeStopped() {
        QFETCH(QString, name);
        const std::string& needs = findExperiment(name.toStdString()).needs;
        if (!needs.empty() && !there(needs)) {
            QSKIP("it needs an engine that is not there");
        }
        const EngineRegistry engines = makeEngineRegistry();
        const ExperimentContext context{engines, ExperimentSize::Tiny, "cpu", 1,
                                        [](const std::string&, double) { throw Cancelled(); }};

        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 static_cast<void>(findExperiment(name.toStdString()).run(context)));
    }

    void widthsAreThoseThatThePaperPrints() {
        const ExperimentReport report = run("ha-fig8", ExperimentSize::Quick);

        QCOMPARE(report.comparisons.size(), std::size_t{7});
        for (const Comparison& c : report.comparisons) {
            // Printed with two decimals at most.
            QVERIFY2(std::abs(c.ours - std::stod(c.paper)) < 0.0051, c.quantity.c_str());
        }
    }

    void variantKernelsSpreadEvenlyAndGatherFromTheEdge() {
        const ExperimentReport report = run("ha-fig6", ExperimentSize::Quick);
        const KernelSpec kernel = KernelSpec::preset("ha-test");

        QCOMPARE(report.data.rows.size(), std::size_t{6});
        for (std::size_t row = 0; row < 6; row += 2) {
            const double s = number(report, row, "s_mm");
            QCOMPARE(text(report, row, 1), std::string("forward"));
            QVERIFY(std::abs(number(report, row, "sum") - 1) < 1e-5);
            QVERIFY(std::abs(number(report, row, "inwards_mm")) < 1e-4);
            // Cut at 3 sigma a Gaussian's variance falls to 0.918 at most; widths are those of the middle of
            // a bin of 2 mm, and near the centre as wide as 2.5 voxels.
            const double width = number(report, row, "fwhm_mm") / kernel.radial.at(s);
            QVERIFY2(width > 0.94 && width < 1.04, qPrintable(QString("|s| %1: %2").arg(s).arg(width)));
        }
        QVERIFY(number(report, 1, "inwards_mm") < -1);
        QVERIFY(number(report, 5, "inwards_mm") < -1);
    }

    void asymmetricKernelsReachInwardsForwardAndOutwardsBack() {
        const ExperimentReport report = run("ha-fig7", ExperimentSize::Quick);

        QCOMPARE(report.data.rows.size(), std::size_t{24});
        for (std::size_t row = 0; row < 6; ++row) {  // symmetric, invariant
            QVERIFY(std::abs(number(report, row, "inwards_mm")) < 1e-4);
        }
        QVERIFY(report.comparisons[2].ours == 0);  // forward and back to the bit
        // Half of the kernel is moved by one sigma of 50 mm; the cut takes less than a tenth of that.
        const double shift = 0.5 * 50 / kFwhmPerSigma;
        for (const std::size_t row : {std::size_t{12}, std::size_t{16}}) {
            QCOMPARE(text(report, row, 0), std::string("ha-fig7-asymmetric"));
            const double forward = number(report, row, "inwards_mm");
            QVERIFY(forward > 0.9 * shift && forward < shift);
            QVERIFY(std::abs(number(report, row + 1, "inwards_mm") + forward) < 0.03 * shift);
        }
        QVERIFY(number(report, 18, "inwards_mm") > 0);  // asymmetric and variant
        QVERIFY(number(report, 19, "inwards_mm") < 0);
    }

    void tableFourIsPrintedInAllItsColumns() {
        const ExperimentReport report = run("ha-table4", ExperimentSize::Tiny);

        for (const char* kernel : {"cpu, invariant", "cpu, variant1"}) {
            double paper = 0;
            double printed = 0;
            int columns = 0;
            for (const Comparison& c : report.comparisons) {
                const QString quantity = QString::fromStdString(c.quantity);
                if (!quantity.startsWith(kernel) || !quantity.endsWith("20 iterations")) {
                    continue;
                }
                const bool total = quantity.contains("total");
                (total ? printed : paper) += std::stod(c.paper);
                columns += total ? 0 : 1;
            }
            QCOMPARE(columns, 8);
            // The paper's total holds reading the data, too: 70 s of 312 and 446.
            QVERIFY(paper < printed && paper > 0.75 * printed);
        }
    }

    void stagesAreAPartOfTheirIteration() {
        const ExperimentReport report = run("ha-table3", ExperimentSize::Tiny);

        for (std::size_t row = 0; row < report.data.rows.size(); ++row) {
            double sum = 0;
            // Behind the time of the tables, which are made before.
            for (std::size_t column = 4; column < report.data.columns.size(); ++column) {
                sum += std::get<double>(report.data.rows[row][column]);
            }
            QVERIFY(sum > 0 && sum <= number(report, row, "seconds_per_iteration") * 1.001);
        }
    }

    void replicatesAreComparedAtTheNoiseOfTheOther() {
        // Straight curves: in iteration i noise n i and contrast c i.
        const auto straight = [](double n, double c) {
            std::vector<Figures> figures(4);
            for (int i = 0; i < 4; ++i) {
                figures[static_cast<std::size_t>(i)].iteration = i + 1;
                figures[static_cast<std::size_t>(i)].noise = n * (i + 1);
                figures[static_cast<std::size_t>(i)].crc = c * (i + 1);
            }
            return figures;
        };
        CrcCurve one{"one", "cpu", "variant3", 26};
        CrcCurve other{"other", "cpu", "invariant", 22};
        other.run.figures = straight(0.02, 0.1);
        other.replicates = {straight(0.03, 0.1)};
        one.replicates = {straight(0.025, 0.1)};

        const double found = differenceOfReplicate(one, other, 0, 0.05);

        // The other takes 2.5 iterations to 0.05; its replicate has 0.075 and 0.25 then, where the one's has
        // 0.3, after three.
        QVERIFY2(std::abs(found - 0.05) < 1e-12, qPrintable(QString::number(found)));
    }

    void anUnknownNameIsAnsweredWithTheNearest() {
        try {
            static_cast<void>(findExperiment("panel-fgs"));
            QFAIL("nothing was thrown");
        } catch (const WrongUse& fault) {
            QVERIFY(std::string(fault.what()).find("did you mean 'panel-figs'") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(ExperimentTest)

}  // namespace experiment_test
#include "experiment_test.moc"
