// SPDX-License-Identifier: Apache-2.0
// A form of data that only this test knows is opened, spoken of on the Data page and offered for correction.
#include <QTemporaryDir>
#include <QTest>

#include "app/engines.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/support/toy_form.h"
#include "tests/ui/fixture.h"
#include "ui/desk/correct_data.h"
#include "ui/pages/data_model.h"

namespace toy_form_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class ToyFormPageTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        EventList events;
        for (std::uint32_t i = 0; i < 60; ++i) {
            events.crystals.push_back({i, 100});
        }
        events.scannerJson = Scanner::find("labr3-ideal").toJson();
        const QString list = folder_.filePath("list.h5");
        writeEvents(list.toStdString(), events);
        ListBinning binning;
        binning.form = "toy";
        desk_.setForms(test::formsWithToys());
        desk_.openList(list, binning);
        QVERIFY(until([&] { return desk_.study().measurement() != nullptr && !desk_.busy(); }));
    }

    void theDataPageSpeaksOfItsViews() {
        DataModel model(engines_, desk_.runs(), Threading::Inline);
        model.setOpen(desk_.study().measurement(), desk_.study().form());
        model.refresh();

        const DataWords words = model.words();
        QCOMPARE(words.first, QString("Shelf"));
        QCOMPARE(words.firstText(model.first(), 1), QString("2 of 3"));
        QCOMPARE(words.secondText(model.second(), 0), QString("the only one"));
        QCOMPARE(words.csvHead, QString("shelf,box"));
        QCOMPARE(model.totals(), (std::vector<double>{20, 20, 20}));
    }

    void itsPartIsOfferedWithItsSwitch() {
        QVERIFY2(whyNotCorrect(desk_).isEmpty(), qPrintable(whyNotCorrect(desk_)));
        const CorrectionStates states = correctionStates(desk_);

        QCOMPARE(states.parts.size(), std::size_t{1});
        const CorrectionState& survival = states.of(PartName::Attenuation);
        QVERIFY(survival.there && survival.on && survival.kept && survival.whyNot.isEmpty());
    }

  private:
    const EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    Desk desk_{engines_, Threading::Inline};
};

QTEST_MAIN(ToyFormPageTest)

}  // namespace toy_form_test
#include "toy_form_test.moc"
