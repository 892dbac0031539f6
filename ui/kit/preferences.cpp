// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/preferences.h"

#include <QFileInfo>
#include <QLocale>
#include <QSettings>
#include <QStandardPaths>

#include "recon/base/error.h"
#include "recon/base/lattice.h"
#include "recon/settings/settings.h"
#include "ui/kit/text.h"
#include "viz/colour_map.h"

namespace tof::ui {

namespace {

using Kind = OptionKind;

/// A text in the user's language, as rows hold it.
std::string said(const QString& text) {
    return text.toStdString();
}

/// A preference that is the start of a setting of reconstructions, with that setting's words and limits.
PreferenceInfo ofSetting(const char* key) {
    OptionInfo option = settingInfo(key);
    option.label = said(word(option.label));
    option.help = said(word(option.help));
    PreferenceInfo info{option, Text::tr("Reconstruction"), {}, PreferenceTakes::Next};
    for (const std::string& choice : option.choices) {
        info.shown << QString::fromStdString(choice);
    }
    return info;
}

/// Values with what is seen of them, the one of the first start first.
using Choices = std::vector<std::pair<std::string, QString>>;

PreferenceInfo chosen(const char* key, const QString& group, const QString& label, const QString& help,
                      const Choices& choices, PreferenceTakes takes = PreferenceTakes::Now) {
    PreferenceInfo info{{.key = key,
                         .kind = Kind::Choice,
                         .fallback = choices.front().first,
                         .label = said(label),
                         .help = said(help)},
                        group,
                        {},
                        takes};
    for (const auto& [value, shown] : choices) {
        info.choices.push_back(value);
        info.shown << shown;
    }
    return info;
}

PreferenceInfo onOrOff(const char* key, const char* fallback, const QString& group, const QString& label,
                       const QString& help) {
    return {
        {.key = key, .kind = Kind::Switch, .fallback = fallback, .label = said(label), .help = said(help)},
        group};
}

PreferenceInfo colourMap(const QString& group) {
    Choices choices{{"theme", Text::tr("as the theme")}};
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        if (!map.diverging) {
            choices.emplace_back(map.id, word(map.label));
        }
    }
    return chosen(
        "colour-map", group, Text::tr("Colour map"),
        Text::tr("Of pictures nobody chose another one for; as the theme: black for zero in the dark "
                 "one, white in the light one"),
        choices);
}

PreferenceInfo language(const QString& group) {
    Choices choices{{"system", Text::tr("as the system")}, {"en", "English"}};
    for (const QString& code : languages(translationFolders())) {
        choices.emplace_back(code.toStdString(), QLocale(code).nativeLanguageName());
    }
    return chosen("language", group, Text::tr("Language"), Text::tr("Language of the window"), choices,
                  PreferenceTakes::Restart);
}

std::vector<PreferenceInfo> makeTable() {
    const QString appearance = Text::tr("Appearance");
    const QString pictures = Text::tr("Pictures");
    const QString program = Text::tr("Program");
    const QString asTheSystem = Text::tr("as the system");
    return {
        chosen("theme", appearance, Text::tr("Theme"),
               Text::tr("Ground around the pictures; as the system: what the desktop looks like"),
               {{"dark", Text::tr("dark")},
                {"light", Text::tr("light")},
                {"contrast", Text::tr("high contrast")},
                {"system", asTheSystem}}),
        chosen("scale", appearance, Text::tr("Size of everything"),
               Text::tr("Texts, controls and pictures, of the size they have on a screen of 96 dots an inch"),
               {{"system", asTheSystem},
                {"1", "100 %"},
                {"1.25", "125 %"},
                {"1.5", "150 %"},
                {"1.75", "175 %"},
                {"2", "200 %"},
                {"2.5", "250 %"},
                {"3", "300 %"}},
               PreferenceTakes::Restart),
        language(appearance),
        chosen("orientation", pictures, Text::tr("Orientation"),
               Text::tr("Radiological: the patient's left is on the right"),
               {{"radiological", Text::tr("radiological")}, {"neurological", Text::tr("neurological")}}),
        chosen("units", pictures, Text::tr("Units shown"),
               Text::tr("Of every value of a reconstruction; files keep emissions/voxel. Bq/ml: emissions a "
                        "second and ml, the mean of the scan, where the data say how long was measured; else "
                        "emissions/ml"),
               {{"voxel", word(kEmissionsPerVoxel)},
                {"ml", word("emissions/ml")},
                {"becquerel", word("Bq/ml")}}),
        colourMap(pictures),
        onOrOff("interpolation", "off", pictures, Text::tr("Smooth voxels"),
                Text::tr("Interpolates between voxels; off shows every voxel as it is")),
        {{.key = "cine-rate",
          .kind = Kind::Number,
          .fallback = "8",
          .label = said(Text::tr("Speed of cine")),
          .unit = said(Text::tr("pictures/s")),
          .low = 1,
          .high = 30,
          .help = said(Text::tr("Pictures per second while slices or iterates are played"))},
         pictures},
        ofSetting("engine"),
        ofSetting("threads"),
        ofSetting("memory-limit"),
        {{.key = "autosave",
          .kind = Kind::Integer,
          .fallback = "5",
          .label = said(Text::tr("Save every")),
          .unit = "s",
          .low = 1,
          .high = 3600,
          .help = said(
              Text::tr("Seconds between savings of view, settings and ROIs in the study and the session"))},
         program},
        onOrOff(
            "confirm", "on", program, Text::tr("Ask before work is lost"),
            Text::tr("Before a run is cancelled or deleted, or the window closed while one is going on"))};
}

constexpr int kRecent = 10;

}  // namespace

