// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/settings/version.h"

namespace tof {

namespace {

constexpr const char* kProgram = "tofscope-cli";

/// One option or argument: what CLI11 found for it is checked and stored by `apply`.
struct Item {
    std::string name;  ///< as in messages: "--events", "OUT"
    CLI::Option* option;
    Need need;
    std::function<void(const std::string&)> apply;
};

template <typename Number>
std::function<void(const std::string&)> numberSetter(const std::string& option, Number& target, Number low,
                                                     Number high, const char* what) {
    return [=, &target](const std::string& text) {
        const std::optional<Number> value = numberFrom<Number>(text);
        if (!value || !(*value >= low && *value <= high)) {
            throw WrongUse("option {} is '{}'; it must be {} between {} and {}", option, text, what, low,
                           high);
        }
        target = *value;
    };
}

}  // namespace

struct Arguments::Impl {
    CLI::App* app = nullptr;
    std::vector<Item> items;

    CLI::Option* add(const std::string& name, const std::string& valueName, const std::string& help,
                     Need need, std::function<void(const std::string&)> apply) {
        CLI::Option* const option = app->add_option(name, help)->type_name(valueName)->take_last();
        items.push_back({name, option, need, std::move(apply)});
        return option;
    }

    /// Puts what is needed into the help.
    void markRequired() const {
        for (const Item& item : items) {
            item.option->required(item.need == Need::Required);
        }
    }

