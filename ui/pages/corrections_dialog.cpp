// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/kit/basic.h"

namespace tof::ui {

namespace {

QLabel* caption(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setStyleSheet("font-size: 11px;");
    return label;
}

QLabel* fault(const QString& name) {
    QLabel* label = caption({});
    label->setObjectName(name);
    label->hide();
    return label;
}

QToolButton* browseButton(const QString& name, QLineEdit* field, const QString& help) {
    auto* button = new QToolButton;
    button->setObjectName(name + ".browse");
    button->setText(CorrectionsDialog::tr("Browse…"));
    button->setAccessibleName(help);
    button->setToolTip(help);
    button->setProperty("kind", "button");
    button->setFocusPolicy(Qt::TabFocus);
    QObject::connect(button, &QToolButton::clicked, field, [field, help] {
        const QString file = QFileDialog::getOpenFileName(field, help);
        if (!file.isEmpty()) {
            field->setText(file);
        }
    });
    return button;
}

}  // namespace

CorrectionsDialog::CorrectionsDialog(const QString& folder, bool phantom, QWidget* parent)
    : QDialog(parent), phantom_(phantom) {
    setObjectName("corrections.dialog");
    setWindowTitle(tr("Make corrections"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addWidget(
        caption(tr("The open data, with what is ticked made of measurements, become a study of "
                   "their own. Randoms and scatter take the place of those that are there.")));
    norm_ = addFile(*column, "corrections.norm", tr("Efficiencies of the crystals"),
                    tr("List of a normalisation scan without scatter, of the phantom that it names"));
    randoms_ = addFile(*column, "corrections.delayeds", tr("Randoms"),
                       tr("List of the delayed coincidences of the same scan"));
    scatter_ = new QCheckBox(tr("Scatter"));
    scatter_->setObjectName("corrections.scatter");
    scatter_->setToolTip(tr("Single scatter simulation with times of flight, of the data's own image"));
    column->addWidget(scatter_);
    mu_ = new QLineEdit;
    mu_->setObjectName("corrections.mu");
    mu_->setAccessibleName(tr("Attenuation volume"));
    mu_->setPlaceholderText(phantom ? tr("what attenuates: the phantom that the data name")
                                    : tr("what attenuates: a volume in 1/cm"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(24, 0, 0, 0);
    row->addWidget(mu_, 1);
    row->addWidget(browseButton("corrections.mu", mu_, tr("Attenuation volume")));
    column->addLayout(row);
    muFault_ = fault("corrections.mu.fault");
    column->addWidget(muFault_);
    column->addWidget(caption(tr("Study folder")));
    folder_ = new QLineEdit(folder);
    folder_->setObjectName("corrections.folder");
    folder_->setAccessibleName(tr("Study folder"));
    column->addWidget(folder_);
    folderFault_ = fault("corrections.folder.fault");
    column->addWidget(folderFault_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Make"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName("corrections.ok");
    connect(buttons, &QDialogButtonBox::accepted, this, &CorrectionsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(560);
}

CorrectionsDialog::FileField CorrectionsDialog::addFile(QVBoxLayout& column, const char* name,
                                                        const QString& text, const QString& help) {
    FileField made{new QCheckBox(text), new QLineEdit, fault(QString(name) + ".fault")};
    made.box->setObjectName(QString(name) + ".on");
    made.box->setToolTip(help);
    made.file->setObjectName(name);
    made.file->setAccessibleName(help);
    made.file->setPlaceholderText(help);
    // Whoever names a file wants it.
    connect(made.file, &QLineEdit::textChanged, made.box,
            [box = made.box](const QString& file) { box->setChecked(!file.trimmed().isEmpty()); });
    column.addWidget(made.box);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(24, 0, 0, 0);
    row->addWidget(made.file, 1);
    row->addWidget(browseButton(name, made.file, help));
    column.addLayout(row);
    column.addWidget(made.fault);
    return made;
}

QWidget* CorrectionsDialog::check() {
    QWidget* first = nullptr;
    const auto say = [&first](QLabel* label, QWidget* field, const QString& sentence) {
        label->setText(sentence);
        label->setVisible(!sentence.isEmpty());
        if (!sentence.isEmpty() && first == nullptr) {
            first = field;
        }
    };
    const auto missing = [](const QString& file) {
        return QFileInfo(file.trimmed()).isFile() ? QString() : tr("There is no such file");
    };
    for (const FileField& field : {norm_, randoms_}) {
        say(field.fault, field.file, field.box->isChecked() ? missing(field.file->text()) : QString());
    }
    const QString mu = mu_->text().trimmed();
    say(muFault_, mu_,
        !scatter_->isChecked()     ? QString()
        : mu.isEmpty() && phantom_ ? QString()
        : mu.isEmpty()             ? tr("The data name no phantom; say what attenuates")
                                   : missing(mu));
    const QFileInfo made(wish().folder);
    const QFileInfo parent(made.absolutePath());
    const bool nothing = !norm_.box->isChecked() && !randoms_.box->isChecked() && !scatter_->isChecked();
    say(folderFault_, folder_,
        nothing                               ? tr("Nothing is ticked")
        : folder_->text().trimmed().isEmpty() ? tr("A name is needed")
        : made.exists()        ? tr("%1 exists already; choose another name").arg(made.fileName())
        : !parent.isWritable() ? tr("%1 cannot be written").arg(parent.absoluteFilePath())
                               : QString());
    return first;
}

void CorrectionsDialog::accept() {
    if (QWidget* wrong = check()) {
        wrong->setFocus();
        return;
    }
    QDialog::accept();
}

CorrectionWish CorrectionsDialog::wish() const {
    CorrectionWish wish;
    wish.norm = norm_.box->isChecked() ? norm_.file->text().trimmed() : QString();
    wish.delayeds = randoms_.box->isChecked() ? randoms_.file->text().trimmed() : QString();
    wish.scatter = scatter_->isChecked();
    wish.mu = mu_->text().trimmed();
    wish.folder = folder_->text().trimmed();
    if (!wish.folder.endsWith(".tofstudy")) {
        wish.folder += ".tofstudy";
    }
    return wish;
}

}  // namespace tof::ui
