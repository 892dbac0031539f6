// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/data_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <span>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/volume_hdf5.h"
#include "recon/motion/pose.h"

namespace tof {

namespace {

constexpr const char* kCounts = "/histo/counts";
constexpr const char* kPhi = "/histo/phi";
constexpr const char* kTheta = "/histo/theta";
constexpr const char* kViewPoses = "/histo/poses";
constexpr std::size_t kPoseNumbers = 13;  // weight, matrix row by row, shift
constexpr const char* kEff = "/corrections/eff";
constexpr const char* kAtt = "/corrections/att";
constexpr std::uint64_t kViewLimit = 1U << 20U;

h5::Shape viewsShape(std::size_t views, const Lattice& lattice) {
    h5::Shape shape = latticeShape(lattice);
    shape.insert(shape.begin(), views);
    return shape;
}

std::vector<View> readViews(const h5::Reader& file, std::uint64_t count) {
    if (count < 1 || count > kViewLimit) {
        throw BadInput("{}: '{}' has {} views, expected 1 to {}; make the file again", file.path(), kCounts,
                       count, kViewLimit);
    }
    const std::vector<double> phi = file.read<double>(kPhi, {count});
    const std::vector<double> theta = file.read<double>(kTheta, {count});
    std::vector<View> views;
    for (std::size_t i = 0; i < count; ++i) {
        if (!(phi[i] >= 0) || !(phi[i] < kPi) || !(std::abs(theta[i]) < kPi / 2)) {
            throw BadInput(
                "{}: view {} has phi {:g} and theta {:g}; radians with 0 <= phi < pi and |theta| < pi/2 are "
                "needed, correct '{}' and '{}'",
                file.path(), i, phi[i], theta[i], kPhi, kTheta);
        }
        views.push_back({phi[i], theta[i]});
    }
    return views;
}

/// Empty where the file has none.
std::vector<WeighedPose> readViewPoses(const h5::Reader& file) {
    std::vector<WeighedPose> poses;
    if (!file.has(kViewPoses)) {
        return poses;
    }
    const h5::Shape shape = file.shape(kViewPoses);
    constexpr std::uint64_t kMost = 1'000'000;
    if (shape.size() != 2 || shape[0] < 1 || shape[0] > kMost || shape[1] != kPoseNumbers) {
        throw BadInput("{}: '{}' are no poses of {} numbers each; bin the list again", file.path(),
                       kViewPoses, kPoseNumbers);
    }
    const std::vector<double> all = file.read<double>(kViewPoses, shape);
    double sum = 0;
    for (auto at = all.begin(); at != all.end(); at += kPoseNumbers) {
        WeighedPose& one = poses.emplace_back();
        one.weight = at[0];
        std::copy_n(at + 1, one.pose.turn.size(), one.pose.turn.begin());
        one.pose.shift = {at[10], at[11], at[12]};
        sum += one.weight;
        constexpr double kFault = 1e-6;
        if (!(one.weight >= 0) || !(rotationFault(one.pose.turn) <= kFault) ||
            !std::isfinite(norm(one.pose.shift))) {
            throw BadInput(
                "{}: pose {} of '{}' is no share of the time, rotation and shift; bin the list again",
                file.path(), poses.size(), kViewPoses);
        }
    }
    constexpr double kRounding = 1e-6;
    if (!(std::abs(sum - 1) < kRounding)) {
        throw BadInput("{}: shares of '{}' add up to {:g} in place of 1; bin the list again", file.path(),
                       kViewPoses, sum);
    }
    return poses;
}

void writeViewPoses(h5::Writer& file, const std::vector<WeighedPose>& poses) {
    std::vector<double> all;
    for (const auto& [pose, weight] : poses) {
        all.push_back(weight);
        all.insert(all.end(), pose.turn.begin(), pose.turn.end());
        all.insert(all.end(), {pose.shift.x, pose.shift.y, pose.shift.z});
    }
    if (!all.empty()) {
        file.write(kViewPoses, {poses.size(), kPoseNumbers}, all.data());
    }
}

/// [view][z][y][x] as floats.
std::vector<float> readFull(const h5::Reader& file, const char* dataset, std::size_t views,
                            const Lattice& lattice, std::vector<float> room = {}) {
    return readArray(file, dataset, viewsShape(views, lattice), "'" + std::string(kCounts) + "'",
                     "make the file again", std::move(room));
}

/// Datasets beside a correction that is stored at points.
std::string beside(const char* dataset, const char* what) {
    return std::string(dataset) + "_" + what;
}

constexpr const char* kAlong = "along_mm";
constexpr const char* kRadial = "radial_mm";
constexpr const char* kReach = "reach_mm";
constexpr const char* kAlongLines = "along_lines";

bool atPoints(const h5::Reader& file, const char* dataset) {
    return file.hasAttribute(dataset, kAlong);
}

Samples readSamples(const h5::Reader& file, const char* dataset, const char* attribute, std::uint64_t count) {
    const auto pair = file.numbers(dataset, attribute, 2);
    if (!pair || !((*pair)[1] > 0)) {
        throw BadInput(
            "{}: '{}' is stored at points and needs attribute '{}' (first, step > 0, in mm); add it",
            file.path(), dataset, attribute);
    }
    return {count, (*pair)[0], (*pair)[1]};
}

/// All of a correction at points but the values.
FactorGrid readGridOutline(const h5::Reader& file, const char* dataset, const HistoData& data) {
    constexpr const char* kRemedy = "make the file again";
    const h5::Shape shape = file.shape(dataset);
    const std::size_t views = data.views.size();
    const double reach = file.number(dataset, kReach, 0);
    if (shape.size() != 4 || shape[0] < 1 || shape[1] < 2 || shape[2] < 2 ||
        shape[3] != static_cast<std::uint64_t>(data.lattice.size[2]) || !(reach > 0)) {
        throw BadInput("{}: '{}' must be [table][along][radial][slice] and say '{}'; {}", file.path(),
                       dataset, kReach, kRemedy);
    }
    FactorGrid grid;
    grid.along = readSamples(file, dataset, kAlong, shape[1]);
    grid.radial = readSamples(file, dataset, kRadial, shape[2]);
    grid.reach_mm = reach;
    grid.slices = shape[3];
    grid.alongLines = file.number(dataset, kAlongLines, 0) != 0;
    grid.tables = file.read<std::uint32_t>(beside(dataset, "tables"), {views});
    grid.shares = file.read<float>(beside(dataset, "shares"), {views});
    requireWeights(file, beside(dataset, "shares").c_str(), grid.shares, kRemedy);
    const std::string voxels = beside(dataset, "voxels");
    if (file.has(voxels)) {
        const h5::Shape count = file.shape(voxels);
        if (count.size() != 1 || file.shape(beside(dataset, "in_voxels")) != h5::Shape{views, count[0]}) {
            throw BadInput("{}: '{}' must be a list, with a value of each for every view; {}", file.path(),
                           voxels, kRemedy);
        }
        grid.voxels = file.read<std::uint32_t>(voxels, count);
    }
    const auto beyond = [](const std::vector<std::uint32_t>& values, std::uint64_t end) {
        return std::any_of(values.begin(), values.end(), [end](std::uint32_t v) { return v >= end; });
    };
    if (beyond(grid.tables, shape[0]) || beyond(grid.voxels, data.voxels())) {
        throw BadInput("{}: '{}' names tables or voxels that are not there; {}", file.path(), dataset,
                       kRemedy);
    }
    return grid;
}

FactorGrid readGrid(const h5::Reader& file, const char* dataset, const HistoData& data) {
    FactorGrid grid = readGridOutline(file, dataset, data);
    grid.values = readRowByRow(file, dataset, file.shape(dataset), "make the file again");
    if (!grid.voxels.empty()) {
        const std::string values = beside(dataset, "in_voxels");
        grid.inVoxels = readRowByRow(file, values.c_str(), file.shape(values), "make the file again");
    }
    return grid;
}

/// One view of it.
void readAtPoints(const h5::Reader& file, const char* dataset, const HistoData& data, std::size_t view,
                  std::span<float> out) {
    const FactorGrid grid = readGridOutline(file, dataset, data);
    std::vector<float> table(grid.tableSize());
    file.readRows(dataset, grid.tables[view], 1, table.data());
    requireWeights(file, dataset, table, "make the file again");
    std::vector<float> inVoxels(grid.voxels.size());
    if (!inVoxels.empty()) {
        const std::string values = beside(dataset, "in_voxels");
        file.readRows(values, view, 1, inVoxels.data());
        requireWeights(file, values.c_str(), inVoxels, "make the file again");
    }
    grid.expand(data.lattice, data.views[view], grid.shares[view], table.data(), inVoxels.data(), out.data());
}

void writeGrid(h5::Writer& file, const char* dataset, const FactorGrid& grid) {
    const std::size_t tables = grid.values.size() / grid.tableSize();
    file.writePacked(dataset, {tables, grid.along.count, grid.radial.count, grid.slices}, grid.values.data());
    file.attribute(dataset, kAlong, std::vector<double>{grid.along.first, grid.along.step});
    file.attribute(dataset, kRadial, std::vector<double>{grid.radial.first, grid.radial.step});
    file.attribute(dataset, kReach, grid.reach_mm);
    if (grid.alongLines) {
        file.attribute(dataset, kAlongLines, 1.0);
    }
    const std::size_t views = grid.tables.size();
    file.write(beside(dataset, "tables"), {views}, grid.tables.data());
    file.write(beside(dataset, "shares"), {views}, grid.shares.data());
    if (!grid.voxels.empty()) {
        file.write(beside(dataset, "voxels"), {grid.voxels.size()}, grid.voxels.data());
        file.writePacked(beside(dataset, "in_voxels"), {views, grid.voxels.size()}, grid.inVoxels.data());
    }
}

constexpr const char* kFrameEff = "/frames/eff";
constexpr const char* kFrameEffOf = "/frames/eff_of";
constexpr std::uint32_t kNoGrid = 0xffffffff;

std::string frameEff(std::size_t number) {
    return fmt::format("{}_{}", kFrameEff, number);
}

/// Efficiencies of frames in which something moved: grids that frames may share.
std::shared_ptr<const FramedCounts> withEfficiencies(const h5::Reader& file, const HistoData& data) {
    if (data.frames == nullptr || !file.has(kFrameEffOf)) {
        return data.frames;
    }
    auto frames = std::make_shared<FramedCounts>(*data.frames);
    const auto which = file.read<std::uint32_t>(kFrameEffOf, {frames->frames.size()});
    std::vector<std::shared_ptr<const FactorGrid>> grids;
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i] == kNoGrid) {
            continue;
        }
        if (which[i] > grids.size()) {
            throw BadInput("{}: '{}' leaves grids out; bin the list again", file.path(), kFrameEffOf);
        }
        if (which[i] == grids.size()) {
            grids.push_back(
                std::make_shared<const FactorGrid>(readGrid(file, frameEff(grids.size()).c_str(), data)));
        }
        frames->frames[i].moved.eff = grids[which[i]];
    }
    return frames;
}

