// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_interfile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr double kMmPerCm = 10.0;

/// Sizes of the axes as the header has them.
struct Axes {
    int bins = 0;
    int views = 0;
    int timeBins = 0;           ///< 0: no time of flight
    std::vector<int> planes;    ///< per segment, in file order
    bool viewsOutside = false;  ///< per segment: view, plane, bin; else plane, view, bin
};

int size(const InterfileHeader& header, int axis, int most) {
    const std::uint64_t value = header.whole("matrix size", axis);
    if (value < 1 || value > static_cast<std::uint64_t>(most)) {
        header.fail("matrix size", fmt::format("[{}] is {}, not between 1 and {}", axis, value, most));
    }
    return static_cast<int>(value);
}

std::vector<int> integers(const InterfileHeader& header, const std::string& key, int index, double low,
                          double high) {
    std::vector<int> result;
    for (const double value : header.list(key, index)) {
        if (!(value >= low && value <= high) || value != std::floor(value)) {
            header.fail(
                key, fmt::format("holds {:g}, not a whole number between {:g} and {:g}", value, low, high));
        }
        result.push_back(static_cast<int>(value));
    }
    if (result.empty()) {
        header.fail(key, "is missing; add it");
    }
    return result;
}

Axes readAxes(const InterfileHeader& header) {
    const std::uint64_t dimensions = header.whole("number of dimensions", 0);
    if (dimensions != 4 && dimensions != 5) {
        header.fail("number of dimensions",
                    fmt::format("is {}; projection data have 4, or 5 with time bins", dimensions));
    }
    const auto label = [&](int axis) {
        return normalKey(header.find("matrix axis label", axis).value_or(""));
    };
    Axes axes;
    axes.viewsOutside = label(3) == "view";
    const bool known = label(1) == "tangential coordinate" && label(4) == "segment" &&
                       label(axes.viewsOutside ? 2 : 3) == "axial coordinate" &&
                       label(axes.viewsOutside ? 3 : 2) == "view" &&
                       (dimensions == 4 || label(5) == "timing positions");
    if (!known) {
        header.fail("matrix axis label",
                    "is not tangential coordinate, view and axial coordinate, segment, timing positions");
    }
    axes.bins = size(header, 1, 16384);
    axes.views = size(header, axes.viewsOutside ? 3 : 2, 16384);
    axes.planes = integers(header, "matrix size", axes.viewsOutside ? 2 : 3, 1, 65535);
    axes.timeBins = dimensions == 5 ? size(header, 5, 4096) : 0;
    if (axes.planes.size() != static_cast<std::size_t>(size(header, 4, 2047))) {
        header.fail("matrix size", "does not list the planes of every segment");
    }
    return axes;
}

double firstNumber(const InterfileHeader& header, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        if (header.find(key)) {
            return header.number(key, 0);
        }
    }
    header.fail(*keys.begin(), "is missing; add it");
}

TofBins readTof(const InterfileHeader& header, int count) {
    TofBins tof;
    if (count == 0) {
        return tof;
    }
    tof.count = count;
    const double mash = firstNumber(header, {"TOF mashing factor", "%TOF mashing factor"});
    tof.width_ps =
        mash * firstNumber(header, {"Size of unmashed TOF time bins (ps)", "Size of timing bin (ps)"});
    tof.fwhm_ps = firstNumber(header, {"TOF timing resolution (ps)", "timing resolution (ps)"});
    return tof;
}

