// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/setting_words.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/kernel/kernel_spec.h"
#include "ui/kit/engineering.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

using ListedChoice = ChoiceList::Choice;

struct Meaning {
    const char* key;
    const char* value;
    const char* word;
};

// A number that is none: what the field says in its place.
constexpr Meaning kMeanings[] = {
    {"subsets", "0", QT_TRANSLATE_NOOP("Text", "automatic")},
    {"threads", "0", QT_TRANSLATE_NOOP("Text", "all")},
    {"memory-limit", "0", QT_TRANSLATE_NOOP("Text", "no limit")},
    {"device", "0", QT_TRANSLATE_NOOP("Text", "first")},
    {"psf", "0", QT_TRANSLATE_NOOP("Text", "off")},
    {"resolution", "0", QT_TRANSLATE_NOOP("Text", "off")},
    {"fov-radius", "0", QT_TRANSLATE_NOOP("Text", "no limit")},
    {"gamma", "0", QT_TRANSLATE_NOOP("Text", "no decay")},
    {"stop", "0", QT_TRANSLATE_NOOP("Text", "never")},
    {"grid", "", QT_TRANSLATE_NOOP("Text", "the data's")},
    {"voxel", "", QT_TRANSLATE_NOOP("Text", "the data's")},
    {"strategy", "", QT_TRANSLATE_NOOP("Text", "engine's own")},
};

/// Names as people write them, not as files do.
QString shownChoice(const std::string& choice) {
    for (const Prior* const prior : priors()) {
        if (choice == prior->name && !prior->shortName.empty()) {
            return QString::fromStdString(prior->shortName);
        }
    }
    const QString text = QString::fromStdString(choice);
    for (const Algorithm* const algorithm : algorithms()) {
        if (choice == algorithm->name) {
            return algorithm->shortName.empty() ? text.toUpper() : word(algorithm->shortName);
        }
    }
    return text;
}

/// Strategies of the engine that is set come first; those of the others are grey.
std::vector<ListedChoice> strategyChoices(const RunSettings& settings, const EngineRegistry& engines,
                                          const std::string& system) {
    std::vector<ListedChoice> all{
        {shownSetting("strategy", ""), QString(), Text::tr("what the engine takes by itself")}};
    QStringList known;
    const auto add = [&](const Engine& engine, const QString& why) {
        for (const Strategy& strategy : engine.strategies(system)) {
            const QString text = QString::fromStdString(strategy.name);
            if (!known.contains(text)) {
                known << text;
                all.push_back({text, text, word(strategy.about), why});
            }
        }
    };
    try {
        add(*engines.choose(settings.engine), QString());
    } catch (const Error&) {
        // An engine that is not there has no strategies to choose from; the choice of engines says why.
    }
    for (const std::string& name : engines.names()) {
        const auto found = engines.find(name);
        if (const auto* const other = std::get_if<std::shared_ptr<const Engine>>(&found)) {
            add(**other, Text::tr("of engine %1 alone").arg(QString::fromStdString(name)));
        }
    }
    return all;
}

}  // namespace

QString shownSetting(const std::string& key, const std::string& value) {
    for (const Meaning& meaning : kMeanings) {
        if (key == meaning.key && value == meaning.value) {
            return Text::tr(meaning.word);
        }
    }
    return QString::fromStdString(value);
}

QString shownValue(const SettingInfo& info, const std::string& value) {
    const bool chosen = std::find(info.choices.begin(), info.choices.end(), value) != info.choices.end();
    return chosen ? shownChoice(value) : shownSetting(info.key, value);
}

std::string typedSetting(const std::string& key, const QString& text) {
    QString plain = text.trimmed();
    for (const Meaning& meaning : kMeanings) {
        if (key != meaning.key) {
            continue;
        }
        for (const QString& word : {Text::tr(meaning.word), QString(meaning.word)}) {
            if (plain.compare(word, Qt::CaseInsensitive) == 0) {
                return meaning.value;
            }
            if (plain.startsWith(word, Qt::CaseInsensitive)) {
                plain = plain.mid(word.size()).trimmed();  // a number that was typed behind the word
            }
        }
    }
    const SettingInfo& info = settingInfo(key);
    if (info.kind == OptionKind::Integer || info.kind == OptionKind::Number) {
        if (plain.isEmpty()) {
            return info.fallback;
        }
        if (const auto number = engineeringNumber(plain)) {
            return QString::number(*number, 'g', 15).toStdString();
        }
    }
    return plain.replace(QChar(0x2212), '-').toStdString();
}

