// SPDX-License-Identifier: Apache-2.0
#include "recon/work/bin_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/forms/forms.h"
#include "recon/physics/nuclide.h"

namespace tof {

namespace {

using namespace row_words;
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

/// What a person calls a form of data.
std::string formWords(const Form& form) {
    return form.name == "lors"    ? toTranslate("Word", "lines of response")
           : form.name == "panel" ? toTranslate("Word", "lines between two heads")
                                  : form.kind;
}

BinRow binFormRow() {
    Choices names;
    ChoiceWords words;
    const FormTable forms = builtInForms();
    for (const Form& form : forms.rows()) {
        names.all.push_back(form.name);
        words.all.push_back(formWords(form));
    }
    return BinRow::of(
        &BinRequest::form, "to", Label{toTranslate("Word", "Form")}, std::move(names), std::move(words),
        Help{"Form of the data: histo-images of DIRECT, sinograms of a ring scanner, its list-mode as lines "
             "of response, or the lines of two panels"},
        Tip{toTranslate("Word", "What the events become, and with it which reconstruction they are for")},
        Saved{"form"}, Group{kListGroup});
}

BinRow binViewsRow() {
    return BinRow::made(
        [](const BinRequest& request) { return fmt::format("{}x{}", request.azimuths, request.tilts); },
        [](BinRequest& request, const std::string& text) {
            const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
            request.azimuths = counts[0];
            request.tilts = counts[1];
        },
        "views", Help{"Views: azimuths x tilts"}, ValueName{"AxT"}, Shown::Command);
}

std::vector<BinRow> viewRows() {
    return {
        binViewsRow(),
        BinRow::of(&BinRequest::azimuths, "azimuths", Label{toTranslate("Word", "Azimuths")}, Limits{1, 4096},
                   Help{toTranslate("Word", "Views over 180 degrees")}, Shown::Window, isHisto),
        BinRow::of(&BinRequest::tilts, "tilts", Label{toTranslate("Word", "Tilts")}, Limits{1, 255},
                   Help{toTranslate("Word", "Equal intervals of the axial acceptance")}, Shown::Window,
                   isHisto)};
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
                "grid", Help{"Voxels along x, y and z"}, ValueName{"XxYxZ"}, Shown::Command),
            BinRow::made(
                [](const BinRequest& request) {
                    return spacingText(request.lattice.value_or(usualLattice()).spacing_mm);
                },
                [](BinRequest& request, const std::string& text) {
                    request.sinograms.spacing_mm = spacingFromText("--voxel", text);
                    takeImage(request);
                },
                "voxel", Help{"Voxel edge, or edges as 4x4x2, in mm"}, ValueName{"MM"}, Shown::Command)};
}

std::vector<BinRow> depositRows() {
    return {
        BinRow::of(&BinRequest::trilinear, "trilinear", Label{toTranslate("Word", "Events")},
                   Help{toTranslate("Word", "Spread events over eight voxels instead of the nearest one")},
                   Tick{toTranslate("Word", "spread over eight voxels")}, isHisto),
        BinRow::made([](const BinRequest& request) { return std::string(nameOf(request.endPoints)); },
                     [](BinRequest& request, const std::string& text) {
                         request.endPoints =
                             text == nameOf(EndPoints::Face) ? EndPoints::Face : EndPoints::Centre;
                     },
                     "deposit", OptionKind::Choice, Label{toTranslate("Word", "End points")},
                     Choices{{nameOf(EndPoints::Face), nameOf(EndPoints::Centre)}},
                     Help{"Where events of histo-images end in their crystals: spread evenly over the "
                          "faces, or at the centres"},
                     Tip{toTranslate("Word",
                                     "Events end evenly spread over their crystals' faces; else at their "
                                     "centres, on a comb of lines that beats with the voxels")},
                     Tick{toTranslate("Word", "spread over the crystals' faces")}, isHisto),
        BinRow::of(&BinRequest::seed, "seed", Limits{0, 18446744073709551616.0},
                   Help{"Seed of the places on the crystals' faces; the same whatever the threads"},
                   Shown::Command)};
}

