// SPDX-License-Identifier: Apache-2.0
// What may stand beside an image depends on its kind: through the real window.
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/charts/chart.h"
#include "ui/charts/profile_chart.h"
#include "ui/desk/image_kind.h"
#include "ui/pages/run_rows.h"
#include "ui/rois/roi_table.h"
#include "ui/window/main_window.h"

namespace image_kinds_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class ImageKindsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

  private slots:
    void theTableOfValuesFollowsTheKind_data() {
        QTest::addColumn<QString>("units");
        QTest::addColumn<QString>("word");
        QTest::addColumn<bool>("contrast");
        QTest::addColumn<bool>("share");
        QTest::addColumn<bool>("width");
        QTest::addColumn<QString>("map");
        QTest::newRow("somebody else's PET") << ""
                                             << "volume" << true << true << true << "grey";
        QTest::newRow("activity") << "Bq/ml"
                                  << "volume" << true << true << true << "grey";
        QTest::newRow("CT") << "HU"
                            << "CT" << false << false << false << "grey";
        QTest::newRow("mu") << "1/cm" << QString("\u03bc map") << false << true << false << "grey";
        QTest::newRow("labels") << "label"
                                << "labels" << false << false << false << "labels";
        QTest::newRow("bias") << "%"
                              << "bias" << false << false << false << "difference-dark";
        QTest::newRow("parametric") << "1/min"
                                    << "parametric" << false << true << false << "viridis";
    }

    void theTableOfValuesFollowsTheKind() {
        QFETCH(QString, units);
        QFETCH(QString, word);
        QFETCH(bool, contrast);
        QFETCH(bool, share);
        QFETCH(bool, width);
        QFETCH(QString, map);
        open(dataFile_);
        reconstruct(2);

        const RunItem& image = likeTheRun("image.h5", units);
        show(image);

        QCOMPARE(RunRows::stateText(image), word);
        // The mean is that of the run, whatever the image is called.
        QVERIFY(cell("mean") != dash());
        QCOMPARE(cell("CRC, %") != dash(), contrast);
        QCOMPARE(cell("SD, %") != dash(), share);
        QCOMPARE(cell("true CRC"), dash());
        QCOMPARE(cell("sum"), dash());
        const auto curves = window_->viewer().profile()->curves();
        QCOMPARE(curves.back().whyNoWidth.contains("activity"), !width);
        QCOMPARE(desk_->view().colourMapId(), map);
        // The run is as it was, and so is the way that it looks.
        show(*desk_->runs().find("A"));
        QVERIFY(cell("CRC, %") != dash() && cell("true CRC") != dash() && cell("sum") != dash());
        QCOMPARE(desk_->view().colourMapId(), QString("grey"));
    }

    void whatIsMadeOfRunsHasItsKind() {
        open(dataFile_);
        reconstruct(1);
        reconstruct(2);
        const auto made = [this](MadeImages::Kind kind) -> const RunItem& {
            const std::size_t before = desk_->runs().items().size();
            desk_->madeImages().make(kind, {"A", "B"});
            static_cast<void>(until([&] { return desk_->runs().items().size() > before && !desk_->busy(); }));
            return *desk_->runs().items().back();
        };

        const RunItem& deviation = made(MadeImages::Kind::Deviation);
        show(deviation);

        // An SD has the unit of the runs, a range of its own and no contrast.
        QCOMPARE(RunRows::stateText(deviation), QString("SD image"));
        QCOMPARE(deviation.units(), desk_->runs().find("A")->units());
        QCOMPARE(cell("CRC, %"), dash());
        QCOMPARE(desk_->view().colourMapId(), QString("viridis"));
        const double most = desk_->view().range().high;
        show(*desk_->runs().find("B"));
        QVERIFY(desk_->view().range().high > 2 * most);
        QCOMPARE(desk_->view().colourMapId(), QString("grey"));
        // The truth and the mean share it with the runs, and have a contrast.
        const double ofRuns = desk_->view().range().high;
        for (const MadeImages::Kind kind : {MadeImages::Kind::Truth, MadeImages::Kind::Mean}) {
            show(made(kind));
            QCOMPARE(desk_->view().range().high, ofRuns);
            QVERIFY(cell("CRC, %") != dash() && cell("true CRC") != dash());
        }
    }

    void valuesAroundZeroHaveNoContrast() {
        open(dataFile_);
        reconstruct(2);
        Volume noise = *desk_->runs().find("A")->volume();
        noise.units.clear();
        for (std::size_t i = 0; i < noise.data.size(); ++i) {
            noise.data[i] = static_cast<float>((i * 2654435761U) % 2001) - 999.0F;
        }

        show(opened("noise.h5", noise));

        QCOMPARE(cell("CRC, %"), dash());
    }

    void theTrueLineStaysWhileAnotherImageIsLookedAt() {
        open(dataFile_);
        reconstruct(2);
        const auto* curve = window_->findChild<CurveChart*>("chart.curve");
        QVERIFY(until([&] { return curve->truth().has_value(); }));
        const double before = *curve->truth();

        show(likeTheRun("ct.h5", "HU"));

        QVERIFY(curve->truth().has_value());
        QCOMPARE(*curve->truth(), before);
    }

  private:
    static QString dash() { return QChar(0x2013); }

    const RunItem& opened(const QString& name, const Volume& image) {
        writeVolume(folder_.filePath(name).toStdString(), image);
        open(folder_.filePath(name));
        return *desk_->runs().items().back();
    }
    /// The image of run A under another unit.
    const RunItem& likeTheRun(const QString& name, const QString& units) {
        Volume image = *desk_->runs().find("A")->volume();
        image.units = units.toStdString();
        return opened(name, image);
    }
    void show(const RunItem& item) {
        desk_->runs().select(item.id());
        static_cast<void>(until([this] { return !desk_->busy(); }));
        desk_->view().setChart(ChartKind::Rois);
        window_->refreshNow();
    }
    /// What the wide table says of its first sphere in the column of this title.
    QString cell(const QString& title) const {
        const auto* table = window_->findChild<RoiTable*>("rois.all");
        for (int column = 0; column < table->columnCount(); ++column) {
            if (table->horizontalHeaderItem(column)->text().section(", 10", 0, 0) == title) {
                return table->item(0, column)->text();
            }
        }
        return "no column " + title;
    }

    QString dataFile_;
};

QTEST_MAIN(ImageKindsTest)

}  // namespace image_kinds_test
#include "image_kinds_test.moc"
