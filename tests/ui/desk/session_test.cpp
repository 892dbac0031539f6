// SPDX-License-Identifier: Apache-2.0
// Everything that a session remembers comes back: every property, not the ones somebody thought of.
#include "ui/desk/session.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QWheelEvent>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "ui/desk/session_keeper.h"
#include "ui/lab/lab_pane.h"
#include "ui/pages/corrections_page.h"
#include "ui/pages/figure_page.h"
#include "ui/pages/runs_page.h"
#include "ui/window/detached_panes.h"
#include "ui/window/main_window.h"
#include "ui/window/pane_window.h"

namespace session_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inTree;
using tof::test::Program;
using tof::test::until;

namespace {

/// Every leaf as "part.field.0" with its value as text.
void leaves(const nlohmann::json& value, const QString& path, QMap<QString, QString>& out) {
    if (!value.is_structured()) {
        out[path] = QString::fromStdString(value.dump());
        return;
    }
    for (const auto& [key, each] : value.items()) {
        leaves(each, path + "." + QString::fromStdString(key), out);
    }
}

/// "Class::setThing" of every public setter in a header.
QStringList publicSetters(const QString& header) {
    static const QRegularExpression type("^(class|struct) (\\w+)[^;]*$");
    static const QRegularExpression access("^  (public|private|protected|Q_SIGNALS).*:$");
    static const QRegularExpression setter("^    void ((set|show|choose|select|use)[A-Z]\\w*)\\(");
    QFile file(header);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QStringList found;
    QString owner;
    bool open = false;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (const auto match = type.match(line); match.hasMatch()) {
            owner = match.captured(2);
            open = match.captured(1) == "struct";
        } else if (const auto level = access.match(line); level.hasMatch()) {
            open = level.captured(1) == "public";
        } else if (const auto name = setter.match(line); name.hasMatch() && open) {
            found << owner + "::" + name.captured(1);
        }
    }
    found.removeDuplicates();
    return found;
}

