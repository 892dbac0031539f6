// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/correct_data.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/study/study.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"
#include "recon/work/correct_data.h"
#include "recon/work/correct_shared.h"
#include "ui/desk/desk.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// A file that goes with its owner.
struct PassingFile {
    explicit PassingFile(QString name) : path(std::move(name)) {}
    ~PassingFile() { QFile::remove(path); }
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;
    QString path;
};

/// The data file that is open, whose parts are kept in it; empty where the data were binned to be opened.
std::string openFile(const OpenStudy& study) {
    return study.folder() != nullptr ? study.folder()->dataFile()
           : study.binning()         ? std::string()
                                     : study.path().toStdString();
}

/// None of a file that has none, or is none of ours.
CorrectionParts outlineOf(const std::string& path) {
    try {
        return path.empty() ? CorrectionParts() : outlineOfParts(h5::Reader(path));
    } catch (const Error&) {
        return {};
    }
}

/// What the open data are, with everything the task needs: it knows no desk.
struct Source {
    std::shared_ptr<const Measurement> open;
    std::string file;
    std::string name;
    RoiSet rois;
    RunSettings settings;

    /// From the file, so that parts and data belong together.
    [[nodiscard]] PartedCorrections read() const {
        if (file.empty()) {
            return {measuredData(*open), {}};
        }
        PartedCorrections data = readPartedCorrections(file);
        const std::string hash = std::visit([](const auto& form) { return form.hash; }, data.data);
        if (hash != open->hash()) {
            throw BadInput("{}: is not what it was when it was opened; open it again", file);
        }
        return data;
    }
};

/// Names of the parts that a wish may have to find.
std::vector<std::string> wantedParts(const CorrectionWish& wish) {
    std::vector<std::string> wanted;
    const auto add = [&wanted](bool when, const char* name) {
        if (when) {
            wanted.emplace_back(name);
        }
    };
    add(!wish.norm.empty(), kEfficiencies);
    add(!wish.delayeds.empty(), kDelayeds);
    add(!wish.singles.empty(), kSingles);
    add(!wish.singles.empty(), kDeadTime);
    add(wish.scatter, kScatter);
    return wanted;
}

