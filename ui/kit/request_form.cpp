// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/request_form.h"

#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "recon/base/error.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/engineering.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

QString rowHelp(const RowInfo& row) {
    return word(row.tip.empty() ? row.help : row.tip);
}

/// Presets have a name of their own and say in a line what they are; choices go by their words.
std::vector<ChoiceList::Choice> rowChoices(const RowInfo& row) {
    std::vector<ChoiceList::Choice> all;
    for (std::size_t i = 0; i < row.choices.size(); ++i) {
        const QString name = QString::fromStdString(row.choices[i]);
        const QString words = i < row.choiceWords.size() ? word(row.choiceWords[i]) : QString();
        const bool named = words.isEmpty() || row.kind == OptionKind::Text;
        all.push_back({named ? name : words, name, named ? words : QString()});
    }
    return all;
}

QString fileNames(const QString& files) {
    QStringList names;
    for (const QString& file : files.split(',')) {
        names << QFileInfo(file).fileName();
    }
    return names.join(", ");
}

void markBad(QWidget& field, const QString& sentence) {
    field.setProperty("bad", !sentence.isEmpty());
    field.style()->unpolish(&field);
    field.style()->polish(&field);
}

/// Why a value is not allowed; empty when it is.
QString refusalText(const RowInfo& row, const std::string& value) {
    const std::optional<Refusal> refusal = refusalOf(row, value);
    if (!refusal) {
        return {};
    }
    if (!row.refused.empty()) {
        return word(row.refused);
    }
    return *refusal == Refusal::OutOfRange
               ? RequestForm::tr("%1 to %2 are possible")
                     .arg(engineeringText(row.low), engineeringText(row.high))
               : RequestForm::tr("\"%1\" is no number").arg(QString::fromStdString(value));
}

}  // namespace

RequestForm::RequestForm(QString name, const std::vector<BoundRow>& rows, QWidget* parent)
    : QWidget(parent), name_(std::move(name)), form_(new QFormLayout(this)) {
    setObjectName(name_ + ".form");
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setVerticalSpacing(8);
    for (const BoundRow& row : rows) {
        if (row.shown != Shown::Command) {
            add(row);
        }
    }
}

void RequestForm::addLine(QWidget* label, QWidget* field) {
    form_->addRow(label, field);
}

void RequestForm::add(const BoundRow& row) {
    const QString own = name_ + "." + QString::fromStdString(row.key);
    if (!row.heading.empty()) {
        auto* heading = new QLabel(word(row.heading));
        heading->setStyleSheet("font-size: 11px; font-weight: 600;");
        form_->addRow(heading);
    }
    Field field;
    field.row = row;
    field.edit = makeEdit(field);
    field.edit->setObjectName(own);
    field.edit->setAccessibleName(word(row.label.empty() ? row.tick : row.label));
    field.fault = makeSmallText({}, Theme::of(*this).error);
    field.fault->setObjectName(own + ".fault");
    field.fault->hide();
    field.line = new QWidget;
    auto* column = makeColumn(field.line);
    const bool files =
        row.role == TextRole::File || row.role == TextRole::Files || row.role == TextRole::NewFile;
    column->addWidget(files ? withButton(own + ".browse", field) : field.edit);
    column->addWidget(field.fault);
    const QString unit = qobject_cast<QLineEdit*>(field.edit) != nullptr && !row.unit.empty()
                             ? ", " + word(row.unit)
                             : QString();
    form_->addRow(row.label.empty() ? QString() : word(row.label) + unit, field.line);
    field.show(QString::fromStdString(row.read()));
    connectField(field);
    fields_.push_back(std::move(field));
    enableFields();
}

void RequestForm::connectField(const Field& field) {
    const auto commits = [this, key = field.row.key] { commit(key); };
    if (auto* box = qobject_cast<QCheckBox*>(field.edit)) {
        connect(box, &QCheckBox::toggled, this, commits);
    } else if (auto* list = qobject_cast<QComboBox*>(field.edit)) {
        connect(list, &QComboBox::currentIndexChanged, this, commits);
    } else if (auto* whole = qobject_cast<QSpinBox*>(field.edit)) {
        connect(whole, &QSpinBox::valueChanged, this, commits);
    } else if (auto* number = qobject_cast<QDoubleSpinBox*>(field.edit)) {
        connect(number, &QDoubleSpinBox::valueChanged, this, commits);
    } else if (auto* text = qobject_cast<QLineEdit*>(field.edit)) {
        connect(text, &QLineEdit::textChanged, this, commits);
    }
}

