// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/named_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace tof {

namespace {

namespace fs = std::filesystem;

/// What the user of this process has said; no reader can be told otherwise, as headers name headers.
struct Allowed {
    std::mutex mutex;
    int all = 0;
    std::set<std::string> headers;
    std::map<std::string, LeadsOutside> refused;  ///< by what they say, until somebody asked
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

std::optional<LeadsOutside> takeRefusal(const std::string& sentence) {
    const std::lock_guard lock(allowed().mutex);
    auto one = allowed().refused.extract(sentence);
    return one.empty() ? std::nullopt : std::optional(std::move(one.mapped()));
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
        constexpr std::size_t kMost = 64;  // where nobody asks they stay
        LeadsOutside refusal(header, name);
        const std::lock_guard lock(allowed().mutex);
        auto& refused = allowed().refused;
        if (refused.size() >= kMost) {
            refused.clear();
        }
        refused.insert_or_assign(refusal.what(), refusal);
        throw refusal;
    }
    return (fs::path(header).parent_path() / name).string();
}

}  // namespace tof
