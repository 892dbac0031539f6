// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/preference_table.h"

#include <QLocale>
#include <cmath>

#include "recon/base/error.h"
#include "recon/settings/settings.h"
#include "ui/kit/text.h"
#include "ui/kit/translation.h"
#include "viz/colour_map.h"

namespace tof::ui {

namespace {

using Kind = PreferenceKind;

/// A preference that is the start of a setting of reconstructions, with that setting's words and limits.
PreferenceInfo ofSetting(const char* key) {
    const SettingInfo& setting = settingInfo(key);
    PreferenceInfo info{.key = key,
                        .group = Text::tr("Reconstruction"),
                        .kind = setting.kind == OptionKind::Choice    ? Kind::Choice
                                : setting.kind == OptionKind::Integer ? Kind::Whole
                                                                      : Kind::Number,
                        .fallback = QString::fromStdString(setting.fallback),
                        .label = word(setting.label),
                        .unit = QString::fromStdString(setting.unit),
                        .low = setting.low,
                        .high = setting.high,
                        .help = word(setting.help),
                        .takes = PreferenceTakes::Next};
    for (const std::string& choice : setting.choices) {
        info.choices << QString::fromStdString(choice);
    }
    info.shown = info.choices;
    return info;
}

PreferenceInfo colourMap() {
    PreferenceInfo info{
        .key = "colour-map",
        .group = Text::tr("Pictures"),
        .kind = Kind::Choice,
        .fallback = "theme",
        .label = Text::tr("Colour map"),
        .unit = {},
        .choices = {"theme"},
        .shown = {Text::tr("as the theme")},
        .help = Text::tr("Of pictures nobody chose another one for; as the theme: black for zero in "
                         "the dark one, white in the light one")};
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        if (!map.diverging) {
            info.choices << QString::fromStdString(map.id);
            info.shown << word(map.label);
        }
    }
    return info;
}

PreferenceInfo language() {
    PreferenceInfo info{.key = "language",
                        .group = Text::tr("Appearance"),
                        .kind = Kind::Choice,
                        .fallback = "system",
                        .label = Text::tr("Language"),
                        .unit = {},
                        .choices = {"system", "en"},
                        .shown = {Text::tr("as the system"), "English"},
                        .help = Text::tr("Language of the window"),
                        .takes = PreferenceTakes::Restart};
    for (const QString& code : languages(translationFolders())) {
        info.choices << code;
        info.shown << QLocale(code).nativeLanguageName();
    }
    return info;
}

std::vector<PreferenceInfo> makeTable() {
    const QString program = Text::tr("Program");
    return {
        {.key = "theme",
         .group = Text::tr("Appearance"),
         .kind = Kind::Choice,
         .fallback = "dark",
         .label = Text::tr("Theme"),
         .unit = {},
         .choices = {"dark", "light", "system"},
         .shown = {Text::tr("dark"), Text::tr("light"), Text::tr("as the system")},
         .help = Text::tr("Ground around the pictures; as the system: what the desktop looks like")},
        {.key = "scale",
         .group = Text::tr("Appearance"),
         .kind = Kind::Choice,
         .fallback = "system",
         .label = Text::tr("Size of everything"),
         .unit = {},
         .choices = {"system", "1", "1.25", "1.5", "1.75", "2", "2.5", "3"},
         .shown = {Text::tr("as the system"), "100 %", "125 %", "150 %", "175 %", "200 %", "250 %", "300 %"},
         .help =
             Text::tr("Texts, controls and pictures, of the size they have on a screen of 96 dots an inch"),
         .takes = PreferenceTakes::Restart},
        language(),
        {.key = "orientation",
         .group = Text::tr("Pictures"),
         .kind = Kind::Choice,
         .fallback = "radiological",
         .label = Text::tr("Orientation"),
         .unit = {},
         .choices = {"radiological", "neurological"},
         .shown = {Text::tr("radiological"), Text::tr("neurological")},
         .help = Text::tr("Radiological: the patient's left is on the right")},
        {.key = "units",
         .group = Text::tr("Pictures"),
         .kind = Kind::Choice,
         .fallback = "voxel",
         .label = Text::tr("Units shown"),
         .unit = {},
         .choices = {"voxel", "ml", "becquerel"},
         .shown = {"emissions/voxel", "emissions/ml", "Bq/ml"},
         .help =
             Text::tr("Of every value of a reconstruction; files keep emissions/voxel. Bq/ml: emissions a "
                      "second and ml, the mean of the scan, where the data say how long was measured; else "
                      "emissions/ml")},
        colourMap(),
        {.key = "interpolation",
         .group = Text::tr("Pictures"),
         .kind = Kind::Switch,
         .fallback = "off",
         .label = Text::tr("Smooth voxels"),
         .unit = {},
         .help = Text::tr("Interpolates between voxels; off shows every voxel as it is")},
        {.key = "cine-rate",
         .group = Text::tr("Pictures"),
         .kind = Kind::Number,
         .fallback = "8",
         .label = Text::tr("Speed of cine"),
         .unit = Text::tr("pictures/s"),
         .low = 1,
         .high = 30,
         .help = Text::tr("Pictures per second while slices or iterates are played")},
        ofSetting("engine"),
        ofSetting("threads"),
        ofSetting("memory-limit"),
        {.key = "autosave",
         .group = program,
         .kind = Kind::Whole,
         .fallback = "5",
         .label = Text::tr("Save every"),
         .unit = "s",
         .low = 1,
         .high = 3600,
         .help = Text::tr("Seconds between savings of view, settings and ROIs in the study and the session")},
        {.key = "confirm",
         .group = program,
         .kind = Kind::Switch,
         .fallback = "on",
         .label = Text::tr("Ask before work is lost"),
         .unit = {},
         .help =
             Text::tr("Before a run is cancelled or deleted, or the window closed while one is going on")}};
}

}  // namespace

const std::vector<PreferenceInfo>& preferenceTable() {
    static const std::vector<PreferenceInfo> table = makeTable();
    return table;
}

const PreferenceInfo& preferenceInfo(const QString& key) {
    QStringList keys;
    for (const PreferenceInfo& info : preferenceTable()) {
        if (info.key == key) {
            return info;
        }
        keys << info.key;
    }
    throw WrongUse("no preference '" + key.toStdString() + "'; there are " + keys.join(", ").toStdString());
}

QString checkedPreference(const PreferenceInfo& info, const QString& value) {
    const QString what = Text::tr("preference '%1' is '%2'; ").arg(info.key, value);
    if (info.kind == Kind::Choice || info.kind == Kind::Switch) {
        const QStringList choices = info.kind == Kind::Switch ? QStringList{"on", "off"} : info.choices;
        if (!choices.contains(value)) {
            throw WrongUse((what + Text::tr("it must be one of %1").arg(choices.join(", "))).toStdString());
        }
        return value;
    }
    bool ok = false;
    const double number = value.toDouble(&ok);
    if (!ok || !(number >= info.low && number <= info.high) ||
        (info.kind == Kind::Whole && number != std::floor(number))) {
        throw WrongUse((what + (info.kind == Kind::Whole ? Text::tr("it must be a whole number from %1 to %2")
                                                         : Text::tr("it must be a number from %1 to %2"))
                                   .arg(info.low)
                                   .arg(info.high))
                           .toStdString());
    }
    return QString::number(number);
}

}  // namespace tof::ui
