// SPDX-License-Identifier: Apache-2.0
// List-mode in the window: what was asked for, remembered, and done.
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/engines.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/line_model.h"
#include "ui/desk/desk.h"
#include "ui/desk/list_binning.h"

namespace list_binning_test {

using namespace tof;
using namespace tof::ui;

class ListBinningTest : public QObject {
    Q_OBJECT

  private slots:
    void theUsualBoxHasTheVoxelThatIsAskedFor() {
        ListBinning binning;
        QVERIFY(*binning.requestFor("l.h5").lattice == usualLattice());
        binning.voxel_mm = 8;
        QVERIFY(*binning.requestFor("l.h5").lattice == Lattice::centred({72, 72, 24}, {8, 8, 8}));
        binning.grid = {10, 20, 30};
        QVERIFY(*binning.requestFor("l.h5").lattice == Lattice::centred({10, 20, 30}, {8, 8, 8}));
    }

    void linesKeepTheirOwnLatticeUntilOneIsChosen() {
        ListBinning binning;
        binning.form = "lors";
        QVERIFY(!binning.requestFor("l.h5").lattice);
        binning.voxel_mm = 8;
        QVERIFY(binning.requestFor("l.h5").lattice.has_value());
    }

    void whatWasAskedForIsRemembered() {
        ListBinning binning;
        binning.azimuths = 12;
        binning.form = "lors";
        binning.grid = {10, 20, 30};
        binning.scanner = "ge-ste";
        binning.mu = "/data/mu.nii";
        binning.corrections = "c.h5";
        binning.randoms = Randoms::None;
        binning.times = Times::Reversed;
        binning.partial = true;
        binning.trilinear = true;
        binning.endPoints = EndPoints::Centre;
        binning.segments = 3;
        binning.muUnits = MuUnits::Hounsfield;
        binning.sinograms.acf = {"a.hs", "b.hs"};
        binning.sinograms.add = {"s.hs"};
        binning.sinograms.read.multiplicity = Multiplicity::No;
        binning.sinograms.read.frame = 2;

        const auto back = binningFromJson(binningToJson(binning));

        QVERIFY(back.has_value());
        QVERIFY(binningToJson(*back) == binningToJson(binning));
        QCOMPARE(back->azimuths, 12);
        QVERIFY(back->form == "lors" && back->times == Times::Reversed);
        QVERIFY(back->randoms == Randoms::None && back->partial && back->grid == binning.grid);
        QVERIFY(back->trilinear && back->segments == 3 && back->endPoints == EndPoints::Centre);
        QCOMPARE(back->mu, binning.mu);
        QVERIFY(back->muUnits == MuUnits::Hounsfield && back->sinograms.acf == binning.sinograms.acf);
        QVERIFY(back->sinograms.read.multiplicity == Multiplicity::No && back->sinograms.read.frame == 2);
        QVERIFY(back->sinograms.add == binning.sinograms.add && back->sinograms.norm.empty());
    }

    /// As the command's --grid, --voxel and --corrections do with sinograms of STIR.
    void sinogramsOfOthersTakeImageAndCorrections() {
        ListBinning binning;
        binning.corrections = "c.h5";
        QVERIFY(!binning.requestFor("s.hs").sinograms.size &&
                !binning.requestFor("s.hs").sinograms.spacing_mm);
        binning.grid = {10, 20, 30};
        binning.voxel_mm = 2;
        const SinogramImport import = binning.requestFor("s.hs").sinograms;
        QVERIFY(import.size == binning.grid && (*import.spacing_mm)[2] == 2);
        QCOMPARE(import.corrections, std::string("c.h5"));
    }

    /// Sessions of earlier versions have these four alone, and the usual binning still writes no more.
    void theUsualBinningIsWrittenAsBefore() {
        QCOMPARE(binningToJson(ListBinning()).dump(),
                 std::string(R"({"azimuths":40,"partial":false,"tilts":3,"voxel_mm":4.0})"));
        QVERIFY(!binningFromJson(nlohmann::json::object()).has_value());
    }

    /// As the command does with --to lors --mu none.
    void theWindowOpensListModeAsLines() {
        QTemporaryDir folder;
        const QString list = folder.filePath("list.h5");
        writeEvents(list.toStdString(), simulate(Scanner::find("labr3-ideal"), Phantom::find("spheres"),
                                                 {.events = 3000, .seed = 1}, ThreadPool(2), {}));
        const EngineRegistry engines = makeEngineRegistry();
        Desk desk(engines, Threading::Inline);
        ListBinning binning;
        binning.form = "lors";
        binning.mu = "none";

        desk.openList(list, binning);

        QTRY_VERIFY(desk.study().measurement() != nullptr);
        QCOMPARE(desk.study().measurement()->system(), std::string(LineModel::kSystem));
        QVERIFY(!desk.study().measurement()->hash().empty());
    }
};

QTEST_MAIN(ListBinningTest)

}  // namespace list_binning_test
#include "list_binning_test.moc"
