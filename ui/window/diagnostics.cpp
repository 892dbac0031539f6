// SPDX-License-Identifier: Apache-2.0
#include "ui/window/diagnostics.h"

#include <QSysInfo>
#include <QThread>

#include "recon/settings/version.h"
#include "recon/work/reconstruct.h"

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

}  // namespace tof::ui
