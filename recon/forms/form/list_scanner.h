// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/data/events.h"
#include "recon/io/format_table.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The scanner of list-mode that was read from a file; its description, of every crystal, is parsed once,
/// when it is asked for.
class ListScanner {
  public:
    /// `given`: what the user names (--scanner), or empty.
    ListScanner(const EventList& events, const RecognisedFile& list, std::string given);

    /// What the list itself describes, or null. Throws BadInput.
    [[nodiscard]] const Scanner* described();
    /// What the user names where the format was not read with it already, else what the list describes.
    /// Throws WrongUse, or BadInput when neither says.
    [[nodiscard]] const Scanner& used();

  private:
    const EventList& events_;
    std::string path_;
    std::string given_;  ///< empty where the list was read with it
    std::optional<Scanner> named_;
};

}  // namespace tof
