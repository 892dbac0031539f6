// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bin_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/binning/randoms.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/hdf5/line_data_io.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/volume_io.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

constexpr float kPerMmOfPerCm = 0.1F;

/// An attenuation volume in 1/mm. Volumes without a unit of their own are in 1/cm, as mu maps usually are.
Volume readAttenuation(const std::string& path) {
    Volume volume = readVolume(path);
    if (volume.units != "1/mm") {
        for (float& value : volume.data) {
            value *= kPerMmOfPerCm;
        }
    }
    return volume;
}

std::shared_ptr<const Michelogram> ringsOf(const LineForm& form) {
    if (form.rings.empty()) {
        throw WrongUse(
            "sinograms need the rings they belong to; give --scanner NAME or a JSON file of kind 'rings'");
    }
    return std::make_shared<const Michelogram>(MichelogramSpec::find(form.rings));
}

void attenuate(SinogramData& data, const std::optional<Volume>& mu, const ThreadPool& pool,
               Console& console) {
    if (mu) {
        withBar<void>(console, "attenuation",
                      [&](const auto& progress) { applyAttenuation(data, *mu, pool, progress); });
    }
}

/// List-mode that has add needs mult beside it.
void attenuate(LineData& data, std::optional<Volume> mu, const ThreadPool& pool) {
    if (mu && !data.add.empty()) {
        const std::vector<float> factors = attenuationOf(*data.events, *mu, pool);
        data.mult.resize(factors.size(), 1.0F);
        std::transform(data.mult.begin(), data.mult.end(), factors.begin(), data.mult.begin(),
                       std::multiplies<>());
    }
    data.attenuation = std::move(mu);
}

void save(const LineForm& form, const SinogramData& data, Console& console,
          const nlohmann::ordered_json& more = nlohmann::ordered_json::object()) {
    console.drawLine("writing " + form.output);
    writeSinogramData(form.output, data);
    const Michelogram& m = *data.michelogram;
    if (console.json()) {
        nlohmann::ordered_json said{{"output", form.output},
                                    {"sinograms", m.sinograms().size()},
                                    {"angles", m.angles()},
                                    {"radial_bins", m.radialBins()},
                                    {"time_bins", m.timeBins()},
                                    {"grid", data.lattice.size},
                                    {"spacing_mm", data.lattice.spacing_mm},
                                    {"kept", data.kept},
                                    {"rejected", data.rejected}};
        said.update(more);
        console.resultAsJson(said);
    } else {
        console.note(fmt::format("{}: {} sinograms of {} x {} bins; {} events kept, {} in no bin",
                                 form.output, m.sinograms().size(), m.angles(), m.radialBins(), data.kept,
                                 data.rejected));
    }
}

void save(const LineForm& form, const LineData& data, Console& console,
          const nlohmann::ordered_json& more = nlohmann::ordered_json::object()) {
    console.drawLine("writing " + form.output);
    writeLineData(form.output, data);
    if (console.json()) {
        nlohmann::ordered_json said{{"output", form.output},
                                    {"events", data.events->pairs.size()},
                                    {"time_bins", std::max(data.events->tof.count, 1)},
                                    {"grid", data.lattice.size},
                                    {"spacing_mm", data.lattice.spacing_mm},
                                    {"mult", !data.mult.empty()},
                                    {"add", !data.add.empty()},
                                    {"rejected", data.rejected}};
        said.update(more);
        console.resultAsJson(said);
    } else {
        console.note(fmt::format("{}: {} lines of response, {} events {}", form.output,
                                 data.events->pairs.size(), data.rejected,
                                 data.michelogram ? "in no bin" : "outside the field of view"));
    }
}

/// The scanner that the list's crystals are numbered by; none: the ring scanner.
std::optional<Scanner> scannerOfList(const LineForm& form, const EventList& events) {
    return events.scannerJson.empty() ? std::nullopt
                                      : std::make_optional(Scanner::fromJson(events.scannerJson, form.input));
}

/// Lines between the crystals of the list's own scanner.
LineData freeLines(const LineForm& form, const EventList& events, const Scanner& scanner) {
    const TofBins tof =
        events.dt_ps.empty() || scanner.timing_fwhm_ps == 0 ? TofBins() : timeBinsFor(scanner);
    LineData data = listLines(events, scanner, tof, form.lattice);
    if (!form.latticeGiven) {
        data.lattice = defaultLattice(data.events->points, data.possible.radius_mm);
    }
    return data;
}

/// The pairs that a CASToR normalisation names, and nothing else, are possible.
LineData normalisedLines(const LineForm& form, const EventList& events, const Scanner* scanner) {
    CastorLines norm = readCastorLines(form.corrections, form.geometry);
    if (scanner == nullptr || scanner->crystals.size() != norm.scanner.crystals.size() ||
        !norm.data.counts.empty()) {
        throw BadInput(fmt::format("{}: is no normalisation for the scanner of '{}'; give its own",
                                   form.corrections, form.input));
    }
    LineData data = freeLines(form, events, *scanner);
    auto lines = std::make_shared<LineEvents>(*data.events);
    lines->points = norm.data.events->points;  // the crystals, and means of several
    data.events = std::move(lines);
    data.possible.pairs = norm.data.events->pairs;
    data.possible.mult = std::move(norm.data.mult);
    return data;
}

