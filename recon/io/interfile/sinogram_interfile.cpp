// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_interfile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/format.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/patient_position.h"
#include "recon/io/interfile/sinogram_layout.h"
#include "recon/io/interfile/stored_values.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// The numbers of a file one after the other, a piece at a time in memory.
class NumberStream {
  public:
    /// Throws BadInput when the file cannot hold `count` numbers.
    NumberStream(const StoredValues& stored, std::size_t count)
        : stored_(stored), left_(count), reader_(stored.file) {
        reader_.skip(stored.offset, "key 'data offset in bytes'");
        const std::uint64_t room = reader_.most() - std::min(reader_.most(), stored.offset);
        if (count > room / numberBytes(stored.type)) {
            throw BadInput(
                "{}: {} values of {} bytes are announced, more than the file holds; correct the sizes or "
                "copy the "
                "file again",
                stored.file, count, numberBytes(stored.type));
        }
    }
    [[nodiscard]] float next() {
        if (at_ == piece_.size()) {
            refill();
        }
        return piece_[at_++];
    }

  private:
    void refill() {
        constexpr std::size_t kPiece = std::size_t{1} << 18U;
        piece_.resize(std::min(left_, kPiece));
        left_ -= piece_.size();
        bytes_.resize(piece_.size() * numberBytes(stored_.type));
        reader_.read(bytes_.data(), bytes_.size(), "the values");
        decodeNumbers(bytes_.data(), stored_.type, stored_.order, stored_.slopes.front(), stored_.intercept,
                      piece_);
        at_ = 0;
    }

    const StoredValues& stored_;
    std::size_t left_;
    ByteReader reader_;
    std::vector<std::byte> bytes_;
    std::vector<float> piece_;
    std::size_t at_ = 0;
};

/// True when bins are sums of different numbers of crystal pairs, or of several.
bool hasSums(const Michelogram& m) {
    return m.spec().mashing > 1 || std::any_of(m.sinograms().begin(), m.sinograms().end(),
                                               [](const Sinogram& plane) { return plane.pairs > 1; });
}

/// Bins of the file, without those of planes that it does not have.
std::size_t storedBins(const Michelogram& m, const std::vector<int>& missing) {
    std::size_t planes = m.sinograms().size();
    for (const int skipped : missing) {
        planes -= 2 * static_cast<std::size_t>(skipped);
    }
    return m.bins() / m.sinograms().size() * planes;
}

void readCounts(const StoredValues& stored, const SinogramLayout& layout, const std::vector<int>& missing,
                InterfileSinograms& result) {
    SinogramData& data = result.data;
    const Michelogram& m = *data.michelogram;
    NumberStream numbers(stored, storedBins(m, missing));
    data.counts.assign(m.bins(), 0.0F);
    double total = 0;
    forEachBin(m, layout, missing, [&](std::size_t ours) {
        const float count = numbers.next();
        if (!std::isfinite(count)) {
            throw BadInput("{}: has bins that are not finite; make the data again", stored.file);
        }
        result.whole = result.whole && count == std::floor(count);
        total += static_cast<double>(count);
        data.counts[ours] = count;
    });
    data.kept = total > 0 ? static_cast<std::uint64_t>(std::llround(total)) : 0;
}

/// Negative bins, which no Poisson model can use, become zero.
void dropNegative(InterfileSinograms& result) {
    for (float& count : result.data.counts) {
        if (count < 0) {
            ++result.negativeBins;
            result.negativeSum += static_cast<double>(count);
            count = 0;
        }
    }
    if (result.negativeBins > 0) {
        result.data.kept = static_cast<std::uint64_t>(
            std::llround(static_cast<double>(result.data.kept) - result.negativeSum));
        result.note = joinedNotes(
            result.note,
            fmt::format("{} bins below zero, {:g} in all, became zero: data that randoms or scatter were "
                        "taken from give a biased image, so give the prompts, and the background with "
                        "--add",
                        result.negativeBins, result.negativeSum));
    }
}

