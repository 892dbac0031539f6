// SPDX-License-Identifier: Apache-2.0
#include "recon/io/ecat7_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/bytes/placement.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

constexpr std::uint64_t kEcatBlock = 512;

/// A block of a header, big-endian, its fields by their bytes.
class EcatBlock {
  public:
    EcatBlock(const RandomFile& file, std::uint64_t block) {
        file.read(block * kEcatBlock, bytes_, "a header");
    }

    template <class T>
    [[nodiscard]] T at(std::size_t byte) const {
        return decodeOne<T>(bytes_.data() + byte, ByteOrder::Big);
    }
    [[nodiscard]] std::string text(std::size_t byte, std::size_t length) const {
        const std::string all(reinterpret_cast<const char*>(bytes_.data()) + byte, length);
        const std::string whole = all.substr(0, all.find('\0'));
        return whole.substr(0, whole.find_last_not_of(' ') + 1);
    }

  private:
    std::array<std::byte, kEcatBlock> bytes_{};
};

/// A matrix of the file: an image of all planes.
struct EcatMatrix {
    int frame = 0;
    std::uint64_t at = 0;  ///< first byte of the values
    std::array<std::uint64_t, 3> size{};
    std::array<double, 3> spacing_mm{};
    NumberType type = NumberType::Int16;
    ByteOrder order = ByteOrder::Big;
    double scale = 1;
    TimeFrame time;
    double decayFactor = 1;
};

/// How the patient lay: which axes, left, posterior and superior, run against x, y and z of the file, which
/// are the scanner's as STIR has them.
struct EcatPosition {
    int code;
    std::array<bool, 3> reversed;
};
constexpr std::array kPositions{EcatPosition{0, {false, true, false}}, EcatPosition{1, {true, true, true}},
                                EcatPosition{2, {true, false, false}}, EcatPosition{3, {false, false, true}},
                                EcatPosition{8, {false, false, true}}};

class Ecat7Image {
  public:
    explicit Ecat7Image(const std::string& path, StatedFactor use = StatedFactor::Applied) : file_(path) {
        const EcatBlock main(file_, 0);
        const int type = main.at<std::uint16_t>(50);
        constexpr int kVolume8 = 6;
        constexpr int kVolume16 = 7;
        if (type != kVolume8 && type != kVolume16) {
            fail("file_type",
                 fmt::format("is {}, no image volume (6, 7); give an image, not scan data", type));
        }
        takeMatrices();
        const int code = main.at<std::uint16_t>(330);
        const auto* const position = std::find_if(kPositions.begin(), kPositions.end(),
                                                  [&](const EcatPosition& one) { return one.code == code; });
        if (position == kPositions.end()) {
            fail("patient_orientation", fmt::format("is {}: patients on their sides are not read", code));
        }
        place(position->reversed);
        if (code == 8) {
            note_ = "does not say how the patient lay, who is taken to lie head first and supine";
        }
        takeUnits(main, use);
        const auto halfLife_s = static_cast<double>(main.at<float>(74));
        halfLife_s_ = std::isfinite(halfLife_s) && halfLife_s > 0 ? halfLife_s : 0;
    }

    [[nodiscard]] std::size_t frames() const { return matrices_.size(); }
    [[nodiscard]] const Lattice& lattice() const { return placement_.lattice; }
    [[nodiscard]] std::string note() const { return note_.empty() ? "" : file_.path() + ": " + note_; }
    [[nodiscard]] const std::string& units() const { return units_; }
    [[nodiscard]] double statedFactor() const { return calibration_; }

    [[nodiscard]] std::vector<float> values(std::size_t frame) const {
        const EcatMatrix& matrix = matrices_[frame];
        const std::size_t count = matrix.size[0] * matrix.size[1] * matrix.size[2];
        const std::size_t width = numberBytes(matrix.type);
        if (matrix.at > file_.size() || count > (file_.size() - matrix.at) / width) {
            throw BadInput("{}: ends before the {} values of frame {}; copy it again", file_.path(), count,
                           matrix.frame);
        }
        requireMemory(file_.path(), count * (width + sizeof(float)));
        std::vector<std::byte> bytes(count * width);
        file_.read(matrix.at, bytes, "an image");
        std::vector<float> values(count);
        decodeNumbers(bytes.data(), matrix.type, matrix.order, matrix.scale * calibration_, 0, values);
        const auto finite = [](float value) { return std::isfinite(value); };
        if (!std::all_of(values.begin(), values.end(), finite)) {
            throw BadInput("{}: holds values that are no finite numbers in frame {}; replace them",
                           file_.path(), matrix.frame);
        }
        return placed(std::move(values), placement_);
    }

