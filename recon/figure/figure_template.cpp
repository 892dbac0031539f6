// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/figure_template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/suggestion.h"
#include "recon/figure/curve_measure.h"
#include "recon/metrics/colour_map.h"
#include "recon/metrics/range_presets.h"

namespace tof {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr const char* kFormat = "tofscope-figure";
constexpr int kVersion = 1;
constexpr std::size_t kMostPanels = 60;
constexpr std::size_t kMostImages = 16;
constexpr std::size_t kLongestText = 300;
constexpr double kFarthest_mm = 1e5;
constexpr double kLargestValue = 1e30;

const std::vector<std::string> kLetterWords{"lower", "upper", "none"};
const std::vector<std::string> kSideWords{"radiological", "neurological"};
const std::vector<std::string> kBetweenWords{"nearest", "linear"};
const std::vector<std::string> kFieldWords{"object", "whole"};

/// A field that is one of some words, as the place of the word.
template <class Choice>
Choice choiceOf(const JsonFields& fields, const char* key, const std::vector<std::string>& words,
                Choice fallback) {
    if (!fields.has(key)) {
        return fallback;
    }
    const std::string word = fields.text(key);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        throw BadInput("{}: field '{}' is '{}'; it must be {}{}", fields.source(), key, word,
                       fmt::join(words, ", "), suggestion(word, words));
    }
    return static_cast<Choice>(found - words.begin());
}

std::string shortText(const JsonFields& fields, const char* key) {
    std::string text = fields.text(key, "");
    if (text.size() > kLongestText) {
        throw BadInput("{}: field '{}' has {} bytes; shorten it to {}", fields.source(), key, text.size(),
                       kLongestText);
    }
    return text;
}

std::vector<double> numbersOf(const JsonFields& fields, const char* key, std::size_t count, double largest) {
    const Json& list = fields.raw(key);
    const bool right = list.is_array() && list.size() == count &&
                       std::all_of(list.begin(), list.end(), [&](const Json& value) {
                           return value.is_number() && std::abs(value.get<double>()) <= largest;
                       });
    if (!right) {
        throw BadInput("{}: field '{}' must be a list of {} numbers within {:g}", fields.source(), key, count,
                       largest);
    }
    return list.get<std::vector<double>>();
}

Vec3 pointOf(const JsonFields& fields, const char* key) {
    const std::vector<double> p = numbersOf(fields, key, 3, kFarthest_mm);
    return {p[0], p[1], p[2]};
}

/// A range by its name.
DisplayRange presetOf(const JsonFields& fields) {
    const std::string id = fields.text("range", "");
    const RangePreset* preset = findRangePreset(id);
    if (preset == nullptr) {
        throw BadInput("{}: field 'range' is '{}'; it must be two values, or one of {}", fields.source(), id,
                       fmt::join(namesOf(rangePresets(), &RangePreset::id), ", "));
    }
    return preset->range;
}

std::optional<DisplayRange> rangeOf(const JsonFields& fields) {
    if (!fields.has("range")) {
        return {};
    }
    if (fields.raw("range").is_string()) {
        return presetOf(fields);
    }
    const std::vector<double> ends = numbersOf(fields, "range", 2, kLargestValue);
    if (!(ends[1] > ends[0])) {
        throw BadInput("{}: field 'range' goes from {:g} to {:g}; give the lower end first", fields.source(),
                       ends[0], ends[1]);
    }
    return DisplayRange{ends[0], ends[1]};
}

std::string mapOf(const JsonFields& fields) {
    std::string id = fields.text("map", "");
    const std::vector<std::string> ids = namesOf(ColourMap::all(), &ColourMap::id);
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) {
        throw BadInput("{}: field 'map' is '{}'; it must be {}", fields.source(), id, fmt::join(ids, ", "));
    }
    return id;
}

FigureImage imageOf(const Json& value, const std::string& source) {
    const JsonFields fields(value, source, {"run", "iteration", "file", "name", "filter_mm"});
    FigureImage image;
    image.run = shortText(fields, "run");
    image.file = shortText(fields, "file");
    image.name = shortText(fields, "name");
    image.filter_mm = fields.number("filter_mm", 0, 0, 100);
    image.iteration = fields.has("iteration") ? fields.integer("iteration", 0, 1000000) : 0;
    if (image.run.empty() == image.file.empty()) {
        throw BadInput("{}: an image is either of a 'run' or from a 'file'; give one of the two", source);
    }
    if (image.run.empty() && image.iteration > 0) {
        throw BadInput("{}: a 'file' has no 'iteration'; leave it out", source);
    }
    return image;
}

