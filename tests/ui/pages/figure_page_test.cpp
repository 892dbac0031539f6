// SPDX-License-Identifier: Apache-2.0
// The page of figures through the real window: panels, undo, files, and the same after reopening.
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QTest>
#include <QUndoStack>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "tests/ui/fixture.h"
#include "ui/desk/keep_study.h"
#include "ui/desk/open_study.h"
#include "ui/kit/key_table.h"
#include "ui/pages/figure_page.h"
#include "ui/pages/figure_preview.h"
#include "ui/window/main_window.h"

namespace figure_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class FigurePageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    /// A study with two runs, and the page of its figure.
    void begin() override {
        open(dataFile_);
        reconstruct(1);
        reconstruct(2);
        studyFolder_ = folder_.filePath(QString("s%1.tofstudy").arg(++studies_));
        keepStudy(*desk_, studyFolder_);
        QVERIFY(until([this] { return desk_->study().folder() != nullptr && !desk_->busy(); }));
        QVERIFY(window_->commands().trigger("page.figure"));
        settle();
    }

  private slots:
    void aFigureBeginsWithASliceOfEachRunAndTheirCurves() {
        QCOMPARE(page().figure().panels.size(), std::size_t{3});
        QVERIFY(page().figure().panels[2].kind == FigurePanel::Kind::Curves);
        QCOMPARE(list().rowCount(), 3);
        QCOMPARE(preview().drawing().width_mm, 174.0);
    }

    void panelsAreAddedMovedChangedAndRemovedAndAllOfItIsUndone() {
        const FigureTemplate before = page().figure();
        run("figure.profile");
        QVERIFY(page().figure().panels.back().kind == FigurePanel::Kind::Profile);
        QCOMPARE(page().selected(), 3);
        run("figure.earlier");
        QVERIFY(page().figure().panels[2].kind == FigurePanel::Kind::Profile);
        run("figure.remove");
        QVERIFY(page().figure() == before);

        page().select(0);
        auto* title = window_->findChild<QLineEdit*>("figure.title");
        title->setFocus();
        title->selectAll();
        QTest::keyClicks(title, "One iteration");
        QTest::keyClick(title, Qt::Key_Return);
        QCOMPARE(page().figure().panels[0].title, std::string("One iteration"));

        for (int step = 0; step < 4; ++step) {
            QVERIFY(window_->commands().trigger("edit.undo"));
        }
        settle();
        QVERIFY(page().figure() == before);
        QVERIFY(!page().undoStack()->canUndo());
    }

    void mapRangeScaleBarLettersAndEndsHaveTheirFields() {
        const FigureTemplate before = page().figure();
        page().select(0);
        type("figure.range", "0 2500");
        QVERIFY(page().figure().range && page().figure().range->high == 2500);
        type("figure.scale-bar", "50");
        QCOMPARE(page().figure().scaleBar_mm.value_or(-1), 50.0);
        type("figure.panel-range", "10; 900");
        QVERIFY(page().figure().panels[0].range && page().figure().panels[0].range->low == 10);
        QVERIFY(!page().figure().panels[1].range);
        choose("figure.letters", 1);
        QVERIFY(page().figure().letters == FigureTemplate::Letters::Upper);
        auto* maps = window_->findChild<QComboBox*>("figure.map");
        choose("figure.map", maps->findData("viridis"));
        QCOMPARE(page().figure().map, std::string("viridis"));
        // What cannot be read changes nothing and is put back.
        for (const char* wrong : {"5 1", "one two", "1 2 3"}) {
            type("figure.range", wrong);
            QCOMPARE(page().figure().range->high, 2500.0);
            QCOMPARE(window_->findChild<QLineEdit*>("figure.range")->text(), QString("0 2500"));
        }
        type("figure.range", "");
        QVERIFY(!page().figure().range);

        run("figure.profile");
        QVERIFY(!window_->findChild<QLineEdit*>("figure.panel-range")->isVisible());
        type("figure.from", "-40 4 -2.5");
        type("figure.to", "40, 4, -2.5");
        const FigurePanel& profile = page().figure().panels[static_cast<std::size_t>(page().selected())];
        QVERIFY(profile.from_mm.x == -40 && profile.from_mm.z == -2.5 && profile.to_mm.x == 40);
        settle();
        QVERIFY(preview().drawing().width_mm > 0);
        while (page().undoStack()->canUndo()) {
            page().undoStack()->undo();
        }
        QVERIFY(page().figure() == before);
    }

    void whatIsShownIsWhatTheCommandWrites() {
        page().select(1);
        run("figure.slice");
        page().keepTemplate("mine");
        const QString path = studyFolder_ + "/figures/mine.json";
        QVERIFY(readFigure(path.toStdString()) == page().figure());
        page().writeFigureTo(folder_.filePath("window.svg"));
        settle();

        Study study = Study::open(studyFolder_.toStdString());
        study.rois = desk_->study().folder()->rois.rois.empty() ? study.rois : desk_->study().folder()->rois;
        const Drawing made = drawFigure(readFigure(path.toStdString()), study, path.toStdString());

        QVERIFY(made == preview().drawing());
        QFile file(folder_.filePath("window.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().toStdString() == svgText(made));
        QVERIFY_EXCEPTION_THROWN(page().keepTemplate("../out"), WrongUse);
        QVERIFY_EXCEPTION_THROWN(page().writeFigureTo(folder_.filePath("x.png")), WrongUse);
    }

    void aSessionBringsTheFigureBackAndSurvivesDamage() {
        run("figure.curves");
        const FigureTemplate mine = page().figure();
        const nlohmann::json saved = page().toJson();
        page().fromJson(nlohmann::json{{"format", "tofscope-figure"}, {"version", 1}, {"panels", "no"}});
        QVERIFY(!(page().figure() == mine));
        page().fromJson(saved);
        QCOMPARE(QString::fromStdString(figureToJson(page().figure())),
                 QString::fromStdString(figureToJson(mine)));
        QVERIFY(page().figure() == mine);
        QVERIFY(!page().undoStack()->canUndo());
    }

    void aRunThatHasGoneIsSaidInThePlaceOfTheFigure() {
        page().edit("a run", [](FigureTemplate& figure) { figure.panels[0].images = {{"Q"}}; });
        settle();
        QVERIFY2(preview().sentence().contains("panel 1"), qPrintable(preview().sentence()));
        QVERIFY(window_->commands().trigger("edit.undo"));
        settle();
        QVERIFY(preview().sentence().isEmpty());
    }

    void thePreviewHasTheColoursOfTheVoxels() {
        const Drawing& drawing = preview().drawing();
        const auto* picture = findPicture(drawing);
        QVERIFY(picture != nullptr);
        const double scale =
            picture->pixels.width / picture->box.width;  // a pixel of the picture is one of ours
        QImage image(static_cast<int>(std::ceil(drawing.width_mm * scale)),
                     static_cast<int>(std::ceil(drawing.height_mm * scale)), QImage::Format_RGB32);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            paintDrawing(painter, drawing, scale);
        }
        // The middle of a voxel in the picture's middle, away from scale bar and edges.
        const int x = picture->pixels.width / 2;
        const int y = picture->pixels.height / 2;
        const QRgb seen = image.pixel(static_cast<int>(picture->box.x * scale) + x,
                                      static_cast<int>(picture->box.y * scale) + y);
        const Rgb stored = picture->pixels.at(x, y);
        QVERIFY(std::abs(qRed(seen) - stored.r) <= 8);  // the painter may lie half a pixel beside
    }

  private:
    void type(const char* field, const QString& text) {
        auto* line = window_->findChild<QLineEdit*>(field);
        line->setFocus();
        line->selectAll();
        text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    void choose(const char* list, int index) {
        auto* box = window_->findChild<QComboBox*>(list);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }
    [[nodiscard]] FigurePage& page() { return *window_->findChild<FigurePage*>(); }
    [[nodiscard]] FigurePreview& preview() { return *window_->findChild<FigurePreview*>(); }
    [[nodiscard]] KeyTable& list() { return *window_->findChild<KeyTable*>("figure.panels"); }
    void settle() {
        QVERIFY(until([this] { return !desk_->busy() && !page().busy(); }));
        window_->refreshNow();
        QVERIFY(until([this] { return !page().busy(); }));
    }
    void run(const char* id) {
        QVERIFY2(window_->commands().trigger(id), id);
        settle();
    }
    static const DrawnPicture* findPicture(const Drawing& drawing) {
        for (const Drawn& part : drawing.parts) {
            if (const auto* picture = std::get_if<DrawnPicture>(&part)) {
                return picture;
            }
        }
        return nullptr;
    }

    QString dataFile_;
    QString studyFolder_;
    int studies_ = 0;
};

QTEST_MAIN(FigurePageTest)

}  // namespace figure_page_test
#include "figure_page_test.moc"
