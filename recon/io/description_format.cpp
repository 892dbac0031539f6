// SPDX-License-Identifier: Apache-2.0
#include "recon/io/description_format.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/text_header.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

void describeScanner(const std::string& text, const std::string& path, Json& info) {
    const Scanner scanner = Scanner::fromJson(text, path);
    info["describes"] = "scanner (bin, simulate --scanner)";
    info["name"] = scanner.name;
    info["crystals"] = scanner.crystals.size();
    info["timing_fwhm_ps"] = scanner.timing_fwhm_ps;
}

void describeRings(const std::string& text, const std::string& path, Json& info) {
    const MichelogramSpec spec = MichelogramSpec::fromJson(text, path);
    info["describes"] = "rings (bin, simulate --scanner)";
    info["name"] = spec.scanner.name;
    info["rings"] = spec.scanner.rings;
    info["crystals_per_ring"] = spec.scanner.crystalsPerRing;
    info["radius_mm"] = spec.scanner.radius_mm;
    info["segments"] = spec.segments.size();
    info["radial_bins"] = spec.radialBins;
    info["time_bins"] = std::max(spec.tof.count, 1);
}

void describePhantom(const std::string& text, const std::string& path, Json& info) {
    const Phantom phantom = Phantom::fromJson(text, path);
    info["describes"] = "phantom (simulate --phantom)";
    info["name"] = phantom.name;
    info["shapes"] = phantom.shapes.size();
}

void describeKernel(const std::string& text, const std::string& path, Json& info) {
    const KernelSpec kernel = KernelSpec::fromJson(text, path);
    info["describes"] = "kernel (reconstruct, project, kernel --kernel)";
    info["kernel"] = kernel.json();
}

void describeRois(const std::string& text, const std::string& path, Json& info) {
    const nlohmann::json root = parseJson(text, path);
    info["describes"] = "regions of interest (analyze --rois)";
    info["rois"] = root.at("rois").size();
}

/// A kind of description: the keys that tell it, any of them.
struct Description {
    std::array<const char*, 3> keys;
    void (*describe)(const std::string& text, const std::string& path, Json& info);
};

const std::array<Description, 4> kDescriptions{{{{"modules", "crystals", "crystal_mm"}, describeScanner},
                                                {{"shapes", "shapes", "shapes"}, describePhantom},
                                                {{"tof_ps", "radial_mm", "measured"}, describeKernel},
                                                {{"rois", "rois", "rois"}, describeRois}}};

class DescriptionFile : public FormatFile {
  public:
    explicit DescriptionFile(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] FileKind kind() const override { return FileKind::Unknown; }
    void describe(Json& info) const override {
        const std::string text = readTextFile(path_);
        const nlohmann::json root = parseJson(text, path_);
        if (root.is_object() && root.value("kind", nlohmann::json()) == "rings") {
            return describeRings(text, path_, info);
        }
        for (const Description& one : kDescriptions) {
            for (const char* key : one.keys) {
                if (root.is_object() && root.contains(key)) {
                    return one.describe(text, path_, info);
                }
            }
        }
        throw BadInput(
            "{}: is JSON, but no scanner, rings, phantom, kernel or regions of interest of this program; "
            "check its "
            "name",
            path_);
    }

  private:
    std::string path_;
};

/// Crystal maps of STIR and SAFIR: ring, detector, [layer,] x, y, z.
class CrystalMapFile : public FormatFile {
  public:
    explicit CrystalMapFile(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] FileKind kind() const override { return FileKind::Unknown; }
    void describe(Json& info) const override {
        const std::string text = readTextFile(path_, std::size_t{256} << 20U);
        std::size_t crystals = 0;
        bool starts = true;
        for (const char c : text) {
            crystals += starts && (c >= '0' && c <= '9') ? 1 : 0;
            starts = c == '\n';
        }
        info["describes"] =
            "crystal map (bin --scanner for SAFIR lists; generic scanners of STIR name theirs)";
        info["crystals"] = crystals;
    }

  private:
    std::string path_;
};

/// Scanners of CASToR, which `--scanner` takes: text headers.
class CastorScannerFile : public FormatFile {
  public:
    explicit CastorScannerFile(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] FileKind kind() const override { return FileKind::Unknown; }
    void describe(Json& info) const override {
        info["describes"] = "scanner of CASToR (bin, convert --scanner)";
        for (const HeaderLine& line : readHeaderLines(path_, {":", '#'})) {
            for (const char* key : {"modality", "scanner name", "number of elements", "number of layers"}) {
                if (line.value && line.key == key) {
                    info[key] = *line.value;
                }
            }
        }
    }

  private:
    std::string path_;
};

bool isCastorScanner(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    return extension == ".hscan" || extension == ".geom" || extension == ".ghscan";
}

std::string_view firstLine(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string_view::npos && line[first] != '#') {
            return line;
        }
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return "";
}

bool isCrystalMap(std::string_view start) {
    const std::string_view line = firstLine(start);
    std::size_t numbers = 0;
    bool inside = false;
    for (const char c : line) {
        const bool blank = c == ' ' || c == ',' || c == '\t' || c == '\r';
        if (!blank && std::string_view("0123456789+-.eE").find(c) == std::string_view::npos) {
            return false;
        }
        numbers += !blank && !inside ? 1 : 0;
        inside = !blank;
    }
    return (numbers == 5 || numbers == 6) && line.front() >= '0' && line.front() <= '9';
}

}  // namespace

Format descriptionFormat() {
    return {.name = kDescription,
            .recognise = [](const FileStart& start) -> std::unique_ptr<const FormatFile> {
                if (start.isFolder) {
                    return nullptr;
                }
                const std::size_t first = start.bytes.find_first_not_of(" \t\r\n");
                if (first != std::string::npos && start.bytes[first] == '{') {
                    return std::make_unique<DescriptionFile>(start.path);
                }
                if (isCastorScanner(start.path)) {
                    return std::make_unique<CastorScannerFile>(start.path);
                }
                if (isCrystalMap(start.bytes)) {
                    return std::make_unique<CrystalMapFile>(start.path);
                }
                return nullptr;
            }};
}

}  // namespace tof
