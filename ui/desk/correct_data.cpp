// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/correct_data.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/bytes/passing_file.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/study/study.h"
#include "recon/work/correct.h"
#include "ui/desk/desk.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

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
    Form form;
    FormTable forms;
    std::string file;
    std::string name;
    RoiSet rois;
    RunSettings settings;

    /// From the file, so that parts and data belong together.
    [[nodiscard]] PartedCorrections read(const std::function<void()>& heed) const {
        if (file.empty()) {
            return {form.name, form.copy(*open), {}};
        }
        PartedCorrections data = readPartedCorrections(file, heed);
        const std::string hash = std::visit([](const auto& one) { return one.hash; }, data.data);
        if (hash != open->hash()) {
            throw BadInput("{}: is not what it was when it was opened; open it again", file);
        }
        return data;
    }
};

/// Whether a wish may have to find this part.
bool mayFind(const CorrectionWish& wish, PartName part) {
    switch (part) {
        case PartName::Efficiencies: return !wish.norm.empty();
        case PartName::Delayeds: return !wish.delayeds.empty();
        case PartName::Singles:
        case PartName::DeadTime: return !wish.singles.empty();
        case PartName::Scatter: return wish.scatter;
        default: return false;
    }
}

/// Those parts of the newest study that was made of the same data beside the new one. A key says whether a
/// part is the same, so that a wrong study is no harm.
CorrectionParts partsBeside(const CorrectionWish& wish, const std::string& name) {
    const QFileInfo made(wish.folder);
    const QFileInfoList studies =
        made.absoluteDir().entryInfoList({correctedName(QString::fromStdString(name)) + "*.tofstudy"},
                                         QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    if (studies.isEmpty()) {
        return {};
    }
    CorrectionParts found = partsOfFile(studies.front().filePath().toStdString() + "/data.h5");
    std::erase_if(found.list, [&](const CorrectionPart& part) { return !mayFind(wish, part.name); });
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
    PartedCorrections data = source.read([&progress] { progress.heed(); });
    control.checkpoint();
    const CorrectionParts found = partsBeside(wish, source.name);
    control.checkpoint();
    outcome.made = correctData(data, source.name, wish, progress.pool(0, Priority::Background), progress,
                               found, source.forms);
    outcome.notes = progress.notes();
    control.checkpoint();
    QDir().mkpath(QFileInfo(wish.folder).absolutePath());
    const PassingFile file((wish.folder + ".data.h5").toStdString());
    writeMeasured({file.path, [&progress] { progress.heed(); }}, data.data, data.parts);
    control.checkpoint();
    Study study = Study::take(wish.folder.toStdString(), file.path);
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

/// How the open data are corrected; null: they are not.
const FormCorrections* correctionsOf(const Desk& desk) {
    const Form* const form = desk.study().form();
    return form != nullptr && !form->corrections.parts.empty() ? &form->corrections : nullptr;
}

/// How a row of the form stands in the data.
CorrectionState stateOf(const PartRow& row, const PartQuestion& about) {
    CorrectionState state{.name = row.name};
    if (const char* const why = row.whyNot != nullptr ? row.whyNot(about) : nullptr) {
        state.whyNot = word(why);
    }
    const PartGiven given = row.given != nullptr ? row.given(about) : PartGiven::Not;
    if (const CorrectionPart* const part = about.parts.find(row.name)) {
        state.there = state.kept = true;
        state.on = part->on;
        state.figures = part->figures;
    } else if (given != PartGiven::Not) {
        state.there = state.on = true;
        state.kept = given == PartGiven::Values;
    }
    return state;
}

bool isExpected(PartName part) {
    return part == PartName::Delayeds || part == PartName::Singles || part == PartName::Scatter;
}

bool holdAdd(const CorrectionParts& parts) {
    return std::any_of(parts.list.begin(), parts.list.end(),
                       [](const CorrectionPart& part) { return isExpected(part.name); });
}

/// Says which parts are within what the data came with.
void findWithin(CorrectionStates& states, const Measurement& data, const CorrectionParts& parts) {
    const auto holds = states.form->holdsAdd;
    states.givenAdd = holds != nullptr && holds(data) && !holdAdd(parts);
    for (CorrectionState& state : states.parts) {
        state.mixed = states.givenAdd && isExpected(state.name) && !state.there;
        state.byGeometry =
            state.name == PartName::Efficiencies && !state.there && data.shows(DataQuantity::Mult);
    }
}

}  // namespace

const CorrectionState& CorrectionStates::of(PartName name) const {
    static const CorrectionState kNone{.whyNot = QStringLiteral("-")};
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [name](const CorrectionState& part) { return part.name == name; });
    return found != parts.end() ? *found : kNone;
}

