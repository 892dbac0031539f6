// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/text_file.h"
#include "recon/data/content_hash.h"
#include "recon/data/framed_counts.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"
#include "recon/joined/joined_measurement.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace {

struct Row {
    std::size_t number = 0;  ///< line of the file, from 1
    std::vector<std::string> words;
};

/// Lines of a table but empty ones, comments and a line of names, which is called `name` in its column.
std::vector<Row> rowsOf(const std::string& table, std::size_t column, const char* name) {
    std::vector<Row> rows;
    std::size_t number = 0;
    std::istringstream file(readTextFile(table));
    for (std::string line; std::getline(file, line);) {
        ++number;
        Row row{number, {}};
        std::istringstream in(line);
        for (std::string word; std::getline(in, word, '\t');) {
            row.words.push_back(word.ends_with('\r') ? word.substr(0, word.size() - 1) : word);
        }
        const bool names = row.words.size() > column && row.words[column] == name;
        if (!row.words.empty() && !row.words.front().starts_with('#') && !names) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::string besideTable(const std::string& table, const std::string& file) {
    return (std::filesystem::path(table).parent_path() / file).string();
}

/// Lattices of two files, one of which may keep them in single precision.
bool alike(const Lattice& one, const Lattice& other) {
    constexpr double kRounding = 1e-3;  // of a voxel, from end to end
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double voxel = one.spacing_mm[axis];
        const double stretch = std::abs(voxel - other.spacing_mm[axis]) * one.size[axis];
        if (one.size[axis] != other.size[axis] || !(stretch < kRounding * voxel) ||
            !(std::abs(one.origin_mm[axis] - other.origin_mm[axis]) < kRounding * voxel)) {
            return false;
        }
    }
    return true;
}

std::shared_ptr<const DisplacementField> readField(const std::string& path, const Lattice& lattice) {
    const RecognisedFile file = recognise(path);
    file.requireKnown();
    std::any held = file.file()->otherData();
    auto* const field = std::any_cast<DisplacementField>(&held);
    if (field == nullptr) {
        throw BadInput(
            "{}: holds no displacement field; give an image of three numbers a voxel (.mha, or .nii whose "
            "'intent_code' is 1007)",
            path);
    }
    if (!alike(lattice, field->lattice)) {
        throw BadInput("{}: its field is on {} and the image on {}; make it on the lattice of the image",
                       path, field->lattice.text(), lattice.text());
    }
    return std::make_shared<const DisplacementField>(std::move(*field));
}

using Fields = std::map<int, std::shared_ptr<const DisplacementField>>;

/// By gate; null where nothing moved.
Fields readFields(const std::string& table, int gates, const Lattice& lattice) {
    Fields fields;
    for (const Row& row : rowsOf(table, 0, "gate")) {
        const auto gate = row.words.size() == 2 ? numberFrom<int>(row.words[0]) : std::nullopt;
        if (!gate || *gate < 1 || *gate > gates) {
            throw BadInput("{}: line {} is not the number of one of {} gates and a file, apart by a tab",
                           table, row.number, gates);
        }
        const bool still = row.words[1] == "none";
        const auto field = still ? nullptr : readField(besideTable(table, row.words[1]), lattice);
        if (!fields.emplace(*gate, field).second) {
            throw BadInput("{}: line {} names gate {} again; leave one of them out", table, row.number,
                           *gate);
        }
    }
    for (int gate = 1; gate <= gates; ++gate) {
        if (!fields.contains(gate)) {
            throw BadInput("{}: has no line for gate {} of {}; give its field, or 'none'", table, gate,
                           gates);
        }
    }
    return fields;
}

std::string hashOf(const Fields& fields) {
    ContentHash hash;
    for (const auto& [gate, field] : fields) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (field != nullptr) {
                hash.add(field->mm[axis].data(), field->mm[axis].size() * sizeof(float));
            }
        }
        hash.add(&gate, sizeof(gate));
    }
    return hash.text();
}

/// What was emitted in each frame, over all of them: by time, decay, and what dead time left.
std::vector<double> sharesOf(const FramedCounts& frames) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        shares.push_back(frames.frames[i].measured_s() / frames.decayFactorOf(i));
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i] *= frames.frames[i].live / sum;
    }
    return shares;
}