BinRow binMuUnitsRow() {
    return BinRow::of(&BinRequest::muUnits, "mu-units", Label{toTranslate("Word", "Attenuation in")},
                      Choices{{"auto", "1/cm", "1/mm", "hu"}},
                      Help{"What --mu holds; hu: CT at 120 kVp, converted to 511 keV. auto: 1/mm where the "
                           "file says so, else 1/cm"},
                      Tip{toTranslate("Word",
                                      "What the attenuation volume holds; CT is converted from 120 kVp to "
                                      "511 keV")},
                      ChoiceWords{{toTranslate("Word", "1/cm, or as the file says"), "1/cm", "1/mm",
                                   toTranslate("Word", "Hounsfield units")}});
}

std::vector<BinRow> binFileRows() {
    return {
        BinRow::of(&BinRequest::scanner, "scanner", Label{toTranslate("Word", "Scanner")},
                   Help{toTranslate("Word",
                                    "Scanner when the list only names it: built-in name, geometry file or "
                                    "crystal map; or the rings whose sinograms or lines these are")},
                   Empty{toTranslate("Word", "the list's own")}, Group{kListGroup}, TextRole::File),
        BinRow::of(&BinRequest::mu, "mu", Label{toTranslate("Word", "Attenuation")},
                   Help{toTranslate("Word",
                                    "Attenuation volume in 1/cm, or none; without it the phantom the list "
                                    "names, if any")},
                   Empty{toTranslate("Word", "the list's phantom")}, TextRole::File),
        binMuUnitsRow(),
        BinRow::made([](const BinRequest& request) { return request.corrections; },
                     [](BinRequest& request, const std::string& text) {
                         request.corrections = text;
                         request.sinograms.corrections = text;
                     },
                     "corrections", Label{toTranslate("Word", "Corrections")},
                     Help{toTranslate("Word",
                                      "Lines take mult and add from these sinograms (.h5), or their "
                                      "probability of being recorded from this CASToR normalisation "
                                      "(.cdh)")},
                     Empty{toTranslate("Word", "none")}, TextRole::File,
                     [](const BinRequest& request) { return request.form == "lors"; })};
}

std::vector<BinRow> binListRows() {
    return {
        BinRow::of(&BinRequest::randoms, "randoms", Label{toTranslate("Word", "Randoms")},
                   Choices{{"estimate", "none"}},
                   Help{toTranslate("Word", "Randoms of ECAT8 list-mode, from its delayed coincidences")},
                   Tick{toTranslate("Word", "estimate them from delayed coincidences")}, Group{kListGroup},
                   isBinned),
        BinRow::of(&BinRequest::segments, "segments", Label{toTranslate("Word", "Segments")}, Limits{0, 4096},
                   Help{toTranslate("Word", "Keep only the first segments of ECAT8 list-mode; 0 keeps all")},
                   Empty{toTranslate("Word", "all")}, Group{kListGroup}, isBinned)};
}

/// A row of the times of flight: taken as `times`, or as the list states them.
template <typename... Words>
BinRow timesRow(Times times, std::string key, Words... words) {
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
        std::move(key), OptionKind::Switch, Group{kListGroup}, std::move(words)...);
}

std::vector<BinRow> readingRows() {
    return {timesRow(Times::Reversed, "reverse-tof", Label{toTranslate("Word", "Times of flight")},
                     Help{"Take times of flight as t2 - t1; 'info --check-tof' says which they are"},
                     Tip{toTranslate("Word", "Take times of flight as t2 - t1")},
                     Tick{toTranslate("Word", "turn them round")},
                     [](const BinRequest& request) { return request.times != Times::Left; }),
            timesRow(Times::Left, "no-tof",
                     Help{toTranslate("Word", "Bin lines or sinograms without the times of flight")},
                     Tick{toTranslate("Word", "leave them out")},
                     [](const BinRequest& request) {
                         return isBinned(request) && request.times != Times::Reversed;
                     }),
            BinRow::of(&BinRequest::partial, "partial", Label{toTranslate("Word", "Damaged file")},
                       Help{toTranslate("Word", "Read truncated list-mode as far as it goes")},
                       Tick{toTranslate("Word", "take it as far as it goes when it ends too early")},
                       Group{kListGroup})};
}