/// Those parts of the newest study that was made of the same data beside the new one. A key says whether a
/// part is the same, so that a wrong study is no harm.
CorrectionParts partsBeside(const CorrectionWish& wish, const std::string& name) {
    const QFileInfo made(wish.folder);
    const QFileInfoList studies =
        made.absoluteDir().entryInfoList({correctedName(QString::fromStdString(name)) + "*.tofstudy"},
                                         QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    const std::vector<std::string> wanted = wantedParts(wish);
    CorrectionParts found;
    if (studies.isEmpty() || wanted.empty()) {
        return found;
    }
    found = partsOfFile(studies.front().filePath().toStdString() + "/data.h5");
    std::erase_if(found.list, [&](const CorrectionPart& part) {
        return std::find(wanted.begin(), wanted.end(), part.name) == wanted.end();
    });
    return found;
}

/// What the window's thread is told when it is done.
struct Outcome {
    Corrected made;
    QStringList notes;
};

void makeCorrected(const Source& source, const EngineRegistry& engines, CorrectionWish wish,
                   TaskControl& control, Outcome& outcome) {
    TaskProgress progress(control, {{"efficiencies", wish.norm.empty() ? 0.0 : 0.1},
                                    {"randoms", wish.delayeds.empty() && wish.singles.empty() ? 0.0 : 0.1},
                                    {"scatter", wish.scatter ? 0.75 : 0.0}});
    if (wish.scatter) {
        sumScatterBy(*engines.choose(wish.engine), wish);
    }
    PartedCorrections data = source.read();
    control.checkpoint();
    const CorrectionParts found = partsBeside(wish, source.name);
    control.checkpoint();
    outcome.made = correctData(data, source.name, wish, ThreadPool(0, Priority::Background), progress, found);
    outcome.notes = progress.notes();
    control.checkpoint();
    QDir().mkpath(QFileInfo(wish.folder).absolutePath());
    const PassingFile file(wish.folder + ".data.h5");
    writeMeasured(file.path.toStdString(), data.data, data.parts);
    control.checkpoint();
    Study study = Study::create(wish.folder.toStdString(), file.path.toStdString());
    study.rois = source.rois;
    study.settings = source.settings;
    study.save();
}

void tell(Messages& messages, const Outcome& outcome, const QString& folder) {
    for (const QString& note : outcome.notes) {
        messages.add(Severity::Note, note);
    }
    const QString study = QFileInfo(folder).completeBaseName();
    const CorrectResult& result = outcome.made.result;
    const auto& panels = outcome.made.panels;
    const QString text =
        panels && panels->clippedLines > 0
            ? Text::tr(
                  "%1: %2 randoms taken from the counts; %3 lines fell %4 counts below zero and became zero")
                  .arg(study, countText(panels->delayeds), countText(panels->clippedLines),
                       countText(panels->clippedCounts))
        : result.randoms > 0 || result.scatter > 0
            ? Text::tr("%1: %2 randoms and %3 scattered are expected")
                  .arg(study, countText(std::round(result.randoms)), countText(std::round(result.scatter)))
            : Text::tr("%1 is made").arg(study);
    messages.add(Severity::Note, text, folder);
}

// ---- states ----

/// The sentence that all parts of a form have, or that one has.
void forbid(CorrectionStates& states, std::initializer_list<const char*> names, const QString& why) {
    for (const char* const name : names) {
        CorrectionState& state = states.of(name);
        state.whyNot = state.whyNot.isEmpty() ? why : state.whyNot;
    }
}

/// As far as the scanner says what it takes.
void forbidByScanner(CorrectionStates& states, const Scanner& scanner) {
    if (!scanner.detection) {
        forbid(states, {kDelayeds, kSingles, kDeadTime, kScatter},
               Text::tr("The scanner does not say how it detects"));
    } else if (!(scanner.detection->coincidence_ns > 0)) {
        forbid(states, {kDelayeds, kSingles, kDeadTime},
               Text::tr("The scanner states no coincidence window"));
    }
}

/// The data hold it as they were given, without values of its own.
void given(CorrectionStates& states, const char* name, bool kept) {
    CorrectionState& state = states.of(name);
    if (!state.there) {
        state.there = state.on = true;
        state.kept = kept;
    }
}

void addHisto(CorrectionStates& states, const HistoData& data) {
    if (!data.att.empty()) {
        given(states, kAttenuation, true);
    } else if (!states.of(kAttenuation).there) {
        forbid(states, {kAttenuation},
               Text::tr("Binned without attenuation, or not apart; bin the list again"));
    }
    if (data.mult.empty()) {
        forbid(states, {kEfficiencies, kDeadTime}, Text::tr("The data have no factors; bin the list again"));
    }
    states.givenAdd = !data.add.empty();
    states.scanner = data.scannerJson.scanner("the open data");
    forbidByScanner(states, *states.scanner);
}

void addSinograms(CorrectionStates& states, const SinogramData& data) {
    const RingScanner& rings = data.michelogram->scanner();
    states.rings = rings.name;
    states.crystals = static_cast<std::size_t>(rings.rings) *
                      (static_cast<std::size_t>(rings.crystalsPerRing) - rings.gapPlaces.size());
    states.givenAdd = !data.add.empty();
    if (data.mult.empty()) {
        const QString why = Text::tr("The data have no factors; bin the list again");
        forbid(states, {kAttenuation, kEfficiencies, kDeadTime, kScatter}, why);
    } else {
        given(states, kAttenuation, false);
    }
    if (!data.absolute) {
        forbid(states, {kScatter}, Text::tr("The factors of the data say no probabilities"));
    }
}

void addLines(CorrectionStates& states, const LineData& data) {
    states.scanner = data.possible.scanner;
    states.givenAdd = !data.add.empty();
    if (data.attenuation) {
        given(states, kAttenuation, false);
    }
    if (!data.possible.efficiencies.empty() && !states.of(kDeadTime).there) {
        given(states, kEfficiencies, true);
    }
    if (data.michelogram || data.events->tof.count == 0 || !data.absolute) {
        forbid(states, {kDelayeds, kSingles, kScatter},
               Text::tr("Of lists with times of flight and without rings alone"));
    }
    forbidByScanner(states, *states.scanner);
}

void addPanel(CorrectionStates& states, const PanelData& data) {
    if (!data.add.empty()) {
        given(states, kDelayeds, false);
    }
    forbid(states, {kAttenuation, kEfficiencies, kSingles, kDeadTime, kScatter},
           Text::tr("Of two panels randoms from delayeds are corrected alone"));
    states.scanner = data.scannerJson.scanner("the open data");
}

}  // namespace

const CorrectionState& CorrectionStates::of(const std::string& name) const {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const CorrectionState& part) { return part.name == name; });
    if (found == parts.end()) {
        throw InternalError("no correction " + name);
    }
    return *found;
}

CorrectionState& CorrectionStates::of(const std::string& name) {
    return const_cast<CorrectionState&>(static_cast<const CorrectionStates&>(*this).of(name));
}