std::vector<FigureImage> imagesOf(const JsonFields& fields, std::size_t most) {
    const Json& list = fields.raw("images");
    if (!list.is_array() || list.empty() || list.size() > most) {
        throw BadInput("{}: field 'images' must be a list of 1 to {} images", fields.source(), most);
    }
    std::vector<FigureImage> images;
    for (const Json& each : list) {
        images.push_back(imageOf(each, fmt::format("{}, image {}", fields.source(), images.size() + 1)));
    }
    return images;
}

std::string measureOf(const JsonFields& fields, const char* key, const std::string& fallback) {
    std::string id = fields.text(key, fallback);
    if (findCurveMeasure(id) == nullptr) {
        const std::vector<std::string> ids = namesOf(curveMeasures(), &CurveMeasure::id);
        throw BadInput("{}: field '{}' is '{}'; it must be {}{}", fields.source(), key, id,
                       fmt::join(ids, ", "), suggestion(id, ids));
    }
    return id;
}

void readSlice(const Json& value, const std::string& source, FigurePanel& panel) {
    const JsonFields fields(value, source,
                            {"kind", "span", "title", "images", "plane", "at_mm", "minus", "map", "range"});
    panel.images = imagesOf(fields, 1);
    panel.plane = choiceOf(fields, "plane", planeWords(), Plane::Transverse);
    panel.at_mm = fields.number("at_mm", 0, -kFarthest_mm, kFarthest_mm);
    panel.map = mapOf(fields);
    panel.range = rangeOf(fields);
    if (fields.has("minus")) {
        panel.minus = imageOf(fields.raw("minus"), source + ", minus");
    }
}

void readProfile(const Json& value, const std::string& source, FigurePanel& panel) {
    const JsonFields fields(value, source,
                            {"kind", "span", "title", "images", "from_mm", "to_mm", "x_title", "y_title"});
    panel.images = imagesOf(fields, kMostImages);
    panel.from_mm = pointOf(fields, "from_mm");
    panel.to_mm = pointOf(fields, "to_mm");
    if (panel.from_mm == panel.to_mm) {
        throw BadInput("{}: 'from_mm' and 'to_mm' are one point; give the two ends of a line", source);
    }
    panel.xTitle = shortText(fields, "x_title");
    panel.yTitle = shortText(fields, "y_title");
}

void readCurves(const Json& value, const std::string& source, FigurePanel& panel) {
    const JsonFields fields(value, source,
                            {"kind", "span", "title", "images", "x", "y", "x_title", "y_title"});
    panel.images = imagesOf(fields, kMostImages);
    for (const FigureImage& image : panel.images) {
        if (image.run.empty() || image.iteration > 0) {
            throw BadInput("{}: curves are of whole runs; give each image a 'run' and no 'iteration'",
                           source);
        }
    }
    panel.x = measureOf(fields, "x", panel.x);
    panel.y = measureOf(fields, "y", panel.y);
    panel.xTitle = shortText(fields, "x_title");
    panel.yTitle = shortText(fields, "y_title");
}

FigurePanel panelOf(const Json& value, const std::string& source, int columns) {
    // The kind decides which fields there are; all are known here.
    const JsonFields any(value, source,
                         {"kind", "span", "title", "images", "plane", "at_mm", "minus", "map", "range",
                          "from_mm", "to_mm", "x", "y", "x_title", "y_title"});
    FigurePanel panel;
    panel.kind = choiceOf(any, "kind", panelKinds(), FigurePanel::Kind::Slice);
    panel.span = any.has("span") ? any.integer("span", 1, columns) : 1;
    panel.title = shortText(any, "title");
    using Reader = void (*)(const Json&, const std::string&, FigurePanel&);
    constexpr Reader kReaders[] = {readSlice, readProfile, readCurves};
    kReaders[static_cast<std::size_t>(panel.kind)](value, source, panel);
    return panel;
}

/// Adds a text that says something.
void put(OrderedJson& into, const char* key, const std::string& text) {
    if (!text.empty()) {
        into[key] = text;
    }
}

void put(OrderedJson& into, const std::optional<DisplayRange>& range) {
    if (range) {
        into["range"] = {range->low, range->high};
    }
}

OrderedJson jsonOf(const FigureImage& image) {
    OrderedJson out = OrderedJson::object();
    put(out, "run", image.run);
    if (image.iteration > 0) {
        out["iteration"] = image.iteration;
    }
    put(out, "file", image.file);
    put(out, "name", image.name);
    if (image.filter_mm > 0) {
        out["filter_mm"] = image.filter_mm;
    }
    return out;
}

