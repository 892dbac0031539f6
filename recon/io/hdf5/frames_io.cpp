// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/frames_io.h"

#include <algorithm>
#include <numeric>

#include "recon/base/error.h"
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
constexpr const char* kFirsts = "/frames/firsts";
constexpr const char* kVoxels = "/frames/voxels";
constexpr std::uint64_t kFrameLimit = 10000;

[[noreturn]] void refuse(const h5::Reader& file, const char* dataset, const char* what) {
    throw BadInput("{}: '{}' {}; bin the list again", file.path(), dataset, what);
}

/// Frames follow one another from 0 on.
void requireTimes(const h5::Reader& file, const std::vector<FrameCounts>& frames) {
    double end_s = 0;
    for (const FrameCounts& frame : frames) {
        constexpr double kSlack_s = 1e-3;
        if (!(frame.time.start_s >= end_s - kSlack_s) || !(frame.time.duration_s > 0)) {
            refuse(file, kStart, "and '/frames/duration_s' are no frames that follow one another");
        }
        end_s = frame.time.end_s();
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
        refuse(file, kStart, "must be a list of 1 to 10000 times");
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
    requireTimes(file, table->frames);
    table->between = file.whole(kFrames, "between").value_or(0);
    table->nuclide = file.textAttribute(kFrames, "nuclide").value_or("");
    const Nuclide* const known = table->nuclide.empty() ? nullptr : nuclideIn(table->nuclide);
    if (!table->nuclide.empty() && (known == nullptr || known->name != table->nuclide)) {
        throw BadInput("{}: '{}' names the nuclide '{}', which is none of PET; correct it", file.path(),
                       kFrames, table->nuclide);
    }
    return table;
}

std::shared_ptr<const FramedCounts> readFrames(const h5::Reader& file, const HistoData& outline) {
    if (outline.frames == nullptr) {
        return nullptr;
    }
    auto frames = std::make_shared<FramedCounts>(*outline.frames);
    const std::size_t row = outline.views.size() + 1;
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
                        [&](std::uint32_t voxel) { return voxel >= outline.voxels(); })) {
            refuse(file, kVoxels, "names voxels outside the lattice");
        }
        begin += frame.kept;
    }
    if (begin != outline.kept) {
        refuse(file, kKept, "does not add up to the 'kept' of '/histo'");
    }
    return frames;
}

void writeFrames(h5::Writer& file, const FramedCounts& frames) {
    writeColumn<double>(file, kStart, frames, [](const FrameCounts& one) { return one.time.start_s; });
    writeColumn<double>(file, kDuration, frames, [](const FrameCounts& one) { return one.time.duration_s; });
    writeColumn<std::uint64_t>(file, kKept, frames, [](const FrameCounts& one) { return one.kept; });
    writeColumn<std::uint64_t>(file, kOutside, frames, [](const FrameCounts& one) { return one.outside; });
    writeColumn<std::uint64_t>(file, kRejected, frames, [](const FrameCounts& one) { return one.rejected; });
    file.attribute(kFrames, "between", frames.between);
    const std::uint64_t count = frames.frames.size();
    if (!frames.nuclide.empty()) {
        file.attribute(kFrames, "nuclide", frames.nuclide);
        std::vector<double> factors(count);
        for (std::size_t i = 0; i < count; ++i) {
            factors[i] = frames.decayFactorOf(i);
        }
        file.write(kDecay, {count}, factors.data());
    }
    const std::uint64_t row = frames.frames.front().firsts.size();
    const std::uint64_t events =
        std::accumulate(frames.frames.begin(), frames.frames.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const FrameCounts& one) { return sum + one.kept; });
    file.create<std::uint64_t>(kFirsts, {count, row});
    file.create<std::uint32_t>(kVoxels, {events});
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const FrameCounts& frame = frames.frames[i];
        file.writeRows(kFirsts, i, 1, frame.firsts.data());
        if (frame.kept > 0) {
            file.writeRows(kVoxels, begin, frame.kept, frame.voxels.data());
        }
        begin += frame.kept;
    }
}

}  // namespace tof
