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
    std::vector<std::string> choiceWords{};  ///< words of the choices, in the window
    std::string refused{};                   ///< in the window, of a value that is not allowed
    std::string filter{};                    ///< filter of the files to choose from
    std::string heading{};                   ///< above the row
    std::string saved{};                     ///< its key in a session; empty: the row's, with '_'
    std::string group{};                     ///< rows of one group are shown or left out together
    TextRole role = TextRole::Plain;
    Shown shown = Shown::Everywhere;
    Need need = Need::Optional;
};

struct RowInfo : OptionInfo, RowWords {};

/// The words of a row as its table writes them, in any order: of(&Request::psf, "psf", Label{"PSF"},
/// Limits{0, 9}).
namespace row_words {

template <auto member>
struct RowText {
    std::string text;
};
using Label = RowText<&OptionInfo::label>;
using Unit = RowText<&OptionInfo::unit>;
using Help = RowText<&OptionInfo::help>;
using ValueName = RowText<&RowWords::valueName>;
using Usual = RowText<&RowWords::usual>;
using Tip = RowText<&RowWords::tip>;
using Empty = RowText<&RowWords::empty>;
using Tick = RowText<&RowWords::tick>;
using Refused = RowText<&RowWords::refused>;
using Filter = RowText<&RowWords::filter>;
using Title = RowText<&RowWords::heading>;
using Saved = RowText<&RowWords::saved>;
using Group = RowText<&RowWords::group>;
struct Limits {
    double low;
    double high;
};
struct Choices {
    std::vector<std::string> all;
};
struct ChoiceWords {
    std::vector<std::string> all;
};

}  // namespace row_words

/// A row of requests of one type, which may be members of a base of it.
template <typename Request>
struct RequestRow : RowInfo {
    using Applies = std::function<bool(const Request&)>;
    using Read = std::function<std::string(const Request&)>;
    using Write = std::function<void(Request&, const std::string&)>;

    Read read;
    Write write;        ///< takes an allowed value; throws WrongUse
    Applies applies{};  ///< whether the request has a use for it; empty: always

    /// The row of a member: its kind and its default follow from the struct.
    template <typename T, typename Owner, typename... Words>
    static RequestRow of(T Owner::*member, const std::string& key, Words... words) {
        RequestRow row = worded(key, kKindOf<T>, std::move(words)...);
        row.kind = row.choices.empty() ? row.kind : OptionKind::Choice;
        row.read = [member, choices = row.choices](const Request& request) {
            return textOf(request.*member, choices);
        };
        row.write = [member, choices = row.choices](Request& request, const std::string& text) {
            request.*member = valueOf<T>(text, choices);
        };
        row.fallback = row.read(Request());
        return row;
    }
    /// The row of what is no plain member.
    template <typename... Words>
    static RequestRow made(Read read, Write write, const std::string& key, Words... words) {
        RequestRow row = worded(key, OptionKind::Text, std::move(words)...);
        row.read = std::move(read);
        row.write = std::move(write);
        row.fallback = row.read(Request());
        return row;
    }

  private:
    template <typename... Words>
    static RequestRow worded(const std::string& key, OptionKind kind, Words... words) {
        RequestRow row;
        row.key = key;
        row.kind = kind;
        (row.take(std::move(words)), ...);
        return row;
    }
    template <auto member>
    void take(row_words::RowText<member> words) {
        this->*member = std::move(words.text);
    }
    void take(row_words::Limits limits) {
        low = limits.low;
        high = limits.high;
    }
    void take(const row_words::Choices& words) { choices = words.all; }
    void take(const row_words::ChoiceWords& words) { choiceWords = words.all; }
    void take(OptionKind value) { kind = value; }
    void take(TextRole value) { role = value; }
    void take(Shown value) { shown = value; }
    void take(Need value) { need = value; }
    void take(Applies value) { applies = std::move(value); }
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
        RequestRow<Request>& made = all.emplace_back();
        static_cast<RowInfo&>(made) = row;
        made.read = [part, read = row.read](const Request& request) { return read(request.*part); };
        made.write = [part, write = row.write](Request& request, const std::string& text) {
            write(request.*part, text);
        };
        if (row.applies) {
            made.applies = [part, applies = row.applies](const Request& request) {
                return applies(request.*part);
            };
        }
    }
    return all;
}

}  // namespace tof
