// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kinetics_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

#include "recon/kinetics/kinetic_model.h"
#include "recon/work/kinetic_rows.h"
#include "ui/desk/run_item.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

const std::vector<RequestRow<KineticsWish>>& folderRows() {
    using namespace row_words;
    static const std::vector<RequestRow<KineticsWish>> rows{RequestRow<KineticsWish>::of(
        &KineticsWish::folder, "folder", Label{toTranslate("Word", "Folder")},
        Help{toTranslate("Word", "Where an image for each parameter and kinetics.json are written")},
        TextRole::NewFile)};
    return rows;
}

/// The rows of the command; names of ROIs are chosen.
std::vector<BoundRow> rowsFor(KineticsWish& wish, const std::vector<Roi>& rois) {
    std::vector<BoundRow> rows;
    bindRows(rows, kineticRows(), wish);
    bindRows(rows, folderRows(), wish);
    for (BoundRow& row : rows) {
        if (row.key == "input-roi" || row.key == "reference") {
            row.kind = OptionKind::Choice;
            row.choices = {""};
            row.choiceWords = {"none"};
            for (const Roi& roi : rois) {
                row.choices.push_back(roi.name);
                row.choiceWords.push_back(roi.name);
            }
        }
    }
    return rows;
}

/// What the model lacks, said at its row; the first such field, or what `form` finds itself.
QWidget* check(RequestForm& form, const KineticsWish& wish) {
    QWidget* first = form.check();
    const KineticModel& model = kineticModel(wish.model);
    const bool plasma = model.input == InputKind::Plasma;
    const bool two = !wish.input.empty() && !wish.inputRoi.empty();
    const bool none = wish.input.empty() && wish.inputRoi.empty();
    const QString folder = QString::fromStdString(wish.folder);
    const std::pair<const char*, QString> faults[] = {
        {"input", !plasma ? QString()
                  : none  ? Text::tr("The model needs blood samples, or a region for plasma")
                  : two   ? Text::tr("Blood samples or a region for plasma: one of them")
                          : QString()},
        {"reference",
         !plasma && wish.reference.empty() ? Text::tr("The model needs a reference region") : QString()},
        {"start", model.fit == FitKind::LateFrames && wish.start_s < 0
                      ? Text::tr("Say when the line begins, as 20min")
                      : QString()},
        {"folder", folder.isEmpty() ? Text::tr("A name is needed")
                   : QFileInfo(folder).exists() && !QFileInfo(folder).isDir()
                       ? Text::tr("%1 is no folder").arg(folder)
                       : QString()}};
    for (const auto& [key, sentence] : faults) {
        if (!form.hasFault(key)) {
            form.setFault(key, sentence);
        }
        first = first == nullptr && !sentence.isEmpty() ? form.field(key) : first;
    }
    return first;
}

}  // namespace

std::optional<KineticsWish> askForKinetics(QWidget* parent, const RunItem& item,
                                           const std::vector<Roi>& rois) {
    KineticsWish wish;
    wish.model = kineticModels().front().name;
    const QString place = item.file().isEmpty() ? QDir::homePath() : QFileInfo(item.file()).absolutePath();
    wish.folder = QDir(place).filePath(item.name() + "-kinetics").toStdString();
    const std::vector<BoundRow> rows = rowsFor(wish, rois);
    QDialog dialog(parent);
    dialog.setObjectName("kinetics.dialog");
    dialog.setWindowTitle(Text::tr("Make parametric image"));
    auto* form = new RequestForm("kinetics", rows);
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(new QLabel(item.name()));
    column->addWidget(form);
    column->addWidget(
        makeAnswers(dialog, Text::tr("Make images"), [form, &wish] { return check(*form, wish); }));
    dialog.setMinimumWidth(520);
    if (dialog.exec() != QDialog::Accepted) {
        return std::nullopt;
    }
    for (const BoundRow& row : rows) {
        if (!row.applies()) {
            row.write(row.fallback);
        }
    }
    return wish;
}

}  // namespace tof::ui
