// SPDX-License-Identifier: Apache-2.0
// Lines of response in HDF5: list-mode, or lines with counts.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/large_array.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

namespace {

constexpr const char* kLineCrystal = "/lors/crystal";
constexpr const char* kLinePoints = "/lors/points";
constexpr const char* kLineTime = "/lors/dt_ps";
constexpr const char* kLineCounts = "/lors/counts";
constexpr const char* kAttenuation = "/corrections/attenuation";
constexpr const char* kPossible = "/possible/crystal";
constexpr const char* kPossibleMult = "/possible/mult";
constexpr const char* kPossibleScanner = "/possible/scanner";
constexpr const char* kEfficiencies = "/possible/efficiencies";
constexpr const char* kPoses = "/possible/poses";
constexpr double kFarthest_mm = 1e5;

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

/// [slot][sinogram][radial]
h5::Shape lineShape(const Michelogram& m) {
    return {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
            static_cast<std::uint64_t>(m.radialBins())};
}

Pairs readPairs(const h5::Reader& file, const char* dataset, std::size_t points) {
    const h5::Shape shape = file.shape(dataset);
    if (shape.size() != 2 || shape[1] != 2 || !file.isUnsigned(dataset, sizeof(std::uint32_t))) {
        throw BadInput("{}: '{}' must be uint32 [events][2]; make the file again", file.path(), dataset);
    }
    const ThreadPool pool = file.pool();
    Pairs pairs = largeArray<Pairs::value_type>(shape[0], pool);
    if (shape[0] > 0) {
        file.readRows(dataset, 0, shape[0], pairs.front().data());
    }
    const std::size_t stray = firstWhere(
        pool, pairs.size(), [&](std::size_t i) { return pairs[i][0] >= points || pairs[i][1] >= points; });
    if (stray < pairs.size()) {
        throw BadInput("{}: '{}' of event {} names a crystal that the scanner has not; correct it",
                       file.path(), dataset, stray);
    }
    return pairs;
}

/// Finite values that are not negative; empty when the dataset is absent.
std::vector<float> readWeights(const h5::Reader& file, const char* dataset, const h5::Shape& shape) {
    if (!file.has(dataset)) {
        return {};
    }
    std::vector<float> values = file.read<float>(dataset, shape);
    requireWeights(file, dataset, values, "correct them");
    return values;
}

std::vector<Vec3> readPoints(const h5::Reader& file) {
    const h5::Shape shape = file.shape(kLinePoints);
    if (shape.size() != 2 || shape[1] != 3) {
        throw BadInput("{}: '{}' must be [points][3]; make the file again", file.path(), kLinePoints);
    }
    const std::vector<double> numbers = file.read<double>(kLinePoints, shape);
    if (!std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::abs(v) <= kFarthest_mm; })) {
        throw BadInput("{}: '{}' has points that are not within {:g} mm; correct them", file.path(),
                       kLinePoints, kFarthest_mm);
    }
    std::vector<Vec3> points;
    points.reserve(shape[0]);
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
        points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    return points;
}

TofBins readTof(const h5::Reader& file) {
    const auto text = file.textAttribute(kLineCrystal, "tof");
    if (!text) {
        return {};
    }
    const std::string source = file.path() + ": tof";
    const nlohmann::json root = parseJson(*text, source);
    const JsonFields fields(root, source, {"bins", "width_ps", "fwhm_ps", "cutoff"});
    return {fields.integer("bins", 1, 4096), fields.number("width_ps", 1e-3, 1e5),
            fields.number("fwhm_ps", 1e-3, 1e5), fields.number("cutoff", TofBins().cutoff, 1, 100)};
}

std::string tofJson(const TofBins& tof) {
    return jsonText(nlohmann::ordered_json{
        {"bins", tof.count}, {"width_ps", tof.width_ps}, {"fwhm_ps", tof.fwhm_ps}, {"cutoff", tof.cutoff}});
}

std::shared_ptr<const LineEvents> readLines(const h5::Reader& file, const Michelogram* michelogram) {
    auto events = std::make_shared<LineEvents>();
    if (michelogram == nullptr && !file.has(kLinePoints)) {
        throw BadInput(
            "{}: '{}' lacks the attribute 'michelogram' and the file has no '{}'; make the file again",
            file.path(), kLineCrystal, kLinePoints);
    }
    events->points = file.has(kLinePoints) ? readPoints(file) : ringPoints(michelogram->scanner());
    events->tof = michelogram != nullptr ? michelogram->spec().tof : readTof(file);
    events->pairs = readPairs(file, kLineCrystal, events->points.size());
    events->eventsPerPart = usualPartSize(events->pairs.size());
    if (events->tof.count > 0) {
        events->dt_ps = file.read<float>(kLineTime, {events->pairs.size()});
        const std::vector<float>& times = events->dt_ps;
        if (firstWhere(file.pool(), times.size(), [&](std::size_t i) { return !std::isfinite(times[i]); }) <
            times.size()) {
            throw BadInput("{}: '{}' has values that are not finite; correct them", file.path(), kLineTime);
        }
    }
    return events;
}