QString whyNotCorrect(const Desk& desk) {
    const auto& data = desk.study().measurement();
    if (data == nullptr) {
        return Text::tr("Open a study, data or list-mode first");
    }
    const DataForm form = formOf(*data);
    if (form == DataForm::None) {
        return Text::tr("Data of this kind are not corrected here");
    }
    if (const auto* lines = dynamic_cast<const LineMeasurement*>(data.get())) {
        const PossibleLines& possible = lines->data()->possible;
        if (!possible.scanner || !possible.mult.empty() || !lines->data()->counts.empty()) {
            return Text::tr("No list of events between the crystals of a scanner that it names");
        }
        return {};
    }
    return form != DataForm::Sinograms && data->scannerJson().empty()
               ? Text::tr("The data do not say which scanner they are of; bin the list again")
               : QString();
}

CorrectionStates correctionStates(const Desk& desk) {
    CorrectionStates states;
    for (const char* const name : {kAttenuation, kEfficiencies, kDelayeds, kSingles, kDeadTime, kScatter}) {
        states.parts.push_back({name});
    }
    if (!whyNotCorrect(desk).isEmpty()) {
        return states;
    }
    bool add = false;
    for (const CorrectionPart& part : outlineOf(openFile(desk.study())).list) {
        const auto known = std::find_if(states.parts.begin(), states.parts.end(),
                                        [&](const CorrectionState& one) { return one.name == part.name; });
        if (known != states.parts.end()) {
            *known = {part.name, true, part.on, true, part.figures};
            add = add || part.name == kDelayeds || part.name == kSingles || part.name == kScatter;
        }
    }
    const Measurement& data = *desk.study().measurement();
    states.form = formOf(data);
    states.namesPhantom = !data.phantom().empty();
    switch (states.form) {
        case DataForm::HistoImages: addHisto(states, *desk.study().histo()); break;
        case DataForm::Sinograms:
            addSinograms(states, *dynamic_cast<const SinogramMeasurement&>(data).data());
            break;
        case DataForm::Lines: addLines(states, *dynamic_cast<const LineMeasurement&>(data).data()); break;
        default: addPanel(states, *dynamic_cast<const PanelMeasurement&>(data).data()); break;
    }
    states.givenAdd = states.givenAdd && !add;
    return states;
}

QString correctionName(const std::string& part) {
    const std::pair<const char*, QString> names[] = {{kAttenuation, Text::tr("Attenuation")},
                                                     {kEfficiencies, Text::tr("Efficiencies")},
                                                     {kDelayeds, Text::tr("Randoms, from delayeds")},
                                                     {kSingles, Text::tr("Randoms, from singles")},
                                                     {kDeadTime, Text::tr("Dead time")},
                                                     {kScatter, Text::tr("Scatter")}};
    const auto* const found =
        std::find_if(std::begin(names), std::end(names), [&](const auto& one) { return part == one.first; });
    return found != std::end(names) ? found->second : QString::fromStdString(part);
}

QString correctionText(const CorrectionState& state) {
    if (!state.there) {
        return Text::tr("not in the data");
    }
    const nlohmann::json figures = parsedJson(state.figures);
    const auto figure = [&](const char* key) { return savedIn(figures, key, std::nan("")); };
    const double counts = state.name == kScatter ? figure("scatter") : figure("randoms");
    const QString found =
        std::isfinite(counts) ? Text::tr("%1 counts").arg(countText(std::round(counts)))
        : std::isfinite(figure("efficiency_sd"))
            ? Text::tr("SD %1 %").arg(numberText(100 * figure("efficiency_sd"), 1))
        : std::isfinite(figure("alive"))
            ? Text::tr("alive for %1 % of the time").arg(numberText(100 * figure("alive"), 1))
            : QString();
    const QString how = !state.on ? Text::tr("kept") : Text::tr("on");
    return found.isEmpty() ? how : how + ", " + found;
}

QString correctedName(const QString& study) {
    static const QRegularExpression own("-corrected(-\\d+)?$");
    return QString(study).remove(own) + "-corrected";
}

void correctOpenData(Desk& desk, const CorrectionWish& wish) {
    if (!whyNotCorrect(desk).isEmpty()) {
        return;
    }
    const Source source{desk.study().measurement(), openFile(desk.study()), desk.study().name().toStdString(),
                        desk.rois().set(), desk.settings().current()};
    const auto outcome = std::make_shared<Outcome>();
    desk.tasks().add(
        Text::tr("Correcting %1").arg(desk.study().name()),
        [source, wish, outcome, &engines = desk.engines()](TaskControl& control) {
            makeCorrected(source, engines, wish, control, *outcome);
        },
        [&desk, wish, outcome] {
            tell(desk.messages(), *outcome, wish.folder);
            desk.open({wish.folder});
        });
    desk.tasks().markWork();
}

}  // namespace tof::ui
