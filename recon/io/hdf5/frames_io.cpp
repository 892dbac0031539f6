// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/frames_io.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/physics/nuclide.h"

namespace tof {

namespace {

constexpr const char* kFrames = "/frames";
constexpr const char* kStart = "/frames/start_s";
constexpr const char* kDuration = "/frames/duration_s";
constexpr const char* kKept = "/frames/kept";
constexpr const char* kOutside = "/frames/outside";
constexpr const char* kRejected = "/frames/rejected";
constexpr const char* kDecay = "/frames/decay_factor";
constexpr const char* kGate = "/frames/gate";
constexpr const char* kGated = "/frames/gated_s";
constexpr const char* kAddShare = "/frames/add_share";
constexpr const char* kRandomsShare = "/frames/randoms_share";
constexpr const char* kLive = "/frames/live";
constexpr const char* kFirsts = "/frames/firsts";
constexpr const char* kVoxels = "/frames/voxels";
constexpr const char* kFramePoses = "/frames/poses";
constexpr const char* kCrystals = "/frames/crystals";
constexpr std::uint64_t kFrameLimit = 100000;
constexpr double kLeastLive = 1e-6;

[[noreturn]] void refuse(const h5::Reader& file, const char* dataset, const char* what) {
    throw BadInput("{}: '{}' {}; bin the list again", file.path(), dataset, what);
}

/// Frames follow one another from 0 on.
void requireTimes(const h5::Reader& file, const FramedCounts& table) {
    double end_s = 0;
    constexpr double kSlack_s = 1e-3;
    const auto gates = static_cast<std::size_t>(std::max(table.gates, 1));
    if (table.frames.size() % gates != 0) {
        refuse(file, kStart, "has not as many times for every frame as there are gates");
    }
    for (std::size_t i = 0; i < table.frames.size(); i += gates) {
        const FrameCounts& frame = table.frames[i];
        for (std::size_t k = 1; k < gates; ++k) {
            if (!(table.frames[i + k].time == frame.time)) {
                refuse(file, kStart, "and '/frames/duration_s' are not alike for all gates of a frame");
            }
        }
        if (!(frame.time.start_s >= end_s - kSlack_s) || !(frame.time.duration_s > 0) ||
            !std::isfinite(frame.time.end_s())) {
            refuse(file, kStart, "and '/frames/duration_s' are no frames that follow one another");
        }
        end_s = frame.time.end_s();
    }
}

/// Whether frames have shares of randoms of their own.
bool sayRandoms(const std::vector<FrameCounts>& frames) {
    return std::any_of(frames.begin(), frames.end(),
                       [](const FrameCounts& one) { return one.randomsShare >= 0; });
}

/// A row of shares for every frame; a frame that was never on has zeros.
void readFramePoses(const h5::Reader& file, FramedCounts& table) {
    if (!file.has(kFramePoses)) {
        return;
    }
    const h5::Shape shape = file.shape(kFramePoses);
    if (shape.size() != 2 || shape[0] != table.frames.size() || shape[1] < 1) {
        refuse(file, kFramePoses, "must have a row for every frame and a column for every pose");
    }
    const std::vector<double> all = file.read<double>(kFramePoses, shape);
    constexpr double kRounding = 1e-6;
    for (std::size_t i = 0; i < table.frames.size(); ++i) {
        const auto row = all.begin() + static_cast<std::ptrdiff_t>(i * shape[1]);
        const auto end = row + static_cast<std::ptrdiff_t>(shape[1]);
        const double sum = std::accumulate(row, end, 0.0);
        const bool shares = std::all_of(row, end, [](double one) { return one >= 0; });
        if (!shares || (sum != 0 && !(std::abs(sum - 1) < kRounding))) {
            refuse(file, kFramePoses, "must hold shares that add up to 1 for every frame");
        }
        if (sum > 0) {
            table.frames[i].moved.shares.assign(row, end);
        }
    }
}

/// Empty where the file has none.
std::vector<float> readCrystals(const h5::Reader& file) {
    if (!file.has(kCrystals)) {
        return {};
    }
    std::vector<float> crystals = file.read<float>(kCrystals, file.shape(kCrystals));
    requireWeights(file, kCrystals, crystals, "correct the data again");
    return crystals;
}

void writeFramePoses(h5::Writer& file, const FramedCounts& frames) {
    std::size_t poses = 0;
    for (const FrameCounts& frame : frames.frames) {
        poses = std::max(poses, frame.moved.shares.size());
    }
    std::vector<double> all(frames.frames.size() * poses, 0.0);
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        const std::vector<double>& shares = frames.frames[i].moved.shares;
        std::copy(shares.begin(), shares.end(), all.begin() + static_cast<std::ptrdiff_t>(i * poses));
    }
    if (poses > 0) {
        file.write(kFramePoses, {frames.frames.size(), poses}, all.data());
    }
}

template <class T, class Read>
void writeColumn(h5::Writer& file, const char* dataset, const FramedCounts& frames, const Read& read) {
    std::vector<T> column(frames.frames.size());
    std::transform(frames.frames.begin(), frames.frames.end(), column.begin(), read);
    file.write(dataset, {column.size()}, column.data());
}

}  // namespace