    /// Checks and stores everything that was given.
    void finish() const {
        for (const Item& item : items) {
            if (item.option->count() > 0) {
                item.apply(item.option->results().back());
            } else if (item.need == Need::Required) {
                throw WrongUse("{} is missing; see '{} {} --help'", item.name, kProgram, app->get_name());
            }
        }
    }
};

void Arguments::positional(const std::string& name, std::string& target, const std::string& help, Need need) {
    impl_.add(name, "", help, need, [&target](const std::string& text) { target = text; });
}

void Arguments::text(const std::string& name, std::string& target, const std::string& help, Need need) {
    CLI::Option* const option =
        impl_.add("--" + name, "TEXT", help, need, [&target](const std::string& text) { target = text; });
    option->default_str(target);
}

void Arguments::choice(const std::string& name, std::string& target, std::vector<std::string> choices,
                       const std::string& help, Need need) {
    const std::string values = fmt::format("{}", fmt::join(choices, "|"));
    const OptionInfo info{.key = name, .kind = OptionKind::Choice, .choices = std::move(choices)};
    const auto apply = [&target, info](const std::string& text) {
        if (refusalOf(info, text)) {
            throw WrongUse("option --{} is '{}'{}; it must be one of {}", info.key, text,
                           suggestion(text, info.choices), fmt::join(info.choices, ", "));
        }
        target = text;
    };
    impl_.add("--" + name, values, help, need, apply)->default_str(target);
}

void Arguments::integer(const std::string& name, int& target, int low, int high, const std::string& help,
                        Need need) {
    impl_.add("--" + name, "N", help, need, numberSetter("--" + name, target, low, high, "a whole number"))
        ->default_str(need == Need::Required ? "" : fmt::format("{}", target));
}

void Arguments::integer(const std::string& name, std::uint64_t& target, std::uint64_t low, std::uint64_t high,
                        const std::string& help, Need need) {
    impl_.add("--" + name, "N", help, need, numberSetter("--" + name, target, low, high, "a whole number"))
        ->default_str(need == Need::Required ? "" : fmt::format("{}", target));
}

void Arguments::number(const std::string& name, double& target, double low, double high,
                       const std::string& help, Need need) {
    impl_.add("--" + name, "X", help, need, numberSetter("--" + name, target, low, high, "a number"))
        ->default_str(need == Need::Required ? "" : fmt::format("{:g}", target));
}

void Arguments::flag(const std::string& name, bool& target, const std::string& help) {
    impl_.app->add_flag("--" + name, target, help);
}

void Arguments::custom(const std::string& name, const std::string& valueName, const std::string& fallback,
                       std::function<void(const std::string&)> apply, const std::string& help) {
    impl_.add("--" + name, valueName, help, Need::Optional, std::move(apply))->default_str(fallback);
}

namespace {

std::string valueName(const RowInfo& row) {
    switch (row.kind) {
        case OptionKind::Choice: return fmt::format("{}", fmt::join(row.choices, "|"));
        case OptionKind::Integer: return row.valueName.empty() ? "N" : row.valueName;
        case OptionKind::Number: return row.valueName.empty() ? "X" : row.valueName;
        case OptionKind::Switch:
        case OptionKind::Text: break;
    }
    return row.valueName.empty() ? "TEXT" : row.valueName;
}

/// The limit of a whole number; the largest ones have more digits than a double.
std::string limitText(double limit) {
    constexpr double kTooLarge = 18446744073709551616.0;
    return limit >= kTooLarge ? fmt::format("{}", UINT64_MAX) : fmt::format("{:.0f}", limit);
}

void requireAllowed(const RowInfo& row, const std::string& text) {
    const bool whole =
        row.kind != OptionKind::Integer || numberFrom<std::int64_t>(text) || numberFrom<std::uint64_t>(text);
    if (whole && !refusalOf(row, text)) {
        return;
    }
    if (row.kind == OptionKind::Choice) {
        throw WrongUse("option --{} is '{}'{}; it must be one of {}", row.key, text,
                       suggestion(text, row.choices), fmt::join(row.choices, ", "));
    }
    throw WrongUse(row.kind == OptionKind::Integer
                       ? fmt::format("option --{} is '{}'; it must be a whole number between {} and {}",
                                     row.key, text, limitText(row.low), limitText(row.high))
                       : fmt::format("option --{} is '{}'; it must be a number between {} and {}", row.key,
                                     text, row.low, row.high));
}

}  // namespace

void Arguments::rows(const std::vector<BoundRow>& rows) {
    for (const BoundRow& row : rows) {
        if (row.shown == Shown::Window) {
            continue;
        }
        const std::string name = "--" + row.key;
        if (row.kind == OptionKind::Switch) {
            impl_.items.push_back(
                {name, impl_.app->add_flag(name, row.help), Need::Optional,
                 [row](const std::string& text) { row.write(text == "true" ? "on" : "off"); }});
            continue;
        }
        const auto apply = [row](const std::string& text) {
            requireAllowed(row, text);
            row.write(text);
        };
        const bool asked = row.need == Need::Required;
        impl_.add(name, valueName(row), row.help, row.need, apply)
            ->default_str(asked               ? ""
                          : row.usual.empty() ? row.fallback
                                              : row.usual);
    }
}

namespace {

/// What nobody understood: an option, or one argument too many.
[[noreturn]] void refuse(const std::string& word, const CLI::App& command) {
    if (word.size() < 2 || word[0] != '-') {
        throw WrongUse("'{}' is one argument too many; see '{} {} --help'", word, kProgram,
                       command.get_name());
    }
    std::vector<std::string> known{"--json", "--quiet", "--verbose", "--allow-outside", "--help"};
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_lnames().empty()) {
            known.push_back("--" + option->get_lnames().front());
        }
    }
    const std::string name = word.substr(0, word.find('='));
    const std::string hint = suggestion(name, known);
    throw WrongUse("command {} has no option {}{}", command.get_name(), name,
                   hint.empty() ? fmt::format("; see '{} {} --help'", kProgram, command.get_name()) : hint);
}

[[noreturn]] void refuseCommand(const std::vector<std::string>& words,
                                const std::vector<CommandInfo>& commands) {
    if (words.empty()) {
        throw WrongUse("no command given; commands: {}",
                       fmt::join(namesOf(commands, &CommandInfo::name), ", "));
    }
    const char* const what = words.front().starts_with('-') ? "option" : "command";
    throw WrongUse("no {} '{}'{}; commands: {}", what, words.front(),
                   suggestion(words.front(), namesOf(commands, &CommandInfo::name)),
                   fmt::join(namesOf(commands, &CommandInfo::name), ", "));
}

}  // namespace

namespace {

constexpr const char* kAbout = "Time-of-flight PET reconstruction by the DIRECT method, without a window.";
constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 internal error, 2 wrong use, 3 bad input, 4 no such device or device fault, "
    "5 cannot write, 130 interrupted";

/// The parser of a table of commands, none of which knows a value yet.
struct Parser {
    explicit Parser(const std::vector<CommandInfo>& commands);

