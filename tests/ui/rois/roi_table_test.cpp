// SPDX-License-Identifier: Apache-2.0
// The tables of ROIs in the real window: whole headers and numbers, sorting, keys, copies.
#include <QAction>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/kit/theme.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/main_window.h"

namespace roi_table_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class RoiTableTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

    void begin() override {
        open(dataFile_);
        reconstruct(2);
        QVERIFY(window_->commands().trigger("chart.rois"));
        window_->refreshNow();
        QApplication::processEvents();
    }

  private slots:
    void headersAndNumbersAreWhole_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1100 x 720") << QSize(1100, 720);
        QTest::newRow("1366 x 768") << QSize(1366, 768);
        QTest::newRow("1600 x 1000") << QSize(1600, 1000);
    }

    void headersAndNumbersAreWhole() {
        QFETCH(QSize, size);
        window_->resize(size);
        QApplication::processEvents();
        const RoiTable& all = *window_->viewer().roiTable();
        const auto& few = *window_->findChild<QTableWidget*>("rois.table");

        for (const QTableWidget* table : {static_cast<const QTableWidget*>(&all), &few}) {
            const QHeaderView& header = *table->horizontalHeader();
            for (int c = 0; c < table->columnCount(); ++c) {
                if (table->isColumnHidden(c)) {
                    continue;
                }
                const QString title = table->horizontalHeaderItem(c)->text();
                // The style sheet writes titles in the small font, 7 px from both ends.
                QVERIFY2(header.sectionSize(c) >= QFontMetrics(smallFont()).horizontalAdvance(title) + 14,
                         qPrintable(title));
                for (int row = 0; row < table->rowCount(); ++row) {
                    const QModelIndex index = table->model()->index(row, c);
                    const int wanted = table->itemDelegate()->sizeHint({}, index).width();
                    QVERIFY2(table->columnWidth(c) >= wanted,
                             qPrintable(title + " " + index.data().toString()));
                }
            }
        }
        if (size.width() == 1600) {
            QVERIFY(all.horizontalHeader()->length() <= all.viewport()->width());  // nothing to scroll
        }
    }

    void largeNumbersPutTheirPowerIntoTheTitle() {
        RoiTable& table = *window_->viewer().roiTable();
        const auto& item = desk_->runs().selected();
        auto large = std::make_shared<Volume>(*item->volume());
        for (float& v : large->data) {
            v *= -1e9F;  // "-1.23e+12"
        }
        item->addImage(item->shownIterate(), large);
        item->setFigures({}, 0);
        desk_->runs().touch();
        window_->refreshNow();
        QVERIFY(until([&] { return table.horizontalHeaderItem(kMean)->text().contains("10"); }));

        QVERIFY(!table.item(0, kMean)->text().contains('e'));
        const QModelIndex index = table.model()->index(0, kMean);
        QVERIFY(table.columnWidth(kMean) >= table.itemDelegate()->sizeHint({}, index).width());
        QVERIFY(table.horizontalHeader()->sectionSize(kMean) >=
                QFontMetrics(smallFont()).horizontalAdvance(table.horizontalHeaderItem(kMean)->text()) + 14);
    }

    void aClickOnAHeaderSorts() {
        RoiTable& table = *window_->viewer().roiTable();
        const auto means = [&] {
            std::vector<double> values;
            for (int row = 0; row < table.rowCount(); ++row) {
                values.push_back(desk_->screen()
                                     .figures()
                                     .rois[static_cast<std::size_t>(table.roiOfRow(row))]
                                     .statistics.mean);
            }
            return values;
        };

        clickHeader(table, kMean);
        const auto largestFirst = means();
        const QString first = table.item(0, 0)->text();
        clickHeader(table, kMean);
        const auto smallestFirst = means();
        clickHeader(table, kMean);

        QVERIFY(std::is_sorted(largestFirst.rbegin(), largestFirst.rend()));
        QVERIFY(std::is_sorted(smallestFirst.begin(), smallestFirst.end()));
        QCOMPARE(first, QString::fromStdString(
                            model().at(static_cast<int>(largest(*desk_->runs().selected())))->name));
        for (int row = 0; row < table.rowCount(); ++row) {
            QCOMPARE(table.roiOfRow(row), row);  // the third click: as in the study
        }
    }

    void whatHasNoValueComesLastEitherWay() {
        RoiTable& table = *window_->viewer().roiTable();
        const int crc = columnOf(RoiQuantity::Kind::Crc);
        const int spheres =
            static_cast<int>(std::count_if(model().rois().begin(), model().rois().end(),
                                           [](const Roi& r) { return r.role == Roi::Role::Sphere; }));

        for (int clicks = 0; clicks < 2; ++clicks) {
            clickHeader(table, crc);
            for (int row = 0; row < table.rowCount(); ++row) {
                const bool sphere = model().at(table.roiOfRow(row))->role == Roi::Role::Sphere;
                QCOMPARE(sphere, row < spheres);
            }
        }
    }

    void namesSortByTheirNumbers() {
        RoiTable& table = *window_->viewer().roiTable();
        Roi ten = *model().at(0);
        ten.name = "sphere 10";
        model().add({ten}, "Add");
        window_->refreshNow();

        clickHeader(table, 0);

        const auto rowOf = [&](const QString& name) {
            for (int row = 0; row < table.rowCount(); ++row) {
                if (table.item(row, 0)->text() == name) {
                    return row;
                }
            }
            return -1;
        };
        QCOMPARE(rowOf("sphere 10"), rowOf("sphere 6") + 1);
    }

    void aClickOnASortedRowSelectsItsRoi() {
        RoiTable& table = *window_->viewer().roiTable();
        clickHeader(table, kMean);
        const int roi = table.roiOfRow(3);
        QVERIFY(roi != 3);

        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(3, 1)).center());

        QCOMPARE(model().selected(), roi);
        QVERIFY(norm(desk_->view().cursor() - model().at(roi)->centre) < 1e-9);
        window_->refreshNow();
        QCOMPARE(table.currentRow(), 3);
    }

    void rowsStayWhereTheyAreDuringADrag() {
        RoiTable& table = *window_->viewer().roiTable();
        clickHeader(table, kMean);
        const int hottest = table.roiOfRow(0);
        Roi away = *model().at(hottest);
        away.centre = {0, 0, away.centre.z};

        model().beginDrag("Move");
        model().dragTo(hottest, away);
        model().flush();
        QCOMPARE(table.roiOfRow(0), hottest);
        model().endDrag();
        window_->refreshNow();

        QVERIFY(table.roiOfRow(0) != hottest);  // it lies in the background now
    }

    void arrowKeysChooseRows_data() {
        QTest::addColumn<QString>("table");
        QTest::newRow("all values") << "rois.all";
        QTest::newRow("panel") << "rois.table";
    }

    void arrowKeysChooseRows() {
        QFETCH(QString, table);
        auto& rows = *window_->findChild<KeyTable*>(table);
        desk_->view().selectRoi(0);
        window_->refreshNow();
        const int slice = desk_->view().sliceIndex(Plane::Transverse);
        rows.setFocus(Qt::TabFocusReason);

        QTest::keyClick(&rows, Qt::Key_Down);
        window_->refreshNow();
        QTest::keyClick(&rows, Qt::Key_Down);
        window_->refreshNow();
        QTest::keyClick(&rows, Qt::Key_Up);
        window_->refreshNow();

        QCOMPARE(model().selected(), 1);
        QVERIFY(norm(desk_->view().cursor() - model().at(1)->centre) < 1e-9);
        QCOMPARE(desk_->view().sliceIndex(Plane::Transverse), slice);  // not the key of the pictures
    }

    void theCopyKeyIsAboutTheTableThatWasClicked() {
        RoiTable& table = *window_->viewer().roiTable();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualItemRect(table.item(1, 0)).center());
        QApplication::clipboard()->clear();
        QTest::keyClick(window_->viewer().pane(Plane::Transverse), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith("ROI\tshape"));
        QTest::mouseClick(window_->viewer().pane(Plane::Transverse), Qt::LeftButton);
        QTest::keyClick(window_->viewer().pane(Plane::Transverse), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith("{") ||
                QApplication::clipboard()->text().startsWith("["));
    }

    void theCopyKeyTakesTheTableAndTheRoi_data() { arrowKeysChooseRows_data(); }

    void theCopyKeyTakesTheTableAndTheRoi() {
        QFETCH(QString, table);
        auto& rows = *window_->findChild<KeyTable*>(table);
        desk_->view().selectRoi(2);
        window_->refreshNow();
        const int count = model().count();
        rows.setFocus(Qt::TabFocusReason);

        QTest::keyClick(&rows, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QTest::keyClick(window_, Qt::Key_V, Qt::ControlModifier);

        QCOMPARE(lines.size(), count + 1);
        QVERIFY(lines[0].startsWith("ROI\tshape\trole\tmean, emissions/voxel"));
        QCOMPARE(lines[3].section('\t', 0, 0), QString::fromStdString(model().at(2)->name));
        QCOMPARE(model().count(), count + 1);
        QVERIFY(sameExtent(*model().at(count), *model().at(2)));
    }

    void aValueIsCopiedFromTheMenuOfItsCell_data() { arrowKeysChooseRows_data(); }

    void aValueIsCopiedFromTheMenuOfItsCell() {
        QFETCH(QString, table);
        auto& rows = *window_->findChild<KeyTable*>(table);
        const int column = table == "rois.all" ? kMean : 1;
        const QPoint at = rows.visualRect(rows.model()->index(1, column)).center();

        QContextMenuEvent event(QContextMenuEvent::Mouse, at, rows.viewport()->mapToGlobal(at));
        QApplication::sendEvent(rows.viewport(), &event);
        auto* menu = window_->findChild<QMenu*>("menu.roi");
        QVERIFY(menu != nullptr);
        const double mean = desk_->screen().figures().rois[1].statistics.mean;
        const QString text = QString::number(mean, 'g', 9);
        const auto actions = menu->actions();
        const auto copy = std::find_if(actions.begin(), actions.end(),
                                       [&](const QAction* a) { return a->text() == "Copy " + text; });
        QVERIFY(copy != actions.end());
        (*copy)->trigger();
        menu->close();

        QCOMPARE(QApplication::clipboard()->text(), text);
    }

    void theTableSaysItsUnitAndRule() {
        const QString caption = window_->viewer().roiTable()->caption();
        QVERIFY(caption.contains("values in emissions/voxel"));
        QVERIFY(caption.contains("SD (n"));
        QVERIFY(caption.contains("fraction inside"));
    }

    void theSessionKeepsOrderAndAxis() {
        RoiTable& table = *window_->viewer().roiTable();
        clickHeader(table, kMean);
        window_->commands().trigger("curve.log");
        const nlohmann::json kept = desk_->sessions().parts().toJson();
        table.sortBy({});
        window_->commands().trigger("curve.log");

        desk_->sessions().parts().restore(kept);

        QVERIFY((table.sorting() == RoiTable::Sorting{kMean, true}));
        QVERIFY(window_->figuresPanel().chart()->logarithmic());
    }

    void undoNamesWhatItTakesBack() {
        const QAction* undo = window_->commands().action("edit.undo");
        const QAction* redo = window_->commands().action("edit.redo");
        QCOMPARE(undo->text(), QString("Undo"));
        Roi roi = *model().at(0);
        roi.centre.x += 3;

        model().change(0, roi, "Move " + QString::fromStdString(roi.name));
        QCOMPARE(undo->text(), "Undo: Move " + QString::fromStdString(roi.name));
        model().flush();
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);

        QCOMPARE(undo->text(), QString("Undo"));
        QCOMPARE(redo->text(), "Redo: Move " + QString::fromStdString(roi.name));
    }

  private:
    static constexpr int kMean = 3;

    RoiModel& model() { return desk_->rois(); }

    static int columnOf(RoiQuantity::Kind kind) {
        const auto& all = roiQuantities();
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const RoiQuantity& q) { return q.kind == kind; });
        return 3 + static_cast<int>(at - all.begin());
    }

    std::size_t largest(const RunItem& item) {
        const auto rois = desk_->screen().figures(item).rois;
        return static_cast<std::size_t>(std::max_element(rois.begin(), rois.end(),
                                                         [](const RoiFigures& a, const RoiFigures& b) {
                                                             return a.statistics.mean < b.statistics.mean;
                                                         }) -
                                        rois.begin());
    }

    void clickHeader(RoiTable& table, int column) {
        QHeaderView* header = table.horizontalHeader();
        const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2,
                        header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        window_->refreshNow();
    }

    QString dataFile_;
};

QTEST_MAIN(RoiTableTest)

}  // namespace roi_table_test
#include "roi_table_test.moc"