QWidget* RequestForm::makeEdit(Field& field) {
    const BoundRow& row = field.row;
    if (!row.tick.empty()) {
        makeBox(field);
    } else if (!row.choices.empty() || row.kind == OptionKind::Choice) {
        makeList(field);
    } else if (row.kind == OptionKind::Integer && row.role == TextRole::Plain) {
        makeWhole(field);
    } else if (row.kind == OptionKind::Number && row.role == TextRole::Plain) {
        makeNumber(field);
    } else {
        makeText(field);
    }
    return field.edit;
}

void RequestForm::makeBox(Field& field) {
    auto* box = new QCheckBox(word(field.row.tick));
    const bool chosen = field.row.kind == OptionKind::Choice;
    const std::string yes = chosen ? field.row.choices.at(0) : "on";
    const std::string no = chosen ? field.row.choices.at(1) : "off";
    field.typed = [box, yes, no] { return box->isChecked() ? yes : no; };
    field.show = [box, yes](const QString& value) { box->setChecked(value.toStdString() == yes); };
    field.edit = box;
}

void RequestForm::makeList(Field& field) {
    auto* list = new ChoiceList;
    list->setChoices(rowChoices(field.row));
    field.typed = [list] { return list->currentData().toString().toStdString(); };
    field.show = [list](const QString& value) {
        if (list->findData(value) < 0 && !value.isEmpty()) {
            list->addItem(fileNames(value), value);
        }
        list->setCurrentIndex(list->findData(value));
    };
    field.edit = list;
}

void RequestForm::makeWhole(Field& field) {
    const BoundRow& row = field.row;
    auto* box = new QSpinBox;
    constexpr double kMost = std::numeric_limits<int>::max();
    box->setRange(static_cast<int>(row.low), static_cast<int>(std::min(row.high, kMost)));
    box->setSpecialValueText(word(row.empty));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    field.typed = [box] { return std::to_string(box->value()); };
    field.show = [box](const QString& value) { box->setValue(value.toInt()); };
    field.edit = box;
}

void RequestForm::makeNumber(Field& field) {
    const BoundRow& row = field.row;
    auto* box = new QDoubleSpinBox;
    box->setRange(row.low, row.high);
    box->setDecimals(2);
    box->setSpecialValueText(word(row.empty));
    box->setSuffix(row.unit.empty() ? QString() : " " + word(row.unit));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    field.typed = [box] { return QString::number(box->value(), 'g', 15).toStdString(); };
    field.show = [box](const QString& value) { box->setValue(value.toDouble()); };
    field.edit = box;
}

void RequestForm::makeText(Field& field) {
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(word(field.row.empty));
    const bool count = field.row.role == TextRole::Count;
    edit->setAlignment(count ? Qt::AlignRight : Qt::AlignLeft);
    field.typed = [edit, count] {
        const auto number = count ? engineeringNumber(edit->text()) : std::nullopt;
        return (number ? QString::number(*number, 'g', 15) : edit->text().trimmed()).toStdString();
    };
    field.show = [edit, count](const QString& value) {
        edit->setText(count ? engineeringText(value.toDouble()) : value);
    };
    field.edit = edit;
}

QWidget* RequestForm::withButton(const QString& name, const Field& field) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(tr("Browse…"));
    button->setAccessibleName(tr("Browse for: %1").arg(word(field.row.label)));
    button->setToolTip(rowHelp(field.row));
    button->setProperty("kind", "button");
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, key = field.row.key] { browse(key); });
    auto* both = new QWidget;
    auto* row = makeRow(both, {});
    row->addWidget(field.edit, 1);
    row->addWidget(button);
    return both;
}

void RequestForm::browse(const std::string& key) {
    const Field& field = of(key);
    const QString title = word(field.row.label);
    const QString filter = word(field.row.filter);
    QStringList files;
    if (field.row.role == TextRole::Files) {
        files = QFileDialog::getOpenFileNames(this, title, {}, filter);
    } else if (field.row.role == TextRole::NewFile) {
        files << QFileDialog::getSaveFileName(this, title, QString::fromStdString(field.row.read()), filter,
                                              nullptr, QFileDialog::DontConfirmOverwrite);
    } else {
        files << QFileDialog::getOpenFileName(this, title, {}, filter);
    }
    if (!files.isEmpty() && !files.front().isEmpty()) {
        field.show(files.join(','));
    }
}

