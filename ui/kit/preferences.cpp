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

PreferenceInfo colourMap() {
    PreferenceInfo info{
        {.key = "colour-map",
         .kind = Kind::Choice,
         .fallback = "theme",
         .label = said(Text::tr("Colour map")),
         .choices = {"theme"},
         .help = said(Text::tr("Of pictures nobody chose another one for; as the theme: black for zero in "
                               "the dark one, white in the light one"))},
        Text::tr("Pictures"),
        {Text::tr("as the theme")}};
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        if (!map.diverging) {
            info.choices.push_back(map.id);
            info.shown << word(map.label);
        }
    }
    return info;
}

PreferenceInfo language() {
    PreferenceInfo info{{.key = "language",
                         .kind = Kind::Choice,
                         .fallback = "system",
                         .label = said(Text::tr("Language")),
                         .choices = {"system", "en"},
                         .help = said(Text::tr("Language of the window"))},
                        Text::tr("Appearance"),
                        {Text::tr("as the system"), "English"},
                        PreferenceTakes::Restart};
    for (const QString& code : languages(translationFolders())) {
        info.choices.push_back(code.toStdString());
        info.shown << QLocale(code).nativeLanguageName();
    }
    return info;
}

std::vector<PreferenceInfo> makeTable() {
    const QString appearance = Text::tr("Appearance");
    const QString pictures = Text::tr("Pictures");
    const QString program = Text::tr("Program");
    return {
        {{.key = "theme",
          .kind = Kind::Choice,
          .fallback = "dark",
          .label = said(Text::tr("Theme")),
          .choices = {"dark", "light", "system"},
          .help = said(Text::tr("Ground around the pictures; as the system: what the desktop looks like"))},
         appearance,
         {Text::tr("dark"), Text::tr("light"), Text::tr("as the system")}},
        {{.key = "scale",
          .kind = Kind::Choice,
          .fallback = "system",
          .label = said(Text::tr("Size of everything")),
          .choices = {"system", "1", "1.25", "1.5", "1.75", "2", "2.5", "3"},
          .help = said(Text::tr(
              "Texts, controls and pictures, of the size they have on a screen of 96 dots an inch"))},
         appearance,
         {Text::tr("as the system"), "100 %", "125 %", "150 %", "175 %", "200 %", "250 %", "300 %"},
         PreferenceTakes::Restart},
        language(),
        {{.key = "orientation",
          .kind = Kind::Choice,
          .fallback = "radiological",
          .label = said(Text::tr("Orientation")),
          .choices = {"radiological", "neurological"},
          .help = said(Text::tr("Radiological: the patient's left is on the right"))},
         pictures,
         {Text::tr("radiological"), Text::tr("neurological")}},
        {{.key = "units",
          .kind = Kind::Choice,
          .fallback = "voxel",
          .label = said(Text::tr("Units shown")),
          .choices = {"voxel", "ml", "becquerel"},
          .help = said(
              Text::tr("Of every value of a reconstruction; files keep emissions/voxel. Bq/ml: emissions a "
                       "second and ml, the mean of the scan, where the data say how long was measured; else "
                       "emissions/ml"))},
         pictures,
         {word(kEmissionsPerVoxel), word("emissions/ml"), word("Bq/ml")}},
        colourMap(),
        {{.key = "interpolation",
          .kind = Kind::Switch,
          .fallback = "off",
          .label = said(Text::tr("Smooth voxels")),
          .help = said(Text::tr("Interpolates between voxels; off shows every voxel as it is"))},
         pictures},
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
        {{.key = "confirm",
          .kind = Kind::Switch,
          .fallback = "on",
          .label = said(Text::tr("Ask before work is lost")),
          .help = said(
              Text::tr("Before a run is cancelled or deleted, or the window closed while one is going on"))},
         program}};
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