void writeEfficiencies(h5::Writer& file, const FramedCounts* frames) {
    if (frames == nullptr || !frames->moved()) {
        return;
    }
    std::vector<std::uint32_t> which;
    std::vector<const FactorGrid*> grids;
    for (const FrameCounts& frame : frames->frames) {
        const FactorGrid* const own = frame.moved.eff.get();
        const auto known = std::find(grids.begin(), grids.end(), own);
        which.push_back(own == nullptr ? kNoGrid : static_cast<std::uint32_t>(known - grids.begin()));
        if (own != nullptr && known == grids.end()) {
            writeGrid(file, frameEff(grids.size()).c_str(), *own);
            grids.push_back(own);
        }
    }
    file.write(kFrameEffOf, {which.size()}, which.data());
}

std::future<std::vector<float>> there(std::vector<float> values) {
    std::promise<std::vector<float>> promise;
    promise.set_value(std::move(values));
    return promise.get_future();
}

/// Zeros that an array is read into.
using Room = std::future<std::vector<float>>;

/// Made by a thread of its own while others read: to fill an array with zeros takes one thread as long as all
/// threads take to read it.
Room roomFor(const h5::Reader& file, const char* dataset, const HistoData& data) {
    const h5::Shape shape = viewsShape(data.views.size(), data.lattice);
    if (!file.has(dataset) || atPoints(file, dataset) || file.shape(dataset) != shape) {
        return there({});
    }
    return std::async(std::launch::async, [&file, size = data.views.size() * data.voxels()] {
        return largeArray<float>(size, file.pool());
    });
}

