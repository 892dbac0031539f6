// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/castor/castor_panel.h"
#include "recon/io/castor/castor_scanner.h"

namespace tof {

namespace {

class CastorFile : public FormatFile {
  public:
    explicit CastorFile(const std::string& path) : header_(path) {}

    [[nodiscard]] FileKind kind() const override {
        return castorMode(header_) == CastorMode::Histogram ? FileKind::Data : FileKind::List;
    }
    [[nodiscard]] std::string form() const override {
        return kind() != FileKind::Data ? "" : isPanel() ? "panel" : "lors";
    }
    [[nodiscard]] ForeignBins foreignBins() const override {
        return kind() == FileKind::Data ? ForeignBins::Lines : ForeignBins::None;
    }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return readEventsCastor(header_, options);
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return kind() == FileKind::List ? castorStream(header_, options) : nullptr;
    }
    [[nodiscard]] std::unique_ptr<const RecordDecoder> recordDecoder(
        const ListReadOptions& options) const override {
        return kind() == FileKind::List ? castorDecoder(header_, options) : nullptr;
    }
    [[nodiscard]] std::optional<DataReadResult> data(const std::string& scannerFile) const override {
        const bool histogram = castorMode(header_) == CastorMode::Histogram;
        const CastorScanner found = castorScanner(header_, scannerFile);
        if (const auto panels = histogram ? castorPanels(found.scanner) : std::nullopt) {
            PanelGeometry geometry = *panels;
            geometry.efficiency = found.efficiency;
            return readCastorPanel(header_, found.scanner, geometry);
        }
        CastorLines lines = readCastorLines(header_, scannerFile);
        return DataReadResult{std::move(lines.data), std::move(lines.note)};
    }
    void describe(nlohmann::ordered_json& info) const override {
        info["events"] = header_.whole("Number of events", std::uint64_t{1} << 53U);
        info["scanner"] = header_.text("Scanner name");
        info["mode"] = header_.text("Data mode", "list-mode");
        info["tof"] = header_.flag("TOF information flag");
        info["duration_s"] = header_.number("Duration (s)", 0, 1e9, 0.0);
    }

  private:
    /// By the scanner beside it; where that is not there, whoever reads the data says so.
    [[nodiscard]] bool isPanel() const {
        try {
            return castorPanels(castorScanner(header_, "").scanner).has_value();
        } catch (const BadInput&) {
            return false;
        }
    }

    CastorHeader header_;
};

std::string writeMeasured(const Destination& to, const MeasuredData& data) {
    if (const auto* const sinograms = std::get_if<SinogramData>(&data)) {
        return writeCastor(to, *sinograms);
    }
    if (const auto* const lines = std::get_if<LineData>(&data)) {
        return writeCastor(to, *lines);
    }
    if (const auto* const panel = std::get_if<PanelData>(&data)) {
        return writeCastor(to, *panel);
    }
    throw InternalError("histo-images have no form in CASToR's files");
}

}  // namespace

Format castorFormat() {
    return {
        .name = "CASToR",
        .recognise =
            [](const FileStart& start) {
                return isCastorHeader(start.bytes) ? std::make_unique<CastorFile>(start.path) : nullptr;
            },
        .events = {{".cdh"},
                   {},
                   [](const Destination& to, const EventList& events) { return writeCastor(to, events); }},
        .data = {{".cdh"}, {}, writeMeasured}};
}

}  // namespace tof
