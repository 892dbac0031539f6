// SPDX-License-Identifier: Apache-2.0
#include "app/cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "recon/settings/version.h"

namespace tof {

namespace {

/// Text in which roff sees no requests, escapes or hyphens that it may turn into dashes.
std::string escaped(const std::string& text) {
    std::string roff;
    for (const char c : text) {
        if (c == '\\') {
            roff += "\\e";
        } else if (c == '-') {
            roff += "\\-";
        } else {
            roff += c;
        }
    }
    return roff.starts_with('.') || roff.starts_with('\'') ? "\\&" + roff : roff;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

std::string heading(const std::string& page) {
    return fmt::format(".TH \"{}\" 1 \"{}\" \"Tofscope {}\" \"Tofscope\"\n", escaped(upper(page)),
                       kReleaseDate, kVersion);
}

/// A full stop, where the help ends without one.
std::string sentence(const std::string& text) {
    const bool ended = text.empty() || text.back() == '.';
    return escaped(text) + (ended ? "" : ".");
}

std::string item(const OptionForm& option) {
    std::string text = ".TP\n";
    text += option.letter.empty() ? "" : fmt::format("\\fB{}\\fR, ", escaped(option.letter));
    text += fmt::format("\\fB{}\\fR", escaped(option.name));
    text += option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(option.value));
    text += "\n" + sentence(option.help);
    text += option.need == Need::Required ? " It is required." : "";
    text += option.fallback.empty() || !option.takesValue
                ? ""
                : fmt::format(" Without it: \\fB{}\\fR.", escaped(option.fallback));
    return text + "\n";
}

std::string section(const std::string& name, const std::vector<OptionForm>& options) {
    std::string text = options.empty() ? "" : fmt::format(".SH {}\n", name);
    for (const OptionForm& option : options) {
        text += item(option);
    }
    return text;
}

/// The exit codes, one an item, from the sentence that the help ends with.
std::string exitStatus(const std::string& sentence) {
    std::string text = ".SH EXIT STATUS\n";
    std::size_t from = sentence.find(": ") + 2;
    while (from < sentence.size()) {
        const std::size_t end = std::min(sentence.find(", ", from), sentence.size());
        const std::string code = sentence.substr(from, end - from);
        const std::size_t blank = code.find(' ');
        text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", code.substr(0, blank), escaped(code.substr(blank + 1)));
        from = end + 2;
    }
    return text;
}

}  // namespace

std::string manPageOf(const ProgramForm& program) {
    std::string text = heading(program.name);
    text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(program.name),
                        "time\\-of\\-flight PET reconstruction on the command line");
    text +=
        fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [\\fIOPTION\\fR...] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n",
                    escaped(program.name));
    text += fmt::format(".SH DESCRIPTION\n{}\n", sentence(program.about));
    text += ".SH COMMANDS\n";
    for (const CommandForm& command : program.commands) {
        text += fmt::format(".TP\n\\fB{}\\fR\n{} See \\fB{}\\fR(1).\n", escaped(command.name),
                            sentence(command.summary), escaped(program.name + "-" + command.name));
    }
    text += section("OPTIONS OF ALL COMMANDS", program.options);
    text += exitStatus(program.exitCodes);
    return text + ".SH SEE ALSO\n\\fBtofscope\\fR(1)\n";
}

std::string manPageOf(const ProgramForm& program, const CommandForm& command) {
    const std::string page = program.name + "-" + command.name;
    std::string text = heading(page);
    text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(page), escaped(command.summary));
    text += fmt::format(".SH SYNOPSIS\n\\fB{} {}\\fR [\\fIOPTION\\fR...]", escaped(program.name),
                        escaped(command.name));
    for (const OptionForm& argument : command.positionals) {
        const std::string name = fmt::format("\\fI{}\\fR", escaped(argument.name));
        text += argument.need == Need::Required ? " " + name : " [" + name + "]";
    }
    text += fmt::format("\n.SH DESCRIPTION\n{}\n", sentence(command.summary));
    text += section("ARGUMENTS", command.positionals);
    text += section("OPTIONS", command.options);
    text += section("OPTIONS OF ALL COMMANDS", program.options);
    text += exitStatus(program.exitCodes);
    return text + fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", escaped(program.name));
}

}  // namespace tof
