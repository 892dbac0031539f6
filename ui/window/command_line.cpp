// SPDX-License-Identifier: Apache-2.0
#include "ui/window/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

namespace tof::ui {

namespace {

/// An option of the window itself; it is the same wherever it stands.
struct WindowOption {
    const char* name;
    const char* value;  ///< "" for a switch
    const char* help;
    void (*take)(CommandLine& line, const ScriptStep& option);
};

QSize sizeFrom(const ScriptStep& option) {
    const QStringList sides = option.value.split('x');
    const QSize size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    if (!size.isValid() || size.isEmpty() || size.width() > 16384 || size.height() > 16384) {
        refuse(option, "two numbers of pixels as in 1600x1000");
    }
    return size;
}

const std::vector<WindowOption>& windowOptions() {
    using Line = CommandLine;
    using Step = ScriptStep;
    static const std::vector<WindowOption> table{
        {"size", "WxH", "size of the window in logical pixels",
         [](Line& line, const Step& o) { line.size = sizeFrom(o); }},
        {"theme", "NAME", "dark, light, contrast or system (what the desktop looks like)",
         [](Line& line, const Step& o) {
             if (!QStringList{"dark", "light", "contrast", "system"}.contains(o.value)) {
                 refuse(o, "dark, light, contrast or system");
             }
             line.preferences["theme"] = o.value;
         }},
        {"preference", "KEY=VALUE",
         "a preference for this start only, as the dialog Preferences lists them: scale=1.5",
         [](Line& line, const Step& o) {
             const auto [key, text] = keyAndValue(o);
             line.preferences[key] = text;
         }},
        {"language", "CODE",
         "language of the window, as in de or pt_BR; en and without a translation: English",
         [](Line& line, const Step& o) { line.language = o.value; }},
        {"renderer", "NAME",
         "what draws surfaces: auto, opengl (VTK; ends where there is none) or cpu (as TOFSCOPE_NO_OPENGL=1)",
         [](Line& line, const Step& o) {
             if (!QStringList{"auto", "opengl", "cpu"}.contains(o.value)) {
                 refuse(o, "auto, opengl or cpu");
             }
             line.renderer = o.value;
         }},
        {"fresh", "", "neither read nor write the user's preferences (implied by --screenshot)",
         [](Line& line, const Step& /*o*/) { line.remember = false; }},
        {"save", "",
         "keep in the study what the script does with it: runs, view, settings, ROIs; without it a script "
         "that takes pictures, measures or ends the program leaves the study as it was",
         [](Line& line, const Step& /*o*/) { line.save = true; }},
        {"verbose", "", "say on standard error what the log says",
         [](Line& /*line*/, const Step& /*o*/) { /* the log is open before this is parsed */ }},
        {"help", "", "this text", [](Line& line, const Step& /*o*/) { line.help = true; }},
        {"version", "", "version", [](Line& line, const Step& /*o*/) { line.version = true; }},
    };
    return table;
}

/// The options and files of a command line, in its order.
class Words {
  public:
    Words() {
        app_.set_help_flag();
        app_.allow_extras();
        keep("FILE", app_.add_option("FILE")->expected(-1));
    }

    void know(const char* name, const char* value) {
        const std::string option = "--" + std::string(name);
        const bool bare = *value == '\0';
        keep(name, bare ? app_.add_flag(option) : app_.add_option(option)->type_name(value));
        (bare ? flags_ : valued_) << name;
    }

