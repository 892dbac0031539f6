// SPDX-License-Identifier: Apache-2.0
// Numbers, files, roles, curves and matched noise of ROIs through the real window.
#include <QClipboard>
#include <QComboBox>
#include <QImage>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/desk/roi_quantity.h"
#include "ui/kit/theme.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/script.h"

namespace roi_values_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class RoiValuesTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = writeSmallData();
        Volume volume(Lattice::centred({50, 40, 30}, {4, 5, 6}), 1.0F);
        volume.at(30, 20, 15) = 100;
        volume.at(31, 20, 15) = 60;
        volumeFile_ = folder_.filePath("peak.h5");
        writeVolume(volumeFile_.toStdString(), volume);
    }

  private slots:
    void typedNumbersChangeTheRoiAndAreUndone_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("value");
        for (const char* field : {"x", "y", "z", "radius", "inner"}) {
            QTest::newRow(field) << QString("roi.") + field << 7.25;
        }
    }

    void typedNumbersChangeTheRoiAndAreUndone() {
        QFETCH(QString, field);
        QFETCH(double, value);
        open(volumeFile_);
        Roi roi;
        roi.name = "ring";
        roi.shape = Roi::Shape::Annulus;
        roi.centre = {1, 2, 3};
        roi.radius_mm = 20;
        roi.innerRadius_mm = 5;
        model().add({roi}, "Add");
        window_->commands().trigger("roi.numbers");
        window_->refreshNow();

        type(field, QString::number(value));

        Roi wanted = roi;
        const auto set = [&](const char* name, double& target) { target = field == name ? value : target; };
        set("roi.x", wanted.centre.x);
        set("roi.y", wanted.centre.y);
        set("roi.z", wanted.centre.z);
        set("roi.radius", wanted.radius_mm);
        set("roi.inner", wanted.innerRadius_mm);
        QVERIFY(*model().at(0) == wanted);
        QVERIFY(window_->commands().trigger("edit.undo"));
        QVERIFY(*model().at(0) == roi);
    }

    void thePlaneIsChosenByKeys_data() {
        QTest::addColumn<int>("shape");
        for (const Roi::Shape shape : {Roi::Shape::Circle, Roi::Shape::Annulus, Roi::Shape::Ellipse,
                                       Roi::Shape::Cylinder, Roi::Shape::Box}) {
            QTest::newRow(shapeName(shape)) << static_cast<int>(shape);
        }
    }

    void thePlaneIsChosenByKeys() {
        QFETCH(int, shape);
        open(volumeFile_);
        Roi roi;
        roi.name = "r";
        roi.shape = static_cast<Roi::Shape>(shape);
        roi.radius_mm = 20;
        roi.innerRadius_mm = roi.shape == Roi::Shape::Annulus ? 10 : 0;
        roi.size_mm = {30, 40, roi.shape == Roi::Shape::Ellipse ? 0.0 : 50.0};
        roi.angle_deg = roi.shape == Roi::Shape::Box ? 25 : 0;
        model().add({roi}, "Add");
        window_->commands().trigger("roi.numbers");
        window_->refreshNow();
        auto* plane = window_->findChild<QComboBox*>("roi.plane");
        QVERIFY(plane->isVisible() && plane->isEnabled());

        plane->setFocus();
        QTest::keyClick(plane, Qt::Key_Down);

        Roi wanted = roi;
        wanted.plane = Plane::Coronal;
        if (roi.shape == Roi::Shape::Ellipse) {
            wanted.size_mm = {30, 0, 40};  // as wide and as high in the picture as before
        }
        QVERIFY(*model().at(0) == wanted);
        QCOMPARE(model().undo().undoText(), QString("Turn r"));
        QVERIFY(window_->commands().trigger("edit.undo"));
        QVERIFY(*model().at(0) == roi);
    }

    void impossibleNumbersAreRefused() {
        open(volumeFile_);
        Roi roi;
        roi.name = "c";
        roi.radius_mm = 20;
        model().add({roi}, "Add");
        window_->commands().trigger("roi.numbers");
        window_->refreshNow();
        const int steps = model().undo().count();

        for (const char* text : {"-3", "0", "many"}) {
            type("roi.radius", text);
            auto* field = window_->findChild<QLineEdit*>("roi.radius");
            QVERIFY(field->property("bad").toBool());
            QVERIFY(!field->toolTip().isEmpty());
        }

        QVERIFY(*model().at(0) == roi);
        QCOMPARE(model().undo().count(), steps);
    }

    void aRolePairsABackgroundWithTheSphereInside() {
        open(volumeFile_);
        Roi ball;
        ball.name = "ball";
        ball.shape = Roi::Shape::Sphere;
        ball.centre = at(30, 20, 15);
        ball.radius_mm = 4;
        Roi ring = ball;
        ring.name = "ring";
        ring.shape = Roi::Shape::Annulus;
        ring.radius_mm = 30;
        ring.innerRadius_mm = 15;
        model().add({ball, ring}, "Add");
        model().setTrueRatio(50);

        desk_->view().selectRoi(0);
        window_->refreshNow();
        QVERIFY(window_->commands().trigger("roi.role-sphere"));
        desk_->view().selectRoi(1);
        window_->refreshNow();
        QVERIFY(window_->commands().trigger("roi.role-background"));

        QVERIFY(model().at(0)->group >= 0);
        QCOMPARE(model().at(1)->group, model().at(0)->group);
        const RunItem& item = *desk_->runs().selected();
        const Figures f = desk_->screen().figures(item);
        // The ring lies in voxels of 1 alone.
        const double wanted = (roiStatistics(ball, *item.volume()).mean - 1) / 49;
        QVERIFY(f.rois[0].hasCrc);
        QVERIFY(std::abs(f.rois[0].crc - wanted) < 1e-9);
        // The tooltip says what is missing where there is nothing.
        QVERIFY(!f.rois[0].hasContrastRecovery);
        QVERIFY(whyNoRoiValue(RoiQuantity::Kind::ContrastRecovery, *model().at(0), desk_->rois().set(),
                              kindRow(ImageKind::Run))
                    .contains("uniform"));
    }

    void filesComeBackTheSame() {
        open(dataFile_);
        const std::vector<Roi> before = model().rois();
        QVERIFY(before.size() == 13);
        const QString json = folder_.filePath("rois.json");
        const QString labels = folder_.filePath("labels.nii");

        writeRois({json.toStdString()}, desk_->rois().set(), desk_->view().lattice());
        writeRois({labels.toStdString()}, desk_->rois().set(), desk_->view().lattice());
        model().replaceAll({}, "Nothing");
        loadRois(desk_->rois(), json);

        QVERIFY(model().rois() == before);
        QCOMPARE(desk_->rois().set().trueRatio, 6.0);
        loadRois(desk_->rois(), labels);
        // The lattice travels in float32, so extents are compared by what they hold.
        const Volume map = readVolume(labels.toStdString());
        for (const Roi& roi : model().rois()) {
            const auto same = std::find_if(before.begin(), before.end(),
                                           [&](const Roi& each) { return each.name == roi.name; });
            QVERIFY2(same != before.end(), roi.name.c_str());
            const auto label = static_cast<float>(same - before.begin() + 1);
            QCOMPARE(roi.region->voxels(),
                     static_cast<std::size_t>(std::count(map.data.begin(), map.data.end(), label)));
        }
        model().undo().undo();
        QVERIFY(model().rois() == before);
    }

    void copiesTravelOnTheClipboard() {
        open(dataFile_);
        desk_->view().selectRoi(2);
        window_->refreshNow();
        const Roi original = *model().at(2);

        QTest::keyClick(window_, Qt::Key_C, Qt::ControlModifier);
        QTest::keyClick(window_, Qt::Key_V, Qt::ControlModifier);

        QCOMPARE(model().count(), 14);
        QVERIFY(sameExtent(*model().at(13), original));
        QCOMPARE(QString::fromStdString(model().at(13)->name), QString("sphere 7"));
        QApplication::clipboard()->setText("no ROI");
        QTest::keyClick(window_, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(model().count(), 14);
        QVERIFY(!desk_->messages().all().empty());
    }

    void allOfAStudyIsPastedIntoAnother() {
        open(dataFile_);
        const std::vector<Roi> before = model().rois();
        const auto crcs = [&] {
            std::vector<double> values;
            const Figures f = FigureEvaluator(desk_->rois().set(), desk_->view().lattice())
                                  .evaluate(1, image().data.data());
            for (const RoiFigures& roi : f.rois) {
                if (roi.hasCrc) {
                    values.push_back(roi.crc);
                }
            }
            return values;
        };
        const std::vector<double> own = crcs();
        QVERIFY(window_->commands().trigger("roi.copy-all"));
        const QString json = QApplication::clipboard()->text();

        // Into another study that has ROIs of the same groups: this one, everything moved by 3 mm.
        model().edit("Move", [](RoiSet& set) {
            for (Roi& roi : set.rois) {
                roi.centre.x += 3;
            }
        });
        model().flush();
        const std::vector<double> theirs = crcs();
        QTest::keyClick(window_, Qt::Key_V, Qt::ControlModifier);

        QCOMPARE(model().count(), 26);
        for (std::size_t i = 0; i < before.size(); ++i) {
            QVERIFY(sameExtent(model().rois()[13 + i], before[i]));
        }
        // Each sphere is still compared with its own background.
        std::vector<double> wanted = theirs;
        wanted.insert(wanted.end(), own.begin(), own.end());
        const std::vector<double> now = crcs();
        QCOMPARE(now.size(), wanted.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
            QVERIFY(std::abs(now[i] - wanted[i]) < 1e-12);
        }
        QVERIFY(!json.isEmpty());
        QVERIFY(window_->commands().trigger("edit.undo"));
        QCOMPARE(model().count(), 13);
    }

    void nudgesMoveByVoxelsAndAreOneStep() {
        open(dataFile_);
        desk_->view().selectRoi(0);
        window_->refreshNow();
        const Roi before = *model().at(0);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        pane->setFocus();

        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(pane, Qt::Key_Right, Qt::AltModifier);
        }
        QTest::keyClick(pane, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);

        // Radiological: x and y grow to the right and downwards; voxels of 4 mm.
        QVERIFY(norm(model().at(0)->centre - (before.centre + Vec3{12, -0.4, 0})) < 1e-9);
        model().undo().undo();
        QVERIFY(*model().at(0) == before);
    }

    void aThresholdAroundTheCursorMakesASphere() {
        open(volumeFile_);
        desk_->view().setCursor(at(28, 20, 15));

        addThreshold(desk_->runs(), desk_->view(), desk_->rois(), 0.41, 30, ThresholdKind::Sphere);

        // The two voxels of 100 and 60: 240 mm3 about their middle.
        const Roi& roi = *model().at(0);
        QVERIFY(norm(roi.centre - 0.5 * (at(30, 20, 15) + at(31, 20, 15))) < 1e-9);
        QVERIFY(std::abs(4.0 / 3 * 3.14159265358979 * std::pow(roi.radius_mm, 3) - 240) < 1e-6);
    }

    void whatIsSaidOfAnImageDependsOnWhatItIsOf() {
        open(dataFile_);
        QVERIFY(!desk_->rois().isEmpty());
        QVERIFY(until([this] { return std::isfinite(figuresOf(run()).trueCrc); }));
        QVERIFY(std::isfinite(figuresOf(run()).crc));
        // Equal values by somebody else's program: contrast by the roles, and no truth.
        Volume image = *run().volume();
        image.units.clear();
        const Figures other = figuresOf(opened("other.nii", image));
        QVERIFY(std::isfinite(other.crc) && std::isfinite(other.noise) && std::isnan(other.trueCrc));
        // As CT, and as a patient's, spread alone; that of values around 0 is no share of their mean.
        image.units = "HU";
        std::transform(image.data.begin(), image.data.end(), image.data.begin(), [](float x) { return -x; });
        const Figures ct = figuresOf(opened("ct.nii", image));
        QVERIFY(std::isnan(ct.crc) && std::isnan(ct.noise) && std::isnan(ct.trueCrc));
        const auto& first = ct.rois.front();
        QVERIFY(first.statistics.mean < 0);
        QVERIFY(!roiValue(RoiQuantity::Kind::SdPercent, *model().at(0), first, kindRow(ImageKind::Ct)));
        image.units = "Bq/ml";
        const RunItem& patient = opened("patient.nii", image);
        desk_->uptakes().found(patient, Uptake{70, 370e6, 6586.2, 3600});
        QVERIFY(std::isnan(figuresOf(patient).crc));
    }

    void everyIterateFollowsAnEditedRoi() {
        open(dataFile_);
        reconstruct(4);
        const RunItem& item = *desk_->runs().selected();
        const std::vector<Figures> before = item.figures();
        Roi roi = *model().at(12);  // the uniform circle
        roi.radius_mm = 40;

        model().change(12, roi, "Wider");
        QVERIFY(until([&] { return !desk_->busy() && item.roiRevision() == model().revision(); }));

        QCOMPARE(item.figures().size(), std::size_t{4});
        for (const Figures& f : item.figures()) {
            const RoiStatistics s = roiStatistics(roi, *item.images().at(f.iteration));
            QVERIFY(std::abs(f.noise / (s.sd / s.mean) - 1) < 1e-12);
        }
        QVERIFY(std::abs(before[3].noise / item.figures()[3].noise - 1) > 1e-3);
        QCOMPARE(item.figures()[3].crc, before[3].crc);
    }

    void aRunBegunBeforeTheEditFollowsToo() {
        open(dataFile_);
        desk_->settings().set("iterations", "12");
        desk_->queue().start();
        RunItem* item = desk_->queue().active();
        QVERIFY(until([&] { return item->lastIterate() >= 2; }));

        Roi roi = *model().at(12);
        roi.radius_mm = 35;
        model().change(12, roi, "Wider");
        QVERIFY(until([&] { return !desk_->busy() && item->roiRevision() == model().revision(); }));

        QCOMPARE(item->figures().size(), std::size_t{12});
        for (const Figures& f : item->figures()) {
            const RoiStatistics s = roiStatistics(roi, *item->images().at(f.iteration));
            QVERIFY(std::abs(f.noise / (s.sd / s.mean) - 1) < 1e-12);
        }
    }

    void curvesShowAnyValueAgainstTheIterate() {
        open(dataFile_);
        reconstruct(3);
        desk_->view().selectRoi(1);
        CurveChart* chart = window_->figuresPanel().chart();
        const RunItem& item = *desk_->runs().selected();

        QVERIFY(window_->commands().trigger("curve.roi-max"));
        const auto values = chart->points();
        QVERIFY(window_->commands().trigger("curve.roi-crc"));
        const auto recoveries = chart->points();

        QCOMPARE(values.size(), std::size_t{3});
        for (int n = 1; n <= 3; ++n) {
            const auto k = static_cast<std::size_t>(n - 1);
            const RoiStatistics s = roiStatistics(*model().at(1), *item.images().at(n));
            QCOMPARE(values[k].x, static_cast<double>(n));
            QCOMPARE(values[k].y, s.maximum);
            QCOMPARE(recoveries[k].y, 100 * item.figures()[k].rois[1].crc);
        }
        desk_->view().selectRoi(12);
        QVERIFY(chart->points().empty());  // a uniform circle has no CRC
    }

    void curvesAreWrittenWithTheirDefinitions() {
        open(dataFile_);
        reconstruct(2);
        CurveChart* chart = window_->figuresPanel().chart();
        const auto read = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QString stem = folder_.filePath("curve");

        for (const char* kind : {".csv", ".png", ".svg", ".pdf"}) {
            chart->save(stem + kind);
        }

        const QString csv = QString::fromUtf8(read(stem + ".csv"));
        const QStringList header = csv.split('\n').filter(QRegularExpression("^#"));
        const QStringList lines = csv.split('\n').filter(QRegularExpression("^[^#]"));
        QVERIFY(header[0].startsWith("# tofscope "));
        QVERIFY(header[0].contains("study "));
        QVERIFY(header[1].contains("run A invariant; kernel invariant; engine cpu"));
        QVERIFY(header[2].contains("noise = SD (n - 1)/mean"));
        QCOMPARE(lines[0], QString("run,iteration,noise_percent,crc_percent,crc_sd_percent"));
        QVERIFY(lines[1].startsWith("A invariant,1,"));
        QVERIFY(std::abs(lines[1].split(',')[2].toDouble() - chart->points()[0].x) < 1e-6);
        const QImage png(stem + ".png");
        QCOMPARE(png.size(), QSize(1280, 960));
        QCOMPARE(png.pixelColor(2, 2), QColor(Qt::white));
        QVERIFY(read(stem + ".svg").contains("<svg"));
        QVERIFY(read(stem + ".pdf").startsWith("%PDF"));
        QVERIFY_EXCEPTION_THROWN(chart->save(stem + ".bmp"), WrongUse);
        QVERIFY_EXCEPTION_THROWN(chart->save(folder_.filePath("none/x.svg")), CannotWrite);
    }

    void logarithmicAxesZoomToo() {
        open(dataFile_);
        reconstruct(2);
        CurveChart* chart = window_->figuresPanel().chart();
        window_->commands().trigger("curve.log");
        const auto point = chart->points()[1];
        const QPointF before = chart->place(point);

        QWheelEvent event(before, chart->mapToGlobal(before), QPoint(), QPoint(0, 240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(chart, &event);

        QVERIFY(!chart->autoscaled());
        const QPointF now = chart->place(point);
        QVERIFY(std::abs(now.x() - before.x()) < 1e-6 && std::abs(now.y() - before.y()) < 1e-6);
    }

    void matchedNoiseTakesTheNearestIterateOfEveryRun() {
        open(dataFile_);
        reconstruct(5);
        desk_->settings().set("relaxation", "0.2");
        reconstruct(5);
        const RunItem& a = *desk_->runs().items()[0];
        const double level = a.figures()[2].noise * 1.01;

        const auto matched = matchedIterates(desk_->runs(), level);

        QCOMPARE(matched.size(), std::size_t{2});
        for (std::size_t n = 0; n < 2; ++n) {
            const RunItem& item = *desk_->runs().items()[n];
            for (const Figures& f : item.figures()) {
                QVERIFY(std::abs(f.noise - level) >= std::abs(matched[n].noise - level));
            }
            QCOMPARE(item.figuresOf(matched[n].iteration)->noise, matched[n].noise);
        }
        QVERIFY(window_->commands().trigger("page.matched"));
        MatchedPage& page = window_->matchedPage();
        auto* field = window_->findChild<QLineEdit*>("matched.level");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::number(100 * level, 'f', 6));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(page.shown().size(), std::size_t{2});
        QCOMPARE(page.shown()[1].iteration, matched[1].iteration);
        // The picture is that of the iterate.
        const RunItem& b = *desk_->runs().items()[1];
        const Volume& volume = *b.images().at(matched[1].iteration);
        desk_->view().setRange({0, 3000});
        const int slice = desk_->view().sliceIndex(Plane::Transverse);
        const QImage picture = page.pane(1)->picture();
        for (const auto& [x, y] : {std::pair{30, 30}, {20, 41}, {33, 22}}) {
            const QPointF place = page.pane(1)->toWidget(volume.lattice.centre(x, y, slice));
            const double expected =
                std::clamp(256.0 * static_cast<double>(volume.at(x, y, slice)) / 3000.0, 0.0, 255.0);
            QVERIFY(std::abs(qRed(picture.pixel(place.toPoint())) - expected) <= 1.5);
        }
    }

    void matchedCaptionsAreWholeForAnyNumberOfRuns_data() {
        QTest::addColumn<int>("runs");
        for (const int runs : {1, 2, 3, 5}) {
            QTest::newRow(qPrintable(QString::number(runs))) << runs;
        }
    }

    void matchedCaptionsAreWholeForAnyNumberOfRuns() {
        QFETCH(int, runs);
        window_->resize(1100, 720);
        open(dataFile_);
        for (int i = 0; i < runs; ++i) {
            desk_->settings().set("relaxation", std::to_string(0.03 + 0.05 * i));
            reconstruct(2);
        }
        QVERIFY(window_->commands().trigger("page.matched"));
        MatchedPage& page = window_->matchedPage();
        const double least = desk_->runs().items().front()->figures().front().noise;

        for (const double level : {least, 0.5 * least}) {
            page.setLevel(level);
            QApplication::processEvents();
            QCOMPARE(page.shown().size(), static_cast<std::size_t>(runs));
            for (std::size_t n = 0; n < page.shown().size(); ++n) {
                const QString text = page.captionShown(n);
                const RunItem& item = *desk_->runs().items()[n];
                QVERIFY2(text.startsWith(item.label()), qPrintable(text));
                QVERIFY2(QFontMetrics(textFont()).horizontalAdvance(text) <= page.pane(n)->width(),
                         qPrintable(text));
                QVERIFY(page.pane(n)->width() >= 150 && page.pane(n)->height() >= 150);
                // Half the least noise of the least noisy run is out of reach of all, and they say so.
                QCOMPARE(text.contains("stays above"),
                         level < least || item.figures().front().noise > 1.1 * level);
            }
        }
    }

    void theCommandLineDoesIt() {
        const QString rois = folder_.filePath("script.json");
        const QString table = folder_.filePath("script.tsv");
        const QString commas = folder_.filePath("script.csv");
        const CommandLine line = CommandLine::parse(
            {volumeFile_, "--cursor", "22,2.5,3", "--threshold", "41,30", "--select-roi", "sphere 1", "--roi",
             R"([{"name":"c","shape":"circle","centre_mm":[50,0,3],"radius_mm":9}])", "--ring", "6",
             "--save-rois", rois, "--save-roi-table", table, "--save-roi-table", commas, "--exit"});
        Script script(*window_, *desk_, line.actions);
        bool done = false;
        connect(&script, &Script::finished, this, [&] { done = true; });

        script.start();
        QVERIFY(until([&] { return done; }));

        QVERIFY2(!script.fault(), script.fault() ? script.fault()->what() : "");
        QCOMPARE(model().count(), 1 + 6);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines[0].startsWith("# tofscope"));
        const QStringList rows = lines.filter(QRegularExpression("^[^#]"));
        QCOMPARE(rows.size(), 1 + 7);
        QFile other(commas);
        QVERIFY(other.open(QIODevice::ReadOnly));
        const QStringList same = QString::fromUtf8(other.readAll())
                                     .split('\n', Qt::SkipEmptyParts)
                                     .filter(QRegularExpression("^[^#]"));
        QCOMPARE(same.size(), rows.size());
        QVERIFY2(same[0].startsWith("ROI,shape,role,"), qPrintable(same[0]));
        QVERIFY(same[0].contains("\"SD, %\""));
        QCOMPARE(QString(same[3]).replace(',', '\t'), rows[3]);
        QVERIFY(QFile::exists(rois));
    }

  private:
    RoiModel& model() { return desk_->rois(); }

    /// The run of the open data, made if there is none.
    const RunItem& run() {
        if (desk_->runs().find("A") == nullptr) {
            reconstruct(2);
        }
        return *desk_->runs().find("A");
    }
    /// A volume, written to a file and opened beside the others.
    const RunItem& opened(const QString& name, const Volume& image) {
        writeVolume(folder_.filePath(name).toStdString(), image);
        open(folder_.filePath(name));
        return *desk_->runs().items().back();
    }
    Figures figuresOf(const RunItem& item) { return desk_->screen().figures(item); }

    void type(const QString& name, const QString& text) {
        auto* field = window_->findChild<QLineEdit*>(name);
        QVERIFY(field != nullptr);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

    /// Any image without symmetry on the lattice on screen.
    Volume image() const {
        Volume volume(desk_->view().lattice());
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>(1000 + (i * 2654435761U) % 997);
        }
        return volume;
    }

    Vec3 at(int x, int y, int z) const { return desk_->view().lattice().centre(x, y, z); }

    QString dataFile_;
    QString volumeFile_;
};

QTEST_MAIN(RoiValuesTest)

}  // namespace roi_values_test
#include "roi_values_test.moc"
