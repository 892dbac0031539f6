// SPDX-License-Identifier: Apache-2.0
#include "recon/io/safir/safir_format.h"

#include "recon/io/safir/list_safir.h"

namespace tof {

namespace {

class SafirFile : public FormatFile {
  public:
    explicit SafirFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return readEventsSafir(path_, options);
    }

  private:
    std::string path_;
};

}  // namespace

Format safirFormat() {
    return {.name = "SAFIR", .recognise = [](const FileStart& start) {
                return isSafir(start.bytes) ? std::make_unique<SafirFile>(start.path) : nullptr;
            }};
}

}  // namespace tof
