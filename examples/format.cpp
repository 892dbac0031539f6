// SPDX-License-Identifier: Apache-2.0
// A file format of one's own: one line "SLAB nx ny nz edge_mm", then floats, x fastest, about the scanner's
// centre.
#include <fstream>

#include "program.h"
#include "recon/io/convert.h"

namespace {

class SlabFile : public tof::FormatFile {
  public:
    explicit SlabFile(const tof::FileStart& start) : path_(start.path) {}
    [[nodiscard]] tof::FileKind kind() const override { return tof::FileKind::Volume; }
    [[nodiscard]] std::optional<tof::VolumeReadResult> volume(
        const tof::VolumeReadOptions& options) const override {
        tof::requireOnlyVolume(path_, options);
        std::ifstream file(path_, std::ios::binary);
        std::string word;
        std::array<int, 3> size{};
        double edge_mm = 0;
        file >> word >> size[0] >> size[1] >> size[2] >> edge_mm;
        file.ignore();  // the end of the line
        tof::VolumeReadResult result{tof::Volume(tof::Lattice::centred(size, {edge_mm, edge_mm, edge_mm}))};
        std::vector<float>& data = result.volume.data;
        if (!file.read(reinterpret_cast<char*>(data.data()),
                       static_cast<std::streamsize>(data.size() * sizeof(float)))) {
            throw tof::BadInput("{}: ends before its {} voxels; write it again", path_, data.size());
        }
        result.note = "a slab says no units";
        return result;
    }

  private:
    std::string path_;
};

std::string writeSlab(const tof::Destination& to, const tof::Volume& volume) {
    std::ofstream file(to.path, std::ios::binary);
    const auto& [size, spacing_mm, origin_mm] = volume.lattice;
    file << "SLAB " << size[0] << ' ' << size[1] << ' ' << size[2] << ' ' << spacing_mm[0] << '\n';
    file.write(reinterpret_cast<const char*>(volume.data.data()),
               static_cast<std::streamsize>(volume.data.size() * sizeof(float)));
    if (!file.flush()) {
        throw tof::CannotWrite("{}: cannot be written; is the disk full?", to.path);
    }
    return "a slab keeps one edge of voxels and no place";
}

}  // namespace

int main(int argc, char** argv) {
    return runProgram(argc, argv, 2, "format IN OUT", [](const std::vector<std::string>& words) {
        tof::FormatTable formats = tof::builtInFormats();
        formats.add({.name = "slab",
                     .recognise =
                         [](const tof::FileStart& start) {
                             return start.bytes.starts_with("SLAB ") ? std::make_unique<SlabFile>(start)
                                                                     : nullptr;
                         },
                     .volumes = {.extensions = {".slab"}, .aliases = {}, .write = writeSlab}});
        return tof::convertFile(words[0], words[1], {}, formats);
    });
}
