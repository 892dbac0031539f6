// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_interfile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/patient_position.h"
#include "recon/io/interfile/sinogram_layout.h"
#include "recon/io/interfile/stored_values.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

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
           (header.find("minimum ring difference per segment") || isSiemensSinograms(header));
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

void writeInterfileSinograms(const Destination& to, const SinogramData& data) {
    const std::string& path = to.path;
    const Michelogram& m = *data.michelogram;
    const MichelogramSpec& spec = m.spec();
    const std::string numbers = fs::path(path).replace_extension(".s").string();
    std::vector<float> stored(data.counts.size());
    const WrittenPosition position = positionFor(spec.scanner);
    SinogramLayout layout;
    for (int k = m.timeBins() - 1; k >= 0; --k) {  // STIR's last time bin is nearest the first crystal
        layout.timeBins.push_back(k);
    }
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
    writeTogether({{numbers,
                    [&](const std::string& part) {
                        writeNumbers(part, {numbers, to.heed}, stored);
                    }},
                   {path, [&](const std::string& part) { writeTextFile(part, path, text); }}});
}

}  // namespace tof