    /// Calls `take` with every option ("FILE" for files) and its value. Throws WrongUse naming the option.
    template <typename Take>
    void read(const QStringList& arguments, const Take& take) {
        std::vector<std::string> words;
        for (const QString& word : arguments) {
            // Apart, so that an empty value counts as one.
            const auto equals = word.startsWith("--") ? word.indexOf('=') : -1;
            const bool joined = equals > 0 && valued_.contains(word.mid(2, equals - 2));
            words.push_back((joined ? word.left(equals) : word).toStdString());
            if (joined) {
                words.push_back(word.mid(equals + 1).toStdString());
            }
        }
        std::reverse(words.begin(), words.end());
        try {
            app_.parse(words);
        } catch (const CLI::ArgumentMismatch&) {  // only the last word can lack what stands behind it
            const std::string option = arguments.last().toStdString();
            throw WrongUse(option + " needs " + app_.get_option(option)->get_type_name());
        } catch (const CLI::ParseError& fault) {
            throw WrongUse(fault.what());
        }
        refuseExtras();
        std::map<const CLI::Option*, std::size_t> seen;
        for (const CLI::Option* option : app_.parse_order()) {
            const QString name = names_.at(option);
            const std::vector<std::string>& values = option->results();
            const std::size_t index = seen[option]++;
            const QString value = index < values.size() ? QString::fromStdString(values[index]) : QString();
            take(ScriptStep{name, flags_.contains(name) ? QString() : value});
        }
    }

  private:
    void keep(const char* name, CLI::Option* option) {
        names_[option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)] = name;
    }
    void refuseExtras() const {
        for (const std::string& word : app_.remaining()) {
            if (word.starts_with("--")) {
                throw WrongUse("no option " + word.substr(0, word.find('=')) +
                               "; tofscope --help lists them");
            }
            throw BadInput(word + ": no such file or folder");
        }
    }

    CLI::App app_;
    std::map<const CLI::Option*, QString> names_;
    QStringList flags_;
    QStringList valued_;
};

}  // namespace

CommandLine CommandLine::parse(const QStringList& arguments, const std::vector<WingOption>& wings) {
    Words words;
    for (const ScriptAction& action : scriptActions()) {
        words.know(action.name, action.value);
    }
    for (const WindowOption& option : windowOptions()) {
        words.know(option.name, option.value);
    }
    for (const WingOption& option : wings) {
        words.know(option.name, option.value);
    }
    CommandLine line;
    words.read(arguments, [&](const ScriptStep& step) {
        for (const WindowOption& option : windowOptions()) {
            if (step.name == option.name) {
                option.take(line, step);
                return;
            }
        }
        for (const WingOption& option : wings) {
            if (step.name == option.name) {
                option.check(step);
                line.ofWings[step.name] = step.value;
                line.wingsEnd = line.wingsEnd || option.endsProgram;
                return;
            }
        }
        line.screenshot = line.screenshot || step.name == "screenshot";
        line.exit = line.exit || step.name == "exit";
        line.actions.push_back(step.name == "FILE" ? ScriptStep{"open", step.value} : step);
    });
    line.remember = line.remember && !line.screenshot && !line.wingsEnd;
    return line;
}

QString helpText(const std::vector<WingOption>& wings) {
    QString text =
        "tofscope [FILE...] [OPTION...]\n\n"
        "Opens study folders, data, list-mode, run and volume files (HDF5, NIfTI, DICOM, Interfile, "
        "CASToR).\n"
        "Files and the options of the first list are carried out in the order given.\n\n";
    const auto list = [&text](const auto& table) {
        for (const auto& option : table) {
            const QString left = QString("--%1 %2").arg(option.name, option.value);
            text += "  " + (left + "  ").leftJustified(34) + option.help + "\n";
        }
    };
    list(scriptActions());
    text += "\nThe window:\n";
    list(windowOptions());
    list(wings);
    text +=
        "\nWithout a display (or with QT_QPA_PLATFORM=offscreen) --screenshot renders the same window off "
        "screen.\n"
        "QT_SCALE_FACTOR=2 gives twice the pixels. TOFSCOPE_NO_OPENGL=1 draws surfaces on the CPU.\n\n"
        "  tofscope study.tofstudy --set iterations=5 --run --until-iterate 3 --screenshot running.png\n";
    return text;
}

}  // namespace tof::ui
