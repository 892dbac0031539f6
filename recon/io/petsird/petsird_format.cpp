// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "recon/io/format/formats.h"
#include "recon/io/petsird/petsird_hdf5.h"
#include "recon/io/petsird/petsird_list.h"
#include "recon/io/petsird/petsird_write.h"

namespace tof {

namespace {

class PetsirdFile : public FormatFile {
  public:
    /// `hdf5`: null for the binary encoding.
    PetsirdFile(std::string path, std::shared_ptr<const h5::Reader> hdf5)
        : path_(std::move(path)), hdf5_(std::move(hdf5)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return PetsirdList(reader(), options).all();
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return std::make_unique<const PetsirdList>(reader(), options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        ListReadOptions asFarAsItGoes;
        asFarAsItGoes.partial = true;
        const PetsirdList list(reader(), asFarAsItGoes);
        const std::shared_ptr<const Scanner> scanner = list.scan().scannerJson.scanner(path_);
        info["events"] = list.size();
        info["delayed"] = list.delayeds();
        info["duration_s"] = list.scan().duration_s;
        info["scanner"] = scanner->name;
        info["crystals"] = scanner->crystals.size();
        info["timing_fwhm_ps"] = scanner->timing_fwhm_ps;
        info["efficiencies"] = list.hasFactors();
        if (!list.note().empty()) {
            info["note"] = list.note();
        }
    }

  private:
    [[nodiscard]] YardlReader reader() const {
        return hdf5_ != nullptr ? YardlReader(petsirdHdf5(hdf5_)) : YardlReader(path_);
    }

    std::string path_;
    std::shared_ptr<const h5::Reader> hdf5_;
};

}  // namespace

Format petsirdFormat() {
    return {.name = "PETSIRD",
            .recognise =
                [](const FileStart& start) {
                    std::shared_ptr<const h5::Reader> hdf5 = openPetsirdHdf5(start);
                    return hdf5 != nullptr || start.bytes.starts_with("yardl")
                               ? std::make_unique<PetsirdFile>(start.path, std::move(hdf5))
                               : nullptr;
                },
            .events = {{".petsird"}, {}, [](const Destination& to, const EventList& events) {
                           return writePetsird(to, events);
                       }}};
}

}  // namespace tof
