// SPDX-License-Identifier: Apache-2.0
// What people ask their viewers for, from start to end on a study: undo and Esc that never lose an ROI or a
// run, maxima and means with units that stay right, statistics that are there at once and can be taken away.
#include <QFile>
#include <QLocale>
#include <QTableWidget>
#include <QTest>
#include <cmath>
#include <set>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/settings/version.h"
#include "tests/ui/fixture.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/main_window.h"

namespace roi_requests_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

void mouse(QWidget* widget, QEvent::Type type, QPointF at) {
    const bool moves = type == QEvent::MouseMove;
    const bool up = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget->mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                      up ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

void press(QWidget* widget, QPointF from, QPointF to) {
    mouse(widget, QEvent::MouseButtonPress, from);
    mouse(widget, QEvent::MouseMove, (from + to) / 2);
    mouse(widget, QEvent::MouseMove, to);
}

void drag(QWidget* widget, QPointF from, QPointF to) {
    press(widget, from, to);
    mouse(widget, QEvent::MouseButtonRelease, to);
}

}  // namespace

class RoiRequestsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = writeSmallData();
        Volume other(Lattice::centred({60, 60, 8}, {4.0, 4.0, 4.0}), 2.5F);
        other.units = "Bq/ml";
        volume_ = folder_.filePath("other.h5");
        writeVolume(volume_.toStdString(), other);
    }

  private slots:
    void anRoiIsDrawnChangedTakenBackAndKept() {
        open(newStudy());
        reconstruct(1);
        const int before = model().count();
        SlicePane* pane = use(Plane::Transverse);
        const QPointF middle = pane->toWidget({-60, 60, desk_->view().cursor().z});

        window_->commands().trigger("roi.circle");
        drag(pane, middle, middle + QPointF(30, 0));
        const Roi drawn = *model().selectedRoi();
        drag(pane, middle - QPointF(30, 0), middle - QPointF(10, 20));
        const Roi moved = *model().selectedRoi();
        const QPointF handle = pane->rois().handles().front().second;
        drag(pane, handle, handle + QPointF(9, -9));
        const Roi resized = *model().selectedRoi();

        QVERIFY(norm(moved.centre - drawn.centre) > 1 && resized.radius_mm > moved.radius_mm);
        const QString name = QString::fromStdString(drawn.name);
        for (const auto& [text, roi] :
             {std::pair("Resize " + name, &moved), std::pair("Move " + name, &drawn)}) {
            QCOMPARE(window_->commands().action("edit.undo")->text(), "Undo: " + text);
            QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
            model().flush();
            QVERIFY(*model().selectedRoi() == *roi);
        }
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        model().flush();
        QCOMPARE(model().count(), before);
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            model().flush();
        }
        QVERIFY(*model().at(before) == resized);
        // It is there again with the study.
        QVERIFY(window_->commands().trigger("file.close"));
        open(study_);
        QCOMPARE(model().count(), before + 1);
        QVERIFY(*model().at(before) == resized);
    }

    void escapeDuringADragEndsNoRun_data() {
        QTest::addColumn<int>("plane");
        QTest::newRow("transverse") << 0;
        QTest::newRow("coronal") << 1;
        QTest::newRow("sagittal") << 2;
    }

    void escapeDuringADragEndsNoRun() {
        QFETCH(int, plane);
        open(newStudy());
        desk_->settings().set("iterations", "12");
        QVERIFY(desk_->queue().start() != 0);
        RunItem* item = desk_->queue().active();
        QVERIFY(until([&] { return item->lastIterate() >= 1; }));
        desk_->view().selectRoi(0);
        desk_->view().setCursor(model().at(0)->centre);
        window_->refreshNow();
        SlicePane* pane = use(static_cast<Plane>(plane));
        Roi ball = *model().at(0);
        ball.shape = Roi::Shape::Sphere;
        ball.radius_mm = 20;
        model().change(0, ball, "Make a sphere");
        const QPointF handle = pane->rois().handles().front().second;

        press(pane, handle, handle + QPointF(25, -25));
        QVERIFY(model().dragging() && model().at(0)->radius_mm > 21);
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(pane, Qt::Key_Escape);
        }
        mouse(pane, QEvent::MouseButtonRelease, handle + QPointF(25, -25));

        QVERIFY(*model().at(0) == ball);
        QVERIFY(until([&] { return !desk_->busy(); }));
        QCOMPARE(item->state(), RunState::Done);
        QCOMPARE(item->lastIterate(), 12);
    }

    void maximumAndMeanKeepTheirUnits() {
        open(newStudy());
        reconstruct(2);
        window_->commands().trigger("chart.rois");
        desk_->open({volume_});
        QVERIFY(until([&] { return !desk_->busy(); }));
        window_->refreshNow();
        const auto& items = desk_->runs().items();
        QCOMPARE(items.size(), std::size_t{2});
        const RoiTable& table = *window_->viewer().roiTable();

        for (const char* page :
             {"layout.main", "layout.row", "layout.grid", "layout.single", "page.compare", "page.slices"}) {
            window_->commands().trigger(page);
            for (const auto& item : items) {
                desk_->runs().select(item->id());
                window_->refreshNow();
                QApplication::processEvents();
                const QStringList lines = window_->figuresPanel().roiTable().split('\n');
                const QStringList titles = lines[0].split('\t');
                const qsizetype mean = titles.indexOf("mean, " + item->units());
                const qsizetype maximum = titles.indexOf("max, " + item->units());
                QVERIFY2(mean > 0 && maximum > 0, qPrintable(lines[0]));
                for (int i = 0; i < model().count(); ++i) {
                    const RoiStatistics s = roiStatistics(*model().at(i), *item->volume());
                    const QStringList cells = lines[i + 1].split('\t');
                    QVERIFY(std::abs(cells[mean].toDouble() - s.mean) <= 1e-8 * std::abs(s.mean));
                    QVERIFY(std::abs(cells[maximum].toDouble() - s.maximum) <= 1e-8 * std::abs(s.maximum));
                }
                QVERIFY(table.caption().contains("values in " + item->units()));
            }
        }
    }

    void statisticsAreThereAtOnceAndExported_data() {
        QTest::addColumn<QString>("locale");
        QTest::newRow("decimal points") << "en_GB";
        QTest::newRow("decimal commas") << "de_DE";
    }

    void statisticsAreThereAtOnceAndExported() {
        QFETCH(QString, locale);
        QLocale::setDefault(QLocale(locale));
        const auto back = qScopeGuard([] { QLocale::setDefault(QLocale::c()); });
        QCOMPARE(QLocale().decimalPoint(), locale == "de_DE" ? QString(",") : QString("."));
        open(newStudy());
        reconstruct(2);
        window_->commands().trigger("chart.rois");
        SlicePane* pane = use(Plane::Coronal);
        const QPointF middle = pane->toWidget(desk_->view().cursor());

        window_->commands().trigger("roi.sphere");
        drag(pane, middle, middle + QPointF(25, 0));
        QApplication::processEvents();

        const RunItem& item = *desk_->runs().selected();
        const int index = model().selected();
        const RoiStatistics s = roiStatistics(*model().selectedRoi(), *item.volume());
        const RoiTable& table = *window_->viewer().roiTable();
        QCOMPARE(table.item(index, 0)->text(), QString("sphere 7"));
        QVERIFY(std::abs(table.item(index, 3)->text().toDouble() - s.mean) < 0.6 + 1e-3 * s.mean);
        // The file says where it comes from, and its numbers are read with any locale.
        const QString text = window_->figuresPanel().roiTableFile();
        const QStringList lines = text.split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines[0].startsWith(QString("# tofscope %1; study patient").arg(kVersion)));
        for (const QString& part :
             {"run " + item.label() + " " + item.name(), QString("iterate 2"), QString("kernel invariant"),
              "engine " + item.engine(), "values in " + item.units()}) {
            QVERIFY2(lines[1].contains(part), qPrintable(part));
        }
        QVERIFY(text.contains("SD with n - 1"));
        const QStringList row = lines.filter(QRegularExpression("^sphere 7\t")).value(0).split('\t');
        const std::array<double, 5> wanted{s.mean, s.sd, 100 * s.sd / s.mean, s.minimum, s.maximum};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const QString cell = row.value(static_cast<qsizetype>(i) + 3);
            QVERIFY(!cell.contains(','));
            QVERIFY2(std::abs(cell.toDouble() - wanted[i]) <= 1e-8 * std::abs(wanted[i]), qPrintable(cell));
        }
        QVERIFY(window_->figuresPanel()
                    .chart()
                    ->toCsv()
                    .split('\n')
                    .filter(QRegularExpression("^A "))
                    .value(0)
                    .count(',') == 4);
    }

    void everyPhantomPlacesItsRois_data() {
        QTest::addColumn<QString>("phantom");
        QTest::addColumn<int>("spheres");
        QTest::addColumn<bool>("recovery");
        QTest::newRow("spheres") << "spheres" << 6 << true;
        QTest::newRow("nema-iq") << "nema-iq" << 6 << true;
        QTest::newRow("uniform-cylinder") << "uniform-cylinder" << 0 << true;
        QTest::newRow("points") << "points" << -1 << false;
    }

    void everyPhantomPlacesItsRois() {
        QFETCH(QString, phantom);
        QFETCH(int, spheres);
        QFETCH(bool, recovery);
        HistoData data = test::smallData(2);
        data.phantom = phantom.toStdString();
        const QString file = folder_.filePath(phantom + ".h5");
        writeData(file.toStdString(), data);
        open(file);
        const Phantom shapes = Phantom::find(phantom.toStdString());
        model().replaceAll({}, "Nothing");
        model().flush();

        QVERIFY(window_->commands().trigger("roi.place"));
        if (spheres < 0) {  // points have no spheres: it says so and changes nothing
            QCOMPARE(model().count(), 0);
            QVERIFY(!desk_->messages().all().empty());
        } else {
            checkPlaced(shapes, spheres);
        }
        const std::size_t messages = desk_->messages().all().size();
        QVERIFY(window_->commands().trigger("roi.place-recovery"));
        QCOMPARE(desk_->messages().all().size() > messages, !recovery);
        QCOMPARE(std::any_of(model().rois().begin(), model().rois().end(),
                             [](const Roi& r) { return r.role == Roi::Role::Uniform; }),
                 recovery);
    }

  private:
    RoiModel& model() { return desk_->rois(); }

    SlicePane* use(Plane plane) {
        desk_->view().setFlag(ViewModel::Flag::Crosshair, false);
        desk_->view().setActivePlane(plane);
        SlicePane* pane = window_->viewer().pane(plane);
        pane->setFocus();
        window_->refreshNow();
        return pane;
    }

    /// Each sphere of the phantom has its circle and its ring about it, and each ROI is called by another
    /// name.
    void checkPlaced(const Phantom& phantom, int spheres) {
        std::set<std::string> names;
        int found = 0;
        for (const Roi& roi : model().rois()) {
            QVERIFY(roiFault(roi).empty());
            names.insert(roi.name);
            if (roi.role != Roi::Role::Sphere) {
                continue;
            }
            ++found;
            const auto same =
                std::find_if(phantom.shapes.begin(), phantom.shapes.end(), [&](const PhantomShape& s) {
                    return s.role == "sphere" && norm(s.centre - roi.centre) < 1e-9;
                });
            QVERIFY(same != phantom.shapes.end());
            QCOMPARE(roi.radius_mm, same->radius_mm);
            const auto ring = std::find_if(model().rois().begin(), model().rois().end(), [&](const Roi& r) {
                return r.role == Roi::Role::Background && r.group == roi.group;
            });
            QVERIFY(ring != model().rois().end());
            QVERIFY(norm(ring->centre - roi.centre) < 1e-9);
            QCOMPARE(ring->innerRadius_mm, roi.radius_mm + 7);  // inner diameter: the sphere's + 14 mm
            // 8 mm thick, but 3 mm away from all that is not background.
            double outer = ring->innerRadius_mm + 8;
            for (const PhantomShape& s : phantom.shapes) {
                const bool other = s.role != "background" && s.role != "sphere" && s.activity != 1;
                outer = other ? std::min(outer, s.distance(roi.centre) - 3) : outer;
            }
            QVERIFY(std::abs(ring->radius_mm - outer) < 1e-5);
        }
        QCOMPARE(found, spheres);
        QCOMPARE(names.size(), model().rois().size());
        QVERIFY(model().count() > 0);
    }

    /// A study without runs.
    QString newStudy() {
        study_ = folder_.filePath(QString("patient%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(study_.toStdString(), dataFile_.toStdString()));
        return study_;
    }

    QString dataFile_;
    QString study_;
    int studies_ = 0;
    QString volume_;
};

QTEST_MAIN(RoiRequestsTest)

}  // namespace roi_requests_test
#include "roi_requests_test.moc"