BinRow frameRow() {
    return BinRow::made(
        [](const BinRequest& request) { return std::to_string(request.sinograms.read.frame); },
        [](BinRequest& request, const std::string& text) {
            request.sinograms.read.frame = valueOf<int>(text, {});
        },
        "frame", OptionKind::Integer, Label{toTranslate("Word", "Frame")}, Limits{0, 100000},
        Help{toTranslate("Word",
                         "Which of several frames of sinograms, from 1; 0 takes the only "
                         "one")},
        Empty{toTranslate("Word", "the only one")}, Group{kSinogramGroup});
}

/// Names of nuclides as choices; nothing chosen is nothing stated.
BinRow nuclideRow() {
    Choices names{{"none"}};
    ChoiceWords words{{toTranslate("Word", "not stated")}};
    for (const Nuclide& one : petNuclides()) {
        names.all.emplace_back(one.name);
        words.all.emplace_back(one.name);
    }
    return BinRow::made(
        [](const BinRequest& request) { return request.nuclide.empty() ? "none" : request.nuclide; },
        [](BinRequest& request, const std::string& text) { request.nuclide = text == "none" ? "" : text; },
        "nuclide", OptionKind::Choice, Label{toTranslate("Word", "Nuclide")}, std::move(names),
        std::move(words),
        Help{toTranslate("Word",
                         "Nuclide that decays while frames are measured: their images become Bq/ml at the "
                         "start of the scan")},
        Group{kListGroup}, [](const BinRequest& request) { return request.timed(); });
}

/// A factor that a list or sinograms state is taken or left, as `convert` takes or leaves that of an image.
BinRow calibrationRow() {
    return BinRow::made(
        [](const BinRequest& request) { return request.factor == StatedFactor::Left ? "none" : "stated"; },
        [](BinRequest& request, const std::string& text) {
            request.factor = text == "none" ? StatedFactor::Left : StatedFactor::Applied;
            request.sinograms.read.factor = request.factor;
        },
        "calibration", OptionKind::Choice, Label{toTranslate("Word", "Stated factor")},
        Choices{{"stated", "none"}},
        ChoiceWords{{toTranslate("Word", "as the file states it"), toTranslate("Word", "left out")}},
        Help{toTranslate("Word",
                         "Factor to physical units that PETSIRD (calibrationFactor) and Interfile "
                         "(quantification units) state: taken, or left out")},
        Group{kListGroup});
}

std::vector<RequestRow<MotionRequest>> motionRows() {
    using MotionRow = RequestRow<MotionRequest>;
    return {
        MotionRow::of(&MotionRequest::file, "motion", Label{toTranslate("Word", "Motion")},
                      Help{toTranslate("Word",
                                       "Move every event of histo-images or lines back into one pose, by the "
                                       "poses of a tracker (.tsv, .json)")},
                      Empty{toTranslate("Word", "none")}, ValueName{"FILE"}, Group{kListGroup},
                      TextRole::File),
        MotionRow::of(&MotionRequest::between, "motion-between", Label{toTranslate("Word", "Between poses")},
                      Choices{{"hold", "interpolate"}},
                      Help{toTranslate("Word",
                                       "A pose holds until the next one, or motion goes evenly from one to "
                                       "the next")},
                      ChoiceWords{{toTranslate("Word", "a pose holds until the next"),
                                   toTranslate("Word", "evenly from one to the next")}},
                      Group{kListGroup}, [](const MotionRequest& request) { return !request.file.empty(); })};
}

std::vector<RequestRow<GateRequest>> gateRows() {
    using GateRow = RequestRow<GateRequest>;
    const auto isGated = [](const GateRequest& request) { return !request.file.empty(); };
    return {GateRow::of(
                &GateRequest::file, "gates", Label{toTranslate("Word", "Gates")},
                Help{toTranslate("Word",
                                 "Cut the list, or each of its frames, into gates: a table of the "
                                 "times of triggers in s, or of times in s and values of a signal; or "
                                 "'respiratory' or 'cardiac', the triggers in the tags of Siemens lists")},
                Empty{toTranslate("Word", "none")}, ValueName{"FILE"}, Group{kListGroup}, TextRole::File),
            GateRow::of(&GateRequest::count, "gate-count", Label{toTranslate("Word", "Number of gates")},
                        Limits{2, 100}, Help{toTranslate("Word", "Gates of each cycle, or of the signal")},
                        Group{kListGroup}, isGated),
            GateRow::of(&GateRequest::by, "gate-by", Label{toTranslate("Word", "Gate by")},
                        Choices{{"phase", "amplitude"}},
                        Help{toTranslate("Word",
                                         "Equal parts of the time from one trigger to the next, or bands of "
                                         "a signal that it is in for equally long")},
                        ChoiceWords{{toTranslate("Word", "phase between triggers"),
                                     toTranslate("Word", "amplitude of a signal")}},
                        Group{kListGroup}, isGated)};
}

