// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_operand.h"

#include <QStringList>

#include "recon/base/error.h"

namespace tof::ui {

QString LabOperand::text() const {
    QStringList parts{kind == ProjectionKind::Forward ? "forward" : "back", QString::fromStdString(engine),
                      QString::fromStdString(strategy), QString::fromStdString(preset)};
    while (parts.last().isEmpty()) {
        parts.removeLast();
    }
    return parts.join(':');
}

LabOperand LabOperand::fromText(const QString& text) {
    const QStringList parts = text.split(':');
    if (parts[0] != "forward" && parts[0] != "back") {
        throw WrongUse("'" + text.toStdString() +
                       "': forward or back, then :ENGINE:STRATEGY:KERNEL as far as wanted");
    }
    LabOperand operand;
    operand.kind = parts[0] == "forward" ? ProjectionKind::Forward : ProjectionKind::Back;
    if (parts.size() > 1 && !parts[1].isEmpty()) {
        operand.engine = parts[1].toStdString();
    }
    operand.strategy = parts.value(2).toStdString();
    operand.preset = parts.mid(3).join(':').toStdString();
    return operand;
}

}  // namespace tof::ui
