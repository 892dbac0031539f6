// SPDX-License-Identifier: Apache-2.0
#include "recon/base/user_folder.h"

#include <array>
#include <cstdlib>

namespace tof {

namespace {

struct Place {
    const char* variable;
    const char* inHome;
};

constexpr std::array<Place, 3> kPlaces{
    {{"XDG_CACHE_HOME", "/.cache"}, {"XDG_CONFIG_HOME", "/.config"}, {"XDG_STATE_HOME", "/.local/state"}}};

/// A variable that names a path from the root; empty where it does not.
std::string rootedPath(const char* variable) {
    const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody changes it
    return value != nullptr && value[0] == '/' ? value : std::string();
}

}  // namespace

std::string userFolder(UserFolder which) {
    const Place& place = kPlaces.at(static_cast<std::size_t>(which));
    if (const std::string named = rootedPath(place.variable); !named.empty()) {
        return named + "/tofscope";
    }
    const std::string home = rootedPath("HOME");
    return home.empty() ? home : home + place.inHome + "/tofscope";
}

}  // namespace tof
