// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_rows.h"

#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"

#include "recon/scanner/scanner.h"

namespace tof {

namespace {

using namespace row_words;
using CorrectRow = RequestRow<CorrectRequest>;

/// A part that stays as it was found, or is switched; dialogs have a box for each part of the data instead.
CorrectRow partSwitchRow(std::optional<bool> PartSwitches::*part, const char* key, const char* help) {
    return CorrectRow::made(
        [part](const CorrectRequest& request) {
            const std::optional<bool>& chosen = request.switches.*part;
            return std::string(!chosen ? "as-found" : *chosen ? "on" : "off");
        },
        [part](CorrectRequest& request, const std::string& text) {
            request.switches.*part = text == "as-found" ? std::nullopt : std::optional(text == "on");
            request.scatter = request.switches.scatter.value_or(false);
        },
        key, OptionKind::Choice, Choices{{"as-found", "on", "off"}}, Help{help}, Shown::Command);
}

std::string randomsText(const CorrectRequest& request) {
    if (request.panelRandoms == PanelRandoms::Subtract) {
        return "subtract";
    }
    if (!request.switches.randoms) {
        return "as-found";
    }
    return *request.switches.randoms == RandomsBy::Off        ? "off"
           : *request.switches.randoms == RandomsBy::Delayeds ? "delayeds"
                                                              : "singles";
}

void takeRandoms(CorrectRequest& request, const std::string& text) {
    request.panelRandoms = text == "subtract" ? PanelRandoms::Subtract : PanelRandoms::Add;
    request.switches.randoms = text == "off"        ? std::optional(RandomsBy::Off)
                               : text == "delayeds" ? std::optional(RandomsBy::Delayeds)
                               : text == "singles"  ? std::optional(RandomsBy::Singles)
                                                    : std::nullopt;
}

std::vector<CorrectRow> partFileRows() {
    return {CorrectRow::of(
                &CorrectRequest::norm, "norm", Label{toTranslate("Word", "Efficiencies")},
                Help{"Efficiencies: list of a normalisation scan without scatter and randoms (those it tells "
                     "are left out), of the phantom that it names; or a normalisation of GE RDF 9"},
                Tip{toTranslate(
                    "Word", "List of a normalisation scan without scatter, of the phantom that it names")},
                Empty{toTranslate("Word", "list of a normalisation scan")}, TextRole::File),
            CorrectRow::of(
                &CorrectRequest::delayeds, "delayeds", Label{toTranslate("Word", "Delayeds")},
                Help{"Randoms: list of the delayed coincidences of the same scan ('simulate --delayeds')"},
                Tip{toTranslate("Word", "List of the delayed coincidences of the same scan")},
                Empty{toTranslate("Word", "list of the delayed coincidences")}, TextRole::File),
            CorrectRow::made(
                [](const CorrectRequest& request) {
                    return std::string(request.panelRandoms == PanelRandoms::Add ? "add" : "subtract");
                },
                [](CorrectRequest& request, const std::string& text) {
                    request.panelRandoms = text == "add" ? PanelRandoms::Add : PanelRandoms::Subtract;
                },
                "panel-way", OptionKind::Choice, Label{toTranslate("Word", "How randoms are taken")},
                Choices{{"add", "subtract"}},
                Help{toTranslate("Word",
                                 "Counts with their mean beside them stay Poisson; what falls below "
                                 "zero becomes zero")},
                ChoiceWords{{toTranslate("Word", "their mean is expected beside the counts"),
                             toTranslate("Word", "taken from the counts, line by line")}},
                Group{kPanelGroup}, Shown::Window),
            CorrectRow::of(
                &CorrectRequest::singles, "singles", Label{toTranslate("Word", "Singles")},
                Help{"Randoms and dead time: the crystals' singles of the same scan ('simulate --singles')"},
                Tip{toTranslate("Word", "Singles of the crystals in the same scan")},
                Empty{toTranslate("Word", "singles of the crystals")}, TextRole::File)};
}

std::vector<CorrectRow> partSwitchRows() {
    return {
        CorrectRow::made(randomsText, takeRandoms, "randoms", OptionKind::Choice,
                         Choices{{"as-found", "off", "delayeds", "singles", "add", "subtract"}},
                         Help{"Which randoms are expected, of those that were found. Two panels: randoms' "
                              "mean goes beside the counts (add), or delayeds are taken from them line by "
                              "line and what falls below zero becomes zero"},
                         Shown::Command),
        partSwitchRow(&PartSwitches::scatter, "scatter",
                      "Scatter: single scatter simulation with times of flight, of the data's own image"),
        partSwitchRow(&PartSwitches::attenuation, "attenuation",
                      "Attenuation as the data have it, or none; of list-mode also what --mu says"),
        partSwitchRow(&PartSwitches::efficiencies, "efficiencies",
                      "Efficiencies, once --norm has found them"),
        partSwitchRow(&PartSwitches::deadTime, "dead-time",
                      "Losses by dead time, once --singles has found them")};
}

/// A text that dialogs offer values for.
CorrectRow offering(std::vector<std::string> presets, CorrectRow row) {
    row.choices = std::move(presets);
    return row;
}

/// Scanners that say how they detect are offered by name.
CorrectRow ringsRow() {
    std::vector<std::string> names;
    for (const BuiltIn& one : builtInScanners()) {
        if (parseJson(one.text, one.name).contains("detection")) {  // a whole scanner takes a while
            names.push_back(one.name);
        }
    }
    return offering(
        std::move(names),
        CorrectRow::of(
            &CorrectRequest::scanner, "scanner", Label{toTranslate("Word", "Scanner")},
            Help{"Sinograms: the scanner whose events they hold, name or file, that says how it "
                 "detects"},
            Tip{toTranslate("Word", "Sinograms do not say how their crystals detect: the scanner does")},
            Group{kRingsGroup}, TextRole::File));
}

std::vector<CorrectRow> scatterRows() {
    return {
        CorrectRow::made(
            [](const CorrectRequest& request) { return textOf(request.scatterSettings.rounds, {}); },
            [](CorrectRequest& request, const std::string& text) {
                request.scatterSettings.rounds = valueOf<int>(text, {});
            },
            "rounds", OptionKind::Integer, Label{toTranslate("Word", "Rounds")}, Limits{1, 10},
            Help{"Scatter: how often image and scatter are found in turn"},
            Tip{toTranslate("Word", "How often image and scatter are found in turn")}, Group{kScatterGroup}),
        CorrectRow::made(
            [](const CorrectRequest& request) {
                return std::string(request.scatterSettings.fitTails ? "off" : "on");
            },
            [](CorrectRequest& request, const std::string& text) {
                request.scatterSettings.fitTails = text == "off";
            },
            "no-tail-fit", OptionKind::Switch,
            Help{"Scatter: leave what was scattered once as it is, not scaled to the tails"},
            Tip{toTranslate("Word",
                            "Leaves out what was scattered more than once, which scaling to "
                            "what is measured where nothing emits takes in")},
            Tick{toTranslate("Word", "left as it is simulated, not scaled to the tails")},
            Group{kScatterGroup}),
        offering({"auto"},
                 CorrectRow::of(&CorrectRequest::engine, "engine", Label{toTranslate("Word", "Engine")},
                                Help{"Scatter: who adds up over scatter points and lines, 'auto', 'cpu' or "
                                     "'cuda'"},
                                Tip{toTranslate("Word", "Who adds up over scatter points and lines")},
                                Group{kScatterGroup}))};
}

std::vector<CorrectRow> makeCorrectRows() {
    std::vector<CorrectRow> all = partFileRows();
    const auto append = [&all](std::vector<CorrectRow> more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    append(partSwitchRows());
    all.push_back(
        CorrectRow::of(&CorrectRequest::mu, "mu", Label{toTranslate("Word", "Attenuation volume")},
                       Help{"What attenuates, for scatter and of list-mode: volume in 1/cm; without it "
                            "the phantom the data name"},
                       Tip{toTranslate("Word", "Attenuation volume")},
                       Empty{toTranslate("Word", "what attenuates: a volume in 1/cm")}, TextRole::File));
    all.push_back(CorrectRow::of(
        &CorrectRequest::muUnits, "mu-units", Label{toTranslate("Word", "Attenuation in")},
        Choices{{"auto", "1/cm", "1/mm", "hu"}}, Help{"What --mu holds, as of 'bin'"},
        Tip{toTranslate("Word",
                        "What the attenuation volume holds; CT is converted from 120 kVp to 511 keV")},
        ChoiceWords{{toTranslate("Word", "1/cm, or as the file says"), "1/cm", "1/mm",
                     toTranslate("Word", "Hounsfield units")}},
        Group{kScatterGroup}));
    all.push_back(ringsRow());
    append(scatterRows());
    return all;
}

}  // namespace

const std::vector<RequestRow<CorrectRequest>>& correctRows() {
    static const std::vector<CorrectRow> rows = makeCorrectRows();
    return rows;
}

}  // namespace tof