LineData correctedLines(const LineForm& form, const EventList& events, const Scanner* scanner,
                        const Attenuation& mu) {
    if (form.corrections.ends_with(".cdh")) {
        return normalisedLines(form, events, scanner);
    }
    if (!form.rings.empty() || !mu.named.empty()) {
        throw WrongUse("--corrections brings its own scanner and attenuation; leave --scanner and --mu out");
    }
    const SinogramData corrections = readSinogramData(form.corrections);
    return listLines(events, scanner, corrections.michelogram,
                     form.latticeGiven ? form.lattice : corrections.lattice, &corrections);
}

/// The sinograms of an ECAT8 list on the geometry that --scanner names.
void placeOnRings(const LineForm& form, Ecat8Result& list) {
    const MichelogramSpec& read = list.data.michelogram->spec();
    MichelogramSpec spec = ringsOf(form)->spec();
    const auto bins = [](const MichelogramSpec& s) {
        return std::tuple(s.scanner.rings, s.scanner.crystalsPerRing, s.radialBins, s.mashing, s.tof.count);
    };
    if (bins(spec) != bins(read) || spec.segments != read.segments) {
        throw BadInput(fmt::format(
            "{}: '{}' has other rings, crystals or bins than the list's header; give its own scanner",
            form.input, form.rings));
    }
    spec.anglesPerPart = read.anglesPerPart;
    if (spec.scanner.gapPlaces.empty()) {
        spec.scanner.gapPlaces = read.scanner.gapPlaces;
    }
    list.data.michelogram = std::make_shared<const Michelogram>(spec);
}

}  // namespace

std::optional<Volume> Attenuation::find(const std::string& phantom, Console& console) const {
    if (named == "none") {
        return std::nullopt;
    }
    if (!named.empty()) {
        return readAttenuation(named);
    }
    if (phantom.empty()) {
        console.note("no attenuation: the list names no phantom; give --mu FILE for a measured object");
        return std::nullopt;
    }
    return Phantom::fromNameOrText(phantom, input, readVolume).wholeAttenuation(lattice);
}

void binForLines(const LineForm& form, const EventList& events, const Attenuation& mu, const ThreadPool& pool,
                 Console& console) {
    const std::optional<Scanner> scanner = scannerOfList(form, events);
    const Scanner* const crystals = scanner ? &*scanner : nullptr;
    if (!form.lines) {
        SinogramData data = binEvents(events, crystals, ringsOf(form), form.lattice);
        attenuate(data, mu.find(events.phantom, console), pool, console);
        save(form, data, console);
        return;
    }
    if (!form.corrections.empty()) {
        save(form, correctedLines(form, events, crystals, mu), console);
        return;
    }
    LineData data = form.rings.empty() && crystals != nullptr
                        ? freeLines(form, events, *crystals)
                        : listLines(events, crystals, ringsOf(form), form.lattice);
    attenuate(data, mu.find(events.phantom, console), pool);
    save(form, data, console);
}

void binHistogram(const LineForm& form, const Attenuation& mu, const ThreadPool& pool, Console& console) {
    CastorLines lines = readCastorLines(form.input, form.geometry);
    if (!lines.note.empty()) {
        console.note(lines.note);
    }
    if (!form.lines) {
        SinogramData data = binLines(lines.data, lines.crystals, lines.scanner, ringsOf(form), form.lattice);
        attenuate(data, mu.find("", console), pool, console);
        save(form, data, console);
        return;
    }
    LineData& data = lines.data;
    if (form.latticeGiven) {
        data.lattice = form.lattice;
    }
    if (const std::optional<Volume> volume = mu.find("", console)) {
        const std::vector<float> factors = attenuationOf(*data.events, *volume, pool);
        std::transform(data.mult.begin(), data.mult.end(), factors.begin(), data.mult.begin(),
                       std::multiplies<>());
    }
    save(form, data, console);
}

void binEcat8(const LineForm& form, const Attenuation& mu, const ThreadPool& pool, Console& console) {
    Ecat8Options options;
    options.partial = form.partial;
    options.segments = form.segments;
    options.sinograms = !form.lines;
    options.events = form.lines;
    Ecat8Result list = readEcat8(form.input, options);
    if (!list.note.empty()) {
        console.note(list.note);
    }
    if (!form.rings.empty()) {
        placeOnRings(form, list);
    }
    const Lattice lattice = form.latticeGiven ? form.lattice : list.data.lattice;
    const RandomsEstimate randoms(*list.data.michelogram, list.delayeds);
    const nlohmann::ordered_json words{{"words", list.words.words},
                                       {"prompts", list.words.prompts},
                                       {"delayeds", list.words.delayeds},
                                       {"time_tags", list.words.timeTags},
                                       {"other_tags", list.words.otherTags},
                                       {"announced_words", list.words.announced},
                                       {"randoms", form.randoms ? randoms.total() : 0.0},
                                       {"duration_s", list.data.duration_s}};
    console.note(fmt::format("{}: {} words: {} prompts, {} delayeds, {} time tags, {} others", form.input,
                             list.words.words, list.words.prompts, list.words.delayeds, list.words.timeTags,
                             list.words.otherTags));
    if (!form.lines) {
        list.data.lattice = lattice;
        if (form.randoms) {
            list.data.add = randoms.all();
        }
        attenuate(list.data, mu.find("", console), pool, console);
        save(form, list.data, console, words);
        return;
    }
    LineData data = linesOfBins(list.data.michelogram, list.prompts, lattice);
    data.rejected = list.data.rejected;
    data.duration_s = list.data.duration_s;
    if (form.randoms) {
        data.possible.totalAdd = randoms.total();
        for (const std::uint32_t bin : list.prompts) {
            data.add.push_back(randoms.at(bin));
        }
    }
    attenuate(data, mu.find("", console), pool);
    save(form, data, console, words);
}

}  // namespace tof