MichelogramSpec readSpec(const InterfileHeader& header, const Axes& axes) {
    MichelogramSpec spec;
    const bool arcCorrected =
        normalKey(header.text("applied corrections", "{arc correction}")).find("arc correction") !=
        std::string::npos;
    const std::string geometry = normalKey(header.text("Scanner geometry", "Cylindrical"));
    if (geometry != "cylindrical") {
        header.fail("Scanner geometry", fmt::format("is '{}'; only Cylindrical is read", geometry));
    }
    RingScanner& s = spec.scanner;
    s.name = header.text("Scanner type", header.text("originating system", "unknown"));
    s.rings = static_cast<int>(header.whole("Number of rings", 0));
    const auto crystals = static_cast<int>(header.whole("Number of detectors per ring", 0));
    // Arc-corrected data may have any number of views; crystals then only say how many there are.
    s.crystalsPerRing = arcCorrected && crystals % (2 * axes.views) != 0 ? 2 * axes.views : crystals;
    s.radius_mm = kMmPerCm * (0.5 * header.number("Inner ring diameter (cm)", 0) +
                              header.number("Average depth of interaction (cm)", 0, 0.0));
    s.ringSpacing_mm = kMmPerCm * header.number("Distance between rings (cm)", 0);
    s.firstAngle_rad = kRadPerDeg * header.number("View offset (degrees)", 0, 0.0);
    if (s.crystalsPerRing % (2 * axes.views) != 0) {
        header.fail("Number of detectors per ring",
                    fmt::format("is {}, which does not fit {} views", crystals, axes.views));
    }
    spec.mashing = s.crystalsPerRing / 2 / axes.views;
    spec.radialBins = axes.bins;
    if (arcCorrected) {
        spec.binSize_mm =
            kMmPerCm * firstNumber(header, {"effective central bin size (cm)", "Default bin size (cm)"});
    }
    const std::vector<int> low = integers(header, "minimum ring difference per segment", 0, -1023, 1023);
    const std::vector<int> high = integers(header, "maximum ring difference per segment", 0, -1023, 1023);
    if (low.size() != axes.planes.size() || high.size() != axes.planes.size()) {
        header.fail("minimum ring difference per segment", "does not list every segment");
    }
    for (std::size_t i = 0; i < low.size(); ++i) {
        spec.segments.push_back({low[i], high[i]});
    }
    spec.tof = readTof(header, axes.timeBins);
    spec.anglesPerPart = defaultAnglesPerPart(axes.views);
    return spec;
}

/// Refuses what has fewer planes than its ring differences make.
void checkPlanes(const InterfileHeader& header, const Michelogram& m, const Axes& axes) {
    std::vector<int> planes(axes.planes.size(), 0);
    for (const Sinogram& plane : m.sinograms()) {
        ++planes[static_cast<std::size_t>(plane.segment)];
    }
    if (planes != axes.planes) {
        header.fail("matrix size", fmt::format("lists {} planes per segment; the ring differences make {}",
                                               fmt::join(axes.planes, ","), fmt::join(planes, ",")));
    }
}

/// Copies between the file's order and ours: move(index in the file, index in our data).
template <typename Move>
void forEachBin(const Michelogram& m, bool viewsOutside, const Move& move) {
    std::vector<std::size_t> firstPlane;
    const auto& planes = m.sinograms();
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (i == 0 || planes[i].segment != planes[i - 1].segment) {
            firstPlane.push_back(i);
        }
    }
    firstPlane.push_back(planes.size());
    std::size_t at = 0;
    for (int k = m.timeBins() - 1; k >= 0; --k) {  // STIR's last time bin is nearest the first crystal
        for (std::size_t segment = 0; segment + 1 < firstPlane.size(); ++segment) {
            const std::size_t count = firstPlane[segment + 1] - firstPlane[segment];
            const auto views = static_cast<std::size_t>(m.angles());
            for (std::size_t i = 0; i < count * views; ++i) {
                const std::size_t view = viewsOutside ? i / count : i % views;
                const std::size_t plane = firstPlane[segment] + (viewsOutside ? i % count : i / views);
                for (int bin = 0; bin < m.radialBins(); ++bin) {
                    move(at++, m.index(m.slotOfAngle(static_cast<int>(view)), plane, bin, k));
                }
            }
        }
    }
}

}  // namespace