/// Has been read; what is stored at points is still being expanded, while the next dataset is read. Keeps a
/// reference to the data, for lattice and views.
std::future<std::vector<float>> readCorrection(const h5::Reader& file, const char* dataset,
                                               const HistoData& data, Room room) {
    if (!file.has(dataset)) {
        return there({});
    }
    if (atPoints(file, dataset)) {
        return std::async(std::launch::async, [&file, &data, grid = readGrid(file, dataset, data)] {
            return grid.expanded(data.lattice, data.views, file.pool());
        });
    }
    return there(readFull(file, dataset, data.views.size(), data.lattice, room.get()));
}

}  // namespace

HistoData readData(const std::string& path) {
    return readData(h5::Reader(path));
}

namespace {

/// Everything of a file but the arrays and the hash.
HistoData readOutline(const h5::Reader& file) {
    const h5::Shape shape = file.shape(kCounts);
    if (shape.size() != 4) {
        throw BadInput("{}: '{}' has {} dimensions, expected view, z, y, x; make the file again", file.path(),
                       kCounts, shape.size());
    }
    HistoData data;
    data.lattice = readLattice(file, kCounts);
    data.views = readViews(file, shape[0]);
    if (file.has(kMultPath)) {
        throw BadInput("{}: '{}' is of a build before the first release; bin the list again", file.path(),
                       kMultPath);
    }
    data.kept = file.whole("/histo", "kept").value_or(0);
    data.outside = file.whole("/histo", "outside").value_or(0);
    data.rejected = file.whole("/histo", "rejected").value_or(0);
    data.scannerJson = file.textAttribute("/", "scanner").value_or("");
    data.deposit = file.textAttribute("/histo", "deposit").value_or("");
    data.depositSeed = file.whole("/histo", "deposit_seed").value_or(0);
    data.motion = file.textAttribute("/histo", "motion").value_or("");
    data.poses = readViewPoses(file);
    readOrigin(file, "/", data);
    data.frames = readFrameTable(file);
    return data;
}

}  // namespace

