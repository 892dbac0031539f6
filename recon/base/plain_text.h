// SPDX-License-Identifier: Apache-2.0
// Text of files and of other people where a program reads it: a terminal, a spreadsheet, a shell.
#pragma once

#include <string>
#include <string_view>

namespace tof {

/// Control characters but tabs and line ends (C0, DEL, and C1 in UTF-8) as "\x1b": a terminal would obey
/// them.
[[nodiscard]] std::string shownText(std::string_view text);
/// shownText() of what stands in one line: line ends, too.
[[nodiscard]] std::string shownLine(std::string_view text);

/// A cell of a CSV table by RFC 4180. What begins as a formula, and is no number, gets an apostrophe before
/// it, so that a spreadsheet shows it and does not run it.
[[nodiscard]] std::string csvCell(const std::string& text);

/// A word of a shell script, in single quotes where it needs them. Throws WrongUse where `text` has control
/// characters, which would end a comment or a line; `what` says in the message what it is.
[[nodiscard]] std::string shellWord(const std::string& what, const std::string& text);

}  // namespace tof