/// The number of crystal pairs of a bin, as the options or the numbers themselves say, and what was taken.
void weigh(const SinogramReadOptions& options, InterfileSinograms& result) {
    SinogramData& data = result.data;
    const Michelogram& m = *data.michelogram;
    const bool arcCorrected = m.spec().binSize_mm > 0;
    const bool raw = result.whole && !arcCorrected && !options.normalised;
    const bool taken =
        options.multiplicity == Multiplicity::Yes || (options.multiplicity == Multiplicity::Auto && raw);
    if (!hasSums(m)) {
        return;  // one pair each
    }
    if (taken) {
        data.mult = pairMultiplicity(m);
    }
    if (options.multiplicity == Multiplicity::Auto && !options.values) {
        const char* const why = arcCorrected         ? "the data are arc-corrected"
                                : options.normalised ? "a normalisation is given, which holds it"
                                : result.whole       ? "all counts are whole numbers"
                                               : "counts are not whole numbers (corrected or simulated)";
        result.note = joinedNotes(
            result.note, fmt::format("the number of crystal pairs that span and mashing add up is {} the "
                                     "efficiency of a bin, because "
                                     "{}; --multiplicity {} does otherwise",
                                     taken ? "part of" : "left out of", why, taken ? "no" : "yes"));
    }
}

/// Bins of planes that the file does not have were not measured.
void maskMissing(const SinogramLayout& layout, const std::vector<int>& missing, InterfileSinograms& result) {
    const int most = *std::max_element(missing.begin(), missing.end());
    SinogramData& data = result.data;
    if (most == 0) {
        return;
    }
    std::vector<float> mult(data.michelogram->bins(), 0.0F);
    forEachBin(*data.michelogram, layout, missing,
               [&](std::size_t ours) { mult[ours] = data.mult.empty() ? 1.0F : data.mult[ours]; });
    data.mult = std::move(mult);
    result.note = joinedNotes(
        result.note,
        fmt::format("up to {} planes at either end of a segment are not in the data, and count as not "
                    "measured",
                    most));
}

/// Peak of reading, and of the data as they are afterwards.
std::uint64_t bytesToRead(const Michelogram& m, const SinogramLayout& layout,
                          const SinogramReadOptions& options) {
    std::uint64_t perBin = sizeof(float) + options.moreBytesPerBin;
    perBin += hasSums(m) && options.multiplicity != Multiplicity::No ? sizeof(float) : 0;
    perBin +=
        layout.crystals.empty() ? 0 : 2 * sizeof(std::uint32_t) + (m.timeBins() > 1 ? sizeof(float) : 0);
    return m.bins() * perBin;
}

/// The lattice made as long as the crystals reach, as the blocks of a scanner have gaps between them.
Lattice latticeOver(const Lattice& rings, const LineEvents& events) {
    const auto [low, high] = std::minmax_element(events.points.begin(), events.points.end(),
                                                 [](const Vec3& a, const Vec3& b) { return a.z < b.z; });
    const double planes = std::round((high->z - low->z) / rings.spacing_mm[2]) + 1;
    constexpr double kMost = 4096;
    return Lattice::centred({rings.size[0], rings.size[1], static_cast<int>(std::clamp(planes, 1.0, kMost))},
                            rings.spacing_mm);
}

}  // namespace

InterfileSinograms readInterfileSinograms(const std::string& path, const SinogramReadOptions& options) {
    const InterfileHeader header(path);
    SinogramLayout layout = readSinogramLayout(header);
    const int frame = chosenFrame(header, options.frame, options.choiceBy);
    InterfileSinograms result;
    result.note = layout.note;
    SinogramData& data = result.data;
    try {
        data.michelogram = std::make_shared<const Michelogram>(layout.spec);
        data.lattice = defaultLattice(*data.michelogram);
    } catch (const WrongUse& fault) {
        throw BadInput("{}: {}", path, fault.what());
    }
    const Michelogram& m = *data.michelogram;
    const std::vector<int> missing = missingPlanes(path, m, layout);
    requireMemory(path, bytesToRead(m, layout, options));
    readCounts(storedValues(header, frame, 1, storedBins(m, missing)), layout, missing, result);
    if (!options.values) {
        dropNegative(result);
    }
    weigh(options, result);
    maskMissing(layout, missing, result);
    data.duration_s = header.number("image duration (sec)", frame, 0.0);
    result.crystals = std::move(layout.crystals);
    return result;
}

