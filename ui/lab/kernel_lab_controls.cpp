// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/kernel_lab_controls.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>

#include "recon/base/error.h"
#include "recon/kernel/point_response.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kRow = 24;

QTableWidget* makeTable(const char* objectName, const QString& name, const QStringList& headers) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()));
    table->setObjectName(objectName);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(headers);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRow);
    table->verticalHeader()->setMinimumSectionSize(kRow);
    table->horizontalHeader()->setFixedHeight(kRow);
    table->horizontalHeader()->setMinimumSectionSize(16);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setShowGrid(false);
    table->setFocusPolicy(Qt::StrongFocus);
    table->setTabKeyNavigation(false);  // Tab leaves; arrow keys go through the cells
    return table;
}

void setCell(QTableWidget& table, int row, int column, const QString& text, bool editable) {
    QTableWidgetItem* item = table.item(row, column);
    if (item == nullptr) {
        item = new QTableWidgetItem;
        item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        table.setItem(row, column, item);
    }
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable |
                   (editable ? Qt::ItemIsEditable : Qt::NoItemFlags));
    if (item->text() != text) {
        item->setText(text);
    }
}

void fitHeight(QTableWidget& table) {
    table.setFixedHeight(kRow * (table.rowCount() + 1) + 2);
}

/// A number as typed; throws WrongUse.
double typed(const QTableWidget& table, int row, int column) {
    bool ok = false;
    QString text = table.item(row, column)->text().trimmed();
    const double value = text.replace(QChar(0x2212), '-').toDouble(&ok);
    if (!ok || !std::isfinite(value)) {
        throw WrongUse(Text::tr("a number is needed").toStdString());
    }
    return value;
}

}  // namespace

KernelLabControls::KernelLabControls(KernelLab& lab, CommandRegistry& commands, QWidget* parent)
    : QWidget(parent), lab_(lab) {
    auto* all = makeColumn(this, {0, 8, 0, 8});
    for (const QString& title : {tr("KERNEL"), tr("WIDTHS"), tr("VIEW ANGLE"), tr("POINT SOURCES")}) {
        sections_.push_back(addSection(*all, title));
    }
    all->addStretch();
    buildKernel(commands);
    buildWidths();
    buildAngles();
    buildPoints(commands);
    knots_->installEventFilter(this);
    points_->installEventFilter(this);
    refresh();
}

void KernelLabControls::buildKernel(CommandRegistry& commands) {
    Section* section = sections_[0];
    section->addToHeading(makeButton(commands.action("lab.load"), ButtonKind::Square, section));
    section->addToHeading(makeButton(commands.action("lab.delete-preset"), ButtonKind::Square, section));
    section->addToHeading(makeButton(commands.action("lab.save-preset"), ButtonKind::Button, section));
    QVBoxLayout* column = section->content();
    presets_ = new ComboBox;
    presets_->setObjectName("lab.preset");
    presets_->setAccessibleName(tr("Kernel preset"));
    presets_->setToolTip(tr("Kernel that the lab begins with; widths are FWHM in mm"));
    connect(presets_, &QComboBox::activated, this, [this](int index) {
        const QString name = presets_->itemData(index).toString();
        if (!name.isEmpty()) {
            Q_EMIT presetChosen(name);
        }
    });
    column->addWidget(presets_);
    const auto segments = [&](std::initializer_list<const char*> ids) {
        std::vector<QToolButton*> buttons;
        for (const char* id : ids) {
            buttons.push_back(makeButton(commands.action(id), ButtonKind::Segment, section));
            buttons.back()->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        }
        column->addSpacing(8);
        column->addWidget(makeSegments(buttons, section));
    };
    segments({"lab.invariant", "lab.variant", "lab.measured"});
    segments({"lab.symmetric", "lab.asymmetric"});
    segments({"lab.sampling-centre", "lab.sampling-voxel"});
    column->addSpacing(8);
    QToolButton* use = makeButton(commands.action("lab.use"), ButtonKind::Button, section);
    use->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column->addWidget(use);
    fault_ = new ElidedLabel(ElidedLabel::Role::Caption);
    fault_->setObjectName("lab.fault");
    fault_->hide();
    column->addWidget(fault_);
}