OrderedJson jsonOf(const FigurePanel& panel) {
    OrderedJson out{{"kind", panelKinds()[static_cast<std::size_t>(panel.kind)]}};
    if (panel.span != 1) {
        out["span"] = panel.span;
    }
    put(out, "title", panel.title);
    out["images"] = OrderedJson::array();
    for (const FigureImage& image : panel.images) {
        out["images"].push_back(jsonOf(image));
    }
    if (panel.kind == FigurePanel::Kind::Slice) {
        out["plane"] = planeWords()[static_cast<std::size_t>(panel.plane)];
        out["at_mm"] = panel.at_mm;
        if (panel.minus) {
            out["minus"] = jsonOf(*panel.minus);
        }
        put(out, "map", panel.map);
        put(out, panel.range);
        return out;
    }
    if (panel.kind == FigurePanel::Kind::Profile) {
        out["from_mm"] = {panel.from_mm.x, panel.from_mm.y, panel.from_mm.z};
        out["to_mm"] = {panel.to_mm.x, panel.to_mm.y, panel.to_mm.z};
    } else {
        out["x"] = panel.x;
        out["y"] = panel.y;
    }
    put(out, "x_title", panel.xTitle);
    put(out, "y_title", panel.yTitle);
    return out;
}

}  // namespace

const std::vector<double>& figureWidths_mm() {
    static const std::vector<double> widths{85, 129, 174};
    return widths;
}

const std::vector<std::string>& panelKinds() {
    static const std::vector<std::string> kinds{"slice", "profile", "curves"};
    return kinds;
}

const std::vector<std::string>& planeWords() {
    static const std::vector<std::string> planes{"transverse", "coronal", "sagittal"};
    return planes;
}

FigureTemplate figureFromJson(const std::string& text, const std::string& source) {
    const Json whole = parseJson(text, source);
    const JsonFields fields(
        whole, source,
        {"format", "version", "title", "width_mm", "columns", "gap_mm", "font_pt", "letters", "sides",
         "between", "map", "range", "scale_bar_mm", "bar_title", "field", "panels"});
    if (fields.text("format") != kFormat) {
        throw BadInput("{}: field 'format' must be '{}'; give the template of a figure", source, kFormat);
    }
    if (fields.integer("version", 1, 1000) > kVersion) {
        throw BadInput("{}: is of a newer release; take that one, or make the figure anew", source);
    }
    FigureTemplate figure;
    figure.title = shortText(fields, "title");
    figure.width_mm = fields.number("width_mm", figure.width_mm, 20, 500);
    figure.columns = fields.has("columns") ? fields.integer("columns", 1, 12) : figure.columns;
    figure.gap_mm = fields.number("gap_mm", figure.gap_mm, 0, 50);
    figure.font_pt = fields.number("font_pt", figure.font_pt, 4, 24);
    figure.letters = choiceOf(fields, "letters", kLetterWords, figure.letters);
    figure.sides = choiceOf(fields, "sides", kSideWords, figure.sides);
    figure.between = choiceOf(fields, "between", kBetweenWords, figure.between);
    figure.map = fields.has("map") ? mapOf(fields) : figure.map;
    figure.range = rangeOf(fields);
    if (fields.has("scale_bar_mm")) {
        figure.scaleBar_mm = fields.number("scale_bar_mm", 0, 1000);
    }
    figure.barTitle = shortText(fields, "bar_title");
    figure.wholeImages = choiceOf(fields, "field", kFieldWords, 0) == 1;
    const Json& panels = fields.raw("panels");
    if (!panels.is_array() || panels.empty() || panels.size() > kMostPanels) {
        throw BadInput("{}: field 'panels' must be a list of 1 to {} panels", source, kMostPanels);
    }
    for (const Json& panel : panels) {
        figure.panels.push_back(
            panelOf(panel, fmt::format("{}, panel {}", source, figure.panels.size() + 1), figure.columns));
    }
    return figure;
}

std::string figureToJson(const FigureTemplate& figure) {
    OrderedJson out{{"format", kFormat}, {"version", kVersion}};
    put(out, "title", figure.title);
    out["width_mm"] = figure.width_mm;
    out["columns"] = figure.columns;
    out["gap_mm"] = figure.gap_mm;
    out["font_pt"] = figure.font_pt;
    out["letters"] = kLetterWords[static_cast<std::size_t>(figure.letters)];
    out["sides"] = kSideWords[static_cast<std::size_t>(figure.sides)];
    out["between"] = kBetweenWords[static_cast<std::size_t>(figure.between)];
    out["map"] = figure.map;
    put(out, figure.range);
    if (figure.scaleBar_mm) {
        out["scale_bar_mm"] = *figure.scaleBar_mm;
    }
    put(out, "bar_title", figure.barTitle);
    out["field"] = kFieldWords[figure.wholeImages ? 1 : 0];
    out["panels"] = OrderedJson::array();
    for (const FigurePanel& panel : figure.panels) {
        out["panels"].push_back(jsonOf(panel));
    }
    return jsonText(out, 2) + "\n";
}

}  // namespace tof
