// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/text_file.h"
#include "recon/data/displacement_field.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/placement.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"
#include "recon/io/nifti/bids_sidecar.h"
#include "recon/io/nifti/nifti_export.h"
#include "recon/io/nifti/nifti_header.h"

namespace tof {

namespace {

constexpr std::size_t kDataOffset = 352;
constexpr const char* kUnitsMark = "units: ";

using HeaderBytes = std::array<std::byte, kNifti1Bytes>;

/// Refuses by what they are files whose values are no volumes.
void requireVolumes(const NiftiHeader& header) {
    constexpr int kPoints = 1008;
    constexpr int kTriangles = 1009;
    constexpr int kCifti = 3000;
    constexpr int kAfterCifti = 3100;
    if (header.intent == kPoints || header.intent == kTriangles) {
        throw BadInput("{}: field 'intent_code' is {}: a surface, not a volume; give a volume", header.path,
                       header.intent);
    }
    if (header.intent >= kCifti && header.intent < kAfterCifti) {
        throw BadInput("{}: field 'intent_code' is {}: CIFTI, values on a surface; give a volume",
                       header.path, header.intent);
    }
}

NumberType numberType(const NiftiHeader& header) {
    const char* what = "no number type of NIfTI";
    switch (header.datatype) {
        case 2: return NumberType::UInt8;
        case 4: return NumberType::Int16;
        case 8: return NumberType::Int32;
        case 16: return NumberType::Float32;
        case 64: return NumberType::Float64;
        case 256: return NumberType::Int8;
        case 512: return NumberType::UInt16;
        case 768: return NumberType::UInt32;
        case 1024: return NumberType::Int64;
        case 1280: return NumberType::UInt64;
        case 1: what = "bits"; break;
        case 32:
        case 1792:
        case 2048: what = "complex numbers"; break;
        case 128:
        case 2304: what = "colours (RGB)"; break;
        case 1536: what = "floating point numbers of 16 bytes"; break;
        default: break;
    }
    throw BadInput("{}: field 'datatype' is {}: {}, which are not read; convert the volume to float32",
                   header.path, header.datatype, what);
}

std::array<std::uint64_t, 3> sizes(const NiftiHeader& header) {
    if (header.dim[0] < 1 || header.dim[0] > 7) {
        throw BadInput("{}: field 'dim[0]' is {}, not 1 to 7; the header is damaged, make the file again",
                       header.path, header.dim[0]);
    }
    std::array<std::uint64_t, 3> size{1, 1, 1};
    for (std::size_t axis = 1; axis <= static_cast<std::size_t>(header.dim[0]); ++axis) {
        if (header.dim[axis] == 0 && axis > 3) {
            continue;  // some programs write 0 for "not used"
        }
        if (header.dim[axis] < 1 || header.dim[axis] > (std::int64_t{1} << 31U)) {
            throw BadInput(
                "{}: field 'dim[{}]' is {}, not positive; the header is damaged, make the file again",
                header.path, axis, header.dim[axis]);
        }
        if (axis <= 3) {
            size[axis - 1] = static_cast<std::uint64_t>(header.dim[axis]);
        }
    }
    return size;
}

/// Volumes in the file, over all further dimensions.
std::uint64_t frames(const NiftiHeader& header) {
    double count = 1;  // in floating point: the product may exceed 64 bits
    constexpr double kMost = 1e6;
    for (std::size_t axis = 4; axis <= static_cast<std::size_t>(header.dim[0]); ++axis) {
        count *= static_cast<double>(std::max<std::int64_t>(header.dim[axis], 1));
    }
    if (count > kMost) {
        throw BadInput("{}: fields 'dim[4]' to 'dim[7]' make {:g} volumes; the header is damaged",
                       header.path, count);
    }
    return static_cast<std::uint64_t>(count);
}

double unitInMm(const NiftiHeader& header) {
    switch (header.units & 7U) {
        case 1: return 1000.0;
        case 3: return 0.001;
        default: return 1.0;  // 2 is mm, 0 is unknown
    }
}

StoredAffine fromSform(const NiftiHeader& header) {
    StoredAffine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t index = 0; index < 3; ++index) {
            affine.matrix[axis][index] = header.srow[4 * axis + index];
        }
        affine.offset[axis] = header.srow[4 * axis + 3];
    }
    return affine;
}