HistoReading readDataAhead(const h5::Reader& file) {
    const auto reading = std::make_shared<HistoData>(readOutline(file));
    HistoData& data = *reading;
    // The views of an array are hashed while the next array is read.
    std::vector<std::future<std::vector<std::uint64_t>>> hashing;
    const auto follow = [&](const std::vector<float>& values) {
        hashing.push_back(std::async(std::launch::async, hashesOfViews, std::span(values), data.voxels()));
    };
    Room forEff = roomFor(file, kEff, data);
    Room forAtt = roomFor(file, kAtt, data);
    Room forAdd = roomFor(file, kAddPath, data);
    data.counts = readFull(file, kCounts, data.views.size(), data.lattice);
    follow(data.counts);
    data.frames = withEfficiencies(file, data);
    data.frames = readFrames(file, data.frames.get(), {data.views.size(), data.voxels(), data.kept});
    std::future<std::vector<float>> mult = readCorrection(file, kEff, data, std::move(forEff));
    std::future<std::vector<float>> att = readCorrection(file, kAtt, data, std::move(forAtt));
    data.mult = mult.get();
    follow(data.mult);
    data.add = readCorrection(file, kAddPath, data, std::move(forAdd)).get();
    follow(data.add);
    data.att = att.get();
    if (!data.att.empty()) {
        follow(data.att);
    }
    auto join = [data = reading, hash = hashOfViews(data), arrays = std::move(hashing)]() mutable {
        for (std::future<std::vector<std::uint64_t>>& array : arrays) {
            hash.add(array.get());
        }
        addFrames(hash, data->frames.get());
        return hash.text();
    };
    return {reading, std::async(std::launch::async, std::move(join))};
}