    [[nodiscard]] DynamicInfo info() const {
        DynamicInfo info;
        info.lattice = placement_.lattice;
        info.units = units_;
        info.halfLife_s = halfLife_s_;
        bool corrected = false;
        for (const EcatMatrix& matrix : matrices_) {
            info.frames.push_back(matrix.time);
            corrected = corrected || std::abs(matrix.decayFactor - 1) > 1e-6;
        }
        info.decay = corrected ? DecayCorrection::Applied : DecayCorrection::Unknown;
        return info;
    }
    /// Throws BadInput where frames are none of one scan.
    void requireTimes() const {
        if (const std::string fault = framesFault(info().frames); !fault.empty()) {
            throw BadInput("{}: {}; correct the times, or take one frame with --frame", file_.path(), fault);
        }
    }

  private:
    [[noreturn]] void fail(const char* field, const std::string& fault) const {
        throw BadInput("{}: field '{}' of this ECAT 7 file {}", file_.path(), field, fault);
    }

    /// The directory: blocks of 31 entries, each with the number of the next block.
    void takeMatrices() {
        constexpr std::uint64_t kMostBlocks = 10000;
        constexpr std::size_t kRow = 16;
        constexpr std::array kDeleted{-1, 3};
        std::uint64_t block = 2;
        for (std::uint64_t read = 0; read == 0 || block != 2; ++read) {
            if (read == kMostBlocks) {
                fail("directory", "goes round in circles; copy it again");
            }
            const EcatBlock directory(file_, block - 1);
            const auto used = directory.at<std::int32_t>(12);
            if (used < 0 || used > 31) {
                fail("directory", fmt::format("has {} entries in a block of 31; copy it again", used));
            }
            for (std::size_t row = 1; row <= static_cast<std::size_t>(used); ++row) {
                const auto id = directory.at<std::uint32_t>(kRow * row);
                const auto first = directory.at<std::int32_t>(kRow * row + 4);
                const auto status = directory.at<std::int32_t>(kRow * row + 12);
                if (status != kDeleted[0] && status != kDeleted[1] && first > 0) {
                    matrices_.push_back(matrix(id, static_cast<std::uint64_t>(first)));
                }
            }
            block = directory.at<std::uint32_t>(4);
            block = block < 2 ? 2 : block;
        }
        std::sort(matrices_.begin(), matrices_.end(),
                  [](const EcatMatrix& a, const EcatMatrix& b) { return a.frame < b.frame; });
        if (matrices_.empty()) {
            fail("directory", "names no image");
        }
        for (std::size_t i = 1; i < matrices_.size(); ++i) {
            if (matrices_[i].frame == matrices_[i - 1].frame) {
                fail("directory",
                     "has several gates, beds or data of a frame, which are not read; export frames");
            }
            if (matrices_[i].size != matrices_[0].size ||
                matrices_[i].spacing_mm != matrices_[0].spacing_mm) {
                fail("x_dimension", fmt::format("or a size of voxels differs in frame {}; export it alone",
                                                matrices_[i].frame));
            }
        }
    }