StoredAffine fromQform(const NiftiHeader& header) {
    auto [b, c, d] = header.quaternion;
    const double length = std::sqrt(b * b + c * c + d * d);
    if (length > 1) {  // of half a turn, rounded; anything longer would stretch the voxels
        b /= length;
        c /= length;
        d /= length;
    }
    const double a = std::sqrt(std::max(0.0, 1.0 - (b * b + c * c + d * d)));
    const std::array<std::array<double, 3>, 3> rotation = {{
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c},
    }};
    StoredAffine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t index = 0; index < 3; ++index) {
            const double flip = index == 2 && header.pixdim[0] < 0 ? -1.0 : 1.0;
            affine.matrix[axis][index] = flip * rotation[axis][index] * header.pixdim[index + 1];
        }
        affine.offset[axis] = header.qoffset[axis];
    }
    return affine;
}

/// Without a transform the header gives spacings only: axes as NIfTI's own, the volume centred.
StoredAffine fromSpacing(const NiftiHeader& header, const std::array<std::uint64_t, 3>& size) {
    StoredAffine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        affine.matrix[axis][axis] = std::abs(header.pixdim[axis + 1]);
        affine.offset[axis] = -0.5 * affine.matrix[axis][axis] * static_cast<double>(size[axis] - 1);
    }
    return affine;
}

/// False for an sform of zeros beside a qform: some programs set its code and leave it so.
bool hasSform(const NiftiHeader& header) {
    const bool zero =
        std::all_of(header.srow.begin(), header.srow.end(), [](double entry) { return entry == 0; });
    return header.sformCode > 0 && !(zero && header.qformCode > 0);
}

/// What was assumed of the header, or contradicts itself; or empty.
std::string doubtOf(const NiftiHeader& header, const std::array<std::uint64_t, 3>& size) {
    if (!hasSform(header) && header.qformCode <= 0) {
        return "the header does not say how its axes lie: rows are taken to run to the patient's right, "
               "columns to "
               "the front, slices from feet to head (--reverse-slices yes turns them), and the volume to be "
               "centred";
    }
    const double length = norm({header.quaternion[0], header.quaternion[1], header.quaternion[2]});
    constexpr double kRounded = 1e-3;
    if (!hasSform(header)) {
        return length > 1 + kRounded
                   ? fmt::format("fields 'quatern' are of length {:g}, above 1: taken as a turn of that axis",
                                 length)
               : header.sformCode > 0 ? "field 'srow' is all zero: the qform is taken"
                                      : "";
    }
    if (header.qformCode <= 0) {
        return "";
    }
    const StoredAffine s = fromSform(header);
    const StoredAffine q = fromQform(header);
    double apart = 0;  // of the corners, in the header's unit
    for (const bool i : {false, true}) {
        for (const bool j : {false, true}) {
            for (const bool k : {false, true}) {
                const auto last = [&](bool far, std::size_t axis) {
                    return far ? static_cast<double>(size[axis] - 1) : 0.0;
                };
                apart = std::max(apart, norm(s.at(last(i, 0), last(j, 1), last(k, 2)) -
                                             q.at(last(i, 0), last(j, 1), last(k, 2))));
            }
        }
    }
    const double voxel =
        std::min({std::abs(header.pixdim[1]), std::abs(header.pixdim[2]), std::abs(header.pixdim[3])});
    return apart > 0.5 * voxel
               ? fmt::format("sform and qform put the volume up to {:.4g} mm apart: the sform is taken",
                             apart * unitInMm(header))
               : "";
}

StoredAffine affineOf(const NiftiHeader& header, const std::array<std::uint64_t, 3>& size) {
    StoredAffine affine = hasSform(header)       ? fromSform(header)
                          : header.qformCode > 0 ? fromQform(header)
                                                 : fromSpacing(header, size);
    // Right-anterior-superior to left-posterior-superior, and to mm.
    const double unit = unitInMm(header);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double factor = axis < 2 ? -unit : unit;
        affine.offset[axis] *= factor;
        for (double& entry : affine.matrix[axis]) {
            entry *= factor;
        }
    }
    return affine;
}

