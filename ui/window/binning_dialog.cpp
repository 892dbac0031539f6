// SPDX-License-Identifier: Apache-2.0
#include "ui/window/binning_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "ui/kit/basic.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// What bins of another program bring with them; events between crystals bring nothing.
struct Held {
    ForeignBins bins = ForeignBins::None;
    std::string form{};
};

Held heldIn(const QString& file) {
    try {
        const RecognisedFile known = recognise(file.toStdString());
        return {known.foreignBins(), known.form()};
    } catch (const Error&) {
        return {};  // told when it is opened
    }
}

/// The rows that go with what a file holds. Sinograms of STIR take corrections, and lists of addresses a
/// normalisation.
std::vector<BoundRow> rowsFor(ForeignBins held, ListBinning& binning) {
    std::vector<BoundRow> rows = listBinningRows(binning);
    if (held != ForeignBins::Imported) {
        std::erase_if(rows, [&](const BoundRow& row) {
            return row.group == kSinogramGroup && (held != ForeignBins::Addresses || row.key != "norm");
        });
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

std::optional<ListBinning> askForBinning(QWidget* parent, const QString& file, ListBinning binning,
                                         const QString& missing) {
    const Held held = heldIn(file);
    const std::vector<BoundRow> rows = rowsFor(held.bins, binning);
    QDialog dialog(parent);
    dialog.setObjectName("binning.dialog");
    dialog.setWindowTitle(Text::tr("Open list-mode"));
    auto* form = new RequestForm("binning", rows);
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(new QLabel(QFileInfo(file).fileName()));
    if (!missing.isEmpty()) {
        column->addWidget(makeSmallText(missing));
    }
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
    if (held.bins == ForeignBins::Imported) {
        binning.form = held.form;
    }
    return binning;
}

}  // namespace tof::ui