/// Where the session has what a setter sets.
QMap<QString, QString> rememberedSetters() {
    return {{"LiveTuning::setOn", ".window.live"},
            {"DataPage::setScannerShown", ".window.data_scanner"},
            {"DataScanner::setWanted", ".window.data_scanner"},
            {"LiveTuning::setIterations", ".window.live_iterations"},
            {"CompareModel::setMode", ".compare.mode"},
            {"CompareModel::setSplit", ".compare.split"},
            {"CompareModel::setLimit", ".compare.limit"},
            {"CompareModel::setAutoLimit", ".compare.auto_limit"},
            {"CompareModel::setLink", ".compare.link"},
            {"CompareModel::chooseIterate", ".runs.each.A.shown"},
            {"ViewModel::setLinked", ".view.linked"},
            {"ViewModel::useLook", ".view.look"},
            {"ViewModel::setLook", ".view.looks"},
            {"ViewModel::setAutomaticRange", ".view.looks"},
            {"ViewModel::setRangeSource", ".view.looks"},
            {"LayerModel::setOpacity", ".layers.stack"},
            {"LayerModel::setVisible", ".layers.stack"},
            {"LayerModel::setName", ".layers.stack"},
            {"LayerModel::setColour", ".layers.stack"},
            {"CompareModel::setRelative", ".compare.relative"},
            {"DataModel::setView", ".data.azimuth_deg"},
            {"DataModel::setPlace", ".data.tilt_deg"},
            {"DataModel::setQuantity", ".data.quantity"},
            {"DataModel::setRange", ".data.ranges"},
            {"CorrectionsModel::setPart", ".corrections.part"},
            {"CorrectionsModel::setView", ".corrections.view"},
            {"KernelLab::setKernel", ".lab.kernel"},
            {"KernelLab::usePreset", ".lab.origin"},
            {"KernelLab::setSpread", ".lab.kernel"},
            {"KernelLab::setAsymmetric", ".lab.kernel"},
            {"KernelLab::setAveraged", ".lab.kernel"},
            {"KernelLab::setNumber", ".lab.kernel"},
            {"KernelLab::setOrigin", ".lab.origin"},
            {"KernelLab::selectKnot", ".lab.selected_width"},
            {"KernelLab::setSurfacePercent", ".lab.surface_percent"},
            {"KernelLab::setAzimuth", ".lab.azimuth_deg"},
            {"KernelLab::setTilt", ".lab.tilt_deg"},
            {"KernelLab::selectPoint", ".lab.selected_point"},
            {"KernelLab::setCursor", ".lab.cursor_mm"},
            {"KernelLab::setOperand", ".lab.a"},
            {"KernelLabPage::setMip", ".lab.mip"},
            {"KernelLabPage::showSide", ".lab.side"},
            {"KernelLabPage::setLimitPercent", ".lab.limit_percent"},
            {"KernelLabPage::setAutoLimit", ".lab.auto_limit"},
            {"KernelLabPage::setProjectsImage", ".lab.projects_image"},
            {"KernelPicture::setKind", ".lab.picture"},
            {"RadiusPlot::setPresetsShown", ".lab.presets"},
            {"SolidPane::setAngles", ".window.solid_azimuth_deg"},
            {"SolidPane::setZoom", ".window.solid_zoom"},
            {"RunList::selectNext", ".runs.selected"},
            {"RunList::showIterate", ".runs.each.A.shown"},
            {"ViewModel::setCursor", ".view.cursor_mm"},
            {"ViewModel::setRange", ".view.looks"},
            {"ViewModel::setShownRange", ".view.looks"},
            {"ViewModel::setColourMap", ".view.looks"},
            {"ViewModel::setInverted", ".view.looks"},
            {"ViewModel::setFlag", ".view.flags"},
            {"ViewModel::setOrientation", ".view.orientation"},
            {"ViewModel::setLayout", ".view.layout"},
            {"ViewModel::setActivePlane", ".view.active_plane"},
            {"ViewModel::showLattice", ".view.fitted_mm"},
            {"ViewModel::selectRoi", ".view.selected_roi"},
            {"ViewModel::setSlab", ".view.slab_mm"},
            {"ViewModel::setTurn", ".view.turn"},
            {"ViewModel::setChart", ".view.chart"},
            {"ViewModel::setProfileAxis", ".view.profile_axis"},
            {"ViewModel::setLine", ".view.line_mm"},
            {"FiguresPanel::setEditorShown", ".curves.numbers"},
            {"MatchedPage::setLevel", ".curves.matched_noise"},
            {"RunsPage::setFilter", ".run_table.filter"},
            {"RunsPage::setPinned", ".run_table.pinned"},
            {"RunsPage::setComment", ".run_table.comments"},
            {"PaneWindow::setLinked", ".detached"},
            {"Viewer::setSurfaceShown", ".window.solid_surface"},
            {"Viewer::setSurfacePercent", ".window.solid_percent"},
            {"Section::setFolded", ".window.folded_study"},
            {"CurveChart::setKind", ".curves.kind"},
            {"CurveChart::setLogarithmic", ".window.logarithmic"},
            {"CurveChart::setEnds", ".curves.ends"}};
}