InterfileSinograms readInterfileSinograms(const std::string& path) {
    const InterfileHeader header(path);
    const std::string kind = normalKey(header.text("PET data type", "Image"));
    if (kind != "emission") {
        header.fail("PET data type", fmt::format("is '{}', not Emission; give projection data", kind));
    }
    const Axes axes = readAxes(header);
    InterfileSinograms result;
    SinogramData& data = result.data;
    try {
        data.michelogram = std::make_shared<const Michelogram>(readSpec(header, axes));
        data.lattice = defaultLattice(*data.michelogram);
    } catch (const WrongUse& fault) {
        throw BadInput("{}: {}", path, fault.what());
    }
    checkPlanes(header, *data.michelogram, axes);

    const fs::path numbers = fs::path(path).parent_path() / header.text("name of data file", "");
    ByteReader reader(numbers.string());
    reader.skip(header.whole("data offset in bytes", 1, 0), "data offset");
    const std::vector<float> stored =
        reader.numbers(data.michelogram->bins(), header.numberType(), header.byteOrder(),
                       header.number("image scaling factor", 1, 1.0), 0.0);
    data.counts.resize(stored.size());
    forEachBin(*data.michelogram, axes.viewsOutside,
               [&](std::size_t file, std::size_t ours) { data.counts[ours] = stored[file]; });
    for (float& count : data.counts) {
        if (!std::isfinite(count)) {
            throw BadInput("{}: has bins that are not finite; make the data again", numbers.string());
        }
        if (count < 0) {
            ++result.negativeBins;
            result.negativeSum += static_cast<double>(count);
            count = 0;
        }
    }
    if (normalKey(header.text("applied corrections", "")).find("none") != std::string::npos) {
        data.mult = pairMultiplicity(*data.michelogram);
    }
    data.duration_s = header.number("image duration (sec)", 1, 0.0);
    double total = 0;
    for (const float v : data.counts) {
        total += static_cast<double>(v);
    }
    data.kept = static_cast<std::uint64_t>(std::llround(total));
    return result;
}

bool hasSinograms(const InterfileHeader& header) {
    return normalKey(header.text("PET data type", "Image")) == "emission" &&
           header.find("minimum ring difference per segment").has_value();
}

void writeInterfileSinograms(const std::string& path, const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    const MichelogramSpec& spec = m.spec();
    const std::string numbers = fs::path(path).replace_extension(".s").string();
    std::vector<float> stored(data.counts.size());
    forEachBin(m, false, [&](std::size_t file, std::size_t ours) { stored[file] = data.counts[ours]; });
    std::vector<int> planes(spec.segments.size(), 0);
    for (const Sinogram& plane : m.sinograms()) {
        ++planes[static_cast<std::size_t>(plane.segment)];
    }
    std::vector<int> low;
    std::vector<int> high;
    for (const RingSegment& segment : spec.segments) {
        low.push_back(segment.minDifference);
        high.push_back(segment.maxDifference);
    }
    std::string text = "!INTERFILE :=\n!imaging modality := PT\n";
    const auto line = [&text](const std::string& key, const std::string& value) {
        text += fmt::format("{} := {}\n", key, value);
    };
    const bool timed = spec.tof.count > 0;
    line("name of data file", fs::path(numbers).filename().string());
    line("originating system", "User_defined_scanner");
    line("!version of keys", "STIR6.0");
    text += "!GENERAL DATA :=\n!GENERAL IMAGE DATA :=\n";
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
    line("View offset (degrees)", fmt::format("{}", spec.scanner.firstAngle_rad / kRadPerDeg));
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
    // The numbers first: a header never stands beside data that are not its own.
    writeAside(numbers, [&](const std::string& temporary) { writeNumbers(temporary, numbers, stored); });
    writeAside(path, [&](const std::string& temporary) { writeTextFile(temporary, path, text); });
}

}  // namespace tof