// ---- fields and request ----

void RequestForm::refresh() {
    for (const Field& field : fields_) {
        const QSignalBlocker quiet(field.edit);
        field.show(QString::fromStdString(field.row.read()));
    }
    enableFields();
}

void RequestForm::commit(const std::string& key) {
    const Field& field = of(key);
    const std::string value = field.typed();
    setFault(key, {});
    if (!refusalOf(field.row, value)) {
        try {
            field.row.write(value);
        } catch (const WrongUse&) {
            // said by check(): whoever types is not done yet
        }
    }
    enableFields();
    Q_EMIT changed(key);
}

void RequestForm::enableFields() {
    for (const Field& field : fields_) {
        const bool can = field.whyNot.isEmpty() && field.row.applies();
        field.line->setEnabled(can);
        field.edit->setEnabled(can);
        field.edit->setToolTip(field.whyNot.isEmpty() ? rowHelp(field.row) : field.whyNot);
    }
}

void RequestForm::setWhyNot(const std::string& key, const QString& why, Unusable stands) {
    Field& field = fields_.at(placeOf(key));
    field.whyNot = why;
    form_->setRowVisible(field.line, why.isEmpty() || stands == Unusable::Grey);
    enableFields();
}

bool RequestForm::usable(const std::string& key) const {
    return of(key).edit->isEnabledTo(this);
}

QWidget* RequestForm::field(const std::string& key) const {
    return of(key).edit;
}

void RequestForm::addBelow(const std::string& key, QWidget* widget) {
    int row = 0;
    form_->getWidgetPosition(of(key).line, &row, nullptr);
    form_->insertRow(row + 1, QString(), widget);
}

void RequestForm::setLabel(const std::string& key, QWidget* label) {
    QWidget* const line = of(key).line;
    delete form_->labelForField(line);
    int row = 0;
    form_->getWidgetPosition(line, &row, nullptr);
    form_->setWidget(row, QFormLayout::LabelRole, label);
}

void RequestForm::setFault(const std::string& key, const QString& sentence) {
    const Field& field = of(key);
    field.fault->setText(sentence);
    field.fault->setVisible(!sentence.isEmpty());
    markBad(*field.edit, sentence);
}

bool RequestForm::hasFault(const std::string& key) const {
    return !of(key).fault->isHidden();
}

QWidget* RequestForm::check(const std::string& key) {
    const Field& field = of(key);
    const std::string value = field.typed();
    QString sentence = usable(key) ? refusalText(field.row, value) : QString();
    if (usable(key) && sentence.isEmpty()) {
        try {
            field.row.write(value);
        } catch (const WrongUse& fault) {
            sentence = field.row.refused.empty() ? QString(fault.what()) : word(field.row.refused);
        }
    }
    setFault(key, sentence);
    return sentence.isEmpty() ? nullptr : field.edit;
}

QWidget* RequestForm::check() {
    QWidget* first = nullptr;
    for (const Field& field : fields_) {
        QWidget* const wrong = check(field.row.key);
        first = first == nullptr ? wrong : first;
    }
    return first;
}

std::size_t RequestForm::placeOf(const std::string& key) const {
    const auto found =
        std::find_if(fields_.begin(), fields_.end(), [&](const Field& one) { return one.row.key == key; });
    return static_cast<std::size_t>(found - fields_.begin());
}

const RequestForm::Field& RequestForm::of(const std::string& key) const {
    if (!has(key)) {
        throw InternalError("no row " + key);
    }
    return fields_[placeOf(key)];
}

// ---- dialogs ----

std::vector<BoundRow> rowsOfGroups(const std::vector<BoundRow>& rows,
                                   const std::vector<std::string>& groups) {
    std::vector<BoundRow> all;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(all), [&](const BoundRow& row) {
        return row.group.empty() || std::find(groups.begin(), groups.end(), row.group) != groups.end();
    });
    return all;
}

QVBoxLayout* dialogColumn(QDialog& dialog) {
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    return column;
}

QDialogButtonBox* makeAnswers(QDialog& dialog, const QString& ok, const std::function<QWidget*()>& check) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(ok);
    buttons->button(QDialogButtonBox::Ok)->setObjectName(dialog.objectName().section('.', 0, 0) + ".ok");
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, [&dialog, check] {
        if (QWidget* const wrong = check ? check() : nullptr) {
            wrong->setFocus();
        } else {
            dialog.accept();
        }
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return buttons;
}

}  // namespace tof::ui
