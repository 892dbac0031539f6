// SPDX-License-Identifier: Apache-2.0
// Rows of requests: each says what a member of a request is called, takes and means. Options of commands,
// fields of dialogs, help, checks, what a session remembers and translations are views of rows.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/option_values.h"

namespace tof {

enum class Need { Optional, Required };

/// Where a row shows itself.
enum class Shown { Everywhere, Command, Window };

/// What the text of a row stands for.
enum class TextRole {
    Plain,
    File,     ///< a file to read, or a name that is built in
    Files,    ///< several, joined by commas
    NewFile,  ///< a file or folder to be made
    Sizes,    ///< whole numbers joined by 'x'
    Count     ///< a number as people type it: "20 M"
};

/// What a row says besides its option.
struct RowWords {
    std::string valueName{};                 ///< on command lines, in place of the kind's own: "AxT"
    std::string usual{};                     ///< in a command's help, in place of the default: "what fits"
    std::string tip{};                       ///< in the window, in place of a help that speaks of options
    std::string empty{};                     ///< in a field without a value: "the list's own"
    std::string tick{};                      ///< beside a box that is ticked for "on" or the first choice
    std::vector<std::string> choiceWords{};  ///< of the choices, in the window
    std::string refused{};                   ///< in the window, of a value that is not allowed
    std::string filter{};                    ///< of the files to choose from
    std::string heading{};                   ///< above the row
    std::string saved{};                     ///< its key in a session; empty: the row's, with '_'
    std::string group{};                     ///< rows of one group are shown or left out together
    TextRole role = TextRole::Plain;
    Shown shown = Shown::Everywhere;
    Need need = Need::Optional;
};

struct RowInfo : OptionInfo, RowWords {};

/// A row of requests of one type, which may be members of a base of it.
template <typename Request>
struct RequestRow : RowInfo {
    using Applies = std::function<bool(const Request&)>;

    std::function<std::string(const Request&)> read;
    std::function<void(Request&, const std::string&)> write;  ///< an allowed value; throws WrongUse
    Applies applies{};  ///< whether the request has a use for it; empty: always

    /// The row of a member: its kind and its default follow from the struct.
    template <typename T, typename Owner>
    static RequestRow of(T Owner::*member, OptionInfo info, RowWords words = {}, Applies applies = {}) {
        info.kind = info.choices.empty() ? kKindOf<T> : OptionKind::Choice;
        const std::vector<std::string> choices = info.choices;
        return made([member, choices](const Request& request) { return textOf(request.*member, choices); },
                    [member, choices](Request& request, const std::string& text) {
                        request.*member = valueOf<T>(text, choices);
                    },
                    std::move(info), std::move(words), std::move(applies));
    }
    /// The row of what is no plain member.
    static RequestRow made(std::function<std::string(const Request&)> read,
                           std::function<void(Request&, const std::string&)> write, OptionInfo info,
                           RowWords words = {}, Applies applies = {}) {
        info.fallback = read(Request());
        return {{std::move(info), std::move(words)}, std::move(read), std::move(write), std::move(applies)};
    }
};

/// A row together with the request that it reads and writes, whatever type that has.
struct BoundRow : RowInfo {
    std::function<std::string()> read;
    std::function<void(const std::string&)> write;
    std::function<bool()> applies;
};

/// Adds rows to `all`. `request` must outlive them.
template <typename Request, typename Derived>
void bindRows(std::vector<BoundRow>& all, const std::vector<RequestRow<Request>>& rows, Derived& request) {
    Request* const target = &request;
    for (const RequestRow<Request>& row : rows) {
        all.push_back({static_cast<const RowInfo&>(row), [target, read = row.read] { return read(*target); },
                       [target, write = row.write](const std::string& text) { write(*target, text); },
                       [target, applies = row.applies] { return !applies || applies(*target); }});
    }
}

template <typename Request>
[[nodiscard]] std::vector<BoundRow> boundRows(const std::vector<RequestRow<Request>>& rows,
                                              Request& request) {
    std::vector<BoundRow> all;
    bindRows(all, rows, request);
    return all;
}

/// Rows of what is a member of a larger request.
template <typename Request, typename Part>
[[nodiscard]] std::vector<RequestRow<Request>> rowsOf(Part Request::*part,
                                                      const std::vector<RequestRow<Part>>& rows) {
    std::vector<RequestRow<Request>> all;
    for (const RequestRow<Part>& row : rows) {
        all.push_back({static_cast<const RowInfo&>(row),
                       [part, read = row.read](const Request& request) { return read(request.*part); },
                       [part, write = row.write](Request& request, const std::string& text) {
                           write(request.*part, text);
                       },
                       row.applies ? [part, applies = row.applies](
                                         const Request& request) { return applies(request.*part); }
                                   : typename RequestRow<Request>::Applies()});
    }
    return all;
}

}  // namespace tof
