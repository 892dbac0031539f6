// SPDX-License-Identifier: Apache-2.0
// Display ranges that the user gives names to, in the real window and over a restart.
#include <QInputDialog>
#include <QTest>
#include <QTimer>

#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"

namespace own_ranges_test {

using namespace tof;
using namespace tof::ui;

namespace {

Volume valuesIn(const char* units) {
    Volume volume(Lattice::centred({20, 20, 10}, {4, 4, 4}), 50.0F);
    volume.units = units;
    return volume;
}

/// Answers the next dialog: a text that is typed, or the item of a list; empty: Cancel.
void answer(const QString& with) {
    QTimer::singleShot(0, qApp, [with] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        dialog->setTextValue(with);
        with.isEmpty() ? dialog->reject() : dialog->accept();
    });
}

}  // namespace

class OwnRangesTest : public QObject {
    Q_OBJECT

  private slots:
    void aRangeIsNamedUsedKeptAndForgotten() {
        QTemporaryDir folder;
        const QString ct = folder.filePath("ct.h5");
        const QString pet = folder.filePath("pet.h5");
        writeVolume(ct.toStdString(), valuesIn("HU"));
        writeVolume(pet.toStdString(), valuesIn("Bq/ml"));
        const test::WindowSetup setup{.preferencesFile = folder.filePath("preferences.ini")};
        const EngineRegistry engines = makeEngineRegistry();
        {
            test::Program program(engines, setup);
            program.open({ct});
            CommandRegistry& commands = program.window.commands();
            QVERIFY(!commands.trigger("range.own"));  // there is none
            program.desk.view().setRange({-20, 120});
            answer("liver");
            QVERIFY(commands.trigger("range.save"));
            answer("");
            QVERIFY(commands.trigger("range.save"));  // cancelled: nothing comes
        }
        test::Program program(engines, setup);
        program.open({ct});
        CommandRegistry& commands = program.window.commands();
        program.desk.view().setRange({0, 10});

        answer("liver");
        QVERIFY(commands.trigger("range.own"));

        QCOMPARE(program.desk.view().range(), (DisplayRange{-20, 120}));
        program.open({pet});
        program.window.refreshNow();
        QVERIFY(!commands.trigger("range.own"));  // another unit
        program.desk.runs().select(program.desk.runs().items().front()->id());
        program.window.refreshNow();
        answer("liver");
        QVERIFY(commands.trigger("range.forget"));
        QVERIFY(!commands.trigger("range.own"));
    }
};

QTEST_MAIN(OwnRangesTest)

}  // namespace own_ranges_test
#include "own_ranges_test.moc"