QString whyNotSetting(const SettingInfo& info, const std::string& value) {
    const auto refusal = refusalOf(info, value);
    if (!refusal) {
        return {};
    }
    const QString label = word(info.label);
    const QString typed = QString::fromStdString(value);
    switch (*refusal) {
        case Refusal::NoNumber: return Text::tr("%1: \"%2\" is no number").arg(label, typed);
        case Refusal::NotWhole: return Text::tr("%1: \"%2\" is no whole number").arg(label, typed);
        case Refusal::OutOfRange:
            return Text::tr("%1: %2 to %3 %4 are possible")
                .arg(label, QString::number(info.low, 'g', 12), QString::number(info.high, 'g', 12),
                     word(info.unit))
                .trimmed();
        case Refusal::NoChoice: return Text::tr("%1: there is no \"%2\"").arg(label, typed);
    }
    return {};
}

bool isChosen(const SettingInfo& info) {
    return info.kind == OptionKind::Choice || info.key == "strategy";
}

std::vector<ListedChoice> shownChoices(const SettingInfo& info, const RunSettings& settings,
                                       const EngineRegistry& engines, const std::string& system) {
    if (info.key == "strategy") {
        return strategyChoices(settings, engines, system);
    }
    std::vector<ListedChoice> all;
    const std::vector<std::string> names = engines.names();
    for (const std::string& choice : info.choices) {
        QString why;
        if (info.key == "engine" && std::find(names.begin(), names.end(), choice) != names.end()) {
            const auto found = engines.find(choice);
            if (const auto* missing = std::get_if<Unsupported>(&found)) {
                why = QString::fromStdString(missing->why);
            } else if (std::get<std::shared_ptr<const Engine>>(found)->strategies(system).empty()) {
                why = Text::tr("does not project such data");
            }
        }
        const auto about = info.about.find(choice);
        all.push_back({shownChoice(choice), QString::fromStdString(choice),
                       about != info.about.end() ? word(about->second) : QString(), why});
    }
    return all;
}

std::vector<ListedChoice> kernelChoices(const KernelLibrary& kernels) {
    const auto about = [](const KernelSpec& kernel) {
        if (!kernel.measured.empty()) {
            return Text::tr("measured");
        }
        const double inner = kernel.radial.at(0);
        const double outer = kernel.radial.at(288);
        const QString radial = inner == outer
                                   ? numberText(inner, 1)
                                   : Text::tr("%1 to %2").arg(numberText(inner, 1), numberText(outer, 1));
        const QString shape = kernel.asymmetry ? Text::tr("asymmetric") : Text::tr("symmetric");
        return Text::tr("TOF %1 ps, radial %2 mm, axial %3 mm, %4")
            .arg(QString::number(kernel.tof_ps), radial, numberText(kernel.axial_mm, 1), shape);
    };
    const QString titles[] = {
        Text::tr("Invariant: the same everywhere"), Text::tr("Variant: wider away from the centre"),
        Text::tr("High accuracy: wide kernels that test the engines"), Text::tr("Mine")};
    std::vector<ListedChoice> groups[4];
    for (const std::string& name : KernelSpec::presetNames()) {
        const KernelSpec kernel = KernelSpec::preset(name);
        const bool constant = kernel.radial.at(0) == kernel.radial.at(288);
        const bool test = name.starts_with("ha-") || name == "cache";
        groups[test       ? 2
               : constant ? 0
                          : 1]
            .push_back({QString::fromStdString(name), QString::fromStdString(name), about(kernel)});
    }
    for (const std::string& own : kernels.ownNames()) {
        try {
            const std::string value = kernels.setting(kPresetPrefix + own);
            groups[3].push_back({QString::fromStdString(own), QString::fromStdString(value),
                                 about(KernelSpec::parse(value, own))});
        } catch (const Error&) {
            // A file that is no kernel: the lab's list says so when it is chosen there.
        }
    }
    std::vector<ListedChoice> all;
    for (std::size_t i = 0; i < 4; ++i) {
        if (!groups[i].empty()) {
            all.push_back({titles[i], QVariant(), QString(), QString(), true});
            all.insert(all.end(), groups[i].begin(), groups[i].end());
        }
    }
    all.push_back({Text::tr("From file…"), QString(), Text::tr("a kernel described or measured, as JSON")});
    return all;
}

}  // namespace tof::ui