Placement placementOf(const NiftiHeader& header) {
    const std::array<std::uint64_t, 3> size = sizes(header);
    return placementOf(header.path, "fields 'srow', 'quatern', 'pixdim'", affineOf(header, size), size);
}

struct Scaling {
    double slope = 1;
    double intercept = 0;
};

/// A slope of zero means that nothing is scaled, and so does one that is no number, as NiBabel writes it.
Scaling scalingOf(const NiftiHeader& header) {
    if (header.slope == 0 || std::isnan(header.slope)) {
        return {};
    }
    if (std::isinf(header.slope) || !std::isfinite(header.intercept)) {
        throw BadInput("{}: field 'scl_slope' or 'scl_inter' is not a finite number; correct it",
                       header.path);
    }
    return {header.slope, header.intercept};
}

struct Units {
    std::string name;
    std::string note;  ///< where they come from, if not from the header
};

/// "Units" of the sidecar; what cannot be read of it is told, and changes nothing.
Units unitsBeside(const std::string& path) {
    const std::string sidecar = sidecarOf(path);
    const std::string called = std::filesystem::path(sidecar).filename().string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(sidecar, ignored)) {
        return {};
    }
    nlohmann::json held;
    try {
        held = tryJson(readTextFile(sidecar));
    } catch (const BadInput&) {
        held = nlohmann::json::value_t::discarded;
    }
    if (!held.is_object()) {
        return {"", fmt::format("'{}' beside it cannot be read: units are not known", called)};
    }
    const auto said = held.find("Units");
    if (said == held.end() || !said->is_string()) {
        return {};
    }
    const std::string name = unitsFromBids(said->get<std::string>());
    return {name, fmt::format("units {} are those of '{}' beside it", name, called)};
}

Units unitsOf(const NiftiHeader& header) {
    const std::size_t mark = header.description.find(kUnitsMark);
    const std::string own =
        mark == std::string::npos ? "" : header.description.substr(mark + std::strlen(kUnitsMark));
    return own.empty() ? unitsBeside(header.path) : Units{own, ""};
}

std::uint64_t dataOffset(const NiftiHeader& header) {
    constexpr double kMost = 1e9;
    constexpr std::size_t kExtensionFlag = 4;
    const double least = header.singleFile ? static_cast<double>(header.bytes + kExtensionFlag) : 0.0;
    if (!(header.voxOffset >= least) || !(header.voxOffset <= kMost)) {
        throw BadInput("{}: field 'vox_offset' is {}, expected at least {}; correct it", header.path,
                       header.voxOffset, least);
    }
    return static_cast<std::uint64_t>(header.voxOffset);
}

std::string imageBeside(const std::string& header) {
    std::filesystem::path image(header);
    for (const char* extension : {".img", ".img.gz"}) {
        image.replace_extension(extension);
        std::error_code ignored;
        if (std::filesystem::exists(image, ignored)) {
            return image.string();
        }
    }
    throw BadInput("{}: its data file with the extension .img is missing; put it beside", header);
}

