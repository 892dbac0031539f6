// SPDX-License-Identifier: Apache-2.0
#include "recon/io/nifti/nifti_format.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/reorient.h"

namespace tof {

namespace {

constexpr std::size_t kHeaderBytes = 348;
constexpr std::size_t kDataOffset = 352;
constexpr const char* kUnitsMark = "units: ";

/// Byte offsets of the header fields used here (nifti1.h of the NIfTI working group).
enum Field : std::size_t {
    kDim = 40,
    kIntentCode = 68,
    kDatatype = 70,
    kBitpix = 72,
    kPixdim = 76,
    kVoxOffset = 108,
    kSlope = 112,
    kIntercept = 116,
    kXyztUnits = 123,
    kDescription = 148,
    kQformCode = 252,
    kSformCode = 254,
    kQuaternion = 256,
    kQoffset = 268,
    kSrow = 280,
    kMagic = 344
};

using HeaderBytes = std::array<std::byte, kHeaderBytes>;

class Header {
  public:
    Header(std::string path, const HeaderBytes& bytes) : path_(std::move(path)), bytes_(bytes) {
        order_ = decodeOne<std::int32_t>(bytes_.data(), ByteOrder::Little) == static_cast<int>(kHeaderBytes)
                     ? ByteOrder::Little
                     : ByteOrder::Big;
    }
    template <class T>
    [[nodiscard]] T at(std::size_t offset, std::size_t index = 0) const {
        return decodeOne<T>(bytes_.data() + offset + index * sizeof(T), order_);
    }
    [[nodiscard]] double number(std::size_t offset, std::size_t index = 0) const {
        return shortestDecimal(at<float>(offset, index));
    }
    [[nodiscard]] std::string text(std::size_t offset, std::size_t size) const {
        const std::string raw(reinterpret_cast<const char*>(bytes_.data()) + offset, size);
        return raw.substr(0, raw.find('\0'));
    }
    [[nodiscard]] ByteOrder order() const { return order_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
    HeaderBytes bytes_;
    ByteOrder order_;
};

bool headerSizeIs(const HeaderBytes& bytes, int size) {
    return decodeOne<std::int32_t>(bytes.data(), ByteOrder::Little) == size ||
           decodeOne<std::int32_t>(bytes.data(), ByteOrder::Big) == size;
}

NumberType numberType(const Header& header) {
    const auto code = header.at<std::int16_t>(kDatatype);
    switch (code) {
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
        default:
            throw BadInput(
                "{}: field 'datatype' is {}, which is not a real number type; convert the volume to float32",
                header.path(), code);
    }
}

std::array<std::uint64_t, 3> sizes(const Header& header) {
    const auto dimensions = header.at<std::int16_t>(kDim);
    if (dimensions < 1 || dimensions > 7) {
        throw BadInput("{}: field 'dim[0]' is {}, not 1 to 7; the header is damaged, make the file again",
                       header.path(), dimensions);
    }
    std::array<std::uint64_t, 3> size{1, 1, 1};
    for (std::size_t axis = 1; axis <= static_cast<std::size_t>(dimensions); ++axis) {
        const auto length = header.at<std::int16_t>(kDim, axis);
        if (length < 1) {
            throw BadInput(
                "{}: field 'dim[{}]' is {}, not positive; the header is damaged, make the file again",
                header.path(), axis, length);
        }
        if (axis <= 3) {
            size[axis - 1] = static_cast<std::uint64_t>(length);
        } else if (length > 1) {
            throw BadInput("{}: field 'dim[{}]' is {}: several volumes in one file; extract one",
                           header.path(), axis, length);
        }
    }
    return size;
}

double unitInMm(const Header& header) {
    switch (header.at<std::uint8_t>(kXyztUnits) & 7U) {
        case 1: return 1000.0;
        case 3: return 0.001;
        default: return 1.0;  // 2 is mm, 0 is unknown
    }
}

/// Where voxel (i, j, k) lies in right-anterior-superior axes: columns of `matrix` per index, then the
/// offset.
struct Affine {
    std::array<std::array<double, 3>, 3> matrix{};  ///< [axis][index]
    std::array<double, 3> offset{};
};

Affine fromSform(const Header& header) {
    Affine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t index = 0; index < 3; ++index) {
            affine.matrix[axis][index] = header.number(kSrow, 4 * axis + index);
        }
        affine.offset[axis] = header.number(kSrow, 4 * axis + 3);
    }
    return affine;
}

Affine fromQform(const Header& header) {
    const double b = header.number(kQuaternion, 0);
    const double c = header.number(kQuaternion, 1);
    const double d = header.number(kQuaternion, 2);
    const double a = std::sqrt(std::max(0.0, 1.0 - (b * b + c * c + d * d)));
    const std::array<std::array<double, 3>, 3> rotation = {{
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c},
    }};
    Affine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t index = 0; index < 3; ++index) {
            const double flip = index == 2 && header.number(kPixdim, 0) < 0 ? -1.0 : 1.0;
            affine.matrix[axis][index] = flip * rotation[axis][index] * header.number(kPixdim, index + 1);
        }
        affine.offset[axis] = header.number(kQoffset, axis);
    }
    return affine;
}

