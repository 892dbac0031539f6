// SPDX-License-Identifier: Apache-2.0
// What the help says, in parts: manual pages and completions are made from it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/base/request_row.h"

namespace tof {

/// An option, or an argument by position.
struct OptionForm {
    std::string name;         ///< "--events"; of an argument by position "OUT"
    std::string letter;       ///< "-h", or empty
    bool takesValue = false;  ///< false of a flag
    std::string value;        ///< what its value is called: "N", "AxT", "histo|sinogram"
    std::string fallback;     ///< the value where none is given; may be empty
    std::string help;         ///< one sentence, or several
    Need need = Need::Optional;

    /// The values that are allowed, where they are a short list; else empty.
    [[nodiscard]] std::vector<std::string> choices() const;
};

struct CommandForm {
    std::string name;
    std::string summary;  ///< one sentence without a full stop
    std::vector<OptionForm> positionals;
    std::vector<OptionForm> options;
};

struct ProgramForm {
    std::string name;
    std::string about;                ///< one sentence
    std::vector<OptionForm> options;  ///< that every command takes
    std::vector<CommandForm> commands;
    std::string exitCodes;  ///< "Exit codes: 0 done, 1 ..."
};

/// The form as JSON: {"program", "version", "options", "commands": [{"name", "summary", "positionals",
/// "options"}]}, an option as {"name", "takes_value", "value", "choices", "default", "required", "help"}.
[[nodiscard]] nlohmann::ordered_json asJson(const ProgramForm& program);

}  // namespace tof
