// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace tof {

/// Where a file is written. `heed` is called while much is, by any thread: what it throws (Cancelled) ends
/// the writing, and what was there before stays.
struct Destination {
    Destination(std::string file, std::function<void()> question = {})  // NOLINT: a name is a destination
        : path(std::move(file)), heed(std::move(question)) {}
    Destination(const char* file) : path(file) {}  // NOLINT: likewise
    std::string path;
    std::function<void()> heed;

    void ask() const {
        if (heed) {
            heed();
        }
    }
};

}  // namespace tof
