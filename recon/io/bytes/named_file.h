// SPDX-License-Identifier: Apache-2.0
// Files that a header names. Whoever wrote the header is not the user: it leads outside its folder only where
// the user allows it. Internal to recon/io but for the permission.
#pragma once

#include <optional>
#include <string>

#include "recon/base/error.h"

namespace tof {

/// A header names a file outside its folder, which the user has not allowed.
struct LeadsOutside : BadInput {
    LeadsOutside(std::string header, std::string named);
    std::string header;
    std::string named;  ///< the path that it leads to
};

/// The refusal of this process that says this, once: for whoever asks the user about it. The last ones are
/// kept. Thread-safe.
[[nodiscard]] std::optional<LeadsOutside> takeRefusal(const std::string& sentence);

/// While it lives the user has said (--allow-outside) that headers which this process reads may name files
/// anywhere. Thread-safe.
struct OutsideAllowed {
    OutsideAllowed();
    ~OutsideAllowed();
    OutsideAllowed(const OutsideAllowed&) = delete;
    OutsideAllowed& operator=(const OutsideAllowed&) = delete;
};
/// Lets one header name files anywhere. Thread-safe.
void allowOutside(const std::string& header);

/// The path of a file that a header names, relative to the header's folder: quotes about the name are left
/// out, and backslashes are folders' where no file is called so. Links are followed to see where it lies.
/// Throws LeadsOutside, whether such a file is there or not.
[[nodiscard]] std::string namedBeside(const std::string& header, std::string name);

}  // namespace tof
