// SPDX-License-Identifier: Apache-2.0
// The papers' tables and figures in the quick size: which checks hold, and which stay red for what reason.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <any>
#include <map>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/data/histo_data.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/registry.h"
#include "recon/io/hdf5/hdf5_format.h"

using namespace tof;

namespace {

/// What is red, and why: a check that is not named here must hold.
struct Red {
    const char* experiment;
    const char* check;
};
constexpr Red kRed[] = {
    // A kernel made to sum to one again after a cut at 3 sigma is 3.0 % too high at its peak.
    {"ha-fig5", "largest difference of both, wrapped tails set aside"},
    // exp(-9/2) is 1.11 %.
    {"ha-fig5", "step where the kernel is cut"},
};

bool isRed(const std::string& experiment, const std::string& check) {
    return std::any_of(std::begin(kRed), std::end(kRed),
                       [&](const Red& red) { return red.experiment == experiment && red.check == check; });
}

}  // namespace

class PaperChecksTest : public QObject {
    Q_OBJECT

  private slots:
    void checksOfTheQuickSize_data() {
        QTest::addColumn<QString>("name");
        // Those whose checks are times on this machine are left out: a busy one would fail them.
        for (const char* const name :
             {"ha-fig1", "ha-fig5", "ha-fig6", "ha-fig7", "ha-fig8", "ha-fig9", "ha-fig10", "cache-fig5",
              "belzunce-tables", "belzunce-figs", "panel-figs", "beyond"}) {
            QTest::newRow(name) << QString(name);
        }
    }

    void checksOfTheQuickSize() {
        QFETCH(QString, name);
        if ((name == "panel-figs" || name == "beyond") && qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("takes a minute or two; TOFSCOPE_FULL=1 runs it");
        }
        const EngineRegistry engines = makeEngineRegistry();
        const Experiment& experiment = findExperiment(name.toStdString());
        ExperimentContext context{engines, ExperimentSize::Quick, "cpu", 0,
                                  [](const std::string&, double) {}};
        context.kept = kept_;

        const ExperimentReport report = runExperiment(experiment, context);

        if (!report.skipped.empty()) {
            QSKIP(report.skipped.c_str());
        }
        QVERIFY(!report.checks.empty());
        for (const Check& check : report.checks) {
            const QString found = QString("%1: %2 (%3)")
                                      .arg(QString::fromStdString(check.name))
                                      .arg(check.value)
                                      .arg(QString::fromStdString(check.condition()));
            QVERIFY2(!check.name.empty() && !check.source.empty(), qPrintable(found));
            if (isRed(experiment.name, check.name)) {
                QVERIFY2(check.verdict() == Verdict::Failed && !check.remark.empty(), qPrintable(found));
            } else {
                QVERIFY2(check.verdict() != Verdict::Failed, qPrintable(found));
            }
            QVERIFY2(check.verdict() != Verdict::Skipped || !check.missing.empty(), qPrintable(found));
        }
    }

    void onesOwnDataTakeThePlaceOfThePapers() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("mine.h5").toStdString();
        HistoData data;
        data.lattice = Lattice::centred({12, 10, 4}, {16, 16, 16});
        data.views = ViewGrid(4, 1, 10 * kRadPerDeg).views();
        data.counts.assign(data.views.size() * data.voxels(), 1.0F);
        writeMeasured(path, MeasuredData(std::move(data)));
        const EngineRegistry engines = makeEngineRegistry();
        ExperimentContext context{engines, ExperimentSize::Tiny, "cpu", 1, [](const std::string&, double) {}};
        context.dataFile = path;

        const ExperimentReport report = runExperiment(findExperiment("ha-table4"), context);

        QVERIFY2(report.conditions.find("12 x 10 x 4") != std::string::npos, report.conditions.c_str());
        QVERIFY(report.conditions.find("4 views") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(WrongUse,
                                 static_cast<void>(runExperiment(findExperiment("ha-fig8"), context)));
        QVERIFY_THROWS_EXCEPTION(WrongUse,
                                 static_cast<void>(runExperiment(findExperiment("panel-figs"), context)));
        // Nothing says where their spheres are.
        QVERIFY_THROWS_EXCEPTION(WrongUse,
                                 static_cast<void>(runExperiment(findExperiment("ha-fig9"), context)));
    }

    void aReportSaysWhereAndWithWhatItWasMade() {
        const EngineRegistry engines = makeEngineRegistry();
        const ExperimentContext context{engines, ExperimentSize::Tiny, "cpu", 1,
                                        [](const std::string&, double) {}};

        const Provenance made = runExperiment(findExperiment("ha-fig8"), context).made;

        QVERIFY(!made.date.empty() && !made.version.empty() && !made.machine.empty());
        QCOMPARE(made.engines.size(), engines.names().size());
        QCOMPARE(made.size, std::string("tiny"));
        QVERIFY(made.seconds >= 0);
    }

  private:
    /// What two figures need is made once.
    std::shared_ptr<std::map<std::string, std::any>> kept_ =
        std::make_shared<std::map<std::string, std::any>>();
};

QTEST_APPLESS_MAIN(PaperChecksTest)
#include "paper_checks_test.moc"