void KernelLabControls::buildWidths() {
    sections_[1]->setNote(tr("FWHM"));
    QVBoxLayout* column = sections_[1]->content();
    const auto number = [&](QVBoxLayout* to, const char* key, const NumberRow::Info& info) {
        auto* row = new NumberRow(
            info, QString("lab.") + key,
            [this, k = std::string(key)](double value, Edit edit) { lab_.setNumber(k, value, edit); });
        connect(row, &NumberRow::released, this, [this] { lab_.endEdit(); });
        numbers_[key] = row;
        to->addWidget(row);
    };
    const QString sigma = QString(QChar(0x00a0)) + QChar(0x03c3);
    const QString mm = QString(QChar(0x00a0)) + "mm";
    const QString ps = QString(QChar(0x00a0)) + "ps";
    number(column, "tof",
           {tr("TOF"), ps, tr("Coincidence time resolution, ps FWHM; 1 ps is 0.15 mm along the line"), 50,
            1000, 5, 0});
    number(column, "axial",
           {tr("Axial"), mm, tr("FWHM along the axial axis of the view, mm"), 1, 20, 0.1, 1});
    number(column, "cutoff",
           {tr("Cut-off"), sigma, tr("The kernel ends this many sigma away in every direction"), 1, 5.5, 0.05,
            1});
    number(column, "step",
           {tr("Id step"), mm, tr("Width of a kernel-id bin in |s|, mm: voxels within one share a kernel"),
            0.5, 10, 0.1, 1});
    asymmetry_ = new QWidget;
    auto* more = makeColumn(asymmetry_);
    number(more, "ratio",
           {tr("Ratio"), "", tr("Width of the second Gaussian over that of the first"), 0.5, 5, 0.05, 2});
    number(more, "shift",
           {tr("Shift"), sigma, tr("Of the second Gaussian towards the centre, in sigma of the first"), -5, 5,
            0.05, 2});
    number(more, "weight", {tr("Weight"), "", tr("Share of the first Gaussian's area"), 0, 1, 0.01, 2});
    column->addWidget(asymmetry_);
    column->addSpacing(4);
    knots_ = makeTable("lab.knots", tr("Points of the width line"), {"", tr("|s|, mm"), tr("radial, mm")});
    connect(knots_, &QTableWidget::cellChanged, this, &KernelLabControls::knotEdited);
    connect(knots_, &QTableWidget::currentCellChanged, this, [this](int row) { lab_.selectKnot(row); });
    column->addWidget(knots_);
}

void KernelLabControls::buildAngles() {
    auto* row = makeRow(nullptr, {});
    row->setSpacing(12);
    dial_ = new Dial(tr("Azimuth"));
    dial_->setObjectName("lab.dial");
    connect(dial_, &Dial::turned, this,
            [this](double degrees, Edit edit) { lab_.setAzimuth(degrees, edit); });
    connect(dial_, &Dial::released, this, [this] { lab_.endEdit(); });
    row->addWidget(dial_);
    auto* column = makeColumn(nullptr);
    const QString degree(QChar(0x00b0));
    azimuth_ =
        new NumberRow({tr("Azimuth"), degree, tr("Azimuth of the view, degrees"), 0, 179.5, 0.5, 1},
                      "lab.azimuth", [this](double value, Edit edit) { lab_.setAzimuth(value, edit); });
    tilt_ = new NumberRow({tr("Tilt"), degree, tr("Co-polar angle of the view, degrees"), -30, 30, 0.5, 1},
                          "lab.tilt", [this](double value, Edit edit) { lab_.setTilt(value, edit); });
    for (NumberRow* number : {azimuth_, tilt_}) {
        connect(number, &NumberRow::released, this, [this] { lab_.endEdit(); });
        column->addWidget(number);
    }
    row->addLayout(column, 1);
    sections_[2]->content()->addLayout(row);
}

void KernelLabControls::buildPoints(CommandRegistry& commands) {
    Section* section = sections_[3];
    section->addToHeading(makeButton(commands.action("edit.undo"), ButtonKind::Square, section));
    section->addToHeading(makeButton(commands.action("edit.redo"), ButtonKind::Square, section));
    section->addToHeading(makeButton(commands.action("lab.clear-points"), ButtonKind::Button, section));
    points_ = makeTable("lab.points", tr("Point sources"),
                        {"", tr("x, mm"), tr("y, mm"), tr("z, mm"), tr("|s|, mm")});
    points_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
    points_->setColumnWidth(0, 28);
    connect(points_, &QTableWidget::cellChanged, this, &KernelLabControls::pointEdited);
    connect(points_, &QTableWidget::currentCellChanged, this, [this](int row) { lab_.selectPoint(row); });
    section->content()->addWidget(points_);
    hint_ = new QLabel;
    hint_->setObjectName("lab.points.hint");
    hint_->setWordWrap(true);
    hint_->setStyleSheet("font-size: 11px;");
    section->content()->addSpacing(4);
    section->content()->addWidget(hint_);
}

void KernelLabControls::knotEdited(int row, int column) {
    const auto line = lab_.knots();
    if (row >= static_cast<int>(line.size())) {
        return;
    }
    try {
        const double value = typed(*knots_, row, column);
        const auto& [s, w] = line[static_cast<std::size_t>(row)];
        lab_.moveKnot(row, column == 1 ? value : s, column == 2 ? value : w);
    } catch (const Error&) {
        // Not a number: the table goes back to what is true.
    }
    refreshTables();
}

