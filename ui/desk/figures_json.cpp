// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/figures_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <limits>

namespace tof::ui {

namespace {

double jsonNumber(const QJsonValue& value) {
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

RoiFigures roiFiguresFromJson(const QJsonObject& o) {
    RoiFigures row;
    row.name = o["name"].toString().toStdString();
    row.statistics.mean = jsonNumber(o["mean"]);
    row.statistics.sd = jsonNumber(o["sd"]);
    row.statistics.minimum = jsonNumber(o["min"]);
    row.statistics.maximum = jsonNumber(o["max"]);
    row.statistics.total = jsonNumber(o["total"]);
    row.statistics.weight = jsonNumber(o["voxels"]);
    row.statistics.volume_mm3 = jsonNumber(o["volume_mm3"]);
    row.statistics.outsideFraction = jsonNumber(o["outside_fraction"]);
    row.hasCrc = o.contains("crc");
    row.crc = row.hasCrc ? jsonNumber(o["crc"]) : 0;
    row.hasContrastRecovery = o.contains("contrast_recovery");
    row.contrastRecovery = row.hasContrastRecovery ? jsonNumber(o["contrast_recovery"]) : 0;
    return row;
}

}  // namespace

std::vector<Figures> figuresFromJson(const std::string& text) {
    std::vector<Figures> all;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    for (const QJsonValue& row : document.object()["iterations"].toArray()) {
        const QJsonObject o = row.toObject();
        Figures f;
        f.iteration = o["iteration"].toInt();
        f.crc = jsonNumber(o["crc"]);
        f.crcSd = jsonNumber(o["crc_sd"]);
        f.noise = jsonNumber(o["noise"]);
        f.nsr = jsonNumber(o["nsr"]);
        for (const QJsonValue& value : o["rois"].toArray()) {
            f.rois.push_back(roiFiguresFromJson(value.toObject()));
        }
        all.push_back(std::move(f));
    }
    return all;
}

}  // namespace tof::ui
