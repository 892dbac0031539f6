// SPDX-License-Identifier: Apache-2.0
#include "ui/window/binning_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

enum class Holds { List, ForeignSinograms };

/// What a file holds, and the form that goes with it to begin with.
Holds recogniseForm(const QString& file, std::string& wanted) {
    try {
        const RecognisedFile known = recognise(file.toStdString());
        if (known.foreignBins() == ForeignBins::Addresses || known.form() == "sinogram") {
            wanted = "sinogram";  // bins have no places in histo-images
        } else if (known.form() == "lors") {
            wanted = "lors";
        }
        return known.foreignBins() == ForeignBins::Imported ? Holds::ForeignSinograms : Holds::List;
    } catch (const Error&) {
        return Holds::List;  // told when it is opened
    }
}

/// The rows that go with what a file holds. Sinograms of STIR take corrections, too.
std::vector<BoundRow> rowsFor(Holds holds, ListBinning& binning) {
    std::vector<BoundRow> rows = listBinningRows(binning);
    if (holds == Holds::List) {
        std::erase_if(rows, [](const BoundRow& row) { return row.group == kSinogramGroup; });
        return rows;
    }
    for (BoundRow& row : rows) {
        if (row.key == "corrections") {
            row.applies = [] { return true; };
        } else if (row.group == kListGroup) {
            row.applies = [] { return false; };
        }
    }
    return rows;
}

}  // namespace

std::optional<ListBinning> askForBinning(QWidget* parent, const QString& file, ListBinning binning) {
    const Holds holds = recogniseForm(file, binning.form);
    const std::vector<BoundRow> rows = rowsFor(holds, binning);
    QDialog dialog(parent);
    dialog.setObjectName("binning.dialog");
    dialog.setWindowTitle(Text::tr("Open list-mode"));
    auto* form = new RequestForm("binning", rows);
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(new QLabel(QFileInfo(file).fileName()));
    column->addWidget(form);
    column->addWidget(makeAnswers(dialog, Text::tr("Open"), [form] { return form->check(); }));
    dialog.setMinimumWidth(460);
    if (dialog.exec() != QDialog::Accepted) {
        return std::nullopt;
    }
    for (const BoundRow& row : rows) {
        if (!row.applies()) {
            row.write(row.fallback);
        }
    }
    if (holds == Holds::ForeignSinograms) {
        binning.form = "sinogram";
    }
    return binning;
}

}  // namespace tof::ui