LineData linesOf(InterfileSinograms sinograms) {
    const Michelogram& m = *sinograms.data.michelogram;
    const auto perRing = static_cast<std::uint32_t>(m.scanner().crystalsPerRing);
    auto events = std::make_shared<LineEvents>();
    events->points = std::move(sinograms.crystals);
    events->tof = m.spec().tof;
    events->eventsPerPart = m.partSize();
    events->pairs.resize(m.bins());
    events->dt_ps.resize(events->tof.count > 0 ? m.bins() : 0);
    for (int slot = 0; slot < m.angles(); ++slot) {
        for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
            const Sinogram& s = m.sinograms()[plane];
            const int difference = m.spec().segments[static_cast<std::size_t>(s.segment)].minDifference;
            const auto ring1 = static_cast<std::uint32_t>((s.ringSum - difference) / 2);
            const auto ring2 = static_cast<std::uint32_t>((s.ringSum + difference) / 2);
            for (int bin = 0; bin < m.radialBins(); ++bin) {
                const auto [place1, place2] = m.placesOf(m.angleOfSlot(slot), bin);
                for (int k = 0; k < m.timeBins(); ++k) {
                    const std::size_t line = m.index(slot, plane, bin, k);
                    events->pairs[line] = {ring1 * perRing + static_cast<std::uint32_t>(place1),
                                           ring2 * perRing + static_cast<std::uint32_t>(place2)};
                    if (!events->dt_ps.empty()) {
                        events->dt_ps[line] =
                            static_cast<float>((k + 0.5 - 0.5 * m.timeBins()) * events->tof.width_ps);
                    }
                }
            }
        }
    }
    SinogramData& bins = sinograms.data;
    LineData lines;
    lines.lattice = latticeOver(bins.lattice, *events);
    lines.events = std::move(events);
    lines.counts = std::move(bins.counts);
    lines.mult = std::move(bins.mult);
    lines.add = std::move(bins.add);
    lines.possible.radius_mm = m.scanner().radius_mm;
    lines.scanner = m.scanner().name;
    lines.duration_s = bins.duration_s;
    return lines;
}

bool hasSinograms(const InterfileHeader& header) {
    return normalKey(header.text("PET data type", "Image")) != "image" &&
           header.find("minimum ring difference per segment").has_value();
}

void describeInterfileSinograms(const InterfileHeader& header, nlohmann::ordered_json& info) {
    const SinogramLayout layout = readSinogramLayout(header);
    const MichelogramSpec& spec = layout.spec;
    info["scanner"] = spec.scanner.name;
    info["geometry"] = layout.crystals.empty() ? "cylinder" : "crystal by crystal";
    info["rings"] = spec.scanner.rings;
    info["crystals_per_ring"] = spec.scanner.crystalsPerRing;
    info["radius_mm"] = spec.scanner.radius_mm;
    info["segments"] = spec.segments.size();
    info["angles"] = spec.scanner.crystalsPerRing / 2 / spec.mashing;
    info["radial_bins"] = spec.radialBins;
    info["arc_corrected"] = spec.binSize_mm > 0;
    info["time_bins"] = std::max(spec.tof.count, 1);
    if (spec.tof.count > 0) {
        info["time_bin_ps"] = spec.tof.width_ps;
        info["timing_fwhm_ps"] = spec.tof.fwhm_ps;
    }
    if (const int frames = frameCount(header); frames > 1) {
        info["frames"] = frames;
    }
    if (!layout.note.empty()) {
        info["note"] = layout.note;
    }
}

