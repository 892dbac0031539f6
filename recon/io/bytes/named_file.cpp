// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/named_file.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

namespace tof {

namespace {

namespace fs = std::filesystem;

/// What the user of this process has said; no reader can be told otherwise, as headers name headers.
struct Allowed {
    std::mutex mutex;
    int all = 0;
    std::set<std::string> headers;
    std::optional<LeadsOutside> refused;
};
Allowed& allowed() {
    static Allowed one;
    return one;
}

bool isAllowed(const std::string& header) {
    Allowed& said = allowed();
    const std::lock_guard lock(said.mutex);
    return said.all > 0 || said.headers.contains(header);
}

/// Whether a path lies in a folder or below it, when every link is followed.
bool isWithin(const fs::path& folder, const fs::path& path) {
    std::error_code fault;
    const fs::path whole = fs::weakly_canonical(folder, fault);
    const fs::path there = fault ? fs::path() : fs::weakly_canonical(path, fault);
    const auto [left, ignored] = std::mismatch(whole.begin(), whole.end(), there.begin(), there.end());
    return !fault && left == whole.end();
}

}  // namespace

LeadsOutside::LeadsOutside(std::string from, std::string to)
    : BadInput(
          "{}: names '{}', which lies outside its folder; put the file beside it, or say --allow-outside "
          "(in Python allow_outside(header)) if you trust where it came from",
          from, to),
      header(std::move(from)),
      named(std::move(to)) {}

std::optional<LeadsOutside> refusalThatSays(const std::string& sentence) {
    const std::lock_guard lock(allowed().mutex);
    return allowed().refused && allowed().refused->what() == sentence ? allowed().refused : std::nullopt;
}

OutsideAllowed::OutsideAllowed() {
    const std::lock_guard lock(allowed().mutex);
    ++allowed().all;
}

OutsideAllowed::~OutsideAllowed() {
    const std::lock_guard lock(allowed().mutex);
    --allowed().all;
}

void allowOutside(const std::string& header) {
    const std::lock_guard lock(allowed().mutex);
    allowed().headers.insert(header);
}

std::string namedBeside(const std::string& header, std::string name) {
    if (name.size() >= 2 && name.front() == name.back() && (name.front() == '"' || name.front() == '\'')) {
        name = name.substr(1, name.size() - 2);
    }
    const fs::path folder = fs::absolute(header).parent_path();
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored)) {
        std::string turned = name;
        std::replace(turned.begin(), turned.end(), '\\', '/');
        name = fs::exists(folder / turned, ignored) ? turned : name;
    }
    if (!isWithin(folder, folder / name) && !isAllowed(header)) {
        const std::lock_guard lock(allowed().mutex);
        throw allowed().refused.emplace(header, name);
    }
    return (fs::path(header).parent_path() / name).string();
}

}  // namespace tof