std::shared_ptr<const Scanner> readScanner(const h5::Reader& file, const LineData& data) {
    auto scanner = std::make_shared<const Scanner>(
        Scanner::fromJson(file.text(kPossibleScanner), file.path() + ": " + kPossibleScanner));
    if (!data.michelogram && scanner->crystals.size() != data.crystals()) {
        throw BadInput("{}: '{}' has {} crystals and '{}' {} points; make the file again", file.path(),
                       kPossibleScanner, scanner->crystals.size(), kLinePoints, data.crystals());
    }
    return scanner;
}

/// Shares of the poses, each of which the file has points of.
std::vector<double> readPoses(const h5::Reader& file, const LineData& data) {
    if (!file.has(kPoses)) {
        return {};
    }
    const h5::Shape shape = file.shape(kPoses);
    const std::size_t points = data.events->points.size();
    if (data.michelogram || shape.size() != 1 || shape[0] == 0 || points % (shape[0] + 1) != 0) {
        throw BadInput("{}: '{}' fits no {} points of '{}'; make the file again", file.path(), kPoses, points,
                       kLinePoints);
    }
    std::vector<double> poses = file.read<double>(kPoses, shape);
    constexpr double kRounding = 1e-6;
    const double sum = std::accumulate(poses.begin(), poses.end(), 0.0);
    if (!std::all_of(poses.begin(), poses.end(), [](double share) { return share >= 0; }) ||
        !(std::abs(sum - 1) < kRounding)) {
        throw BadInput("{}: '{}' are no shares that add up to 1; correct them", file.path(), kPoses);
    }
    const std::size_t crystals = points / (poses.size() + 1);
    const Pairs& pairs = data.events->pairs;
    const auto stray = std::find_if(pairs.begin(), pairs.end(), [crystals](const auto& pair) {
        return pair[0] / crystals == 0 || pair[0] / crystals != pair[1] / crystals;
    });
    if (stray != pairs.end()) {
        throw BadInput("{}: '{}' of event {} names points of two poses, or of none; correct it", file.path(),
                       kLineCrystal, stray - pairs.begin());
    }
    return poses;
}

void readPossible(const h5::Reader& file, LineData& data) {
    PossibleLines& possible = data.possible;
    possible.poses = readPoses(file, data);
    possible.radius_mm = file.number("/lors", "radius_mm", 0);
    possible.totalAdd = file.number("/lors", "total_add", 0);
    possible.acceptance_rad = file.number("/lors", "acceptance_rad", PossibleLines::kEveryTilt_rad);
    if (file.has(kPossibleScanner)) {
        possible.scanner = readScanner(file, data);
        possible.efficiencies = readWeights(file, kEfficiencies, {possible.scanner->crystals.size()});
    }
    if (data.michelogram) {
        possible.mult = readWeights(file, kPossibleMult, lineShape(*data.michelogram));
    } else if (file.has(kPossible)) {
        possible.pairs = readPairs(file, kPossible, data.events->points.size());
        possible.mult = readWeights(file, kPossibleMult, {possible.pairs.size()});
    }
    if (!(possible.radius_mm >= 0 && possible.radius_mm <= kFarthest_mm) || !(possible.totalAdd >= 0) ||
        !(possible.acceptance_rad > 0 && possible.acceptance_rad <= PossibleLines::kEveryTilt_rad) ||
        (!data.michelogram && data.counts.empty() && possible.pairs.empty() && possible.radius_mm == 0)) {
        throw BadInput(
            "{}: 'radius_mm', 'acceptance_rad' or 'total_add' of '/lors' is out of range; make the "
            "file again",
            file.path());
    }
}

void writePossible(h5::Writer& file, const LineData& data) {
    const PossibleLines& possible = data.possible;
    file.attribute("/lors", "radius_mm", possible.radius_mm);
    file.attribute("/lors", "total_add", possible.totalAdd);
    file.attribute("/lors", "acceptance_rad", possible.acceptance_rad);
    file.attribute("/lors", "absolute", static_cast<std::uint64_t>(data.absolute));
    if (possible.scanner) {
        file.group("/possible");
        file.text(kPossibleScanner, possible.scanner->toJson());
        writeArrays(file, {possible.scanner->crystals.size()}, {{kEfficiencies, &possible.efficiencies}});
    }
    if (!possible.poses.empty()) {
        file.write(kPoses, {possible.poses.size()}, possible.poses.data());
    }
    if (!possible.pairs.empty()) {
        file.write(kPossible, {possible.pairs.size(), 2}, possible.pairs[0].data());
    }
    if (!possible.mult.empty()) {
        file.write(kPossibleMult,
                   data.michelogram ? lineShape(*data.michelogram) : h5::Shape{possible.mult.size()},
                   possible.mult.data());
    }
}