    /// For the help only: CLI11's own check would come before that for unknown options, which explains more.
    void markRequired() const {
        for (const Arguments::Impl& command : described) {
            command.markRequired();
        }
    }

    CommandLine line;
    bool version = false;
    bool verbose = false;  ///< the log is open before this is parsed
    bool outside = false;  ///< whoever runs the command looks for it
    CLI::App app{kAbout, kProgram};
    std::vector<std::unique_ptr<Command>> made;
    std::vector<Arguments::Impl> described;
};

Parser::Parser(const std::vector<CommandInfo>& commands) : described(commands.size()) {
    app.add_flag("--json", line.json, "Print results, and errors, as JSON");
    app.add_flag("--quiet", line.quiet, "Print results and errors only");
    app.add_flag("--verbose", verbose, "Say on standard error what the log says");
    app.add_flag("--allow-outside", outside, "Read files that headers name outside their folder");
    app.add_flag("--version", version, "Print the version");
    app.set_help_flag("-h,--help", "Print this help");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND ...");
    app.get_formatter()->label("REQUIRED", "(required)");
    app.require_subcommand(0, 1);  // the first word that names a command is the command; no later one
    app.allow_extras();
    app.footer(kExitCodes);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        described[i].app = app.add_subcommand(commands[i].name, commands[i].summary);
        described[i].app->fallthrough()->group("Commands");
        made.push_back(commands[i].make());
        Arguments arguments(described[i]);
        made.back()->describe(arguments);
    }
}

/// What the help says of an option, in parts.
OptionForm optionForm(const CLI::Option& option) {
    OptionForm form;
    form.name = option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
    form.letter = option.get_snames().empty() ? "" : "-" + option.get_snames().front();
    form.takesValue = option.get_items_expected_max() > 0;
    form.value = form.takesValue ? option.get_type_name() : "";
    form.fallback = option.get_default_str();
    form.help = option.get_description();
    form.need = option.get_required() ? Need::Required : Need::Optional;
    return form;
}

CommandForm commandForm(const CLI::App& app) {
    CommandForm form{app.get_name(), app.get_description(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        (option->get_positional() ? form.positionals : form.options).push_back(optionForm(*option));
    }
    return form;
}

}  // namespace

ProgramForm programForm(const std::vector<CommandInfo>& commands) {
    const Parser parser(commands);
    parser.markRequired();
    ProgramForm form{kProgram, kAbout, commandForm(parser.app).options, {}, kExitCodes};
    for (const Arguments::Impl& command : parser.described) {
        form.commands.push_back(commandForm(*command.app));
    }
    return form;
}

CommandLine parseCommandLine(const std::vector<std::string>& words,
                             const std::vector<CommandInfo>& commands) {
    Parser parser(commands);
    CommandLine& line = parser.line;
    try {
        parser.app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        parser.markRequired();
        line.text = parser.app.help();
        return std::move(line);
    } catch (const CLI::ParseError& fault) {
        throw WrongUse(fault.what());
    }
    if (parser.version) {
        line.text = line.json ? fmt::format(R"({{"version":"{}"}})", kVersion)
                              : fmt::format("{} {}", kProgram, kVersion);
        return std::move(line);
    }
    const auto chosen = std::find_if(parser.described.begin(), parser.described.end(),
                                     [](const auto& d) { return d.app->parsed(); });
    const std::vector<std::string> extras = parser.app.remaining(true);
    if (chosen == parser.described.end()) {
        refuseCommand(extras, commands);
    }
    const auto option =
        std::find_if(extras.begin(), extras.end(), [](const auto& w) { return w.starts_with('-'); });
    if (!extras.empty()) {
        refuse(option != extras.end() ? *option : extras.front(), *chosen->app);
    }
    chosen->finish();
    const auto index = static_cast<std::size_t>(chosen - parser.described.begin());
    line.command = std::move(parser.made[index]);
    line.name = commands[index].name;
    line.overRanks = commands[index].overRanks;
    return std::move(line);
}

}  // namespace tof