template <class T>
void put(HeaderBytes& bytes, std::size_t offset, T value) {
    std::array<std::byte, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    if constexpr (std::endian::native != std::endian::little) {
        std::reverse(raw.begin(), raw.end());
    }
    std::copy(raw.begin(), raw.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

bool isLabelMap(const std::string& units) {
    return units == "label";
}

HeaderBytes makeHeader(const Lattice& lattice, const std::string& units, std::size_t frames) {
    HeaderBytes bytes{};
    using namespace nifti1;
    put<std::int32_t>(bytes, 0, static_cast<std::int32_t>(kNifti1Bytes));
    const std::array<float, 3> spacing = {static_cast<float>(lattice.spacing_mm[0]),
                                          static_cast<float>(lattice.spacing_mm[1]),
                                          static_cast<float>(lattice.spacing_mm[2])};
    const std::array<int, 8> dim = {frames > 1 ? 4 : 3,
                                    lattice.size[0],
                                    lattice.size[1],
                                    lattice.size[2],
                                    static_cast<int>(frames),
                                    1,
                                    1,
                                    1};
    for (std::size_t i = 0; i < dim.size(); ++i) {
        put(bytes, kDim + 2 * i, static_cast<std::int16_t>(dim[i]));
        put(bytes, kPixdim + 4 * i, i >= 1 && i <= 3 ? spacing[i - 1] : 1.0F);
    }
    constexpr std::int16_t kLabelIntent = 1002;
    put<std::int16_t>(bytes, kIntentCode, isLabelMap(units) ? kLabelIntent : std::int16_t{0});
    put<std::int16_t>(bytes, kDatatype, isLabelMap(units) ? std::int16_t{4} : std::int16_t{16});
    put<std::int16_t>(bytes, kBitpix, isLabelMap(units) ? std::int16_t{16} : std::int16_t{32});
    put(bytes, kVoxOffset, static_cast<float>(kDataOffset));
    put(bytes, kSlope, 1.0F);
    put<std::uint8_t>(bytes, kXyztUnits, 2);
    const std::string description = (kUnitsMark + units).substr(0, 79);
    std::memcpy(bytes.data() + kDescription, description.data(), description.size());
    // Left-posterior-superior data in right-anterior-superior axes: x and y reversed, half a turn about z,
    // which as a quaternion is (0, 0, 0, 1).
    const std::array<float, 3> offset = {static_cast<float>(-lattice.origin_mm.x),
                                         static_cast<float>(-lattice.origin_mm.y),
                                         static_cast<float>(lattice.origin_mm.z)};
    put<std::int16_t>(bytes, kQformCode, 1);
    put<std::int16_t>(bytes, kSformCode, 1);
    put(bytes, kQuaternion + 8, 1.0F);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        put(bytes, kQoffset + 4 * axis, offset[axis]);
        put(bytes, kSrow + 16 * axis + 4 * axis, axis < 2 ? -spacing[axis] : spacing[axis]);
        put(bytes, kSrow + 16 * axis + 12, offset[axis]);
    }
    std::memcpy(bytes.data() + kMagic, "n+1", 4);
    return bytes;
}

/// True when a file (gzip undone) starts with a header of NIfTI or Analyze.
bool isNifti(const std::string& path, std::string_view start) {
    HeaderBytes bytes{};
    std::size_t got = std::min(start.size(), bytes.size());
    if (start.starts_with("\x1f\x8b")) {
        got = ByteReader(path).readSome(bytes.data(), bytes.size());
    } else {
        std::memcpy(bytes.data(), start.data(), got);
    }
    return isNiftiStart(bytes.data(), got);
}

/// One of the volumes that follow `skipped` bytes of a file.
std::vector<float> frameValues(ByteReader& file, const NiftiHeader& header, std::uint64_t skipped,
                               std::uint64_t frame) {
    const std::array<std::uint64_t, 3> size = sizes(header);
    const std::uint64_t count = size[0] * size[1] * size[2];
    const NumberType type = numberType(header);
    const Scaling scaling = scalingOf(header);
    file.skip(skipped, "field 'vox_offset'");
    const std::uint64_t bytes = count * numberBytes(type);
    if (frame > 0 && frame > file.most() / bytes) {
        throw BadInput("{}: truncated before volume {}; copy it again", header.path, frame + 1);
    }
    file.skip(frame * bytes, "the volumes before");
    return file.numbers(count, type, header.order, scaling.slope, scaling.intercept);
}

/// NaN marks voxels outside the object in files of some programs, and a double may exceed a float.
std::string clearNonFinite(std::vector<float>& values) {
    std::size_t cleared = 0;
    for (float& value : values) {
        if (!std::isfinite(value)) {
            value = 0;
            ++cleared;
        }
    }
    return cleared == 0 ? "" : fmt::format("{} voxels that are no finite numbers became 0", cleared);
}

/// Axis-aligned orientations are turned to left-posterior-superior, oblique ones interpolated.
VolumeReadResult readVolumeNifti(const std::string& path, const VolumeReadOptions& options,
                                 const std::function<void()>& heed) {
    ByteReader file(path, heed);
    const NiftiHeader header = readNiftiHeader(path, file);
    requireVolumes(header);
    const Placement placement = placementOf(header);
    const std::uint64_t frame = chosenFrame(path, options, frames(header), "fields 'dim[4]' to 'dim[7]'");
    const std::uint64_t offset = dataOffset(header);
    std::vector<float> values;
    std::string more;
    const bool isLast = frame + 1 == frames(header);
    if (header.singleFile) {
        values = frameValues(file, header, offset - header.bytes, frame);
        more = isLast ? moreBytesNote(file, path) : "";
    } else {
        ByteReader image(imageBeside(path), heed);
        values = frameValues(image, header, offset, frame);
        more = isLast ? moreBytesNote(image, imageBeside(path)) : "";
    }
    VolumeReadResult result;
    const Units units = unitsOf(header);
    for (const std::string& note :
         {clearNonFinite(values), placement.note(), doubtOf(header, sizes(header)), units.note,
          std::string(header.slope < 0 ? "field 'scl_slope' is below 0: values are turned over" : "")}) {
        result.note = joinedNotes(result.note, note);
    }
    result.note = joinedNotes(result.note.empty() ? "" : path + ": " + result.note, more);
    result.volume.data = placed(std::move(values), placement);
    result.volume.lattice = placement.lattice;
    result.volume.units = units.name;
    if (units.name == "Bq/ml" || units.name == "kBq/ml") {
        result.uptake = uptakeOfSidecar(path);
    }
    if (result.uptake) {
        result.note = joinedNotes(result.note,
                                  fmt::format("{}: dose and weight are those that '{}' beside it says", path,
                                              std::filesystem::path(sidecarOf(path)).filename().string()));
    }
    return result;
}

/// A file being written, compressed where its name says so. Throws CannotWrite.
class NiftiOutput {
  public:
    NiftiOutput(const std::string& temporary, Destination to, const HeaderBytes& header)
        // Mode T stores plainly: one way of writing for both.
        : to_(std::move(to)), file_(gzopen(temporary.c_str(), to_.path.ends_with(".gz") ? "wb6" : "wbT")) {
        std::array<std::byte, kDataOffset> start{};
        std::copy(header.begin(), header.end(), start.begin());
        write(start.data(), start.size());
    }
    ~NiftiOutput() {
        if (file_ != nullptr) {
            gzclose(file_);
        }
    }
    NiftiOutput(const NiftiOutput&) = delete;
    NiftiOutput& operator=(const NiftiOutput&) = delete;

    template <class T>
    void write(const T* values, std::size_t count) {
        const auto* data = reinterpret_cast<const std::byte*>(values);
        constexpr std::size_t kPiece = 1U << 22U;  // packed in a tenth of a second
        for (std::size_t done = 0; done < count * sizeof(T); done += kPiece) {
            to_.ask();
            const auto piece = static_cast<unsigned>(std::min(kPiece, count * sizeof(T) - done));
            const bool good =
                file_ != nullptr && gzwrite(file_, data + done, piece) == static_cast<int>(piece);
            if (!good) {
                giveUp();
            }
            require(good);
        }
    }
    void close() { require(gzclose(std::exchange(file_, nullptr)) == Z_OK); }

  private:
    /// zlib keeps a pointer to what it could not write, and tries again when the file is closed: while it
    /// stands.
    void giveUp() {
        const int why = errno;
        if (file_ != nullptr) {
            gzclose(std::exchange(file_, nullptr));
        }
        errno = why;
    }
    void require(bool good) const {
        if (!good) {
            throw CannotWrite(
                "{}: cannot be written ({}); check the folder, its permissions and the space left", to_.path,
                std::strerror(errno));
        }
    }

    Destination to_;
    gzFile file_;
};

void requireSides(const std::string& path, const Lattice& lattice, std::size_t frames) {
    constexpr int kMost = 32767;
    if (*std::max_element(lattice.size.begin(), lattice.size.end()) > kMost || frames > kMost) {
        throw CannotWrite("{}: NIfTI-1 holds at most {} voxels along an axis, and frames; write .h5", path,
                          kMost);
    }
}

/// Values are written as float32, and those of label maps (units "label") as 16-bit whole numbers, which
/// programs for segmentations ask for.
FileOfSeveral fileOf(const Destination& to, const Volume& volume) {
    requireSides(to.path, volume.lattice, 1);
    return {to.path, [&to, &volume](const std::string& temporary) {
                NiftiOutput file(temporary, to, makeHeader(volume.lattice, volume.units, 1));
                if (isLabelMap(volume.units)) {
                    std::vector<std::int16_t> labels;
                    std::transform(volume.data.begin(), volume.data.end(), std::back_inserter(labels),
                                   [](float label) { return static_cast<std::int16_t>(label); });
                    file.write(labels.data(), labels.size());
                } else {
                    file.write(volume.data.data(), volume.data.size());
                }
                file.close();
            }};
}

/// All frames, one after the other.
FileOfSeveral fileOf(const Destination& to, const DynamicSource& image) {
    const std::size_t frames = image.info.frames.size();
    requireSides(to.path, image.info.lattice, frames);
    return {to.path, [&to, &image, frames](const std::string& temporary) {
                NiftiOutput file(temporary, to, makeHeader(image.info.lattice, image.info.units, frames));
                for (std::size_t frame = 0; frame < frames; ++frame) {
                    const std::vector<float> values = image.values(frame);
                    file.write(values.data(), values.size());
                }
                file.close();
            }};
}

std::string writeVolumeNifti(const Destination& to, const Volume& volume) {
    std::vector<FileOfSeveral> files{fileOf(to, volume)};
    if (hasOwnSidecar(to.path)) {
        files.push_back({sidecarOf(to.path), {}});  // it is that of the image before
    }
    writeTogether(files);
    return "";
}

/// `note` becomes what was assumed.
DynamicInfo dynamicInfoOf(const NiftiHeader& header, const Lattice& lattice, const std::string& units,
                          std::string& note) {
    DynamicInfo info;
    info.lattice = lattice;
    info.units = units;
    note = readFrameTimes(header.path, frames(header), info);
    return info;
}

/// Every frame of a file with a sidecar, read from its start to its end once.
DynamicReadResult readDynamicNifti(const std::string& path, const std::function<void()>& heed) {
    ByteReader file(path, heed);
    const NiftiHeader header = readNiftiHeader(path, file);
    requireVolumes(header);
    const Placement placement = placementOf(header);
    const std::uint64_t count = frames(header);
    const Units units = unitsOf(header);
    DynamicReadResult read;
    static_cast<DynamicInfo&>(read.image) = dynamicInfoOf(header, placement.lattice, units.name, read.note);
    requireMemory(path, sizeof(float) * count * placement.lattice.voxels());
    std::optional<ByteReader> beside;
    if (!header.singleFile) {
        beside.emplace(imageBeside(path), heed);
    }
    ByteReader& data = beside ? *beside : file;
    for (std::uint64_t frame = 0; frame < count; ++frame) {
        const std::uint64_t skipped =
            frame > 0 ? 0 : dataOffset(header) - (header.singleFile ? header.bytes : 0);
        std::vector<float> values = frameValues(data, header, skipped, 0);
        read.note = joinedNotes(read.note, clearNonFinite(values));
        read.image.values.push_back(placed(std::move(values), placement));
    }
    for (const std::string& note : {placement.note(), doubtOf(header, sizes(header)), units.note}) {
        read.note = joinedNotes(read.note, note);
    }
    read.note = read.note.empty() ? "" : path + ": " + read.note;
    return read;
}

/// The vectors of a file that says it holds them, else nothing. ITK writes its own, along the axes of DICOM,
/// as VECTOR; those of DISPVECT lie along NIfTI's axes (itkNiftiImageIO.h of ITK 5.4,
/// ConvertRASDisplacementVectors).
std::any readFieldNifti(const std::string& path, const std::function<void()>& heed) {
    constexpr int kDisplacements = 1006;
    constexpr int kVectors = 1007;
    ByteReader file(path, heed);
    const NiftiHeader header = readNiftiHeader(path, file);
    if (header.intent != kDisplacements && header.intent != kVectors) {
        return {};
    }
    if (header.dim[0] != 5 || header.dim[4] != 1 || header.dim[5] != 3) {
        throw BadInput(
            "{}: fields 'dim[4]' and 'dim[5]' are {} and {}; vectors of three numbers have 1 and 3", path,
            header.dim[4], header.dim[5]);
    }
    const Placement placement = placementOf(header);
    std::optional<ByteReader> beside;
    if (!header.singleFile) {
        beside.emplace(imageBeside(path), heed);
    }
    ByteReader& data = beside ? *beside : file;
    DisplacementField field;
    field.lattice = placement.lattice;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint64_t skipped =
            axis > 0 ? 0 : dataOffset(header) - (header.singleFile ? header.bytes : 0);
        std::vector<float> values = frameValues(data, header, skipped, 0);
        const bool turned = header.intent == kDisplacements && axis < 2;
        for (float& value : values) {
            if (!std::isfinite(value)) {
                throw BadInput("{}: holds vectors that are no finite numbers; replace them", path);
            }
            value = turned ? -value : value;
        }
        field.mm[axis] = placed(std::move(values), placement);
    }
    return field;
}

