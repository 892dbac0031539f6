// SPDX-License-Identifier: Apache-2.0
// A form of data that only this test knows is binned, planned, told and corrected as the product's own are.
#include <QTemporaryDir>
#include <QTest>

#include "recon/io/hdf5/data_io.h"
#include "recon/work/bin.h"
#include "recon/work/correct.h"
#include "recon/work/open.h"
#include "recon/work/rank_plan.h"
#include "tests/support/silent_progress.h"
#include "tests/support/toy_form.h"

namespace toy_form_test {

using namespace tof;
using namespace tof::test;

class ToyFormTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        EventList events;
        for (std::uint32_t i = 0; i < 60; ++i) {
            events.crystals.push_back({i, 100});
        }
        events.scannerJson = Scanner::find("labr3-ideal").toJson();
        request_.input = folder_.filePath("list.h5").toStdString();
        request_.form = "toy";
        writeEvents(request_.input, events);
    }

    void aListIsBinnedAndTold() {
        const BinResult result = binEvents(request_, pool_, progress_, forms_);

        QCOMPARE(toyCounts(result.data).counts, std::vector<float>(6, 10.0F));
        QCOMPARE(forms_.named("toy").json(result.data).at("toys").get<int>(), 6);
        QCOMPARE(forms_.named("toy").sentence(result.data), std::string("6 bins of toys"));
    }

    void openingGivesWhatIsPlannedAndLookedAt() {
        const Opened opened = openPath(request_.input, request_, pool_, progress_, {}, forms_);

        QVERIFY(opened.data != nullptr);
        QCOMPARE(opened.data->events().kept, 60.0);
        QCOMPARE(forms_.of(*opened.data), &forms_.named("toy"));
        const PlannedRun run = plannedRun(*opened.data, forms_);
        QCOMPARE(run.views, std::size_t{3});
        QCOMPARE(run.lines, 6.0);
    }

    void itsPartIsSwitched() {
        PartedCorrections data{"toy", binEvents(request_, pool_, progress_, forms_).data, {}};
        CorrectRequest request;
        request.switches.attenuation = false;
        static_cast<void>(correctData(data, "toys", request, pool_, progress_, {}, forms_));
        QVERIFY(toyCounts(data.data).factors.empty());

        request.switches.attenuation = true;
        static_cast<void>(correctData(data, "toys", request, pool_, progress_, {}, forms_));
        QCOMPARE(toyCounts(data.data).factors, std::vector<float>(6, 0.5F));
    }

    void theProductAloneRefusesIt() {
        try {
            (void)binEvents(request_, pool_, progress_);
            QFAIL("nothing was thrown");
        } catch (const WrongUse& fault) {
            QVERIFY(QString(fault.what()).contains("'toy'"));
        }
    }

  private:
    QTemporaryDir folder_;
    const FormTable forms_ = formsWithToys();
    const ThreadPool pool_{2};
    SilentProgress progress_;
    BinRequest request_;
};

QTEST_APPLESS_MAIN(ToyFormTest)

}  // namespace toy_form_test
#include "toy_form_test.moc"