std::vector<BinRow> timeRows() {
    return {BinRow::of(&BinRequest::frames, "frames", Label{toTranslate("Word", "Time frames")},
                       Help{toTranslate("Word",
                                        "Cut the list by time: frames one after the other, as "
                                        "12x10s,8x30s,5x5min, or a file that says them (.tsv of start and "
                                        "duration in s, or the .json of a BIDS image)")},
                       Empty{toTranslate("Word", "one for the whole list")}, ValueName{"FRAMES"},
                       Group{kListGroup}),
            nuclideRow(), calibrationRow()};
}

ImportRow factorsRow(std::vector<std::string> SinogramImport::*files, std::string key, Label label,
                     Help help) {
    return ImportRow::made(
        [files](const SinogramImport& import) { return textOf(import.*files, {}); },
        [files](SinogramImport& import, const std::string& text) { import.*files = parts(text, ','); },
        std::move(key), std::move(label), std::move(help), Empty{toTranslate("Word", "none")},
        Group{kSinogramGroup}, TextRole::Files);
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
    appendRows(all, timeRows());
    appendRows(all, rowsOf(&BinRequest::gates, gateRows()));
    appendRows(all, rowsOf(&BinRequest::motion, motionRows()));
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
            "multiplicity", OptionKind::Choice, Label{toTranslate("Word", "Multiplicity")},
            Choices{{"auto", "yes", "no"}},
            Help{"Sinograms of STIR: whether the number of crystal pairs that span and mashing add up is "
                 "part of a bin's efficiency. auto: where counts are whole, not arc-corrected and without "
                 "--norm"},
            Tip{toTranslate("Word", "Number of crystal pairs that span and mashing add up in a bin")},
            ChoiceWords{{toTranslate("Word", "where counts are whole numbers"),
                         toTranslate("Word", "part of the efficiency"), toTranslate("Word", "left out")}},
            Group{kSinogramGroup}),
        factorsRow(&SinogramImport::mult, "mult", Label{toTranslate("Word", "Survival, efficiency")},
                   Help{toTranslate("Word",
                                    "Sinograms (.hs or .h5, several with commas) that multiply expected "
                                    "counts: survival, efficiency")}),
        factorsRow(&SinogramImport::acf, "acf", Label{toTranslate("Word", "Attenuation correction factors")},
                   Help{toTranslate("Word",
                                    "Sinograms of attenuation correction factors, whose inverse "
                                    "multiplies expected counts")}),
        factorsRow(&SinogramImport::norm, "norm", Label{toTranslate("Word", "Normalisation factors")},
                   Help{toTranslate("Word",
                                    "Sinograms of normalisation factors as STIR's, whose inverse "
                                    "multiplies expected counts; 0: not measured; or Siemens' components "
                                    "(.n.hdr), or GE's normalisation (RDF 9)")}),
        factorsRow(&SinogramImport::add, "add", Label{toTranslate("Word", "Scatter and randoms")},
                   Help{toTranslate("Word", "Sinograms of expected scatter and randoms, in counts")})};
    return rows;
}

const std::vector<RequestRow<SinogramImport>>& sinogramImageRows() {
    static const std::vector<ImportRow> rows{
        ImportRow::made(
            [](const SinogramImport& import) { return import.size ? sizesText(*import.size) : ""; },
            [](SinogramImport& import, const std::string& text) { import.size = gridFrom(text); }, "grid",
            Help{"Voxels along x, y and z"}, ValueName{"XxYxZ"}, Usual{"what fits"}),
        ImportRow::made(
            [](const SinogramImport& import) {
                return import.spacing_mm ? spacingText(*import.spacing_mm) : "";
            },
            [](SinogramImport& import, const std::string& text) {
                import.spacing_mm = spacingFromText("--voxel", text);
            },
            "voxel", Help{"Voxel edge, or edges as 4x4x2, in mm"}, ValueName{"MM"}, Usual{"what fits"})};
    return rows;
}

}  // namespace tof
