// SPDX-License-Identifier: Apache-2.0
// The kernel lab's settings by name, and what a session remembers of it.
#include <QJsonArray>
#include <QStringList>

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

QJsonObject KernelLab::toJson() const {
    QJsonArray points;
    for (const Vec3& p : state_.points) {
        points.append(QJsonArray{p.x, p.y, p.z});
    }
    return {{"kernel", QString::fromStdString(state_.kernel.toJson())},
            {"origin", origin_},
            {"origin_kernel", QString::fromStdString(originKernel_.toJson())},
            {"azimuth_deg", state_.azimuth_deg},
            {"tilt_deg", state_.tilt_deg},
            {"points_mm", points},
            {"selected_width", selectedKnot_},
            {"selected_point", selectedPoint_},
            {"cursor_mm", QJsonArray{cursor_.x, cursor_.y, cursor_.z}},
            {"surface_percent", surfacePercent_},
            {"a", operands_[0].text()},
            {"b", operands_[1].text()}};
}

void KernelLab::fromJson(const QJsonObject& saved) {
    try {
        const KernelSpec kernel = KernelSpec::fromJson(saved["kernel"].toString().toStdString(), "session");
        const KernelSpec from =
            KernelSpec::fromJson(saved["origin_kernel"].toString().toStdString(), "session");
        startFrom(from, saved["origin"].toString(origin_));
        setKernel(kernel);
        setOperand(0, LabOperand::fromText(saved["a"].toString()));
        setOperand(1, LabOperand::fromText(saved["b"].toString()));
    } catch (const Error&) {
        // Of another version, or a preset that is gone: the rest may still be of use.
    }
    setSurfacePercent(saved["surface_percent"].toDouble(surfacePercent_));
    setAzimuth(saved["azimuth_deg"].toDouble(state_.azimuth_deg));
    setTilt(saved["tilt_deg"].toDouble(state_.tilt_deg));
    if (saved["points_mm"].isArray()) {
        clearPoints();
        for (const auto& value : saved["points_mm"].toArray()) {
            const QJsonArray p = value.toArray();
            if (p.size() == 3) {
                static_cast<void>(addPoint({p[0].toDouble(), p[1].toDouble(), p[2].toDouble()}));
            }
        }
    }
    selectKnot(saved["selected_width"].toInt(selectedKnot_));
    selectPoint(saved["selected_point"].toInt(selectedPoint_));
    const QJsonArray cursor = saved["cursor_mm"].toArray();
    if (cursor.size() == 3) {
        setCursor({cursor[0].toDouble(), cursor[1].toDouble(), cursor[2].toDouble()});
    }
    undo_.clear();
    Q_EMIT edited();
}

}  // namespace tof::ui