const std::vector<PreferenceInfo>& preferenceTable() {
    static const std::vector<PreferenceInfo> table = makeTable();
    return table;
}

const PreferenceInfo& preferenceInfo(const QString& key) {
    QStringList keys;
    for (const PreferenceInfo& info : preferenceTable()) {
        if (info.name() == key) {
            return info;
        }
        keys << info.name();
    }
    throw WrongUse("no preference '" + key.toStdString() + "'; there are " + keys.join(", ").toStdString());
}

QString checkedPreference(const PreferenceInfo& info, const QString& value) {
    const std::string plain = value.trimmed().toStdString();
    const bool number = info.kind == Kind::Integer || info.kind == Kind::Number;
    if (!refusalOf(info, number ? plain : value.toStdString())) {
        return number ? QString::number(numberFrom<double>(plain).value()) : value;
    }
    QString allowed;
    if (number) {
        allowed = (info.kind == Kind::Integer ? Text::tr("it must be a whole number from %1 to %2")
                                              : Text::tr("it must be a number from %1 to %2"))
                      .arg(info.low)
                      .arg(info.high);
    } else {
        QStringList choices = info.kind == Kind::Switch ? QStringList{"on", "off"} : QStringList();
        for (const std::string& choice : info.choices) {
            choices << QString::fromStdString(choice);
        }
        allowed = Text::tr("it must be one of %1").arg(choices.join(", "));
    }
    throw WrongUse(said(Text::tr("preference '%1' is '%2'; ").arg(info.name(), value) + allowed));
}

Preferences::Preferences(const QString& file)
    : file_(file),
      settings_(file.isEmpty() ? nullptr : std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

Preferences::~Preferences() = default;

QString Preferences::defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/tofscope/tofscope.ini";
}

QString Preferences::sessionFile() const {
    return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath() + "/session.json";
}

QString Preferences::recentFolder() const {
    return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath() + "/recent";
}

QString Preferences::kernelFolder() const {
    return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath() + "/kernels";
}

QStringList Preferences::recent() const {
    return settings_ != nullptr ? settings_->value("recent").toStringList() : recentInMemory_;
}

void Preferences::addRecent(const QString& path) {
    QStringList list = recent();
    list.removeAll(path);
    list.prepend(path);
    while (list.size() > kRecent) {
        list.removeLast();
    }
    recentInMemory_ = list;
    if (settings_ != nullptr) {
        settings_->setValue("recent", list);
    }
}

void Preferences::clearRecent() {
    recentInMemory_.clear();
    if (settings_ != nullptr) {
        settings_->remove("recent");
    }
}

QString Preferences::value(const QString& key) const {
    const PreferenceInfo& info = preferenceInfo(key);
    const auto here = inMemory_.find(key);
    const QString found = here != inMemory_.end() ? here->second : text(key, info.start());
    try {
        return checkedPreference(info, found);
    } catch (const WrongUse&) {
        return info.start();
    }
}

void Preferences::setValue(const QString& key, const QString& value) {
    override(key, value);
    setText(key, inMemory_[key]);
}

void Preferences::override(const QString& key, const QString& value) {
    inMemory_[key] = checkedPreference(preferenceInfo(key), value);
}

void Preferences::reset() {
    inMemory_.clear();
    for (const PreferenceInfo& info : preferenceTable()) {
        if (settings_ != nullptr) {
            settings_->remove(info.name());
        }
    }
}

QString Preferences::text(const QString& key, const QString& fallback) const {
    return settings_ != nullptr ? settings_->value(key, fallback).toString() : fallback;
}

void Preferences::setText(const QString& key, const QString& value) {
    if (settings_ != nullptr) {
        settings_->setValue(key, value);
    }
}

QByteArray Preferences::bytes(const QString& key) const {
    return settings_ != nullptr ? settings_->value(key).toByteArray() : QByteArray();
}

void Preferences::setBytes(const QString& key, const QByteArray& value) {
    if (settings_ != nullptr) {
        settings_->setValue(key, value);
    }
}

}  // namespace tof::ui