void writeInterfileSinograms(const std::string& path, const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    const MichelogramSpec& spec = m.spec();
    const std::string numbers = fs::path(path).replace_extension(".s").string();
    std::vector<float> stored(data.counts.size());
    const WrittenPosition position = positionFor(spec.scanner);
    SinogramLayout layout;
    layout.ringsReversed = position.axes[2];
    std::size_t at = 0;
    forEachBin(m, layout, std::vector<int>(spec.segments.size(), 0),
               [&](std::size_t ours) { stored[at++] = data.counts[ours]; });
    std::vector<int> planes(spec.segments.size(), 0);
    for (const Sinogram& plane : m.sinograms()) {
        ++planes[static_cast<std::size_t>(plane.segment)];
    }
    std::vector<int> low;
    std::vector<int> high;
    for (const RingSegment& segment : spec.segments) {
        low.push_back(position.axes[2] ? -segment.maxDifference : segment.minDifference);
        high.push_back(position.axes[2] ? -segment.minDifference : segment.maxDifference);
    }
    std::string text = "!INTERFILE :=\n!imaging modality := PT\n";
    const auto line = [&text](const std::string& key, const std::string& value) {
        text += fmt::format("{} := {}\n", key, value);
    };
    const bool timed = spec.tof.count > 0;
    line("name of data file", fs::path(numbers).filename().string());
    line("originating system", "User_defined_scanner");
    line("!version of keys", "STIR6.0");
    text += "!GENERAL DATA :=\n";
    line("patient orientation", position.orientation);
    line("patient rotation", position.rotation);
    text += "!GENERAL IMAGE DATA :=\n";
    line("!type of data", "PET");
    line("imagedata byte order", "LITTLEENDIAN");
    text += "!PET STUDY (General) :=\n";
    line("!PET data type", "Emission");
    line("applied corrections", spec.binSize_mm > 0 ? "{arc correction}" : "{None}");
    line("!number format", "float");
    line("!number of bytes per pixel", "4");
    line("number of dimensions", timed ? "5" : "4");
    if (timed) {
        line("matrix axis label [5]", "timing positions");
        line("!matrix size [5]", std::to_string(spec.tof.count));
    }
    line("matrix axis label [4]", "segment");
    line("!matrix size [4]", std::to_string(planes.size()));
    line("matrix axis label [3]", "axial coordinate");
    line("!matrix size [3]", fmt::format("{{ {} }}", fmt::join(planes, ",")));
    line("matrix axis label [2]", "view");
    line("!matrix size [2]", std::to_string(m.angles()));
    line("matrix axis label [1]", "tangential coordinate");
    line("!matrix size [1]", std::to_string(m.radialBins()));
    line("minimum ring difference per segment", fmt::format("{{ {} }}", fmt::join(low, ",")));
    line("maximum ring difference per segment", fmt::format("{{ {} }}", fmt::join(high, ",")));
    if (timed) {
        line("TOF mashing factor", "1");
    }
    text += "Scanner parameters :=\n";
    line("Scanner type", "User_defined_scanner");
    line("Number of rings", std::to_string(spec.scanner.rings));
    line("Number of detectors per ring", std::to_string(spec.scanner.crystalsPerRing));
    line("Inner ring diameter (cm)", fmt::format("{}", 2 * spec.scanner.radius_mm / kMmPerCm));
    line("Average depth of interaction (cm)", "0");
    line("Distance between rings (cm)", fmt::format("{}", spec.scanner.ringSpacing_mm / kMmPerCm));
    line("Default bin size (cm)", fmt::format("{}", defaultLattice(m).spacing_mm[0] / kMmPerCm));
    line("View offset (degrees)", fmt::format("{}", position.viewOffset_rad / kRadPerDeg));
    line("Maximum number of non-arc-corrected bins", std::to_string(m.radialBins()));
    line("Default number of arc-corrected bins", std::to_string(m.radialBins()));
    if (timed) {
        line("Maximum number of (unmashed) TOF time bins", std::to_string(spec.tof.count));
        line("Size of unmashed TOF time bins (ps)", fmt::format("{}", spec.tof.width_ps));
        line("TOF timing resolution (ps)", fmt::format("{}", spec.tof.fwhm_ps));
    }
    text += "End scanner parameters :=\n";
    line("effective central bin size (cm)", fmt::format("{}", defaultLattice(m).spacing_mm[0] / kMmPerCm));
    line("number of time frames", "1");
    text += "!END OF INTERFILE :=\n";
    writeTogether({{numbers, [&](const std::string& part) { writeNumbers(part, numbers, stored); }},
                   {path, [&](const std::string& part) { writeTextFile(part, path, text); }}});
}

}  // namespace tof
