// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/save_text.h"

#include <QFileDialog>
#include <QSaveFile>

#include "ui/kit/messages.h"
#include "ui/kit/text.h"

namespace tof::ui {

QString tableFor(const QString& file, const QString& table) {
    if (!file.endsWith(".csv", Qt::CaseInsensitive) || !table.contains('\t')) {
        return table;  // what is there already
    }
    QStringList lines = table.split('\n');
    for (QString& line : lines) {
        if (line.startsWith('#')) {
            continue;
        }
        QStringList cells = line.split('\t');
        for (QString& cell : cells) {
            if (cell.contains(',') || cell.contains('"')) {
                cell = '"' + cell.replace('"', "\"\"") + '"';
            }
        }
        line = cells.join(',');
    }
    return lines.join('\n');
}

void saveTextAs(QWidget& window, Messages& messages, const QString& title, const QString& name,
                const QString& text) {
    const QString csv = Text::tr("CSV (*.csv)");
    const QString filter = name.endsWith(".tsv") ? Text::tr("Tab separated (*.tsv)") + ";;" + csv : csv;
    const QString file = QFileDialog::getSaveFileName(&window, title, name, filter);
    if (file.isEmpty()) {
        return;
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(tableFor(file, text).toUtf8()) < 0 || !out.commit()) {
        messages.add(Severity::Error, Text::tr("%1: cannot be written: %2").arg(file, out.errorString()));
    }
}

}  // namespace tof::ui