class NiftiFile : public FormatFile {
  public:
    explicit NiftiFile(const FileStart& start) : path_(start.path), heed_(start.heed) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireNoSeries(path_, options);
        return readVolumeNifti(path_, options, heed_);
    }
    [[nodiscard]] bool holdsFrames() const override {
        ByteReader file(path_);
        return frames(readNiftiHeader(path_, file)) > 1 && saysFrameTimes(path_);
    }
    [[nodiscard]] std::optional<DynamicInfo> dynamicInfo(const VolumeReadOptions& options) const override {
        requireNoSeries(path_, options);
        ByteReader file(path_);
        const NiftiHeader header = readNiftiHeader(path_, file);
        requireVolumes(header);
        std::string told;  // by those that read the values
        return dynamicInfoOf(header, placementOf(header).lattice, unitsOf(header).name, told);
    }
    [[nodiscard]] std::optional<DynamicReadResult> dynamicImage(
        const VolumeReadOptions& options) const override {
        requireNoSeries(path_, options);
        return readDynamicNifti(path_, heed_);
    }
    [[nodiscard]] std::any otherData() const override { return readFieldNifti(path_, heed_); }
    void describe(nlohmann::ordered_json& info) const override {
        ByteReader file(path_);
        const NiftiHeader header = readNiftiHeader(path_, file);
        requireVolumes(header);
        const Placement placement = placementOf(header);
        info["lattice"] = latticeJson(placement.lattice);
        const Units units = unitsOf(header);
        info["units"] = units.name;
        info["frames"] = frames(header);
        std::string assumed;
        if (frames(header) > 1 && saysFrameTimes(path_)) {
            DynamicInfo times;
            assumed = readFrameTimes(path_, frames(header), times);
            describeFrames(times, info);
        }
        const std::string note = joinedNotes(joinedNotes(placement.note(), doubtOf(header, sizes(header))),
                                             joinedNotes(units.note, assumed));
        if (!note.empty()) {
            info["note"] = note;
        }
    }

  private:
    std::string path_;
    std::function<void()> heed_;
};

}  // namespace

std::string writeNiftiWithSidecar(const Destination& to, const DynamicSource& image,
                                  const std::optional<Uptake>& uptake) {
    refuseSidecarOfOthers(to.path);
    const FileOfSeveral sidecar = sidecarFile(to.path, image.info, uptake);
    if (image.info.frames.size() > 1) {
        writeTogether({fileOf(to, image), sidecar});
        return "";
    }
    Volume volume;
    volume.lattice = image.info.lattice;
    volume.units = image.info.units;
    volume.data = image.values(0);
    writeTogether({fileOf(to, volume), sidecar});
    return "";
}

Format niftiFormat() {
    return {.name = "NIfTI",
            .recognise =
                [](const FileStart& start) {
                    return isNifti(start.path, start.bytes) ? std::make_unique<NiftiFile>(start) : nullptr;
                },
            .volumes = {{".nii", ".nii.gz"}, {}, writeVolumeNifti},
            .dynamicImages = {{".nii", ".nii.gz"}, {}, [](const Destination& to, const DynamicSource& image) {
                                  return writeNiftiWithSidecar(to, image, {});
                              }}};
}

}  // namespace tof
