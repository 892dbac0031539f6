// SPDX-License-Identifier: Apache-2.0
// The preference "Units shown": wherever a value of an image is written, value and unit change together.
#include "ui/desk/display_unit.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/desk/roi_quantity.h"
#include "ui/kit/basic.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/figures_panel.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/script.h"

namespace display_unit_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr double kPerMl = 1000.0 / (4 * 4 * 4);  ///< voxels of 4 mm in a millilitre
constexpr double kSeconds = 20;

/// 30 x 20 x 10 voxels of 4 mm that hold `value`, with a brighter one at the middle.
Volume box(float value, const std::string& units = "emissions/voxel") {
    Volume volume(Lattice::centred({31, 21, 11}, {4, 4, 4}), value);
    volume.at(15, 10, 5) = 2 * value;
    volume.units = units;
    return volume;
}

/// Bq/ml at the start of 20 s for an annihilation in a voxel of fluorine-18: 0.969 positrons per decay, and
/// the scan takes 1/329 of a half life.
double becquerelPerStored() {
    const double x = std::log(2.0) * kSeconds / 6586.2;
    return kPerMl / kSeconds / 0.969 * (x / (1 - std::exp(-x)));
}

double cell(const QString& tsv, int row, const QString& column) {
    const QStringList lines = tsv.split('\n');
    const QStringList head = lines[0].split('\t');
    for (int i = 0; i < head.size(); ++i) {
        if (head[i].startsWith(column)) {
            return lines[row].split('\t')[i].toDouble();
        }
    }
    return std::nan("");
}

}  // namespace

class DisplayUnitTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        HistoData data = test::smallData(4);
        data.duration_s = kSeconds;
        writeData(file("timed.h5"), data);
        data.duration_s = 0;
        writeData(file("untimed.h5"), data);
        writeVolume(file("ten.h5"), box(10));
        writeVolume(file("six.h5"), box(6));
        writeVolume(file("other.h5"), box(3, "relative emissions/mm3"));
    }

  private Q_SLOTS:
    void onlyEmissionsPerVoxelAreConverted_data() {
        QTest::addColumn<QString>("units");
        QTest::addColumn<double>("duration_s");
        QTest::addColumn<QString>("choice");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("name");
        const QString stored = "emissions/voxel";
        QTest::newRow("as stored") << stored << 20.0 << "voxel" << 1.0 << stored;
        QTest::newRow("per ml") << stored << 20.0 << "ml" << kPerMl << "emissions/ml";
        QTest::newRow("becquerel") << stored << kSeconds << "becquerel" << becquerelPerStored() << "Bq/ml";
        QTest::newRow("duration not known") << stored << 0.0 << "becquerel" << kPerMl << "emissions/ml";
        QTest::newRow("another unit") << "1/mm" << 20.0 << "becquerel" << 1.0 << "1/mm";
        QTest::newRow("no unit") << "" << 20.0 << "ml" << 1.0 << "";
        QTest::newRow("counts of a view") << "events/voxel" << 20.0 << "ml" << 1.0 << "events/voxel";
    }

    void onlyEmissionsPerVoxelAreConverted() {
        QFETCH(QString, units);
        QFETCH(double, duration_s);
        QFETCH(QString, choice);
        const Lattice lattice = Lattice::centred({8, 8, 8}, {4, 4, 4});

        const DisplayUnit unit = displayUnit(units, lattice, duration_s, unitsShownFromName(choice));

        QFETCH(double, factor);
        QVERIFY(std::abs(unit.factor / factor - 1) < 1e-9);
        QTEST(unit.name, "name");
        QCOMPARE(unit.stored(unit.shown(3)), 3.0);
    }

    /// Images of lines whose efficiencies nobody knows.
    void countsPerMmAreNoBecquerel() {
        const Lattice lattice = Lattice::centred({4, 4, 4}, {2, 2, 2});
        for (const UnitsShown shown : {UnitsShown::PerVoxel, UnitsShown::PerMl, UnitsShown::Becquerel}) {
            QCOMPARE(displayUnit(kCountsPerMm, lattice, 100, shown).name, QString("counts/mm"));
            QCOMPARE(displayUnit(kCountsPerMm, lattice, 100, shown).factor, 1.0);
        }
    }

    void unknownNamesAreRefused() {
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(unitsShownFromName("SUV")));
    }

    void everyReadOutChangesValueAndUnitTogether_data() {
        QTest::addColumn<QString>("choice");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("unit");
        QTest::newRow("voxel") << "voxel" << 1.0 << "emissions/voxel";
        QTest::newRow("ml") << "ml" << kPerMl << "emissions/ml";
        // Opened volumes say nothing of a duration.
        QTest::newRow("becquerel") << "becquerel" << kPerMl << "emissions/ml";
    }

    void everyReadOutChangesValueAndUnitTogether() {
        QFETCH(QString, choice);
        QFETCH(double, factor);
        QFETCH(QString, unit);
        openBoth("ten.h5", "six.h5");
        desk_->runs().select(desk_->runs().items()[0]->id());
        desk_->view().setCursor({0, 0, 0});
        desk_->view().setRange({0, 16});
        addSphere();

        prefer(choice);

        // Colour bar and numbers beside it.
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        static_cast<void>(pane->grab());
        const auto bar = pane->colourBarText();
        QCOMPARE(bar[0], compactNumber(16 * factor, 3));
        QCOMPARE(bar[1], compactNumber(8 * factor, 3));
        QCOMPARE(bar[3], unit);
        QCOMPARE(field("view.high")->text(), compactNumber(16 * factor, 4));
        // The line of values: 20 and 12 at the cursor.
        const QString probe = window_->viewer().probe()->text();
        QVERIFY2(probe.contains("A " + compactNumber(20 * factor, 4) + " " + unit), qPrintable(probe));
        QVERIFY2(probe.contains("B " + compactNumber(12 * factor, 4)), qPrintable(probe));
        QVERIFY2(probe.contains("A - B " + compactNumber(8 * factor, 4)), qPrintable(probe));
        // Profile, and its file.
        const auto curves = window_->viewer().profile()->curves();
        QCOMPARE(curves[0].unit, unit);
        QCOMPARE(curves[0].profile.value[15], 20 * factor);
        const QStringList csv = window_->viewer().profile()->toCsv().split('\n');
        QCOMPARE(csv[0], QString("x_mm,A ten (%1),B six (%1)").arg(unit));
        QCOMPARE(csv[1].split(',')[1].toDouble(), 10 * factor);
        // ROIs: four columns in units, sums stay counts.
        const QString table = window_->figuresPanel().roiTable();
        QVERIFY2(table.contains("mean, " + unit), qPrintable(table));
        const double mean = cell(table, 1, "mean");
        QVERIFY(std::abs(cell(table, 1, "min") - 10 * factor) < 1e-6 * factor);
        QVERIFY(std::abs(cell(table, 1, "max") - 20 * factor) < 1e-6 * factor);
        QVERIFY(std::abs(cell(table, 1, "emissions") - mean / factor * cell(table, 1, "voxels")) < 1e-4);
        QVERIFY(std::abs(cell(table, 1, "SD, %") - 100 * cell(table, 1, "SD, " + unit) / mean) < 1e-6);
        auto* small = window_->findChild<QTableWidget*>("rois.table");
        QCOMPARE(small->item(0, 1)->text(), mean >= 100 ? numberText(mean, 0) : compactNumber(mean, 4));
        QVERIFY(exportHeader(desk_->study(), desk_->runs(), desk_->screen()).contains("values in " + unit));
    }

    void theDifferenceIsInTheSameUnit() {
        openBoth("ten.h5", "six.h5");
        prefer("ml");
        window_->commands().trigger("page.compare");
        ComparePage& page = window_->comparePage();
        QVERIFY(until([&] { return page.model().difference() != nullptr; }));
        page.model().setLimit(8);
        window_->refreshNow();

        // 20 - 12 at the middle, 10 - 6 elsewhere.
        const QString figures = page.figuresText();
        QVERIFY2(figures.contains("\t" + compactNumber(8 * kPerMl, 4) + "\t"), qPrintable(figures));
        QVERIFY2(figures.contains("emissions/ml") && !figures.contains("voxel"), qPrintable(figures));
        static_cast<void>(page.grab());
        const auto bar = page.pane(2, Plane::Transverse)->colourBarText();
        QCOMPARE(bar[0], compactNumber(8 * kPerMl, 3));
        QCOMPARE(bar[2], compactNumber(-8 * kPerMl, 3));
        QCOMPARE(bar[3], QString("emissions/ml"));
        QCOMPARE(field("compare.limit")->text(), compactNumber(8 * kPerMl, 3));
        type(field("compare.limit"), QString::number(2 * kPerMl));
        QCOMPARE(page.model().limit(), 2.0);
        QCOMPARE(page.differenceProfile()->curves()[0].profile.value[15], 8 * kPerMl);
    }

    void imagesInDifferentUnitsAreNotSubtractedUnderOneName() {
        openBoth("ten.h5", "other.h5");
        prefer("ml");
        window_->commands().trigger("page.compare");
        ComparePage& page = window_->comparePage();
        QVERIFY(until([&] { return page.model().difference() != nullptr; }));

        const QString figures = page.figuresText();
        QVERIFY2(figures.contains("emissions/voxel - relative emissions/mm3"), qPrintable(figures));
        QVERIFY(!window_->viewer().probe()->text().contains("A - B"));
    }

    void typedRangesAreInTheUnitShown() {
        openBoth("ten.h5", "six.h5");
        prefer("ml");

        type(field("view.high"), "500");

        QCOMPARE(desk_->view().range().high, 500 / kPerMl);
        QCOMPARE(desk_->view().shownRange().high, 500.0);
    }

    void coloursStayWhenTheUnitChanges() {
        openBoth("ten.h5", "six.h5");
        desk_->view().setRange({2, 18});
        window_->refreshNow();
        const QImage before = window_->viewer().pane(Plane::Transverse)->picture();

        prefer("ml");

        QCOMPARE(desk_->view().range(), (DisplayRange{2, 18}));
        QCOMPARE(window_->viewer().pane(Plane::Transverse)->picture(), before);
    }

    void valuesStayWhenTheVoxelsChange() {
        Volume fine(Lattice::centred({31, 21, 11}, {2, 2, 2}), 1.25F);  // 10 in a voxel of 4 mm
        fine.units = "emissions/voxel";
        writeVolume(file("fine.h5"), fine);
        openBoth("ten.h5", "fine.h5");
        prefer("ml");
        desk_->runs().select(desk_->runs().items()[0]->id());
        window_->refreshNow();
        desk_->view().setRange({0, 16});

        desk_->runs().select(desk_->runs().items()[1]->id());
        window_->refreshNow();

        QCOMPARE(desk_->view().range().high, 2.0);
        QCOMPARE(desk_->view().shownRange().high, 16 * kPerMl);
    }

    void runsOfTimedDataAreShownInBecquerel_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("unit");
        QTest::newRow("timed") << "timed.h5" << becquerelPerStored() << "Bq/ml";
        QTest::newRow("untimed") << "untimed.h5" << kPerMl << "emissions/ml";
    }

    void runsOfTimedDataAreShownInBecquerel() {
        QFETCH(QString, data);
        QFETCH(double, factor);
        QFETCH(QString, unit);
        open(QString::fromStdString(file(data)));
        reconstruct(1);

        prefer("becquerel");

        QCOMPARE(desk_->view().unit().name, unit);
        QCOMPARE(desk_->view().unit().factor, factor);
        // A mean over iterates is converted as the table is.
        desk_->view().selectRoi(0);
        window_->commands().trigger("curve.roi-mean");
        window_->refreshNow();
        const auto points = window_->figuresPanel().chart()->points();
        QVERIFY(!points.empty());
        const Figures figures = desk_->screen().figures();
        QCOMPARE(points[0].y, figures.rois[0].statistics.mean * factor);
        QVERIFY(window_->figuresPanel().chart()->toCsv().contains(unit));
    }

    void withoutADurationForAllNothingIsInBecquerel() {
        open(QString::fromStdString(file("timed.h5")));
        reconstruct(1);
        prefer("becquerel");
        QCOMPARE(desk_->screen().unitOf(*desk_->runs().items()[0]).name, QString("Bq/ml"));

        open(QString::fromStdString(file("ten.h5")));

        for (const auto& item : desk_->runs().items()) {
            QCOMPARE(desk_->screen().unitOf(*item).name, QString("emissions/ml"));
        }
    }

  private:
    [[nodiscard]] std::string file(const QString& name) const { return folder_.filePath(name).toStdString(); }
    void openBoth(const QString& a, const QString& b) {
        desk_->open({folder_.filePath(a), folder_.filePath(b)});
        QVERIFY(until([&] { return !desk_->tasks().busy() && desk_->runs().items().size() == 2; }));
        desk_->runs().select(desk_->runs().items()[0]->id());
        window_->refreshNow();
    }
    void addSphere() {
        Roi roi;
        roi.name = "ball";
        roi.shape = Roi::Shape::Sphere;
        roi.radius_mm = 10;
        desk_->rois().add({roi}, "Add");
        window_->refreshNow();
    }
    void prefer(const QString& units) {
        window_->commands().trigger("edit.preferences");
        auto* dialog = window_->findChild<PreferencesDialog*>();
        auto* box = dialog->findChild<QComboBox*>("preference.units");
        box->setCurrentIndex(box->findData(units));
        Q_EMIT box->activated(box->currentIndex());
        delete dialog;
        desk_->runs().flush();
        desk_->view().flush();
        window_->refreshNow();
    }
    [[nodiscard]] QLineEdit* field(const QString& name) const { return window_->findChild<QLineEdit*>(name); }
    static void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
};

QTEST_MAIN(DisplayUnitTest)

}  // namespace display_unit_test
#include "display_unit_test.moc"
