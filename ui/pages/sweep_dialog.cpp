// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/sweep_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/systems/histo/histo_model.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"
#include "ui/pages/setting_words.h"

namespace tof::ui {

namespace {

/// "0.02, 0.03 0.05": each a value of the setting; empty when one cannot be.
std::vector<std::string> valuesOf(const QString& text, const char* key) {
    std::vector<std::string> values;
    for (const QString& part : text.split(QRegularExpression("[\\s,;]+"), Qt::SkipEmptyParts)) {
        const std::string value = typedSetting(key, part);
        if (!whyNotSetting(settingInfo(key), value).isEmpty()) {
            return {};
        }
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

}  // namespace

SweepDialog::SweepDialog(const RunSettings& settings, const KernelLibrary& kernels, const std::string& system,
                         QWidget* parent)
    : QDialog(parent), settings_(settings), kernelsMatter_(system == DirectModel::kSystem) {
    setObjectName("sweep.dialog");
    setWindowTitle(tr("Sweep"));
    kernels_ = new QListWidget;
    kernels_->setObjectName("sweep.kernels");
    kernels_->setAccessibleName(tr("Kernels"));
    for (const ChoiceList::Choice& choice : kernelChoices(kernels)) {
        if (choice.title || !choice.value.isValid() || choice.value.toString().isEmpty()) {
            continue;
        }
        auto* item = new QListWidgetItem(choice.text + "   " + choice.what);
        item->setData(Qt::UserRole, choice.value);
        const bool now = choice.value.toString().toStdString() == settings.kernelText;
        item->setCheckState(now ? Qt::Checked : Qt::Unchecked);
        kernels_->addItem(item);
    }
    // What sets kernels apart stands at the ends of the rows.
    kernels_->setMinimumWidth(kernels_->sizeHintForColumn(0) + 48);
    const auto field = [&](const char* name, const QString& label, const QString& help, const char* setting) {
        auto* edit = new QLineEdit(QString::fromStdString(settings.get(setting)));
        edit->setObjectName(name);
        edit->setAccessibleName(label);
        edit->setToolTip(help);
        connect(edit, &QLineEdit::textChanged, this, &SweepDialog::refresh);
        return edit;
    };
    relaxations_ = field("sweep.relaxations", tr("Relaxations"),
                         tr("One or several, with commas between: 0.02, 0.03, 0.05"), "relaxation");
    iterations_ =
        field("sweep.iterations", tr("Iterations"),
              tr("Of every run. Several: a run for each of them; the iterates of a longer run are the "
                 "same images"),
              "iterations");
    note_ = new QLabel;
    note_->setObjectName("sweep.note");
    note_->setWordWrap(true);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    if (kernelsMatter_) {
        form->addRow(tr("Kernels"), kernels_);
    }
    form->addRow(tr("Relaxations"), relaxations_);
    form->addRow(tr("Iterations"), iterations_);
    kernels_->setVisible(kernelsMatter_);
    QDialogButtonBox* buttons = makeAnswers(*this, {});
    queue_ = buttons->button(QDialogButtonBox::Ok);
    QVBoxLayout* column = dialogColumn(*this);
    column->addLayout(form);
    column->addWidget(note_);
    column->addWidget(buttons);
    resize(680, 460);
    connect(kernels_, &QListWidget::itemChanged, this, &SweepDialog::refresh);
    refresh();
}

std::vector<RunSettings> SweepDialog::runs() const {
    std::vector<std::string> kernels;
    for (int i = 0; i < kernels_->count(); ++i) {
        if (kernels_->item(i)->checkState() == Qt::Checked) {
            kernels.push_back(kernels_->item(i)->data(Qt::UserRole).toString().toStdString());
        }
    }
    if (!kernelsMatter_) {
        kernels = {settings_.kernelText};
    }
    std::vector<RunSettings> all;
    for (const std::string& kernel : kernels) {
        for (const std::string& relaxation : valuesOf(relaxations_->text(), "relaxation")) {
            for (const std::string& iterations : valuesOf(iterations_->text(), "iterations")) {
                RunSettings run = settings_;
                run.set("kernel", kernel);
                run.set("relaxation", relaxation);
                run.set("iterations", iterations);
                all.push_back(run);
            }
        }
    }
    return all;
}

void SweepDialog::refresh() {
    const std::vector<RunSettings> all = runs();
    int iterations = 0;
    for (const RunSettings& run : all) {
        iterations += run.iterations;
    }
    queue_->setEnabled(!all.empty());
    queue_->setText(all.size() == 1 ? tr("Queue 1 run")
                                    : tr("Queue %n runs", "", static_cast<int>(all.size())));
    note_->setText(
        all.empty()
            ? tr("Tick a kernel, and give numbers with commas between: relaxations above 0, whole iterations")
            : tr("runs: %1, iterations in all: %2").arg(all.size()).arg(iterations));
}

}  // namespace tof::ui