bool CorrectionStates::has(PartName name) const {
    return form != nullptr && form->find(name) != nullptr;
}

QString whyNotCorrect(const Desk& desk) {
    const auto& data = desk.study().measurement();
    if (data == nullptr) {
        return Text::tr("Open a study, data or list-mode first");
    }
    const FormCorrections* const form = correctionsOf(desk);
    if (form == nullptr) {
        return Text::tr("Data of this kind are not corrected here");
    }
    const char* const why = form->whyNone != nullptr ? form->whyNone(*data) : nullptr;
    return why != nullptr ? word(why) : QString();
}

CorrectionStates correctionStates(const Desk& desk) {
    CorrectionStates states;
    const auto& data = desk.study().measurement();
    const FormCorrections* const form = correctionsOf(desk);
    if (form == nullptr) {
        return states;
    }
    states.form = std::make_shared<const FormCorrections>(*form);
    const CorrectionParts parts = outlineOf(openFile(desk.study()));
    if (whyNotCorrect(desk).isEmpty()) {
        states.namesPhantom = !data->phantom().empty();
        states.scanner = states.form->scanner != nullptr ? states.form->scanner(*data) : nullptr;
        states.rings = states.form->rings != nullptr ? states.form->rings(*data) : RingsOfData();
    }
    for (const PartRow& row : states.form->parts) {
        states.parts.push_back(stateOf(row, {*data, parts, states.scanner.get()}));
    }
    findWithin(states, *data, parts);
    return states;
}

QString correctionName(PartName part) {
    switch (part) {
        case PartName::Attenuation: return Text::tr("Attenuation");
        case PartName::Efficiencies: return Text::tr("Efficiencies");
        case PartName::Delayeds: return Text::tr("Randoms, from delayeds");
        case PartName::Singles: return Text::tr("Randoms, from singles");
        case PartName::DeadTime: return Text::tr("Dead time");
        case PartName::Scatter: return Text::tr("Scatter");
        case PartName::Geometry: break;
    }
    return partText(part);
}

QString correctionText(const CorrectionState& state) {
    if (state.mixed) {
        return Text::tr("on, not told apart");
    }
    if (!state.there) {
        return state.byGeometry ? Text::tr("by geometry alone") : Text::tr("not in the data");
    }
    const PartFigures& figures = state.figures;
    const std::optional<double>& counts = state.name == PartName::Scatter ? figures.scatter : figures.randoms;
    const QString found =
        counts                 ? Text::tr("%1 counts").arg(countText(std::round(*counts)))
        : figures.efficiencySd ? Text::tr("SD %1 %").arg(numberText(100 * *figures.efficiencySd, 1))
        : figures.alive        ? Text::tr("%1 % of the photons kept").arg(numberText(100 * *figures.alive, 1))
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
    const auto& open = desk.study().measurement();
    const Source source{open,
                        *desk.study().form(),
                        desk.study().forms(),
                        openFile(desk.study()),
                        desk.study().name().toStdString(),
                        desk.rois().set(),
                        desk.settings().current()};
    const auto outcome = std::make_shared<Outcome>();
    desk.tasks().add(
        Text::tr("Correcting %1").arg(desk.study().name()),
        [source, wish, outcome, &engines = desk.engines()](TaskControl& control) {
            makeCorrected(source, engines, wish, control, *outcome);
        },
        [&desk, wish, outcome, from = desk.study().path()] {
            tell(desk.messages(), *outcome, wish.folder);
            if (desk.study().path() == from) {  // what somebody has opened since stays
                desk.open({wish.folder});
            }
        });
    desk.tasks().markWork();
}

}  // namespace tof::ui
