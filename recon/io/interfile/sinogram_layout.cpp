// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/block_geometry.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/patient_position.h"
#include "recon/io/interfile/stir_scanners.h"

namespace tof {

namespace {

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

/// The first three axes are called so in counts, or as in e7's factors.
void requireSiemensLabels(const InterfileHeader& header) {
    const auto label = [&](int axis) {
        return normalKey(header.find("matrix axis label", axis).value_or(""));
    };
    const bool bins = label(1) == "bin" || label(1) == "x" || label(1) == "sinogram projections";
    const bool counts = label(2) == "projection" && label(3) == "plane";
    const bool factors = label(2) == "sinogram views" && label(3) == "number of sinograms";
    if (!bins || !(counts || factors)) {
        header.fail("matrix axis label", "is not bin, projection and plane; export the sinograms again");
    }
}

/// How many there are, 1 for none: by their own key, or the fourth axis.
int siemensTimeBins(const InterfileHeader& header) {
    constexpr int kMost = 4096;
    const char* const key = "%number of TOF time bins";
    const std::uint64_t told = header.whole(key, 0, 1);
    const bool axis = normalKey(header.find("matrix axis label", 4).value_or("")) == "tof bin";
    const std::uint64_t count = axis ? static_cast<std::uint64_t>(size(header, 4, kMost)) : told;
    if (header.find(key) && told != count) {
        header.fail(key, fmt::format("is {}, and 'matrix size [4]' is {}; correct one", told, count));
    }
    if (count > kMost || count % 2 == 0) {
        header.fail(key, fmt::format("is {}; e7's bins lie about 0 as 0, +1, -1, ..., so their number is "
                                     "odd; give what STIR's scripts for e7tools make of it (.hs)",
                                     count));
    }
    return static_cast<int>(count);
}

/// Time bins are data types of their own, one behind the other and before the delayeds.
void requireTimesTogether(const InterfileHeader& header, const Axes& axes) {
    const std::uint64_t planes = std::accumulate(axes.planes.begin(), axes.planes.end(), std::uint64_t{0});
    const std::uint64_t bytes = planes * static_cast<std::uint64_t>(axes.views) *
                                static_cast<std::uint64_t>(axes.bins) * numberBytes(header.numberType());
    const char* const place = "data offset in bytes";
    const std::uint64_t first = header.whole(place, 1, 0);
    for (int i = 1; i <= axes.timeBins; ++i) {
        const std::string kind = normalKey(header.find("scan data type description", i).value_or("prompts"));
        if (kind != "prompts") {
            header.fail("scan data type description",
                        fmt::format("[{}] is '{}' among {} time bins of prompts; store these first", i, kind,
                                    axes.timeBins));
        }
        const std::uint64_t expected = first + static_cast<std::uint64_t>(i - 1) * bytes;
        if (const std::uint64_t at = header.whole(place, i, expected); at != expected) {
            header.fail(place,
                        fmt::format("[{}] is {}, and the time bins before it end at {}; store them one "
                                    "behind the other",
                                    i, at, expected));
        }
    }
}

/// Siemens' third axis has the planes of all segments. (STIR: InterfilePDFSHeaderSiemens.)
Axes readSiemensAxes(const InterfileHeader& header) {
    requireSiemensLabels(header);
    if (normalKey(header.text("%compression", "off")) == "on") {
        header.fail("%compression",
                    "is 'on', and how e7 packs counts is published nowhere; store them unpacked");
    }
    Axes axes;
    axes.timeBins = siemensTimeBins(header);
    axes.bins = size(header, 1, 16384);
    axes.views = size(header, 2, 16384);
    axes.planes = integers(header, "%segment table", 0, 1, 65535);
    constexpr int kMostPlanes = 1 << 20;
    if (std::accumulate(axes.planes.begin(), axes.planes.end(), 0LL) != size(header, 3, kMostPlanes)) {
        header.fail("%segment table", "does not add up to the planes of 'matrix size [3]'; correct one");
    }
    if (axes.timeBins > 1) {
        requireTimesTogether(header, axes);
    }
    return axes;
}

Axes readAxes(const InterfileHeader& header) {
    if (isSiemensSinograms(header)) {
        return readSiemensAxes(header);
    }
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

/// A number under one of several keys, or what STIR knows of the scanner (0: nothing).
double numberOr(const InterfileHeader& header, std::initializer_list<const char*> keys, double known) {
    for (const char* key : keys) {
        if (header.find(key)) {
            return header.number(key, 0);
        }
    }
    if (known == 0) {
        header.fail(
            *keys.begin(),
            fmt::format("is missing, and '{}' is no scanner of STIR's that is known here by name; add it",
                        header.text("originating system", "")));
    }
    return known;
}

/// Unmashed time bins that one of the file's holds. e7 does not always say it: all of them hold the
/// scanner's.
double readTimeMashing(const InterfileHeader& header, const Axes& axes, const StirScanner& known) {
    const bool ofTable = isSiemensSinograms(header) && known.timeBins > 0 &&
                         !header.find("Size of unmashed TOF time bins (ps)");
    const double fits = static_cast<double>(known.timeBins) / axes.timeBins;
    const double mash = numberOr(header, {"TOF mashing factor", "%TOF mashing factor"},
                                 ofTable && fits == std::floor(fits) ? fits : 1);
    if (ofTable && mash != fits) {
        header.fail("%TOF mashing factor",
                    fmt::format("is {:g}, which makes {:g} time bins of the {} that STIR's table says of "
                                "the scanner; add 'Size of unmashed TOF time bins (ps)'",
                                mash, mash * axes.timeBins, known.timeBins));
    }
    return mash;
}

TofBins readTof(const InterfileHeader& header, const Axes& axes, const StirScanner& known) {
    TofBins tof;
    if (axes.timeBins <= 1) {  // STIR writes one time bin for none
        return tof;
    }
    tof.count = axes.timeBins;
    tof.width_ps = readTimeMashing(header, axes, known) *
                   numberOr(header, {"Size of unmashed TOF time bins (ps)", "Size of timing bin (ps)"},
                            known.timeBin_ps);
    tof.fwhm_ps = numberOr(header, {"TOF timing resolution (ps)", "timing resolution (ps)"}, known.timing_ps);
    return tof;
}

/// Our time bin of each of the file's. STIR's numbers run towards the first crystal, ours the other way; e7
/// stores 0, +1, -1, ... of them (STIR: stir_ecat_common.cxx, find_timing_poss_sequence).
std::vector<int> readTimeOrder(const InterfileHeader& header, const Axes& axes) {
    const int count = std::max(axes.timeBins, 1);
    std::vector<double> order = header.list("TOF bin order", 0);
    for (int i = 0; order.size() < static_cast<std::size_t>(count) && i < count; ++i) {
        const int outwards = (i % 2 == 1 ? 1 : -1) * ((i + 1) / 2);
        order.push_back(isSiemensSinograms(header) ? outwards : i);
    }
    std::vector<double> ascending = order;
    std::sort(ascending.begin(), ascending.end());
    if (header.find("TOF bin order") &&
        (header.list("TOF bin order", 0).size() != static_cast<std::size_t>(count) ||
         std::adjacent_find(ascending.begin(), ascending.end()) != ascending.end())) {
        header.fail("TOF bin order",
                    fmt::format("does not list each of {} time bins once; correct it", count));
    }
    std::vector<int> ours;
    for (const double number : order) {
        const auto at = std::lower_bound(ascending.begin(), ascending.end(), number);
        ours.push_back(count - 1 - static_cast<int>(at - ascending.begin()));
    }
    return ours;
}

/// Scanners that are not known by name say everything.
void requireDimensions(const InterfileHeader& header) {
    std::vector<std::string> missing;
    for (const char* key : {"Number of rings", "Number of detectors per ring", "Inner ring diameter (cm)",
                            "Distance between rings (cm)"}) {
        if (!header.find(key)) {
            missing.push_back(key);
        }
    }
    if (!missing.empty()) {
        throw BadInput(
            "{}: '{}' is no scanner of STIR's that is known here by name, and the header does not say '{}'; "
            "add "
            "that",
            header.path(), header.text("originating system", header.text("Scanner type", "")),
            fmt::join(missing, "', '"));
    }
}

/// The scanner in the axes of the file.
RingScanner readScanner(const InterfileHeader& header, const StirScanner& known) {
    if (known.rings == 0) {
        requireDimensions(header);
    }
    RingScanner s;
    s.name = header.text("Scanner type", header.text("originating system", "unknown"));
    s.rings = static_cast<int>(std::min(numberOr(header, {"Number of rings"}, known.rings), 1e6));
    s.crystalsPerRing = static_cast<int>(
        std::min(numberOr(header, {"Number of detectors per ring"}, known.crystalsPerRing), 1e6));
    const double inner =
        numberOr(header, {"Inner ring diameter (cm)"}, 2 * known.innerRadius_mm / kMmPerCm) / 2;
    s.radius_mm =
        kMmPerCm * (inner + header.number("Average depth of interaction (cm)", 0, known.depth_mm / kMmPerCm));
    s.ringSpacing_mm =
        kMmPerCm * numberOr(header, {"Distance between rings (cm)"}, known.ringSpacing_mm / kMmPerCm);
    constexpr double kLargest_mm = 10000;
    if (!(s.radius_mm > 0 && s.radius_mm < kLargest_mm)) {
        header.fail("Inner ring diameter (cm)",
                    fmt::format("makes rings of {:g} mm radius; give it in cm, below "
                                "2000",
                                s.radius_mm));
    }
    if (!(s.ringSpacing_mm > 0 && s.ringSpacing_mm * s.rings < kLargest_mm)) {
        header.fail("Distance between rings (cm)",
                    fmt::format("makes a scanner of {:g} mm; give it in cm", s.ringSpacing_mm * s.rings));
    }
    if (const double offset = header.number("View offset (degrees)", 0, known.viewOffset_deg);
        !(std::abs(offset) <= 360)) {
        header.fail("View offset (degrees)", fmt::format("is {:g}, more than a turn; correct it", offset));
    }
    s.firstAngle_rad =
        std::remainder(kRadPerDeg * header.number("View offset (degrees)", 0, known.viewOffset_deg), 2 * kPi);
    return s;
}

std::vector<RingSegment> readSegments(const InterfileHeader& header, int rings, std::size_t count) {
    if (isSiemensSinograms(header)) {
        const auto whole = [&](const char* key) {
            return static_cast<int>(std::min<std::uint64_t>(header.whole(key, 0), 65535));
        };
        std::vector<RingSegment> segments = madeOfFile(header.path(), [&] {
            return siemensSegments(rings, whole("%axial compression"), whole("%maximum ring difference"));
        });
        if (segments.size() != count) {
            header.fail("%segment table",
                        fmt::format("lists {} segments, and axial compression and ring difference make {}",
                                    count, segments.size()));
        }
        return segments;
    }
    const std::vector<int> low = integers(header, "minimum ring difference per segment", 0, -1023, 1023);
    const std::vector<int> high = integers(header, "maximum ring difference per segment", 0, -1023, 1023);
    if (low.size() != count || high.size() != count) {
        header.fail("minimum ring difference per segment", "does not list every segment");
    }
    std::vector<RingSegment> segments;
    for (std::size_t i = 0; i < count; ++i) {
        segments.push_back({low[i], high[i]});
    }
    return segments;
}

/// Scanner of the table by either key; nothing known where there is none.
StirScanner knownScanner(const InterfileHeader& header) {
    const auto rings =
        static_cast<int>(std::min<std::uint64_t>(header.whole("Number of rings", 0, 0), 65535));
    for (const char* key : {"originating system", "Scanner type"}) {
        if (const StirScanner* const found = findStirScanner(header.text(key, ""), rings)) {
            return *found;
        }
    }
    return {};
}

/// Lines of a ring whose places no number of views divides, as e7 makes 50 of 399 azimuths: as many places as
/// fit, on a ring that keeps the distance of bins on the axis. Tells of it.
std::string takeNearRing(RingScanner& s, const Axes& axes) {
    const int step = 2 * axes.views;
    const int places = step * std::max(1, (s.crystalsPerRing + axes.views) / step);
    constexpr double kMostShare = 0.01;
    if (std::abs(places - s.crystalsPerRing) > kMostShare * s.crystalsPerRing) {
        return "";
    }
    const auto distance = [&](double radius, int of) { return radius * std::sin(axes.bins / 2 * kPi / of); };
    const double radius = s.radius_mm * places / s.crystalsPerRing;
    std::string note = fmt::format(
        "{} views do not divide {} azimuths: lines are those of {} places on a ring of {:.1f} mm, {:.2f} mm "
        "off in the outermost bin",
        axes.views, s.crystalsPerRing / 2, places, radius,
        std::abs(distance(radius, places) - distance(s.radius_mm, s.crystalsPerRing)));
    s.radius_mm = radius;
    s.crystalsPerRing = places;
    return note;
}

/// Returns what was taken, or an empty note.
std::string readSampling(const InterfileHeader& header, const Axes& axes, const StirScanner& known,
                         MichelogramSpec& spec) {
    RingScanner& s = spec.scanner;
    const char* const usual = isSiemensSinograms(header) ? "none" : "{arc correction}";
    const bool arcCorrected =
        normalKey(header.text("applied corrections", usual)).find("arc correct") != std::string::npos ||
        normalKey(header.text("applied corrections", usual)).find("arc-correct") != std::string::npos;
    const int crystals = s.crystalsPerRing;
    // Arc-corrected data may have any number of views; crystals then only say how many there are.
    if (arcCorrected && crystals % (2 * axes.views) != 0) {
        s.crystalsPerRing = 2 * axes.views;
    }
    std::string note = s.crystalsPerRing % (2 * axes.views) != 0 ? takeNearRing(s, axes) : "";
    if (s.crystalsPerRing % (2 * axes.views) != 0) {
        header.fail("Number of detectors per ring",
                    fmt::format("is {}, which does not fit {} views", crystals, axes.views));
    }
    spec.mashing = s.crystalsPerRing / 2 / axes.views;
    spec.radialBins = axes.bins;
    if (arcCorrected) {
        spec.binSize_mm =
            kMmPerCm * numberOr(header, {"effective central bin size (cm)", "Default bin size (cm)"},
                                known.binSize_mm / kMmPerCm);
    }
    spec.anglesPerPart = defaultAnglesPerPart(axes.views);
    return note;
}

/// Crystals of blocks and generic scanners, turned to the patient. STIR has neither span nor mashing nor arc
/// correction for them.
std::vector<Vec3> placedCrystals(const InterfileHeader& header, StirGeometry geometry,
                                 const MichelogramSpec& spec, const PatientAxes& turned) {
    const bool spanned = std::any_of(
        spec.segments.begin(), spec.segments.end(),
        [](const RingSegment& segment) { return segment.minDifference != segment.maxDifference; });
    if (spanned || spec.mashing != 1 || spec.binSize_mm > 0) {
        header.fail(
            "Scanner geometry",
            "is not Cylindrical and its bins are sums of crystal pairs (span, mashing or arc correction), "
            "whose lines STIR does not define; store span 1 without mashing");
    }
    std::vector<Vec3> points = crystalPlaces(header, geometry, spec.scanner);
    for (Vec3& p : points) {
        p = {turned[0] ? -p.x : p.x, turned[1] ? -p.y : p.y, turned[2] ? -p.z : p.z};
    }
    return points;
}

/// What the header does not say and the table or STIR does, one sentence each.
std::string assumptions(const InterfileHeader& header, const Axes& axes, const StirScanner& known) {
    std::string note;
    const bool siemens = isSiemensSinograms(header);
    if (!known.remark.empty()) {
        note = fmt::format("{}: {} ('{}')", header.path(), known.remark, known.names.front());
    }
    if (known.viewOffset_deg != 0 && !header.find("View offset (degrees)")) {
        note = joinedNotes(
            note, fmt::format("{}: key 'View offset (degrees)' is missing: {:g} is taken, which STIR's table "
                              "says of '{}'{}",
                              header.path(), known.viewOffset_deg, header.text("originating system", ""),
                              siemens ? ""
                                      : "; STIR itself takes 0, so add 'View offset (degrees) := 0' where "
                                        "its images and attenuation go with the data"));
    }
    if (siemens && axes.timeBins > 1 && !header.find("TOF bin order")) {
        note = joinedNotes(note, fmt::format("{}: time bins are taken in the order 0, +1, -1, ... that STIR "
                                             "knows of e7; a key 'TOF bin order' says otherwise",
                                             header.path()));
    }
    if (header.whole("number of scan data types", 0, 1) >
        static_cast<std::uint64_t>(std::max(axes.timeBins, 1))) {
        note = joinedNotes(note, header.path() + ": prompts are taken, further data types are not");
    }
    return note;
}

}  // namespace

bool isSiemensSinograms(const InterfileHeader& header) {
    return normalKey(header.text("%SMS-MI header name space", "")) == "sinogram subheader";
}

SinogramLayout readSinogramLayout(const InterfileHeader& header) {
    const std::string kind = normalKey(header.text("PET data type", "Image"));
    if (kind == "image") {
        header.fail("PET data type", "is 'image', not Emission; give projection data");
    }
    const Axes axes = readAxes(header);
    SinogramLayout layout;
    layout.planes = axes.planes;
    layout.viewsOutside = axes.viewsOutside;
    const StirScanner known = knownScanner(header);
    MichelogramSpec& spec = layout.spec;
    spec.scanner = readScanner(header, known);
    layout.note = assumptions(header, axes, known);
    layout.note = joinedNotes(layout.note, readSampling(header, axes, known, spec));
    spec.segments = readSegments(header, spec.scanner.rings, axes.planes.size());
    spec.tof = readTof(header, axes, known);
    layout.timeBins = readTimeOrder(header, axes);
    const PatientAxes turned = patientAxes(header);
    const StirGeometry geometry = geometryOf(header);
    if (geometry != StirGeometry::Cylindrical) {
        layout.crystals = placedCrystals(header, geometry, spec, turned);
        return layout;
    }
    turnRing(spec.scanner, turned);
    layout.ringsReversed = turned[2];
    for (RingSegment& segment : spec.segments) {
        if (turned[2]) {
            segment = {-segment.maxDifference, -segment.minDifference};
        }
    }
    return layout;
}

std::vector<int> missingPlanes(const std::string& path, const Michelogram& m, const SinogramLayout& layout) {
    std::vector<int> made(layout.planes.size(), 0);
    for (const Sinogram& plane : m.sinograms()) {
        ++made[static_cast<std::size_t>(plane.segment)];
    }
    std::vector<int> missing;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const int beyond = made[i] - layout.planes[i];
        if (beyond < 0 || beyond % 2 != 0) {
            throw BadInput(
                "{}: key 'matrix size' lists {} planes per segment; the ring differences make {}, and fewer "
                "must "
                "leave as many out at either end",
                path, fmt::join(layout.planes, ","), fmt::join(made, ","));
        }
        missing.push_back(beyond / 2);
    }
    return missing;
}

}  // namespace tof
