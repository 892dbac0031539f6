// SPDX-License-Identifier: Apache-2.0
// The kernel lab's settings by name, and what a session remembers of it.
#include <QStringList>
#include "ui/kit/json.h"

#include "recon/base/error.h"
#include "recon/kernel/kernel_edit.h"
#include "ui/lab/kernel_lab.h"

namespace tof::ui {

namespace {

double numberOf(const QString& key, const QString& text) {
    return numbersFromText("lab " + key.toStdString(), text.toStdString(), ',').front();
}

}  // namespace

// ---- settings by name ----

QStringList KernelLab::keys() {
    return {"kernel",   "tof",    "axial",  "cutoff",  "step", "ratio",  "shift", "weight", "family",
            "symmetry", "widths", "select", "azimuth", "tilt", "points", "a",     "b",      "level"};
}

void KernelLab::set(const QString& key, const QString& value) {
    if (key == "kernel") {
        usePreset(value.toStdString());
    } else if (key == "family") {
        const QStringList names{"invariant", "variant", "measured"};
        if (!names.contains(value)) {
            throw WrongUse("lab family='" + value.toStdString() + "': invariant, variant or measured");
        }
        setSpread(static_cast<Spread>(names.indexOf(value)));
    } else if (key == "symmetry") {
        if (value != "symmetric" && value != "asymmetric") {
            throw WrongUse("lab symmetry='" + value.toStdString() + "': symmetric or asymmetric");
        }
        setAsymmetric(value == "asymmetric");
    } else if (key == "widths") {
        KernelSpec kernel = state_.kernel;
        kernel.measured.clear();
        kernel.radial = widthsFromText(value.toStdString());
        setKernel(kernel);
    } else if (key == "select") {
        selectKnot(static_cast<int>(numberOf(key, value)) - 1);
    } else if (key == "azimuth") {
        setAzimuth(numberOf(key, value));
    } else if (key == "tilt") {
        setTilt(numberOf(key, value));
    } else if (key == "points") {
        const std::vector<Vec3> points = pointsFromText("lab points", value.toStdString());
        clearPoints();
        for (const Vec3& p : points) {
            addPoint(p);
        }
        selectPoint(0);
    } else if (key == "level") {
        setSurfacePercent(numberOf(key, value));
    } else if (key == "a" || key == "b") {
        setOperand(key == "a" ? 0 : 1, LabOperand::fromText(value));
    } else if (keys().contains(key)) {
        setNumber(key.toStdString(), numberOf(key, value));
    } else {
        throw WrongUse("no lab setting '" + key.toStdString() + "'; there are " +
                       keys().join(", ").toStdString());
    }
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
        // Of another version, or a preset that is gone: the rest may still be of use.
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