/// Lattice over all beds, whose first voxels lie where the lowest bed's do.
Lattice latticeOf(const std::string& table, const std::vector<Bed>& beds,
                  const std::vector<std::shared_ptr<const Measurement>>& data) {
    Lattice lattice = data.front()->lattice();
    const double step = lattice.spacing_mm[2];
    double low = lattice.origin_mm.z + beds.front().z_mm;
    double high = low;
    for (std::size_t i = 0; i < beds.size(); ++i) {
        Lattice one = data[i]->lattice();
        low = std::min(low, one.origin_mm.z + beds[i].z_mm);
        high = std::max(high, one.origin_mm.z + beds[i].z_mm + step * (one.size[2] - 1));
        one.size[2] = lattice.size[2];
        one.origin_mm.z = lattice.origin_mm.z;
        if (!alike(lattice, one)) {
            throw BadInput("{}: {} is on {}, and {} on {}; bin all beds for one lattice", table,
                           beds.front().file, lattice.text(), beds[i].file, data[i]->lattice().text());
        }
    }
    constexpr double kMost = 65535;
    constexpr double kRounding = 1e-6;
    const double planes = std::ceil((high - low) / step - kRounding) + 1;
    if (!(planes <= kMost)) {
        throw BadInput("{}: its beds are {:g} mm apart, which makes {:g} planes; give positions in mm", table,
                       high - low, planes);
    }
    lattice.size[2] = static_cast<int>(planes);
    lattice.origin_mm.z = low;
    return lattice;
}

}  // namespace

std::shared_ptr<const Measurement> joinGates(const std::shared_ptr<const Measurement>& data,
                                             const std::string& path, const std::string& table) {
    const std::shared_ptr<const FramedCounts> frames = data->frames();
    if (frames == nullptr || frames->gates == 0) {
        throw WrongUse("{}: is not cut into gates, which --fields moves; bin the list with --gates", path);
    }
    const Lattice& lattice = data->lattice();
    const Fields fields = readFields(table, frames->gates, lattice);
    const std::vector<double> shares = sharesOf(*frames);
    std::vector<JoinedMember> members;
    for (std::size_t i = 0; i < frames->frames.size(); ++i) {
        const FrameCounts& frame = frames->frames[i];
        if (frame.kept == 0) {
            throw BadInput("{}: gate {} has no events in one of its frames; give fewer gates or frames", path,
                           frame.gate);
        }
        const auto warp =
            std::make_shared<const Warp>(lattice, lattice, Vec3(), fields.at(frame.gate), shares[i]);
        if (data->framesStandAlone()) {
            members.push_back({data->frameAlone(i), warp});
        } else {
            members.push_back({data, warp, i});
        }
    }
    return std::make_shared<const JoinedMeasurement>(
        lattice, std::move(members),
        JoinedNames{data->phantom(), data->totals(), "fields", table, hashOf(fields)});
}

std::vector<Bed> readBedTable(const std::string& table) {
    std::vector<Bed> beds;
    for (const Row& row : rowsOf(table, 1, "z_mm")) {
        const std::size_t count = row.words.size();
        const auto told = count > 1 ? numberFrom<double>(row.words[1]) : std::nullopt;
        const double z = told.value_or(std::nan(""));
        const auto activity = count > 2 ? numberFrom<double>(row.words[2]) : std::optional(1.0);
        if (count > 3 || !activity || !std::isfinite(z) || !std::isfinite(*activity) || !(*activity > 0)) {
            throw BadInput(
                "{}: line {} is not a data file, its position in mm and, if you like, what activity was left "
                "(above 0), apart by tabs",
                table, row.number);
        }
        beds.push_back({besideTable(table, row.words[0]), z, *activity});
    }
    if (beds.empty()) {
        throw BadInput("{}: names no beds; give a line for each: its data file and its position in mm",
                       table);
    }
    return beds;
}

std::shared_ptr<const Measurement> readBeds(const std::string& table, std::string& note,
                                            const std::function<void()>& heed) {
    const std::vector<Bed> beds = readBedTable(table);
    std::vector<std::shared_ptr<const Measurement>> data;
    note.clear();
    for (const Bed& bed : beds) {
        std::string own;
        data.push_back(readMeasurement(bed.file, own, heed));
        note = joinedNotes(note, own);
    }
    const Lattice lattice = latticeOf(table, beds, data);
    const bool timed =
        std::all_of(data.begin(), data.end(), [](const auto& one) { return one->duration_s() > 0; });
    if (!timed) {
        note = joinedNotes(note, fmt::format("{}: not all beds say how long they took, so they are taken to "
                                             "have taken as long; the third column changes it",
                                             table));
    }
    ContentHash hash;
    ScanTotals totals;
    std::vector<JoinedMember> members;
    for (std::size_t i = 0; i < beds.size(); ++i) {
        const double time = timed ? data[i]->duration_s() / data.front()->duration_s() : 1.0;
        hash.add(&beds[i].z_mm, sizeof(double));
        hash.add(&beds[i].activity, sizeof(double));
        const auto warp = std::make_shared<const Warp>(lattice, data[i]->lattice(), Vec3{0, 0, beds[i].z_mm},
                                                       nullptr, time * beds[i].activity);
        members.push_back({data[i], warp});
    }
    totals.duration_s = timed ? data.front()->duration_s() : 0;  // the image is what was emitted in it
    return std::make_shared<const JoinedMeasurement>(lattice, std::move(members),
                                                     JoinedNames{"", totals, "beds", table, hash.text()});
}

}  // namespace tof