/// Points that are not simply those of the rings.
void writePoints(h5::Writer& file, const LineData& data) {
    const std::vector<Vec3>& points = data.events->points;
    if (data.michelogram && points == ringPoints(data.michelogram->scanner())) {
        return;
    }
    std::vector<double> numbers;
    numbers.reserve(3 * points.size());
    for (const Vec3& p : points) {
        numbers.insert(numbers.end(), {p.x, p.y, p.z});
    }
    file.write(kLinePoints, {points.size(), 3}, numbers.data());
}

void checkSizes(const LineData& data) {
    const std::size_t lines = data.events->pairs.size();
    const std::size_t possible =
        !data.possible.pairs.empty() ? data.possible.pairs.size()
        : data.michelogram ? data.michelogram->bins() / static_cast<std::size_t>(data.michelogram->timeBins())
                           : 0;
    const auto fits = [](const std::vector<float>& values, std::size_t size) {
        return values.empty() || values.size() == size;
    };
    if (!fits(data.counts, lines) || !fits(data.mult, lines) || !fits(data.add, lines) ||
        !fits(data.possible.mult, possible) ||
        !fits(data.possible.efficiencies,
              data.possible.scanner ? data.possible.scanner->crystals.size() : 0)) {
        throw InternalError("the arrays of lines of response differ in length");
    }
}

}  // namespace

LineData readLineData(const std::string& path) {
    return readLineData(h5::Reader(path));
}

LineData readLineData(const h5::Reader& file) {
    LineData data;
    data.michelogram = readMichelogram(file, kLineCrystal);
    data.lattice = readImageLattice(file, kLineCrystal);
    data.events = readLines(file, data.michelogram.get());
    const h5::Shape lines{data.events->pairs.size()};
    data.counts = readWeights(file, kLineCounts, lines);
    data.mult = readWeights(file, kMultPath, lines);
    data.add = readWeights(file, kAddPath, lines);
    if (file.has(kAttenuation)) {
        data.attenuation = readVolumeDataset(file, kAttenuation);
    }
    readPossible(file, data);
    data.rejected = file.whole("/lors", "rejected").value_or(0);
    data.absolute = file.whole("/lors", "absolute").value_or(0) != 0;
    data.scanner = file.textAttribute("/lors", "scanner").value_or("");
    readOrigin(file, "/", data);
    data.frames = readFrames(file, readFrameTable(file).get(),
                             {1, data.events->pairs.size(), data.events->pairs.size()});
    if (data.frames != nullptr && data.frames->moved() &&
        std::any_of(data.frames->frames.begin(), data.frames->frames.end(), [&](const FrameCounts& one) {
            return !one.moved.shares.empty() && one.moved.shares.size() != data.possible.poses.size();
        })) {
        throw BadInput("{}: '/frames/poses' has not a column for every pose of the lines; bin the list again",
                       file.path());
    }
    data.hash = dataHash(data);
    return data;
}

void writeLineData(const Destination& to, const LineData& data, const MoreOfFile& more) {
    checkSizes(data);
    const LineEvents& events = *data.events;
    const h5::Shape lines{events.pairs.size()};
    h5::writeFile(to, [&](h5::Writer& file) {
        file.write(kLineCrystal, {events.pairs.size(), 2},
                   events.pairs.empty() ? nullptr : events.pairs[0].data());
        writeModel(file, kLineCrystal, data.michelogram.get(), data.lattice);
        writePoints(file, data);
        if (events.tof.count > 0) {
            file.write(kLineTime, lines, events.dt_ps.data());
            if (!data.michelogram) {
                file.attribute(kLineCrystal, "tof", tofJson(events.tof));
            }
        }
        writeArrays(file, lines,
                    {{kLineCounts, &data.counts}, {kMultPath, &data.mult}, {kAddPath, &data.add}});
        if (data.attenuation) {
            writeVolumeDataset(file, kAttenuation, data.attenuation->lattice, data.attenuation->data, "1/mm");
        }
        writePossible(file, data);
        file.attribute("/lors", "rejected", data.rejected);
        file.attribute("/lors", "scanner", data.scanner);
        writeFrames(file, data.frames.get());
        writeOrigin(file, data, more);
    });
}

}  // namespace tof