void KernelLabControls::pointEdited(int row, int column) {
    if (row >= static_cast<int>(lab_.points().size())) {
        return;
    }
    try {
        Vec3 at = lab_.points()[static_cast<std::size_t>(row)];
        (column == 1 ? at.x : column == 2 ? at.y : at.z) = typed(*points_, row, column);
        lab_.movePoint(row, at);
    } catch (const Error&) {
        // As above.
    }
    refreshTables();
}

bool KernelLabControls::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::KeyPress;
    if ((press || event->type() == QEvent::ShortcutOverride) &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        event->accept();
        if (press && watched == points_) {
            lab_.removePoint(lab_.selectedPoint());
        } else if (press) {
            lab_.removeKnot(lab_.selectedKnot());
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void KernelLabControls::refreshPresets() {
    QStringList names;  // as usePreset() takes them
    QStringList texts;
    for (const std::string& preset : lab_.presets()) {
        names << QString::fromStdString(preset);
        texts << presetName(names.last());
    }
    const bool changed = lab_.changedSinceOrigin();
    const bool listed = !changed && names.contains(lab_.origin());
    if (!listed) {
        texts.prepend(changed ? tr("custom, from %1").arg(lab_.originName()) : lab_.originName());
        names.prepend(QString());
    }
    bool same = presets_->count() == texts.size();
    for (int i = 0; same && i < texts.size(); ++i) {
        same = presets_->itemText(i) == texts[i] && presets_->itemData(i).toString() == names[i];
    }
    if (!same) {
        presets_->clear();
        for (int i = 0; i < texts.size(); ++i) {
            presets_->addItem(texts[i], names[i]);
        }
    }
    presets_->setCurrentIndex(listed ? static_cast<int>(names.indexOf(lab_.origin())) : 0);
}

void KernelLabControls::refreshTables() {
    const QSignalBlocker quietKnots(knots_);
    const QSignalBlocker quietPoints(points_);
    const auto line = lab_.knots();
    const bool measured = lab_.spread() == KernelLab::Spread::Measured;
    knots_->setRowCount(static_cast<int>(line.size()));
    for (int i = 0; i < knots_->rowCount(); ++i) {
        const auto& [s, w] = line[static_cast<std::size_t>(i)];
        setCell(*knots_, i, 0, (measured ? tr("profile %1") : tr("point %1")).arg(i + 1), false);
        setCell(*knots_, i, 1, numberText(s, 1), i > 0 && !measured);
        setCell(*knots_, i, 2, numberText(w, 2) + (measured ? deviationText(i) : QString()), !measured);
    }
    knots_->selectRow(lab_.selectedKnot());
    fitHeight(*knots_);
    points_->setRowCount(static_cast<int>(lab_.points().size()));
    for (int i = 0; i < points_->rowCount(); ++i) {
        const Vec3 p = lab_.points()[static_cast<std::size_t>(i)];
        setCell(*points_, i, 0, QString::number(i + 1), false);
        setCell(*points_, i, 1, numberText(p.x, 1), true);
        setCell(*points_, i, 2, numberText(p.y, 1), true);
        setCell(*points_, i, 3, numberText(p.z, 1), true);
        setCell(*points_, i, 4, numberText(lab_.radiusOf(p), 1), false);
    }
    if (lab_.selectedPoint() >= 0) {
        points_->selectRow(lab_.selectedPoint());
    } else {
        points_->clearSelection();
    }
    fitHeight(*points_);
}

/// What stands after the width of a measured profile where the errors of its knots are known.
QString KernelLabControls::deviationText(int profile) const {
    const double sd = measuredFwhm(lab_.kernel().measured[static_cast<std::size_t>(profile)]).sd;
    return sd > 0 ? QString(" ") + QChar(0x00b1) + " " + numberText(sd, 2) : QString();
}

void KernelLabControls::refresh() {
    refreshPresets();
    for (const auto& [key, row] : numbers_) {
        row->setValue(lab_.number(key));
    }
    const bool measured = lab_.spread() == KernelLab::Spread::Measured;
    asymmetry_->setVisible(lab_.kernel().asymmetry.has_value() && !measured);
    dial_->setValue(lab_.azimuth_deg());
    azimuth_->setValue(lab_.azimuth_deg());
    tilt_->setValue(lab_.tilt_deg());
    refreshTables();
    hint_->setText(lab_.projectsImage()    ? tr("the image on screen is projected instead")
                   : lab_.points().empty() ? tr("click in a picture to add one")
                                           : tr("click in a picture to add one, drag to move it; there, Ins "
                                                "adds, arrow keys move (Shift: ten voxels), Del removes"));
    const QString fault = lab_.results().fault();
    fault_->setVisible(!fault.isEmpty());
    fault_->setText(fault);
    fault_->setToolTip(fault);
}

}  // namespace tof::ui
