// SPDX-License-Identifier: Apache-2.0
// The papers' tables and figures in the quick size: which checks hold, and which stay red for what reason.
// Those that take a minute have programs of their own.
#include <QTemporaryDir>
#include <QTest>
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
#include "recon/io/hdf5/data_io.h"
#include "tests/recon/experiment/quick_checks.h"

namespace paper_checks_test {

using namespace tof;
using namespace tof::test;

class PaperChecksTest : public QObject {
    Q_OBJECT

  private slots:
    void checksOfTheQuickSize_data() {
        QTest::addColumn<QString>("name");
        // Those whose checks are times on this machine are left out: a busy one would fail them.
        for (const char* const name : kOfPapers) {
            QTest::newRow(name) << QString(name);
        }
    }

    void checksOfTheQuickSize() {
        QFETCH(QString, name);
        checkQuick(name.toStdString(), kept_);
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
        QVERIFY(made.seconds > 0);
    }

  private:
    /// What two figures need is made once.
    KeptOfExperiments kept_ = std::make_shared<std::map<std::string, std::any>>();
};

QTEST_APPLESS_MAIN(PaperChecksTest)

}  // namespace paper_checks_test
#include "paper_checks_test.moc"
