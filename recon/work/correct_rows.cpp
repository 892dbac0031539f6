// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_rows.h"

#include "recon/scanner/scanner.h"

namespace tof {

namespace {

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
        {.key = key, .kind = OptionKind::Choice, .choices = {"as-found", "on", "off"}, .help = help},
        {.shown = Shown::Command});
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
    const auto file = [](std::string CorrectRequest::*member, OptionInfo info, RowWords words) {
        words.group = kPartFiles;
        words.role = TextRole::File;
        return CorrectRow::of(member, std::move(info), std::move(words));
    };
    return {
        file(
            &CorrectRequest::norm,
            {.key = "norm",
             .label = toTranslate("Word", "Efficiencies"),
             .help = "Efficiencies: list of a normalisation scan without scatter and randoms (those it tells "
                     "are left out), of the phantom that it names"},
            {.tip = toTranslate("Word",
                                "List of a normalisation scan without scatter, of the phantom that it names"),
             .empty = toTranslate("Word", "list of a normalisation scan")}),
        file(&CorrectRequest::delayeds,
             {.key = "delayeds",
              .label = toTranslate("Word", "Delayeds"),
              .help = "Randoms: list of the delayed coincidences of the same scan ('simulate --delayeds')"},
             {.tip = toTranslate("Word", "List of the delayed coincidences of the same scan"),
              .empty = toTranslate("Word", "list of the delayed coincidences")}),
        CorrectRow::made(
            [](const CorrectRequest& request) {
                return std::string(request.panelRandoms == PanelRandoms::Add ? "add" : "subtract");
            },
            [](CorrectRequest& request, const std::string& text) {
                request.panelRandoms = text == "add" ? PanelRandoms::Add : PanelRandoms::Subtract;
            },
            {.key = "panel-way",
             .kind = OptionKind::Choice,
             .label = toTranslate("Word", "How randoms are taken"),
             .choices = {"add", "subtract"},
             .help = toTranslate("Word",
                                 "Counts with their mean beside them stay Poisson; what falls below "
                                 "zero becomes zero")},
            {.choiceWords = {toTranslate("Word", "their mean is expected beside the counts"),
                             toTranslate("Word", "taken from the counts, line by line")},
             .group = kPanelGroup,
             .shown = Shown::Window}),
        file(&CorrectRequest::singles,
             {.key = "singles",
              .label = toTranslate("Word", "Singles"),
              .help = "Randoms and dead time: the crystals' singles of the same scan ('simulate --singles')"},
             {.tip = toTranslate("Word", "Singles of the crystals in the same scan"),
              .empty = toTranslate("Word", "singles of the crystals")})};
}

std::vector<CorrectRow> partSwitchRows() {
    return {CorrectRow::made(
                randomsText, takeRandoms,
                {.key = "randoms",
                 .kind = OptionKind::Choice,
                 .choices = {"as-found", "off", "delayeds", "singles", "add", "subtract"},
                 .help = "Which randoms are expected, of those that were found. Two panels: randoms' "
                         "mean goes beside the counts (add), or delayeds are taken from them line by "
                         "line and what falls below zero becomes zero"},
                {.shown = Shown::Command}),
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
        if (Scanner::fromJson(one.text, one.name).detection) {
            names.push_back(one.name);
        }
    }
    return offering(
        std::move(names),
        CorrectRow::of(
            &CorrectRequest::scanner,
            {.key = "scanner",
             .label = toTranslate("Word", "Scanner"),
             .help = "Sinograms: the scanner whose events they hold, name or file, that says how it "
                     "detects"},
            {.tip = toTranslate("Word", "Sinograms do not say how their crystals detect: the scanner does"),
             .group = kRingsGroup,
             .role = TextRole::File}));
}

std::vector<CorrectRow> scatterRows() {
    return {CorrectRow::made(
                [](const CorrectRequest& request) { return textOf(request.scatterSettings.rounds, {}); },
                [](CorrectRequest& request, const std::string& text) {
                    request.scatterSettings.rounds = valueOf<int>(text, {});
                },
                {.key = "rounds",
                 .kind = OptionKind::Integer,
                 .label = toTranslate("Word", "Rounds"),
                 .low = 1,
                 .high = 10,
                 .help = "Scatter: how often image and scatter are found in turn"},
                {.tip = toTranslate("Word", "How often image and scatter are found in turn"),
                 .group = kScatterGroup}),
            CorrectRow::made(
                [](const CorrectRequest& request) {
                    return std::string(request.scatterSettings.fitTails ? "off" : "on");
                },
                [](CorrectRequest& request, const std::string& text) {
                    request.scatterSettings.fitTails = text == "off";
                },
                {.key = "no-tail-fit",
                 .kind = OptionKind::Switch,
                 .help = "Scatter: leave what was scattered once as it is, not scaled to the tails"},
                {.tip = toTranslate("Word",
                                    "Leaves out what was scattered more than once, which scaling to "
                                    "what is measured where nothing emits takes in"),
                 .tick = toTranslate("Word", "left as it is simulated, not scaled to the tails"),
                 .group = kScatterGroup}),
            offering({"auto"},
                     CorrectRow::of(
                         &CorrectRequest::engine,
                         {.key = "engine",
                          .label = toTranslate("Word", "Engine"),
                          .help = "Scatter: who adds up over scatter points and lines, 'auto', 'cpu' or "
                                  "'cuda'"},
                         {.tip = toTranslate("Word", "Who adds up over scatter points and lines"),
                          .group = kScatterGroup}))};
}

std::vector<CorrectRow> makeCorrectRows() {
    std::vector<CorrectRow> all = partFileRows();
    const auto append = [&all](std::vector<CorrectRow> more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    append(partSwitchRows());
    all.push_back(
        CorrectRow::of(&CorrectRequest::mu,
                       {.key = "mu",
                        .label = toTranslate("Word", "Attenuation volume"),
                        .help = "What attenuates, for scatter and of list-mode: volume in 1/cm; without it "
                                "the phantom the data name"},
                       {.tip = toTranslate("Word", "Attenuation volume"),
                        .empty = toTranslate("Word", "what attenuates: a volume in 1/cm"),
                        .group = kPartFiles,
                        .role = TextRole::File}));
    all.push_back(CorrectRow::of(
        &CorrectRequest::muUnits,
        {.key = "mu-units",
         .label = toTranslate("Word", "Attenuation in"),
         .choices = {"auto", "1/cm", "1/mm", "hu"},
         .help = "What --mu holds, as of 'bin'"},
        {.tip = toTranslate("Word",
                            "What the attenuation volume holds; CT is converted from 120 kVp to 511 keV"),
         .choiceWords = {toTranslate("Word", "1/cm, or as the file says"), "1/cm", "1/mm",
                         toTranslate("Word", "Hounsfield units")},
         .group = kScatterGroup}));
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