HistoData readData(const h5::Reader& file) {
    const HistoReading reading = readDataAhead(file);
    reading.hash.wait();
    HistoData data = std::move(*reading.data);
    data.hash = reading.hash.get();
    return data;
}

struct HistoViews::Impl {
    h5::Reader file;
    HistoData outline;

    [[nodiscard]] const char* dataset(HistoArray array) const {
        switch (array) {
            case HistoArray::Mult: return kEff;
            case HistoArray::Add: return kAddPath;
            case HistoArray::Att: return kAtt;
            case HistoArray::Counts: break;
        }
        return kCounts;
    }
};

HistoViews::HistoViews(const std::string& path) : impl_(new Impl{h5::Reader(path), {}}) {
    impl_->outline = readOutline(impl_->file);
}
HistoViews::~HistoViews() = default;

const HistoData& HistoViews::outline() const {
    return impl_->outline;
}

bool HistoViews::has(HistoArray array) const {
    return impl_->file.has(impl_->dataset(array));
}

void HistoViews::read(HistoArray array, std::size_t view, std::span<float> out) const {
    const h5::Reader& file = impl_->file;
    const char* const dataset = impl_->dataset(array);
    const HistoData& data = impl_->outline;
    if (array != HistoArray::Counts && atPoints(file, dataset)) {
        readAtPoints(file, dataset, data, view, out);
        return;
    }
    if (file.shape(dataset) != viewsShape(data.views.size(), data.lattice)) {
        throw BadInput("{}: '{}' does not have the sizes of '{}'; make the file again", file.path(), dataset,
                       kCounts);
    }
    if (file.isUnsigned(dataset, sizeof(std::uint16_t))) {
        std::vector<std::uint16_t> narrow(out.size());
        file.readRows(dataset, view, 1, narrow.data());
        std::copy(narrow.begin(), narrow.end(), out.begin());
        return;
    }
    file.readRows(dataset, view, 1, out.data());
    requireWeights(file, dataset, out, "make the file again");
}

void writeData(const Destination& to, const HistoData& data, const MoreOfFile& more) {
    requireSizes(data.counts, {&data.mult, &data.add, &data.att}, data.views.size() * data.voxels(),
                 "the arrays of a data set do not fit its views and lattice");
    h5::writeFile(to, [&](h5::Writer& file) {
        const h5::Shape shape = viewsShape(data.views.size(), data.lattice);
        writeCounts(file, kCounts, shape, data.counts);
        writeLattice(file, kCounts, data.lattice);
        std::vector<double> phi;
        std::vector<double> theta;
        for (const View& view : data.views) {
            phi.push_back(view.phi);
            theta.push_back(view.theta);
        }
        file.write(kPhi, {phi.size()}, phi.data());
        file.write(kTheta, {theta.size()}, theta.data());
        writeArrays(file, shape, {{kEff, &data.mult}, {kAddPath, &data.add}, {kAtt, &data.att}});
        for (const auto& [name, grid] : {std::pair{kEff, &data.multGrid}, {kAtt, &data.attGrid}}) {
            if (*grid) {
                writeGrid(file, name, **grid);
            }
        }
        file.attribute("/histo", "kept", data.kept);
        file.attribute("/histo", "outside", data.outside);
        file.attribute("/histo", "rejected", data.rejected);
        if (!data.deposit.empty()) {
            file.attribute("/histo", "deposit", data.deposit);
            file.attribute("/histo", "deposit_seed", data.depositSeed);
        }
        if (!data.motion.empty()) {
            file.attribute("/histo", "motion", data.motion);
            writeViewPoses(file, data.poses);
        }
        writeFrames(file, data.frames.get());
        writeEfficiencies(file, data.frames.get());
        file.attribute("/", "scanner", data.scannerJson);
        writeOrigin(file, data, more);
    });
}

}  // namespace tof
