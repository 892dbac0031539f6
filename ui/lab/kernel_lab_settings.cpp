// SPDX-License-Identifier: Apache-2.0
// The kernel lab's settings by name, and what a session remembers of it.
#include <QStringList>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/kernel/kernel_edit.h"
#include "ui/kit/json.h"
#include "ui/lab/kernel_lab.h"

namespace tof::ui {

namespace {

/// What was given to a setting.
struct Given {
    const OptionInfo& row;
    const std::string text;

    [[nodiscard]] double number() const { return numbersFromText("lab " + row.key, text, ',').front(); }
    /// The place of a choice, from 0.
    [[nodiscard]] std::ptrdiff_t choice() const;
};

/// One row. Words and limits are the controls'.
struct LabSetting : OptionInfo {
    void (*set)(KernelLab& lab, const Given& value);
};

std::ptrdiff_t Given::choice() const {
    if (refusalOf(row, text)) {
        std::string allowed;
        for (const std::string& each : row.choices) {
            allowed += (allowed.empty() ? "" : each == row.choices.back() ? " or " : ", ") + each;
        }
        throw WrongUse("lab " + row.key + "='" + text + "': " + allowed);
    }
    return std::find(row.choices.begin(), row.choices.end(), text) - row.choices.begin();
}

void setWidths(KernelLab& lab, const Given& value) {
    KernelSpec kernel = lab.kernel();
    kernel.measured.clear();
    kernel.radial = widthsFromText(value.text);
    lab.setKernel(kernel);
}

void setPoints(KernelLab& lab, const Given& value) {
    const std::vector<Vec3> points = pointsFromText("lab points", value.text);
    lab.clearPoints();
    for (const Vec3& p : points) {
        lab.addPoint(p);
    }
    lab.selectPoint(0);
}

template <int side>
void setOperand(KernelLab& lab, const Given& value) {
    lab.setOperand(side, LabOperand::fromText(QString::fromStdString(value.text)));
}

std::vector<LabSetting> makeSettings() {
    using Lab = KernelLab;
    constexpr OptionKind kChoice = OptionKind::Choice;
    std::vector<LabSetting> table{
        {{.key = "kernel"}, [](Lab& lab, const Given& value) { lab.usePreset(value.text); }}};
    for (const KernelNumber& number : kernelNumbers()) {
        table.push_back({{.key = number.key},
                         [](Lab& lab, const Given& value) { lab.setNumber(value.row.key, value.number()); }});
    }
    const LabSetting others[] = {
        {{.key = "family", .kind = kChoice, .choices = {"invariant", "variant", "measured"}},
         [](Lab& lab, const Given& value) { lab.setSpread(static_cast<Lab::Spread>(value.choice())); }},
        {{.key = "symmetry", .kind = kChoice, .choices = {"symmetric", "asymmetric"}},
         [](Lab& lab, const Given& value) { lab.setAsymmetric(value.choice() == 1); }},
        {{.key = "sampling", .kind = kChoice, .choices = {"centre", "voxel"}},
         [](Lab& lab, const Given& value) { lab.setAveraged(value.choice() == 1); }},
        {{.key = "widths"}, setWidths},
        {{.key = "select"},
         [](Lab& lab, const Given& value) { lab.selectKnot(static_cast<int>(value.number()) - 1); }},
        {{.key = "azimuth"}, [](Lab& lab, const Given& value) { lab.setAzimuth(value.number()); }},
        {{.key = "tilt"}, [](Lab& lab, const Given& value) { lab.setTilt(value.number()); }},
        {{.key = "points"}, setPoints},
        {{.key = "a"}, setOperand<0>},
        {{.key = "b"}, setOperand<1>},
        {{.key = "level"}, [](Lab& lab, const Given& value) { lab.setSurfacePercent(value.number()); }}};
    table.insert(table.end(), std::begin(others), std::end(others));
    return table;
}

}  // namespace

void KernelLab::set(const QString& key, const QString& value) {
    static const std::vector<LabSetting> table = makeSettings();
    QStringList keys;
    for (const LabSetting& row : table) {
        keys << QString::fromStdString(row.key);
        if (keys.back() == key) {
            row.set(*this, {row, value.toStdString()});
            return;
        }
    }
    throw WrongUse("no lab setting '" + key.toStdString() + "'; there are " + keys.join(", ").toStdString());
}

// ---- sessions ----

nlohmann::json KernelLab::toJson() const {
    return {{"kernel", state_.kernel.toJson()},
            {"origin", origin_},
            {"origin_kernel", originKernel_.toJson()},
            {"azimuth_deg", state_.azimuth_deg},
            {"tilt_deg", state_.tilt_deg},
            {"points_mm", state_.points},
            {"selected_width", selectedKnot_},
            {"selected_point", selectedPoint_},
            {"cursor_mm", cursor_},
            {"surface_percent", surfacePercent_},
            {"a", operands_[0].text()},
            {"b", operands_[1].text()}};
}

void KernelLab::fromJson(const nlohmann::json& saved) {
    try {
        const KernelSpec kernel = KernelSpec::fromJson(savedIn<std::string>(saved, "kernel"), "session");
        const KernelSpec from = KernelSpec::fromJson(savedIn<std::string>(saved, "origin_kernel"), "session");
        startFrom(from, savedIn(saved, "origin", origin_));
        setKernel(kernel);
        setOperand(0, LabOperand::fromText(savedIn<QString>(saved, "a")));
        setOperand(1, LabOperand::fromText(savedIn<QString>(saved, "b")));
    } catch (const Error&) {
        // Another version wrote it, or a preset is gone: the rest may still be of use.
    }
    setSurfacePercent(savedIn(saved, "surface_percent", surfacePercent_));
    setAzimuth(savedIn(saved, "azimuth_deg", state_.azimuth_deg));
    setTilt(savedIn(saved, "tilt_deg", state_.tilt_deg));
    const auto points = savedIn(saved, "points_mm", state_.points);
    clearPoints();
    for (const Vec3& p : points) {
        addPoint(p);
    }
    selectKnot(savedIn(saved, "selected_width", selectedKnot_));
    selectPoint(savedIn(saved, "selected_point", selectedPoint_));
    setCursor(savedIn(saved, "cursor_mm", cursor_));
    undo_.clear();
    Q_EMIT edited();
}

}  // namespace tof::ui