std::shared_ptr<const FramedCounts> readFrameTable(const h5::Reader& file) {
    if (!file.has(kFrames)) {
        return nullptr;
    }
    const h5::Shape shape = file.shape(kStart);
    if (shape.size() != 1 || shape[0] < 1 || shape[0] > kFrameLimit) {
        refuse(file, kStart, "must be a list of 1 to 100000 times");
    }
    const std::vector<double> starts = file.read<double>(kStart, shape);
    const std::vector<double> durations = file.read<double>(kDuration, shape);
    const std::vector<std::uint64_t> kept = file.read<std::uint64_t>(kKept, shape);
    const std::vector<std::uint64_t> outside = file.read<std::uint64_t>(kOutside, shape);
    const std::vector<std::uint64_t> rejected = file.read<std::uint64_t>(kRejected, shape);
    auto table = std::make_shared<FramedCounts>();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        table->frames.push_back({{starts[i], durations[i]}, kept[i], outside[i], rejected[i], {}, {}});
    }
    const auto more = [&](const char* dataset, double least, double FrameCounts::*member) {
        const std::vector<double> column =
            file.has(dataset) ? file.read<double>(dataset, shape) : std::vector<double>();
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (!std::isfinite(column[i]) || column[i] < least) {
                refuse(file, dataset, "has values that are out of range");
            }
            table->frames[i].*member = column[i];
        }
    };
    more(kAddShare, 0, &FrameCounts::addShare);
    more(kRandomsShare, 0, &FrameCounts::randomsShare);
    more(kLive, kLeastLive, &FrameCounts::live);
    const std::uint64_t gates = file.whole(kFrames, "gates").value_or(0);
    if (gates > shape[0]) {
        refuse(file, kStart, "has not as many times for every frame as there are gates");
    }
    table->gates = static_cast<int>(gates);
    if (table->gates > 0) {
        more(kGated, 0, &FrameCounts::gated_s);
        more(kDecay, 0, &FrameCounts::gatedDecay);
        for (std::size_t i = 0; i < table->frames.size(); ++i) {
            table->frames[i].gate = static_cast<int>(i % static_cast<std::size_t>(table->gates)) + 1;
        }
    }
    requireTimes(file, *table);
    readFramePoses(file, *table);
    table->crystals = readCrystals(file);
    table->between = file.whole(kFrames, "between").value_or(0);
    table->nuclide = file.textAttribute(kFrames, "nuclide").value_or("");
    const Nuclide* const known = table->nuclide.empty() ? nullptr : nuclideIn(table->nuclide);
    if (!table->nuclide.empty() && (known == nullptr || known->name != table->nuclide)) {
        throw BadInput("{}: '{}' names the nuclide '{}', which is none of PET; correct it", file.path(),
                       kFrames, table->nuclide);
    }
    return table;
}

