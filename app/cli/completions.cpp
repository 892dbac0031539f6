// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tof {

namespace {

/// Text between single quotes of a POSIX shell.
std::string shellWord(const std::string& text) {
    std::string inside;
    for (const char c : text) {
        inside += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return "'" + inside + "'";
}

/// The first sentence of a help, which a list of completions has room for.
std::string shortHelp(const std::string& help) {
    const std::size_t end = std::min(help.find(": "), help.find("; "));
    return help.substr(0, end);
}

/// Names of commands or options, with blanks between.
template <typename Form>
std::string names(const std::vector<Form>& forms) {
    std::string words;
    for (const Form& form : forms) {
        words += (words.empty() ? "" : " ") + form.name;
    }
    return words;
}

/// Brackets and colons mean something to zsh's _arguments.
std::string zshText(const std::string& text) {
    std::string plain;
    for (const char c : text) {
        plain +=
            std::string("[]:\\").find(c) != std::string::npos ? std::string("\\") + c : std::string(1, c);
    }
    return plain;
}

std::string zshArgument(const OptionForm& option) {
    std::string text = fmt::format("{}[{}]", option.name, zshText(shortHelp(option.help)));
    if (option.takesValue) {
        const std::vector<std::string> choices = option.choices();
        text += choices.empty() ? fmt::format(":{}:_files", zshText(option.value))
                                : fmt::format(":value:({})", fmt::join(choices, " "));
    }
    return shellWord(text);
}

/// Text between single quotes of fish, where a backslash escapes.
std::string fishQuoted(const std::string& text) {
    std::string inside;
    for (const char c : text) {
        inside += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return "'" + inside + "'";
}

std::string fishOption(const ProgramForm& program, const std::string& condition, const OptionForm& option) {
    std::string line =
        fmt::format("complete -c {} -n {} -l {}", program.name, fishQuoted(condition), option.name.substr(2));
    const std::vector<std::string> choices = option.choices();
    if (!choices.empty()) {
        line += fmt::format(" -x -a {}", fishQuoted(fmt::format("{}", fmt::join(choices, " "))));
    } else if (option.takesValue) {
        line += " -r -F";
    }
    return line + fmt::format(" -d {}\n", fishQuoted(shortHelp(option.help)));
}

}  // namespace

std::string bashCompletion(const ProgramForm& program) {
    std::string text =
        fmt::format(R"(# Completion of {0} for bash, made by '{0} manual'.
_tofscope_cli() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then
            command=${{COMP_WORDS[i]}}
            break
        fi
    done
    local options={1} values=""
    case $command in
        "") options+=" "{2} ;;
)",
                    program.name, shellWord(names(program.options)), shellWord(names(program.commands)));
    for (const CommandForm& command : program.commands) {
        text +=
            fmt::format("        {}) options+=\" \"{} ;;\n", command.name, shellWord(names(command.options)));
    }
    text += "    esac\n    case $command$before in\n";
    for (const CommandForm& command : program.commands) {
        for (const OptionForm& option : command.options) {
            const std::vector<std::string> choices = option.choices();
            if (!choices.empty()) {
                text += fmt::format("        {}{}) values={} ;;\n", command.name, option.name,
                                    shellWord(fmt::format("{}", fmt::join(choices, " "))));
            }
        }
    }
    text += fmt::format(R"(    esac
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ -z $command || $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    fi
}}
complete -o default -F _tofscope_cli {}
)",
                        program.name);
    return text;
}

std::string zshCompletion(const ProgramForm& program) {
    std::string general;
    for (const OptionForm& option : program.options) {
        general += " " + zshArgument(option);
    }
    std::string text = fmt::format(
        "#compdef {0}\n# Completion of {0} for zsh, made by '{0} manual'.\n"
        "local context state state_descr line\nlocal -a commands\n"
        "typeset -A opt_args\ncommands=(\n",
        program.name);
    for (const CommandForm& command : program.commands) {
        text += "    " + shellWord(command.name + ":" + command.summary) + "\n";
    }
    text += fmt::format(R"()
_arguments -C{} '1: :->command' '*:: :->rest'
case $state in
    command) _describe command commands ;;
    rest)
        case $words[1] in
)",
                        general);
    for (const CommandForm& command : program.commands) {
        text += fmt::format("            {}) _arguments{}", command.name, general);
        for (const OptionForm& option : command.options) {
            text += option.name == "--help" ? "" : " " + zshArgument(option);
        }
        text += " '*:file:_files' ;;\n";
    }
    return text + "        esac ;;\nesac\n";
}

std::string fishCompletion(const ProgramForm& program) {
    std::string text = fmt::format("# Completion of {0} for fish, made by '{0} manual'.\n", program.name);
    for (const OptionForm& option : program.options) {
        text += fishOption(program, "true", option);
    }
    for (const CommandForm& command : program.commands) {
        text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name,
                            command.name, fishQuoted(command.summary));
        for (const OptionForm& option : command.options) {
            if (option.name != "--help") {
                text += fishOption(program, "__fish_seen_subcommand_from " + command.name, option);
            }
        }
    }
    return text;
}

}  // namespace tof