/// Setters of what is no state of a session: what data bring, what is shown of a property that is
/// remembered elsewhere, preferences, and what the study keeps beside its session (settings, ROIs).
QSet<QString> settersOfNoProperty() {
    return {// what is open
            "CorrectionsModel::setOpen", "DataModel::setOpen", "KernelLab::setLattice", "KernelLab::setImage",
            "ViewModel::setLattice", "OpenStudy::setSource", "OpenStudy::setFolder",
            "OpenStudy::setMeasurement", "OpenStudy::setName", "OpenStudy::setPhantom", "RoiModel::setTruth",
            "OpenStudy::setDrafts", "OpenStudy::setLock", "OpenStudy::setForms", "Desk::setForms",
            // what a run and its file say
            "RunItem::setTurn", "RunItem::showWork", "RunItem::setFile", "RunItem::setFigures",
            "RunItem::setRoiRevision", "RunItem::setMadeAs", "RunItem::setUnits", "RunItem::setStatedFactor",
            "RunItem::setElsewhere", "StudyWatch::setPatience",
            // kept with a dynamic image, of which there is none here (dynamic_image_test)
            "RunList::showFrames", "RunItem::showFrames", "RunItem::setMean",
            // how curves of the moment are looked at
            "TimeChart::setPartialVolume",
            // shown of something else
            "FrameTable::setFrames", "KernelLab::setActive", "LabRunner::setActive", "ValueRow::setValue",
            "ElidedLabel::setText", "Section::setNote", "Section::setTitle", "ViewModel::setUnit",
            "CurveChart::setNoiseLevel", "ObserverCurves::setWanted", "ObserverCurves::setRequest",
            "Dial::setValue", "FigureStrip::setFigures", "LabPane::setScale", "NumberRow::setValue",
            "NumberRow::setCompact", "ProfileChart::setRuns", "ProfileChart::setDifference",
            "ProbeLine::setOperands", "ViewModel::setRangeOfShown", "ComboBox::showPopup",
            "SlicePane::setSource", "SlicePane::setScale", "MoreButton::setStowed", "TaskControl::setPaused",
            "FigurePreview::setDrawing", "FigurePreview::setSentence",
            // menus, gone with the next click
            "ContextMenus::showRoi", "ContextMenus::showPicture", "ContextMenus::showRun",
            // preferences and how the program was started
            "Cine::setRate", "MainWindow::setTheme", "KernelLab::setLibrary",
            "SettingsModel::setKernelFolder", "Desk::setAskBeforeReplacing", "Desk::setListBinning",
            "RunItem::setSystem", "ChoiceList::setChoices", "ChoiceList::setSource", "NoticeBar::setArea",
            "NoticeBar::setShownFor", "StartPage::showRecovery", "Desk::setStudyWrites",
            "PlaceHandles::showAt", "Desk::setRecoveryFolder", "SessionKeeper::setInterval",
            "Preferences::setValue", "Preferences::setBytes", "Preferences::setText", "Screen::setUnits",
            "LiveTuning::setLog", "RunDriver::setLog", "LiveTuning::setFacts", "RunDriver::setFacts",
            "RunChannel::setFacts", "RunChannel::setTold",
            // beside the session: settings and ROIs
            "SettingsModel::setAll", "RoiModel::setTrueRatio",
            // what is in hand for the next press of the mouse
            "RoiModel::setTool", "Annotations::setTool",
            // the page of experiments, which is of no study
            "ExperimentsModel::setWriter", "ExperimentsModel::setSize", "ExperimentsModel::setFolder",
            "ExperimentsModel::setEngine", "ExperimentsModel::setOwnData", "ExperimentChart::setChart",
            "ScaledPicture::setPicture",
            // what is opened, and whom to ask
            "Desk::setAskForSeries", "Desk::setVolumeChoice",
            // a dialog
            "RequestForm::setWhyNot", "RequestForm::setLabel", "RequestForm::setFault"};
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = folder_.filePath("small.h5");
        HistoData data = test::smallData();
        const std::size_t untilted = data.views.size();
        for (std::size_t v = 0; v < untilted; ++v) {
            data.views.push_back({data.views[v].phi, 0.1});
        }
        const std::vector<float> counts = data.counts;
        data.counts.insert(data.counts.end(), counts.begin(), counts.end());
        data.mult.assign(data.counts.size(), 1.0F);
        data.att.assign(data.counts.size(), 1.0F);
        writeData(dataFile_.toStdString(), data);
        study_ = folder_.filePath("s.tofstudy");
        static_cast<void>(Study::create(study_.toStdString(), dataFile_.toStdString()));
        Program program(engines_);
        program.open({study_});
        for (const char* kernel : {"invariant", "variant1"}) {
            program.reconstruct(3, kernel);
        }
        // From here on every desk opens the study as it was made.
        QVERIFY(QFile::remove(study_ + "/study.json"));
        pristine_ = R"({"version": 1, "settings": {}, "true_ratio": 6})";
    }

    void everyPropertyOfASessionComesBack() {
        resetStudy();
        QMap<QString, QString> initial;
        QMap<QString, QString> left;
        {
            Program program(engines_);
            program.open({study_});
            initial = state(program);
            changeEverything(program);
            left = state(program);
        }
        // A property that this test forgets to change would come back by accident.
        for (auto it = initial.begin(); it != initial.end(); ++it) {
            // This phantom fills its lattice, so that the box that is fitted can have no other value.
            QVERIFY2(left.value(it.key()) != it.value() || it.key().startsWith(".view.fitted_mm"),
                     qPrintable(it.key() + " was not changed by the test: " + it.value()));
        }

        Program program(engines_);
        program.open({study_});

        const auto back = state(program);
        for (auto it = left.begin(); it != left.end(); ++it) {
            QVERIFY2(back.value(it.key()) == it.value(),
                     qPrintable(it.key() + ": left " + it.value() + ", back " + back.value(it.key())));
        }
        QCOMPARE(back.keys(), left.keys());
        QCOMPARE(program.desk.settings().current().get("iterations"), std::string("7"));
        QVERIFY(program.window.comparePage().isVisible());
    }

    void theWindowShowsWhatCameBack() {
        Program program(engines_);
        program.open({study_});

        QCOMPARE(program.desk.runs().selected()->label(), QString("A"));
        QCOMPARE(program.desk.runs().selected()->name(), QString("renamed A"));
        QCOMPARE(program.desk.runs().selected()->volume()->data,
                 readIterate(program.desk.runs().selected()->file().toStdString(), 2).data);
        QCOMPARE(program.window.comparePage().model().mode(), CompareMode::Checkerboard);
    }

    void foreignAndDamagedPartsChangeNothing() {
        Program program(engines_);
        resetStudy();
        program.open({study_});
        const auto before = state(program);

        const nlohmann::json foreign = nlohmann::json::parse(R"({"view": [1, 2], "compare": "x",
            "data": {"quantity": "colour", "ranges": [{"range": ["a"]}]}, "window": {"page": "file.quit"},
            "runs": {"selected": "Q"}, "unknown": 1})");
        program.desk.sessions().parts().restore(foreign);
        program.settle();

        auto after = state(program);
        // An absent angle is the first view's; everything else stays.
        for (auto it = before.begin(); it != before.end(); ++it) {
            QVERIFY2(after.value(it.key()) == it.value() || it.key().contains("_deg"), qPrintable(it.key()));
        }
    }

    void keysOfPartsAreTakenOnce() {
        Session session;
        session.add({"a", [] { return nlohmann::json(); }, [](const nlohmann::json&) {}});

        QVERIFY_EXCEPTION_THROWN(
            session.add({"a", [] { return nlohmann::json(); }, [](const nlohmann::json&) {}}), InternalError);
    }

    void aSessionThatCrashedIsOfferedAndBroughtBack() {
        resetStudy();
        const QString preferences = folder_.filePath("conf/tofscope.ini");
        const QString volume = folder_.filePath("v.h5");
        Volume image(Lattice::centred({60, 60, 8}, {4, 4, 4}));
        image.data[7] = 3;
        writeVolume(volume.toStdString(), image);
        QMap<QString, QString> left;
        {
            Program program(engines_, {.preferencesFile = preferences});
            QVERIFY(program.window.keeper().before().empty());
            program.open({dataFile_});
            program.open({volume});
            program.desk.view().setCursor({14, 10, -6});
            program.desk.view().setRange({1, 5});
            program.desk.settings().set("iterations", "11");
            program.desk.runs().rename(program.desk.runs().items().front()->id(), "three");
            left = state(program);
            program.window.keeper().save();  // as the timer does; then the program goes without closing
        }
        Program program(engines_, {.preferencesFile = preferences});
        QVERIFY(program.window.keeper().crashed());
        QVERIFY(program.desk.messages().all().back().text.contains("Reopen last session"));

        program.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&program.window));
        QTest::keyClick(&program.window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        program.settle();

        QCOMPARE(program.desk.study().files(), (QStringList{dataFile_, volume}));
        QCOMPARE(program.desk.settings().current().get("iterations"), std::string("11"));
        QCOMPARE(state(program), left);
        program.window.close();
        Program after(engines_, {.preferencesFile = preferences});
        QVERIFY(!after.window.keeper().crashed());
        QVERIFY(!after.window.keeper().before().empty());
    }

    void aSessionIsRememberedAsSoonAsSomethingIsOpen() {
        const QString preferences = folder_.filePath("soon/tofscope.ini");
        Program program(engines_, {.preferencesFile = preferences});
        program.open({dataFile_});
        QVERIFY(until([&] { return QFile::exists(program.preferences.sessionFile()); }, 1000));
    }

    void settingsOfAStudyGoWithIt() {
        resetStudy();
        Program program(engines_);
        program.desk.settings().set("iterations", "4");
        program.open({study_});
        program.desk.settings().set("relaxation", "0.2");

        program.open({dataFile_});

        QCOMPARE(program.desk.settings().current().get("iterations"), std::string("4"));
        QCOMPARE(program.desk.settings().current().get("relaxation"), RunSettings().get("relaxation"));
        program.open({study_});
        QCOMPARE(program.desk.settings().current().get("relaxation"), std::string("0.2"));
    }

    void aStudyIsSavedAsItChanges() {
        resetStudy();
        Program program(engines_);
        program.open({study_});
        program.desk.sessions().autosave();
        program.desk.view().setCursor({22, 2, 6});

        program.desk.sessions().autosave();

        QFile file(study_ + "/study.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const nlohmann::json saved = nlohmann::json::parse(file.readAll().toStdString());
        QCOMPARE(saved["view"]["view"]["cursor_mm"][0].get<double>(), 22.0);
    }

    /// A new setter of a model, page or widget has to be remembered, or be said here to be none of a session.
    void everySetterIsRememberedOrIsNoProperty_data() {
        QTest::addColumn<QString>("setter");
        QStringList headers;
        QDirIterator it(inTree("ui"), {"*.h"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            headers.append(it.next());
        }
        QVERIFY(headers.size() > 20);
        headers.sort();
        for (const QString& header : headers) {
            for (const QString& setter : publicSetters(header)) {
                QTest::newRow(qPrintable(setter)) << setter;
            }
        }
    }

    void everySetterIsRememberedOrIsNoProperty() {
        QFETCH(QString, setter);
        static const QMap<QString, QString> remembered = rememberedSetters();
        static const QSet<QString> others = settersOfNoProperty();
        static const QStringList keys = [this] {
            resetStudy();
            Program program(engines_);
            program.open({study_});
            changeEverything(program);
            return state(program).keys();
        }();

        if (others.contains(setter)) {
            QVERIFY(!remembered.contains(setter));
            return;
        }
        QVERIFY2(remembered.contains(setter),
                 "is not among the properties that a session remembers: save it, and name its key here, or "
                 "name it among those that are no property of a session");
        const QString key = remembered[setter];
        QVERIFY2(std::any_of(keys.begin(), keys.end(), [&](const QString& k) { return k.startsWith(key); }),
                 qPrintable("the session has no " + key));
    }

    void autoIsTheSameForTheSameImageBeforeAndAfterReopening() {
        resetStudy();
        const QString study = folder_.filePath("range.tofstudy");
        static_cast<void>(Study::create(study.toStdString(), dataFile_.toStdString()));
        DisplayRange left;
        {
            Program program(engines_);
            program.open({study});
            program.desk.settings().set("relaxation", "0.5");
            program.desk.settings().set("iterations", "6");
            QVERIFY(program.desk.queue().start() != 0);
            RunItem& run = *program.desk.runs().items().front();
            program.desk.queue().driver().togglePause();
            QVERIFY(until([&] { return run.state() == RunState::Paused; }));
            for (int i = 1; i <= 4; ++i) {
                program.desk.queue().driver().stepIteration();
                QVERIFY(until([&] { return run.lastIterate() == i && run.state() == RunState::Paused; }));
                program.window.refreshNow();
                QVERIFY(program.desk.view().autoRange());
                QVERIFY(program.desk.view().range() == robustRange(*run.images().at(i)));
            }
            program.desk.queue().driver().togglePause();
            QVERIFY(until([&] { return !program.desk.busy(); }));
            program.window.refreshNow();
            left = program.desk.view().range();
            QVERIFY(left == robustRange(*run.volume()));
        }
        Program program(engines_);
        program.open({study});

        QVERIFY(program.desk.view().autoRange());
        QVERIFY(program.desk.view().range() == left);
        QVERIFY(program.window.commands().trigger("view.auto"));
        program.window.refreshNow();
        QVERIFY(program.desk.view().range() == left);
    }

  private:
    static QMap<QString, QString> state(Program& program) {
        QMap<QString, QString> out;
        leaves(program.desk.sessions().parts().toJson(), "", out);
        return out;
    }

    void resetStudy(const QByteArray& text = {}) {
        QFile file(study_ + "/study.json");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.isEmpty() ? pristine_ : text);
    }

    /// By the wheel over a picture, as a person does it.
    static void zoomInTheLab(Program& program) {
        auto* pane = program.window.labPage().findChild<LabPane*>();
        QVERIFY(pane != nullptr);
        const QPointF at(pane->width() / 4.0, pane->height() / 4.0);
        QWheelEvent wheel(at, pane->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(pane, &wheel);
    }

    /// Gives every property of the session another value.
    static void changeEverything(Program& program) {
        Desk& w = program.desk;
        ViewModel& view = w.view();
        for (const auto& item : w.runs().items()) {
            w.runs().rename(item->id(), "renamed " + item->label());
            w.runs().showIterate(item->id(), 2);
        }
        w.runs().select(w.runs().items().front()->id());
        program.settle();
        view.resetRange();
        program.settle();
        view.setRange({2, 9});
        view.setColourMap("viridis");
        view.setInverted(true);
        view.setLinked(false);
        program.settle();
        w.calibrations().set({nullptr, false});
        w.layers().pin("B");
        w.layers().setOpacity(0, 0.25);
        w.layers().setVisible(0, false);
        w.layers().setName(0, "over");
        w.layers().setColour(0, "#ff8000");
        view.setColourMap("inferno");
        view.setInverted(true);
        for (int f = 0; f <= static_cast<int>(ViewModel::Flag::LogTime); ++f) {
            view.setFlag(static_cast<ViewModel::Flag>(f), !view.flag(static_cast<ViewModel::Flag>(f)));
        }
        view.setOrientation(viz::Orientation::Neurological);
        view.setLayout(Layout::Row);
        view.showLattice();
        view.zoomAbout({10, 20, 3}, 1.5);
        view.pan({3, 4, 5});
        view.selectRoi(view.selectedRoi() + 1);
        view.setCursor({14, -10, 6});
        view.setRange({1, 7});
        view.setLine({{-10, 2, 2}, {30, 8, 2}});
        view.setChart(ChartKind::Histogram);
        view.setSlab({12.5, viz::SlabMode::Mean});
        view.setTurn(viz::Turn().about(2, 0.3));
        program.window.viewer().solid()->setAngles(70, -15);
        program.window.viewer().solid()->setZoom(1.75);
        program.window.refreshNow();

        CorrectionsModel& corrections = program.window.findChild<CorrectionsPage*>()->model();
        corrections.setOpen(w.study().measurement(), w.study().form());
        corrections.setPart(DataQuantity::Mult);
        corrections.setView(5);

        CompareModel& compare = program.window.comparePage().model();
        DataModel& data = program.window.dataPage().model();
        data.setOpen(w.study().measurement());
        data.setView(3, 1);
        for (const DataQuantity q : {DataQuantity::Counts, DataQuantity::Residual, DataQuantity::Weighted,
                                     DataQuantity::Mult, DataQuantity::Add, DataQuantity::Att}) {
            data.setQuantity(q);
            data.setRange({-3, 3});
        }
        data.setQuantity(DataQuantity::Expected);
        w.settings().set("iterations", "7");

        KernelLab& lab = program.window.labPage().lab();
        lab.usePreset("variant2");
        lab.moveKnot(1, 200, 13);
        lab.setAveraged(true);
        lab.setAzimuth(77);
        lab.setTilt(5);
        lab.clearPoints();
        static_cast<void>(lab.addPoint({-30, 30, 6}));
        static_cast<void>(lab.addPoint({30, -30, 6}));
        lab.set("a", "back:cpu");
        lab.set("b", "forward:definition");
        lab.setSurfacePercent(35);
        program.window.viewer().setSurfaceShown(true);
        program.window.viewer().setSurfacePercent(62);
        program.window.labPage().setMip(false);
        program.window.labPage().setLimitPercent(2.5);
        program.window.labPage().plot()->setPresetsShown(false);
        program.window.labPage().readout()->picture()->setKind(KernelPicture::Kind::Ids);
        program.window.labPage().readout()->picture()->solid()->setAngles(110, 35);
        program.window.labPage().readout()->picture()->solid()->setZoom(2.5);
        program.window.labPage().setProjectsImage(true);
        lab.setCursor({10, -14, -6});
        zoomInTheLab(program);
        w.live().setIterations(4);
        w.live().setOn(true, LiveTuning::Begins::WithTheNextChange);  // a run of its own would not come back
        program.window.matchedPage().setLevel(0.25);
        auto* table = program.window.findChild<RunsPage*>("page.runs");
        table->setFilter("variant");
        table->sortBy("crc", Qt::DescendingOrder);
        table->setPinned("A", true);
        table->setComment("B", "first");
        program.window.findChild<FigurePage*>("page.figure")->edit("add", [](FigureTemplate& figure) {
            FigurePanel panel;
            panel.images = {{.run = "A"}};
            figure.panels.push_back(panel);
        });
        program.window.findChild<DetachedPanes*>()
            ->open({Plane::Coronal, Plane::Sagittal}, {30, 40, 300, 310})
            .setLinked(false);
        for (const char* panel : {"panel.study-side", "panel.study", "panel.figures"}) {
            QVERIFY(program.window.commands().trigger(panel));
        }
        program.window.dataPage().setScannerShown(true);
        QVERIFY(program.window.commands().trigger("page.compare"));
        program.settle();
        compare.choose(w.runs().items()[1]->id(), w.runs().items()[0]->id());
        compare.setMode(CompareMode::Checkerboard);
        compare.setSplit(0.125);
        program.settle();
        compare.setLimit(12.5);
        compare.setRelative(true);
        compare.setLink(IterateLink::MatchedNoise);
        program.window.labPage().showSide(KernelLabPage::Side::Kernel);
        for (int i = 0; i < 5; ++i) {
            Section* s = program.window.studyPanel().sections()[static_cast<std::size_t>(i)];
            s->setFolded(!s->folded());
        }
        for (int i = 0; i < 3; ++i) {
            Section* s = program.window.figuresPanel().sections()[static_cast<std::size_t>(i)];
            s->setFolded(!s->folded());
        }
        QVERIFY(program.window.commands().trigger("run.all-settings"));
        program.window.viewer().roiTable()->sortBy({4, true});
        program.window.figuresPanel().chart()->setLogarithmic(true);
        program.window.figuresPanel().chart()->setKind(curveKinds().back());
        program.window.figuresPanel().chart()->setEnds({0.5, 2.5, 0.25, 8});
        program.window.figuresPanel().setEditorShown(program.window.figuresPanel().editor()->isHidden());
        view.setActivePlane(
            Plane::Coronal);  // last: the picture that takes the keys of a page is the active one
        program.settle();
    }

    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
    QString study_;
    QByteArray pristine_;
};

QTEST_MAIN(SessionTest)

}  // namespace session_test
#include "session_test.moc"