std::shared_ptr<const FramedCounts> readFrames(const h5::Reader& file, const FramedCounts* table,
                                               const FramedParts& of) {
    if (table == nullptr) {
        return nullptr;
    }
    auto frames = std::make_shared<FramedCounts>(*table);
    const std::size_t row = of.parts + 1;
    const std::uint64_t count = frames->frames.size();
    const std::vector<std::uint64_t> firsts = file.read<std::uint64_t>(kFirsts, {count, row});
    const h5::Shape all = file.shape(kVoxels);
    if (all.size() != 1 || !file.isUnsigned(kVoxels, sizeof(std::uint32_t))) {
        refuse(file, kVoxels, "must be a list of uint32");
    }
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        FrameCounts& frame = frames->frames[i];
        const auto at = firsts.begin() + static_cast<std::ptrdiff_t>(i * row);
        frame.firsts.assign(at, at + static_cast<std::ptrdiff_t>(row));
        if (frame.firsts.front() != 0 || !std::is_sorted(frame.firsts.begin(), frame.firsts.end()) ||
            frame.firsts.back() != frame.kept || frame.kept > all[0] - begin) {
            refuse(file, kFirsts, "does not fit '/frames/kept' and '/frames/voxels'");
        }
        frame.voxels.resize(frame.kept);
        if (frame.kept > 0) {
            file.readRows(kVoxels, begin, frame.kept, frame.voxels.data());
        }
        if (std::any_of(frame.voxels.begin(), frame.voxels.end(),
                        [&](std::uint32_t voxel) { return voxel >= of.cellsPerPart; })) {
            refuse(file, kVoxels, "names cells that the data do not have");
        }
        begin += frame.kept;
    }
    if (sayRandoms(frames->frames)) {
        for (const CorrectionPart& part : outlineOfParts(file).list) {
            if (part.on && (part.name == PartName::Delayeds || part.name == PartName::Singles)) {
                frames->totalRandoms = part.figures.randoms.value_or(0);
                frames->randoms = std::make_shared<const std::vector<float>>(readPart(file, part.name));
            }
        }
    }
    if (begin != of.kept) {
        refuse(file, kKept, "does not add up to the events of the data");
    }
    return frames;
}

void writeFrames(h5::Writer& file, const FramedCounts* framed) {
    if (framed == nullptr) {
        return;
    }
    const FramedCounts& frames = *framed;
    writeColumn<double>(file, kStart, frames, [](const FrameCounts& one) { return one.time.start_s; });
    writeColumn<double>(file, kDuration, frames, [](const FrameCounts& one) { return one.time.duration_s; });
    writeColumn<std::uint64_t>(file, kKept, frames, [](const FrameCounts& one) { return one.kept; });
    writeColumn<std::uint64_t>(file, kOutside, frames, [](const FrameCounts& one) { return one.outside; });
    writeColumn<std::uint64_t>(file, kRejected, frames, [](const FrameCounts& one) { return one.rejected; });
    file.attribute(kFrames, "between", frames.between);
    const std::uint64_t count = frames.frames.size();
    const auto says = [&](auto test) {
        return std::any_of(frames.frames.begin(), frames.frames.end(), test);
    };
    if (frames.gates > 0) {
        file.attribute(kFrames, "gates", static_cast<std::uint64_t>(frames.gates));
        writeColumn<std::uint64_t>(
            file, kGate, frames, [](const FrameCounts& one) { return static_cast<std::uint64_t>(one.gate); });
        writeColumn<double>(file, kGated, frames, [](const FrameCounts& one) { return one.gated_s; });
    }
    if (says([](const FrameCounts& one) { return one.addShare >= 0; })) {
        std::vector<double> shares(count);
        for (std::size_t i = 0; i < count; ++i) {
            shares[i] = frames.addShareOf(i);
        }
        file.write(kAddShare, {count}, shares.data());
    }
    if (sayRandoms(frames.frames)) {
        writeColumn<double>(file, kRandomsShare, frames,
                            [](const FrameCounts& one) { return std::max(0.0, one.randomsShare); });
    }
    if (says([](const FrameCounts& one) { return one.live != 1; })) {
        writeColumn<double>(file, kLive, frames, [](const FrameCounts& one) { return one.live; });
    }
    writeFramePoses(file, frames);
    if (!frames.crystals.empty()) {
        file.write(kCrystals, {frames.crystals.size()}, frames.crystals.data());
    }
    if (!frames.nuclide.empty()) {
        file.attribute(kFrames, "nuclide", frames.nuclide);
        std::vector<double> factors(count);
        for (std::size_t i = 0; i < count; ++i) {
            factors[i] = frames.decayFactorOf(i);
        }
        file.write(kDecay, {count}, factors.data());
    }
    const std::uint64_t row = frames.frames.front().firsts.size();
    file.create<std::uint64_t>(kFirsts, {count, row});
    file.create<std::uint32_t>(kVoxels, {frames.kept()});
    std::uint64_t begin = 0;
    std::vector<std::uint32_t> room;
    for (std::size_t i = 0; i < count; ++i) {
        const FrameCounts& frame = frames.frames[i];
        file.writeRows(kFirsts, i, 1, frame.firsts.data());
        if (frame.kept > 0) {
            file.writeRows(kVoxels, begin, frame.kept, frames.cellsOf(i, room).data());
        }
        begin += frame.kept;
    }
}

}  // namespace tof
