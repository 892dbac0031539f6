// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_data.h"

#include <any>
#include <utility>
#include <variant>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"

namespace tof {

namespace {

void requirePanelRequest(const CorrectRequest& request, const std::string& source) {
    const PartSwitches& switches = request.switches;
    const bool other = switches.attenuation || switches.efficiencies || switches.deadTime ||
                       switches.randoms || switches.scatter || !request.singles.empty();
    if (request.delayeds.empty() || other) {
        throw WrongUse(
            "{}: of two panels randoms are corrected by --delayeds LIST, --randoms add or subtract", source);
    }
}

/// The form's own way.
struct Correct {
    CorrectionParts& parts;
    const std::string& source;
    const CorrectRequest& request;
    const ThreadPool& pool;
    WorkProgress& progress;
    const CorrectionParts& found;

    Corrected operator()(HistoData& histo) const {
        return {correct(histo, source, request, pool, progress, &parts, &found)};
    }
    Corrected operator()(SinogramData& sinograms) const {
        if (request.scanner.empty()) {
            throw WrongUse(
                "{}: sinograms do not say how their crystals detect; give --scanner, as ge-ste-blocks of "
                "ge-ste",
                source);
        }
        const Scanner scanner = Scanner::find(request.scanner);
        return {correct(sinograms, scanner, source, request, pool, progress, &parts, &found)};
    }
    Corrected operator()(LineData& lines) const {
        return {correct(lines, source, request, pool, progress, &parts, &found)};
    }
    Corrected operator()(PanelData& panel) const {
        requirePanelRequest(request, source);
        Corrected made;
        made.panels = correct(panel, source, request, progress);
        made.result.randoms = made.panels->delayeds;
        return made;
    }
};

/// All but the events of a list, where that is to be had without reading them. Throws WrongUse where the file
/// is no list, an empty one, or one of other crystals.
std::optional<EventList> outlineOfList(const std::string& path, const Scanner& scanner) {
    const RecognisedFile file = recognise(path);
    if (file.kind() != FileKind::List) {
        throw WrongUse("{}: is no list-mode; give the list of a scan", path);
    }
    const auto stream = file.eventStream();
    if (stream == nullptr) {
        return std::nullopt;
    }
    if (stream->size() == 0) {
        throw WrongUse("{}: holds no events; give the list of a scan that has some", path);
    }
    const EventList& list = stream->scan();
    if (!list.scannerJson.empty()) {
        const std::shared_ptr<const Scanner> known = list.scannerJson.scanner(path);
        const Scanner& own = *known;
        if (own.crystals.size() != scanner.crystals.size()) {
            throw WrongUse("{}: is of scanner '{}' with {} crystals, the data are of '{}' with {}", path,
                           own.name, own.crystals.size(), scanner.name, scanner.crystals.size());
        }
    }
    return list;
}

}  // namespace

Corrected correctData(PartedCorrections& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, const CorrectionParts& found) {
    return std::visit(Correct{data.parts, source, request, pool, progress, found}, data.data);
}

void sumScatterBy(const Engine& engine, CorrectRequest& request) {
    if (const auto* const theirs = engine.offers<SumsScatter>()) {
        request.scatterSettings.simulation.sum = theirs->scatterSums(0);
    }
}

PartedCorrections readPartedCorrections(const std::string& path) {
    return {recognise(path).readData().data, partsOfFile(path)};
}

DataForm formOf(const Measurement& data) {
    return dynamic_cast<const HistoMeasurement*>(&data) != nullptr      ? DataForm::HistoImages
           : dynamic_cast<const SinogramMeasurement*>(&data) != nullptr ? DataForm::Sinograms
           : dynamic_cast<const LineMeasurement*>(&data) != nullptr     ? DataForm::Lines
           : dynamic_cast<const PanelMeasurement*>(&data) != nullptr    ? DataForm::Panel
                                                                        : DataForm::None;
}

MeasuredData measuredData(const Measurement& data) {
    switch (formOf(data)) {
        case DataForm::HistoImages: return *dynamic_cast<const HistoMeasurement&>(data).data();
        case DataForm::Sinograms: return *dynamic_cast<const SinogramMeasurement&>(data).data();
        case DataForm::Lines: return *dynamic_cast<const LineMeasurement&>(data).data();
        case DataForm::Panel: return *dynamic_cast<const PanelMeasurement&>(data).data();
        default: throw WrongUse("{}: data of this kind are not corrected", data.kind());
    }
}

void requireNormalisation(const std::string& path, const Scanner& scanner) {
    const auto list = outlineOfList(path, scanner);
    if (list && list->phantom.empty()) {
        throw WrongUse(
            "{}: does not say what was measured; a normalisation needs a list that names its phantom", path);
    }
}

void requireDelayeds(const std::string& path, const Scanner& scanner) {
    static_cast<void>(outlineOfList(path, scanner));
}

CrystalSingles singlesOf(const std::string& path, const Scanner& scanner) {
    CrystalSingles singles = readSingles(path);
    if (singles.recorded.size() != scanner.crystals.size()) {
        throw WrongUse("{}: has singles of {} crystals, the scanner '{}' has {}", path,
                       singles.recorded.size(), scanner.name, scanner.crystals.size());
    }
    return singles;
}

}  // namespace tof