    [[nodiscard]] EcatMatrix matrix(std::uint32_t id, std::uint64_t block) const {
        constexpr double kMmPerCm = 10;
        constexpr double kSecondsPerMs = 1e-3;
        const EcatBlock head(file_, block - 1);
        EcatMatrix matrix;
        matrix.frame = static_cast<int>(id & 511U);
        matrix.at = block * kEcatBlock;
        switch (head.at<std::uint16_t>(0)) {
            case 1: matrix.type = NumberType::UInt8; break;
            case 2: matrix.order = ByteOrder::Little; break;
            case 5: matrix.type = NumberType::Float32; break;
            case 6: break;
            case 7: matrix.type = NumberType::Int32; break;
            default: fail("data_type", fmt::format("is {}, which is not read", head.at<std::uint16_t>(0)));
        }
        for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
            matrix.size.at(axis) = head.at<std::uint16_t>(4 + 2 * axis);
            matrix.spacing_mm.at(axis) = kMmPerCm * shortestDecimal(head.at<float>(34 + 4 * axis));
            if (matrix.size.at(axis) == 0 || !(matrix.spacing_mm.at(axis) > 0)) {
                fail(axis == 0   ? "x_dimension"
                     : axis == 1 ? "y_dimension"
                                 : "z_dimension",
                     "or its size of a voxel is not above 0");
            }
        }
        matrix.scale = static_cast<double>(head.at<float>(26));
        if (!(std::isfinite(matrix.scale) && matrix.scale > 0)) {
            fail("scale_factor", fmt::format("is {:g} in frame {}, not above 0", matrix.scale, matrix.frame));
        }
        matrix.time = {kSecondsPerMs * head.at<std::int32_t>(50), kSecondsPerMs * head.at<std::int32_t>(46)};
        matrix.decayFactor = static_cast<double>(head.at<float>(80));
        return matrix;
    }

    void place(const std::array<bool, 3>& reversed) {
        StoredAffine stored;
        for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
            const double step =
                reversed.at(axis) ? -matrices_[0].spacing_mm.at(axis) : matrices_[0].spacing_mm.at(axis);
            stored.matrix.at(axis).at(axis) = step;
            stored.offset.at(axis) = -0.5 * step * (static_cast<double>(matrices_[0].size.at(axis)) - 1);
        }
        placement_ = placementOf(file_.path(), "fields 'x_pixel_size', ...", stored, matrices_[0].size);
    }

    void takeUnits(const EcatBlock& main, StatedFactor use) {
        const auto factor = static_cast<double>(main.at<float>(144));
        const std::string told = main.text(466, 32);
        std::string plain = told;
        std::transform(plain.begin(), plain.end(), plain.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        units_ = plain == "bq/cc" || plain == "bq/ml" ? "Bq/ml" : plain == "kbq/cc" ? "kBq/ml" : told;
        if (std::isfinite(factor) && factor > 0) {
            const bool applied = use == StatedFactor::Applied;
            calibration_ = applied ? factor : 1;
            if (factor != 1) {
                note_ =
                    joinedNotes(note_, statedFactorNote("values", "ecat_calibration_factor", factor, use));
                note_ += applied && units_.empty()
                             ? "; it does not say in which units values are then: give --units"
                             : "";
            }
            units_ = applied ? units_ : "";
        } else {
            note_ = joinedNotes(note_,
                                fmt::format("'ecat_calibration_factor' is {:g} and is not applied", factor));
        }
    }

    RandomFile file_;
    std::vector<EcatMatrix> matrices_;
    Placement placement_;
    double calibration_ = 1;  ///< what values are multiplied by
    double halfLife_s_ = 0;
    std::string units_;
    std::string note_;
};

class Ecat7File : public FormatFile {
  public:
    explicit Ecat7File(const FileStart& start) : path_(start.path), heed_(start.heed) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireNoSeries(path_, {.series = options.series, .suv = options.suv});
        const Ecat7Image image(path_, options.factor);
        const std::size_t frame = chosenFrame(path_, options, image.frames(), "frames");
        VolumeReadResult read;
        read.volume = Volume(image.lattice());
        read.volume.data = image.values(frame);
        read.volume.units = image.units();
        read.note = image.note();
        read.statedFactor = image.statedFactor();
        return read;
    }
    [[nodiscard]] bool holdsFrames() const override { return Ecat7Image(path_).frames() > 1; }
    [[nodiscard]] std::optional<DynamicInfo> dynamicInfo(const VolumeReadOptions& options) const override {
        requireNoSeries(path_, {.series = options.series, .suv = options.suv});
        const Ecat7Image image(path_, options.factor);
        image.requireTimes();
        return image.info();
    }
    [[nodiscard]] std::optional<DynamicReadResult> dynamicImage(
        const VolumeReadOptions& options) const override {
        requireNoSeries(path_, {.series = options.series, .suv = options.suv});
        const Ecat7Image image(path_, options.factor);
        image.requireTimes();
        requireMemory(path_, sizeof(float) * image.frames() * image.lattice().voxels());
        DynamicReadResult read;
        static_cast<DynamicInfo&>(read.image) = image.info();
        for (std::size_t frame = 0; frame < image.frames(); ++frame) {
            if (heed_) {
                heed_();
            }
            read.image.values.push_back(image.values(frame));
        }
        read.note = image.note();
        return read;
    }
    void describe(nlohmann::ordered_json& info) const override {
        const Ecat7Image image(path_);
        info["lattice"] = latticeJson(image.lattice());
        info["units"] = image.units();
        describeFrames(image.info(), info);
        if (!image.note().empty()) {
            info["note"] = image.note();
        }
    }

  private:
    std::string path_;
    std::function<void()> heed_;
};

}  // namespace

Format ecat7Format() {
    return {.name = "ECAT 7", .recognise = [](const FileStart& start) {
                return start.bytes.starts_with("MATRIX7") ? std::make_unique<Ecat7File>(start) : nullptr;
            }};
}

}  // namespace tof
