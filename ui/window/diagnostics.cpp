// SPDX-License-Identifier: Apache-2.0
#include "ui/window/diagnostics.h"

#include <QAccessible>
#include <QMetaEnum>
#include <QSysInfo>
#include <QThread>

#include "recon/settings/version.h"
#include "recon/work/reconstruct.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

QString engineLine(const EngineRegistry& engines, const std::string& name) {
    const auto found = engines.find(name);
    if (const auto* why = std::get_if<Unsupported>(&found)) {
        return "not there: " + QString::fromStdString(withoutNames(why->why));
    }
    const DeviceInfo device = std::get<std::shared_ptr<const Engine>>(found)->device();
    QString line = QString::fromStdString(device.name);
    for (const auto& [property, value] : device.properties) {
        line += QString("; %1 %2").arg(QString::fromStdString(property), QString::fromStdString(value));
    }
    return line;
}

/// Appends what a reader finds of `face` and of what is in it.
void collect(QAccessibleInterface* face, int depth, nlohmann::json& list) {
    if (face == nullptr || !face->isValid() || face->state().invisible) {
        return;
    }
    const char* role = QMetaEnum::fromType<QAccessible::Role>().valueToKey(face->role());
    nlohmann::json one{{"depth", depth}, {"role", role != nullptr ? role : "NoRole"}};
    if (face->object() != nullptr && !face->object()->objectName().isEmpty()) {
        one["id"] = face->object()->objectName();
    }
    const std::pair<const char*, QAccessible::Text> texts[] = {{"name", QAccessible::Name},
                                                               {"value", QAccessible::Value},
                                                               {"description", QAccessible::Description}};
    for (const auto& [key, kind] : texts) {
        if (const QString text = face->text(kind); !text.isEmpty()) {
            one[key] = text;
        }
    }
    if (QAccessibleTableCellInterface* cell = face->tableCellInterface()) {
        one["row"] = cell->rowIndex();
        one["column"] = cell->columnIndex();
    }
    list.push_back(std::move(one));
    for (int i = 0; i < face->childCount(); ++i) {
        collect(face->child(i), depth + 1, list);
    }
}

}  // namespace

QString diagnosticsText(const EngineRegistry& engines, const RunSettings& settings,
                        const std::string& surfaceDriver, const Log& log) {
    QString text = QString("Tofscope %1, compiler %2, Qt %3 (built with %4)\n")
                       .arg(kVersion, __VERSION__, qVersion(), QT_VERSION_STR);
    text +=
        QString("system: %1, kernel %2, %3, %4 threads\n")
            .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture())
            .arg(QThread::idealThreadCount());
    text += "pictures: CPU; surfaces: " + QString::fromStdString(surfaceDriver) + "\n";
    for (const std::string& name : engines.names()) {
        text += QString("engine %1: %2\n").arg(QString::fromStdString(name), engineLine(engines, name));
    }
    text += "settings: " + QString::fromStdString(settingsWithoutNames(settings)) + "\nlog:\n";
    for (const std::string& line : log.lastLines()) {
        text += QString::fromStdString(line).trimmed() + "\n";
    }
    return text;
}

nlohmann::json accessibleTree(QObject& part) {
    nlohmann::json list = nlohmann::json::array();
    collect(QAccessible::queryAccessibleInterface(&part), 0, list);
    return list;
}

}  // namespace tof::ui