/// Without a transform the header gives spacings only: axes as NIfTI's own, the volume centred.
Affine fromSpacing(const Header& header, const std::array<std::uint64_t, 3>& size) {
    Affine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        affine.matrix[axis][axis] = std::abs(header.number(kPixdim, axis + 1));
        affine.offset[axis] = -0.5 * affine.matrix[axis][axis] * static_cast<double>(size[axis] - 1);
    }
    return affine;
}

Affine affineOf(const Header& header, const std::array<std::uint64_t, 3>& size) {
    Affine affine = header.at<std::int16_t>(kSformCode) > 0   ? fromSform(header)
                    : header.at<std::int16_t>(kQformCode) > 0 ? fromQform(header)
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

struct Orientation {
    AxisMap map;
    Lattice lattice;
};

/// Axes that only swap or reverse; anything turned by more than 0.06 degrees would need resampling.
Orientation orientationOf(const Header& header, const std::array<std::uint64_t, 3>& size) {
    constexpr double kOffAxis = 1e-3;
    const Affine affine = affineOf(header, size);
    Orientation result;
    std::array<std::uint64_t, 3> turned{};
    std::array<double, 3> spacing{};
    std::array<double, 3> origin{};
    std::array<bool, 3> used{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& row = affine.matrix[axis];
        std::size_t largest = 0;
        for (std::size_t index = 1; index < 3; ++index) {
            largest = std::abs(row[index]) > std::abs(row[largest]) ? index : largest;
        }
        bool aligned = !used[largest] && std::isfinite(row[largest]) && row[largest] != 0;
        for (std::size_t index = 0; index < 3; ++index) {
            aligned =
                aligned && (index == largest || std::abs(row[index]) <= kOffAxis * std::abs(row[largest]));
        }
        if (!aligned) {
            throw BadInput(
                "{}: its axes (fields 'srow', 'quatern', 'pixdim') are not along the scanner's; resample it "
                "to an axis-aligned grid",
                header.path());
        }
        used[largest] = true;
        result.map.from[axis] = static_cast<int>(largest);
        result.map.reversed[axis] = row[largest] < 0;
        turned[axis] = size[largest];
        spacing[axis] = std::abs(row[largest]);
        origin[axis] = affine.offset[axis] +
                       (row[largest] < 0 ? row[largest] * static_cast<double>(size[largest] - 1) : 0.0);
    }
    result.lattice = checkedLattice(header.path(), turned, spacing, Vec3{origin[0], origin[1], origin[2]});
    return result;
}

struct Scaling {
    double slope = 1;
    double intercept = 0;
};

/// A slope of zero means that nothing is scaled.
Scaling scalingOf(const Header& header) {
    const double slope = header.at<float>(kSlope);
    const double intercept = header.at<float>(kIntercept);
    if (slope == 0 || !std::isfinite(slope)) {
        return {};
    }
    if (!std::isfinite(intercept)) {
        throw BadInput("{}: field 'scl_inter' is not a finite number; correct it", header.path());
    }
    return {shortestDecimal(static_cast<float>(slope)), shortestDecimal(static_cast<float>(intercept))};
}

std::string unitsOf(const Header& header) {
    const std::string text = header.text(kDescription, 80);
    const std::size_t mark = text.find(kUnitsMark);
    return mark == std::string::npos ? "" : text.substr(mark + std::strlen(kUnitsMark));
}

std::uint64_t dataOffset(const Header& header, bool singleFile) {
    const float offset = header.at<float>(kVoxOffset);
    const auto least = static_cast<float>(singleFile ? kDataOffset : 0);
    if (!(offset >= least) || !(offset <= 1e9F)) {
        throw BadInput("{}: field 'vox_offset' is {}, expected at least {}; correct it", header.path(),
                       offset, least);
    }
    return static_cast<std::uint64_t>(offset);
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

bool isLabelMap(const Volume& volume) {
    return volume.units == "label";
}

HeaderBytes makeHeader(const Volume& volume) {
    const Lattice& lattice = volume.lattice;
    HeaderBytes bytes{};
    put<std::int32_t>(bytes, 0, static_cast<std::int32_t>(kHeaderBytes));
    const std::array<float, 3> spacing = {static_cast<float>(lattice.spacing_mm[0]),
                                          static_cast<float>(lattice.spacing_mm[1]),
                                          static_cast<float>(lattice.spacing_mm[2])};
    const std::array<int, 8> dim = {3, lattice.size[0], lattice.size[1], lattice.size[2], 1, 1, 1, 1};
    for (std::size_t i = 0; i < dim.size(); ++i) {
        put(bytes, kDim + 2 * i, static_cast<std::int16_t>(dim[i]));
        put(bytes, kPixdim + 4 * i, i >= 1 && i <= 3 ? spacing[i - 1] : 1.0F);
    }
    constexpr std::int16_t kLabelIntent = 1002;
    put<std::int16_t>(bytes, kIntentCode, isLabelMap(volume) ? kLabelIntent : std::int16_t{0});
    put<std::int16_t>(bytes, kDatatype, isLabelMap(volume) ? std::int16_t{4} : std::int16_t{16});
    put<std::int16_t>(bytes, kBitpix, isLabelMap(volume) ? std::int16_t{16} : std::int16_t{32});
    put(bytes, kVoxOffset, static_cast<float>(kDataOffset));
    put(bytes, kSlope, 1.0F);
    put<std::uint8_t>(bytes, kXyztUnits, 2);
    const std::string description = (kUnitsMark + volume.units).substr(0, 79);
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

/// True when the first 348 bytes of a file (gzip undone) are a NIfTI-1, NIfTI-2 or Analyze header.
bool isNifti(const std::string& path, std::string_view start) {
    HeaderBytes bytes{};
    std::size_t got = std::min(start.size(), bytes.size());
    if (start.starts_with("\x1f\x8b")) {
        got = ByteReader(path).readSome(bytes.data(), bytes.size());
    } else {
        std::memcpy(bytes.data(), start.data(), got);
    }
    return got == bytes.size() &&
           (headerSizeIs(bytes, static_cast<int>(kHeaderBytes)) || headerSizeIs(bytes, 540));
}

/// Axis-aligned orientations are turned to left-posterior-superior.
Volume readVolumeNifti(const std::string& path) {
    HeaderBytes bytes{};
    ByteReader file(path);
    file.read(bytes.data(), bytes.size(), "the header");
    const Header header(path, bytes);
    const std::string magic = header.text(kMagic, 4);
    const bool singleFile = magic == "n+1";
    if (!headerSizeIs(bytes, static_cast<int>(kHeaderBytes)) || (!singleFile && magic != "ni1")) {
        throw BadInput(
            "{}: field 'magic' is not that of NIfTI-1 (NIfTI-2 and Analyze are not read); convert the volume "
            "to NIfTI-1",
            path);
    }
    const std::array<std::uint64_t, 3> size = sizes(header);
    const NumberType type = numberType(header);
    const Orientation orientation = orientationOf(header, size);
    const Scaling scaling = scalingOf(header);
    const std::uint64_t offset = dataOffset(header, singleFile);
    const std::uint64_t count = size[0] * size[1] * size[2];

    Volume volume;
    if (singleFile) {
        file.skip(offset - kHeaderBytes, "field 'vox_offset'");
        volume.data = file.numbers(count, type, header.order(), scaling.slope, scaling.intercept);
    } else {
        ByteReader image(imageBeside(path));
        image.skip(offset, "field 'vox_offset'");
        volume.data = image.numbers(count, type, header.order(), scaling.slope, scaling.intercept);
    }
    volume.data = reorient(std::move(volume.data),
                           {static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2])},
                           orientation.map);
    volume.lattice = orientation.lattice;
    volume.units = unitsOf(header);
    return volume;
}

/// As float32; label maps (units "label") as 16-bit whole numbers, which programs for segmentations ask for.
/// Compressed where the name says so.
std::string writeVolumeNifti(const std::string& path, const Volume& volume) {
    for (const int side : volume.lattice.size) {
        if (side > 32767) {
            throw CannotWrite("{}: NIfTI-1 holds at most 32767 voxels along an axis; write .h5", path);
        }
    }
    writeAside(path, [&](const std::string& temporary) {
        std::array<std::byte, kDataOffset> start{};
        const HeaderBytes header = makeHeader(volume);
        std::copy(header.begin(), header.end(), start.begin());
        // Mode T stores plainly: one way of writing for both.
        gzFile file = gzopen(temporary.c_str(), path.ends_with(".gz") ? "wb6" : "wbT");
        constexpr std::size_t kPiece = 1U << 24U;
        bool good =
            file != nullptr && gzwrite(file, start.data(), kDataOffset) == static_cast<int>(kDataOffset);
        std::vector<std::int16_t> labels;
        if (isLabelMap(volume)) {
            std::transform(volume.data.begin(), volume.data.end(), std::back_inserter(labels),
                           [](float label) { return static_cast<std::int16_t>(label); });
        }
        const std::size_t bytes =
            volume.data.size() * (isLabelMap(volume) ? sizeof(std::int16_t) : sizeof(float));
        const auto* data = isLabelMap(volume) ? reinterpret_cast<const std::byte*>(labels.data())
                                              : reinterpret_cast<const std::byte*>(volume.data.data());
        for (std::size_t done = 0; good && done < bytes; done += kPiece) {
            const auto piece = static_cast<unsigned>(std::min(kPiece, bytes - done));
            good = gzwrite(file, data + done, piece) == static_cast<int>(piece);
        }
        good = (file == nullptr || gzclose(file) == Z_OK) && good;
        if (!good) {
            throw CannotWrite(
                "{}: cannot be written ({}); check the folder, its permissions and the space left", path,
                std::strerror(errno));
        }
    });
    return "";
}

class NiftiFile : public FormatFile {
  public:
    explicit NiftiFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireOnlyVolume(path_, options);
        return VolumeReadResult{readVolumeNifti(path_)};
    }

  private:
    std::string path_;
};

}  // namespace

Format niftiFormat() {
    return {.name = "NIfTI-1",
            .recognise =
                [](const FileStart& start) {
                    return isNifti(start.path, start.bytes) ? std::make_unique<NiftiFile>(start.path)
                                                            : nullptr;
                },
            .volumes = {{".nii", ".nii.gz"}, {}, writeVolumeNifti}};
}

}  // namespace tof
