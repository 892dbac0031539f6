// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/format/formats.h"
#include "recon/io/root/gate_columns.h"
#include "recon/io/root/gate_list.h"

namespace tof {

namespace {

class GateFile : public FormatFile {
  public:
    explicit GateFile(const std::string& path) : file_(path) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        static_cast<void>(columns());
        return GateList(file_, options).all();
    }
    /// Null without a scanner, which the whole list is refused without.
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        if (options.scannerFile.empty()) {
            return nullptr;
        }
        static_cast<void>(columns());
        return std::make_unique<const GateList>(file_, options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        constexpr std::size_t kAtATime = std::size_t{1} << 17U;
        GateColumns all = columns();
        std::array<std::uint64_t, 3> kinds{};
        bool known = all.kinds();
        for (std::uint64_t first = 0; known && first < all.present(); first += kAtATime) {
            const auto count =
                static_cast<std::size_t>(std::min<std::uint64_t>(kAtATime, all.present() - first));
            all.read({GateQuantity::Event, GateQuantity::Compton, GateQuantity::Rayleigh}, first, count,
                     nullptr);
            for (std::size_t i = 0; known && i < count; ++i) {
                known = all.scatters(i) >= 0;
                ++kinds.at(static_cast<std::size_t>(all.kind(i)));
            }
        }
        info["program"] = all.names().program;
        info["tree"] = all.tree().name;
        info["events"] = all.tree().entries;
        info["events_present"] = all.present();
        info["times"] = all.has(GateQuantity::Time);
        if (known) {
            info["true"] = kinds[0];
            info["scattered"] = kinds[1];
            info["random"] = kinds[2];
        }
    }

  private:
    [[nodiscard]] GateColumns columns() const {
        GateColumns found(file_);
        if (found.empty()) {
            throw BadInput(
                "{}: is a file of ROOT without a tree of GATE's coincidences (branches globalPosX1 or "
                "PostPosition_X1 and their like); let GATE write coincidences",
                file_.path());
        }
        return found;
    }

    RootFile file_;
};

}  // namespace

Format rootFormat() {
    return {.name = "ROOT", .recognise = [](const FileStart& start) {
                using namespace std::string_view_literals;
                return start.bytes.starts_with("root\0"sv) ? std::make_unique<GateFile>(start.path) : nullptr;
            }};
}

}  // namespace tof
