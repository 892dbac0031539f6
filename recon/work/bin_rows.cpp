// SPDX-License-Identifier: Apache-2.0
#include "recon/work/bin_rows.h"

#include <iterator>

#include "recon/base/error.h"
#include "recon/forms/forms.h"

namespace tof {

namespace {

using BinRow = RequestRow<BinRequest>;
using ImportRow = RequestRow<SinogramImport>;

bool isHisto(const BinRequest& request) {
    return request.form == BinRequest().form;
}

bool isBinned(const BinRequest& request) {
    return !isHisto(request);
}

std::string sizesText(const std::array<int, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

std::array<int, 3> gridFrom(const std::string& text) {
    const std::vector<int> sizes = sizesFromText("--grid", text, 3, 1, 65535);
    return {sizes[0], sizes[1], sizes[2]};
}

/// The image of an import, and the usual one in what it leaves open.
void takeImage(BinRequest& request) {
    const Lattice usual = usualLattice();
    request.lattice = Lattice::centred(request.sinograms.size.value_or(usual.size),
                                       request.sinograms.spacing_mm.value_or(usual.spacing_mm));
}

BinRow binFormRow() {
    OptionInfo info{.key = "to",
                    .label = toTranslate("Word", "Form"),
                    .help =
                        "Form of the data: histo-images of DIRECT, sinograms of a ring scanner, its "
                        "list-mode as lines of response, or the lines of two panels"};
    RowWords words{
        .tip = toTranslate("Word", "What the events become, and with it which reconstruction they are for"),
        .saved = "form",
        .group = kListGroup};
    for (const Form& form : builtInForms().rows()) {
        info.choices.push_back(form.name);
        words.choiceWords.push_back(form.words);
    }
    return BinRow::of(&BinRequest::form, std::move(info), std::move(words));
}

BinRow binViewsRow() {
    return BinRow::made(
        [](const BinRequest& request) { return fmt::format("{}x{}", request.azimuths, request.tilts); },
        [](BinRequest& request, const std::string& text) {
            const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
            request.azimuths = counts[0];
            request.tilts = counts[1];
        },
        {.key = "views", .help = "Views: azimuths x tilts"}, {.valueName = "AxT", .shown = Shown::Command});
}

std::vector<BinRow> viewRows() {
    return {binViewsRow(),
            BinRow::of(&BinRequest::azimuths,
                       {.key = "azimuths",
                        .label = toTranslate("Word", "Azimuths"),
                        .low = 1,
                        .high = 4096,
                        .help = toTranslate("Word", "Views over 180 degrees")},
                       {.shown = Shown::Window}, isHisto),
            BinRow::of(&BinRequest::tilts,
                       {.key = "tilts",
                        .label = toTranslate("Word", "Tilts"),
                        .low = 1,
                        .high = 255,
                        .help = toTranslate("Word", "Equal intervals of the axial acceptance")},
                       {.shown = Shown::Window}, isHisto)};
}

/// On command lines alone: the window asks for one edge and keeps the field of view (ListBinning).
std::vector<BinRow> binImageRows() {
    return {BinRow::made(
                [](const BinRequest& request) {
                    return sizesText(request.lattice.value_or(usualLattice()).size);
                },
                [](BinRequest& request, const std::string& text) {
                    request.sinograms.size = gridFrom(text);
                    takeImage(request);
                },
                {.key = "grid", .help = "Voxels along x, y and z"},
                {.valueName = "XxYxZ", .shown = Shown::Command}),
            BinRow::made(
                [](const BinRequest& request) {
                    return spacingText(request.lattice.value_or(usualLattice()).spacing_mm);
                },
                [](BinRequest& request, const std::string& text) {
                    request.sinograms.spacing_mm = spacingFromText("--voxel", text);
                    takeImage(request);
                },
                {.key = "voxel", .help = "Voxel edge, or edges as 4x4x2, in mm"},
                {.valueName = "MM", .shown = Shown::Command})};
}

std::vector<BinRow> depositRows() {
    return {BinRow::of(
                &BinRequest::trilinear,
                {.key = "trilinear",
                 .label = toTranslate("Word", "Events"),
                 .help = toTranslate("Word", "Spread events over eight voxels instead of the nearest one")},
                {.tick = toTranslate("Word", "spread over eight voxels")}, isHisto),
            BinRow::made(
                [](const BinRequest& request) { return std::string(nameOf(request.endPoints)); },
                [](BinRequest& request, const std::string& text) {
                    request.endPoints = text == nameOf(EndPoints::Face) ? EndPoints::Face : EndPoints::Centre;
                },
                {.key = "deposit",
                 .kind = OptionKind::Choice,
                 .label = toTranslate("Word", "End points"),
                 .choices = {nameOf(EndPoints::Face), nameOf(EndPoints::Centre)},
                 .help = "Where events of histo-images end in their crystals: spread evenly over the "
                         "faces, or at the centres"},
                {.tip = toTranslate("Word",
                                    "Events end evenly spread over their crystals' faces; else at their "
                                    "centres, on a comb of lines that beats with the voxels"),
                 .tick = toTranslate("Word", "spread over the crystals' faces")},
                isHisto),
            BinRow::of(&BinRequest::seed,
                       {.key = "seed",
                        .high = 18446744073709551616.0,
                        .help = "Seed of the places on the crystals' faces; the same whatever the threads"},
                       {.shown = Shown::Command})};
}

BinRow binMuUnitsRow() {
    return BinRow::of(
        &BinRequest::muUnits,
        {.key = "mu-units",
         .label = toTranslate("Word", "Attenuation in"),
         .choices = {"auto", "1/cm", "1/mm", "hu"},
         .help = "What --mu holds; hu: CT at 120 kVp, converted to 511 keV. auto: 1/mm where the "
                 "file says so, else 1/cm"},
        {.tip = toTranslate("Word",
                            "What the attenuation volume holds; CT is converted from 120 kVp to "
                            "511 keV"),
         .choiceWords = {toTranslate("Word", "1/cm, or as the file says"), "1/cm", "1/mm",
                         toTranslate("Word", "Hounsfield units")}});
}

std::vector<BinRow> binFileRows() {
    return {
        BinRow::of(
            &BinRequest::scanner,
            {.key = "scanner",
             .label = toTranslate("Word", "Scanner"),
             .help = toTranslate("Word",
                                 "Scanner when the list only names it: built-in name, geometry file or "
                                 "crystal map; or the rings whose sinograms or lines these are")},
            {.empty = toTranslate("Word", "the list's own"), .group = kListGroup, .role = TextRole::File}),
        BinRow::of(
            &BinRequest::mu,
            {.key = "mu",
             .label = toTranslate("Word", "Attenuation"),
             .help = toTranslate("Word",
                                 "Attenuation volume in 1/cm, or none; without it the phantom the list "
                                 "names, if any")},
            {.empty = toTranslate("Word", "the list's phantom"), .role = TextRole::File}),
        binMuUnitsRow(),
        BinRow::made([](const BinRequest& request) { return request.corrections; },
                     [](BinRequest& request, const std::string& text) {
                         request.corrections = text;
                         request.sinograms.corrections = text;
                     },
                     {.key = "corrections",
                      .label = toTranslate("Word", "Corrections"),
                      .help = toTranslate("Word",
                                          "Lines take mult and add from these sinograms (.h5), or their "
                                          "probability of being recorded from this CASToR normalisation "
                                          "(.cdh)")},
                     {.empty = toTranslate("Word", "none"), .role = TextRole::File},
                     [](const BinRequest& request) { return request.form == "lors"; })};
}

std::vector<BinRow> binListRows() {
    return {BinRow::of(
                &BinRequest::randoms,
                {.key = "randoms",
                 .label = toTranslate("Word", "Randoms"),
                 .choices = {"estimate", "none"},
                 .help = toTranslate("Word", "Randoms of ECAT8 list-mode, from its delayed coincidences")},
                {.tick = toTranslate("Word", "estimate them from delayed coincidences"), .group = kListGroup},
                isBinned),
            BinRow::of(
                &BinRequest::segments,
                {.key = "segments",
                 .label = toTranslate("Word", "Segments"),
                 .high = 4096,
                 .help = toTranslate("Word", "Keep only the first segments of ECAT8 list-mode; 0 keeps all")},
                {.empty = toTranslate("Word", "all"), .group = kListGroup}, isBinned)};
}

/// A row of the times of flight: taken as `times`, or as the list states them.
BinRow timesRow(Times times, OptionInfo info, RowWords words, BinRow::Applies applies) {
    info.kind = OptionKind::Switch;
    return BinRow::made(
        [times](const BinRequest& request) { return request.times == times ? "on" : "off"; },
        [times](BinRequest& request, const std::string& text) {
            if (text == "on" && request.times != times && request.times != Times::AsStated) {
                throw WrongUse("--reverse-tof and --no-tof exclude each other; give one of them");
            }
            if (text == "on" || request.times == times) {
                request.times = text == "on" ? times : Times::AsStated;
            }
        },
        std::move(info), std::move(words), std::move(applies));
}

std::vector<BinRow> readingRows() {
    return {timesRow(Times::Reversed,
                     {.key = "reverse-tof",
                      .label = toTranslate("Word", "Times of flight"),
                      .help = "Take times of flight as t2 - t1; 'info --check-tof' says which they are"},
                     {.tip = toTranslate("Word", "Take times of flight as t2 - t1"),
                      .tick = toTranslate("Word", "turn them round"),
                      .group = kListGroup},
                     [](const BinRequest& request) { return request.times != Times::Left; }),
            timesRow(Times::Left,
                     {.key = "no-tof",
                      .help = toTranslate("Word", "Bin lines or sinograms without the times of flight")},
                     {.tick = toTranslate("Word", "leave them out"), .group = kListGroup},
                     [](const BinRequest& request) {
                         return isBinned(request) && request.times != Times::Reversed;
                     }),
            BinRow::of(&BinRequest::partial,
                       {.key = "partial",
                        .label = toTranslate("Word", "Damaged file"),
                        .help = toTranslate("Word", "Read truncated list-mode as far as it goes")},
                       {.tick = toTranslate("Word", "take it as far as it goes when it ends too early"),
                        .group = kListGroup})};
}

BinRow frameRow() {
    return BinRow::made(
        [](const BinRequest& request) { return std::to_string(request.sinograms.read.frame); },
        [](BinRequest& request, const std::string& text) {
            request.sinograms.read.frame = valueOf<int>(text, {});
        },
        {.key = "frame",
         .kind = OptionKind::Integer,
         .label = toTranslate("Word", "Frame"),
         .high = 100000,
         .help = toTranslate("Word",
                             "Which of several frames of sinograms, from 1; 0 takes the only "
                             "one")},
        {.empty = toTranslate("Word", "the only one"), .group = kSinogramGroup});
}

ImportRow factorsRow(std::vector<std::string> SinogramImport::*files, OptionInfo info) {
    return ImportRow::made(
        [files](const SinogramImport& import) { return textOf(import.*files, {}); },
        [files](SinogramImport& import, const std::string& text) { import.*files = fileList(text); },
        std::move(info),
        {.empty = toTranslate("Word", "none"), .group = kSinogramGroup, .role = TextRole::Files});
}

template <typename One>
void appendRows(std::vector<One>& all, std::vector<One> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<BinRow> makeBinRows() {
    std::vector<BinRow> all{binFormRow()};
    appendRows(all, viewRows());
    appendRows(all, binImageRows());
    appendRows(all, depositRows());
    appendRows(all, binFileRows());
    appendRows(all, rowsOf(&BinRequest::sinograms, sinogramRows()));
    all.push_back(frameRow());
    appendRows(all, binListRows());
    appendRows(all, readingRows());
    return all;
}

}  // namespace

const std::vector<RequestRow<BinRequest>>& binRows() {
    static const std::vector<BinRow> rows = makeBinRows();
    return rows;
}

const std::vector<RequestRow<SinogramImport>>& sinogramRows() {
    static const std::vector<ImportRow> rows{
        ImportRow::made(
            [](const SinogramImport& import) {
                return std::string(import.read.multiplicity == Multiplicity::Yes  ? "yes"
                                   : import.read.multiplicity == Multiplicity::No ? "no"
                                                                                  : "auto");
            },
            [](SinogramImport& import, const std::string& text) {
                import.read.multiplicity = text == "yes"  ? Multiplicity::Yes
                                           : text == "no" ? Multiplicity::No
                                                          : Multiplicity::Auto;
            },
            {.key = "multiplicity",
             .kind = OptionKind::Choice,
             .label = toTranslate("Word", "Multiplicity"),
             .choices = {"auto", "yes", "no"},
             .help =
                 "Sinograms of STIR: whether the number of crystal pairs that span and mashing add up is "
                 "part of a bin's efficiency. auto: where counts are whole, not arc-corrected and without "
                 "--norm"},
            {.tip = toTranslate("Word", "Number of crystal pairs that span and mashing add up in a bin"),
             .choiceWords = {toTranslate("Word", "where counts are whole numbers"),
                             toTranslate("Word", "part of the efficiency"), toTranslate("Word", "left out")},
             .group = kSinogramGroup}),
        factorsRow(&SinogramImport::mult,
                   {.key = "mult",
                    .label = toTranslate("Word", "Survival, efficiency"),
                    .help = toTranslate("Word",
                                        "Sinograms (.hs or .h5, several with commas) that multiply expected "
                                        "counts: survival, efficiency")}),
        factorsRow(&SinogramImport::acf,
                   {.key = "acf",
                    .label = toTranslate("Word", "Attenuation correction factors"),
                    .help = toTranslate("Word",
                                        "Sinograms of attenuation correction factors, whose inverse "
                                        "multiplies expected counts")}),
        factorsRow(&SinogramImport::norm,
                   {.key = "norm",
                    .label = toTranslate("Word", "Normalisation factors"),
                    .help = toTranslate("Word",
                                        "Sinograms of normalisation factors as STIR's, whose inverse "
                                        "multiplies expected counts; 0: not measured")}),
        factorsRow(&SinogramImport::add,
                   {.key = "add",
                    .label = toTranslate("Word", "Scatter and randoms"),
                    .help = toTranslate("Word", "Sinograms of expected scatter and randoms, in counts")})};
    return rows;
}

const std::vector<RequestRow<SinogramImport>>& sinogramImageRows() {
    static const std::vector<ImportRow> rows{
        ImportRow::made(
            [](const SinogramImport& import) { return import.size ? sizesText(*import.size) : ""; },
            [](SinogramImport& import, const std::string& text) { import.size = gridFrom(text); },
            {.key = "grid", .help = "Voxels along x, y and z"}, {.valueName = "XxYxZ", .usual = "what fits"}),
        ImportRow::made(
            [](const SinogramImport& import) {
                return import.spacing_mm ? spacingText(*import.spacing_mm) : "";
            },
            [](SinogramImport& import, const std::string& text) {
                import.spacing_mm = spacingFromText("--voxel", text);
            },
            {.key = "voxel", .help = "Voxel edge, or edges as 4x4x2, in mm"},
            {.valueName = "MM", .usual = "what fits"})};
    return rows;
}

}  // namespace tof
