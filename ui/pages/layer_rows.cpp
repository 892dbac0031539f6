// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layer_rows.h"

#include <QColorDialog>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "ui/desk/layers.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kPerCent = 100;

}  // namespace

LayerRows::LayerRows(LayerModel& layers, RunList& runs, ViewModel& view, QWidget* parent)
    : QWidget(parent), layers_(layers), runs_(runs), view_(view) {
    setObjectName("layers");
    setAccessibleName(tr("Layers"));
    static_cast<void>(makeColumn(this, {16, 0, 16, 0}));
    connect(&layers_, &LayerModel::changed, this, &LayerRows::refresh);
    connect(&view_, &ViewModel::changed, this, &LayerRows::refresh);
    connect(&runs_, &RunList::changed, this, &LayerRows::refresh);
}

int LayerRows::layerOf(std::size_t row) const {
    return static_cast<int>(layers_.layers().size()) - 1 - static_cast<int>(row);
}

void LayerRows::addRow(std::size_t place) {
    Row row;
    row.box = new QWidget(this);
    row.box->installEventFilter(this);
    auto* column = makeColumn(row.box, {0, 2, 0, 4});
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    row.eye = new QToolButton;
    row.eye->setObjectName(QString("layer.eye.%1").arg(place));
    row.eye->setCheckable(true);
    row.eye->setFixedSize(24, 24);
    row.eye->setIconSize({16, 16});
    row.eye->setToolTip(tr("Seen in the pictures"));
    connect(row.eye, &QToolButton::clicked, this,
            [this, place](bool on) { layers_.setVisible(layerOf(place), on); });
    row.name = new ElidedLabel(ElidedLabel::Role::Text);
    row.opacity = new QSlider(Qt::Horizontal);
    row.opacity->setObjectName(QString("layer.opacity.%1").arg(place));
    row.opacity->setRange(0, kPerCent);
    row.opacity->setFixedWidth(84);
    connect(row.opacity, &QSlider::valueChanged, this, [this, place](int value) {
        layers_.setOpacity(layerOf(place), static_cast<double>(value) / kPerCent);
    });
    connect(row.opacity, &QSlider::sliderReleased, this, [this] { layers_.endDrag(); });
    row.swatch = new QLabel;
    row.swatch->setObjectName(QString("layer.colour.%1").arg(place));
    row.swatch->setFixedSize(12, 12);
    row.swatch->setAttribute(Qt::WA_TransparentForMouseEvents);
    line->addWidget(row.eye);
    line->addWidget(row.swatch);
    line->addWidget(row.name, 1);
    line->addWidget(row.opacity);
    column->addLayout(line);
    row.look = new ElidedLabel(ElidedLabel::Role::Caption);
    column->addWidget(row.look);
    layout()->addWidget(row.box);
    rows_.push_back(row);
}

QString LayerRows::lookText(const RunItem& item) {
    for (const ShownLayer& layer : layers_.shown()) {
        if (layer.item == &item) {
            const auto text = [&](double v) { return compactNumber(layer.unit.shown(v), 3); };
            return tr("%1, %2 to %3 %4")
                .arg(word(layer.map.label), text(layer.range.low), text(layer.range.high),
                     unitWord(layer.unit));
        }
    }
    return tr("hidden");
}

void LayerRows::refresh() {
    LayerModel& layers = layers_;
    while (rows_.size() < layers.layers().size()) {
        addRow(rows_.size());
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        const bool used = layers.stacked() && i < layers.layers().size();
        row.box->setVisible(used);
        if (!used) {
            continue;
        }
        const Layer& layer = layers.layers()[static_cast<std::size_t>(layerOf(i))];
        const RunItem* item = layers.itemOf(layer);
        const QString name = !layer.name.isEmpty() ? layer.name
                             : item == nullptr     ? layer.image
                                                   : item->label() + "  " + item->name();
        row.swatch->setVisible(!layer.colour.isEmpty());
        if (!layer.colour.isEmpty()) {
            QPixmap square(row.swatch->size());
            square.fill(QColor(layer.colour));
            row.swatch->setPixmap(square);
        }
        row.name->setText(name);
        row.name->setToolTip(layer.image.isEmpty() ? tr("The run selected of those that are no layers")
                                                   : tr("Stays while one goes through the runs"));
        row.look->setText(item == nullptr ? tr("not there yet") : lookText(*item));
        row.eye->setAccessibleName(tr("%1 is seen").arg(name));
        row.eye->setChecked(layer.visible);
        row.eye->setIcon(themedIcon(layer.visible ? "eye" : "minus-circle", Theme::of(*this)));
        const QSignalBlocker quiet(row.opacity);
        row.opacity->setValue(static_cast<int>(std::lround(layer.opacity * kPerCent)));
        row.opacity->setAccessibleName(tr("Opacity of %1").arg(name));
        row.opacity->setToolTip(tr("Opacity, %1 %").arg(row.opacity->value()));
    }
}

int LayerRows::rowAt(const QWidget& box, QPoint at) const {
    const QPoint here = box.mapTo(this, at);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!rows_[i].box->isHidden() && here.y() >= rows_[i].box->y() &&
            here.y() < rows_[i].box->y() + rows_[i].box->height()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void LayerRows::press(int row) {
    dragged_ = over_ = row;
    const Layer& layer = layers_.layers()[static_cast<std::size_t>(layerOf(static_cast<std::size_t>(row)))];
    if (const RunItem* item = layers_.itemOf(layer)) {
        runs_.select(item->id());
    }
}

void LayerRows::drop(int row) {
    const int from = std::exchange(dragged_, -1);
    over_ = -1;
    update();
    if (from >= 0 && row >= 0 && row != from) {
        layers_.moveTo(layerOf(static_cast<std::size_t>(from)), layerOf(static_cast<std::size_t>(row)));
    }
}

void LayerRows::askForName(LayerModel& layers, int layer, const QString& now, QWidget* parent) {
    bool ok = false;
    const QString name = QInputDialog::getText(parent, tr("Name of layer"), tr("Empty: that of its image"),
                                               QLineEdit::Normal, now, &ok);
    if (ok && name != now) {
        layers.setName(layer, name);
    }
}

void LayerRows::askForColour(LayerModel& layers, int layer, const QColor& now, QWidget* parent) {
    const QColor colour = QColorDialog::getColor(now, parent, tr("Colour of layer"));
    if (colour.isValid()) {
        layers.setColour(layer, colour.name());
    }
}

void LayerRows::askForName(int row) {
    const auto index = static_cast<std::size_t>(row);
    askForName(layers_, layerOf(index), rows_[index].name->text(), this);
}

void LayerRows::showMenu(int row, QPoint globalPosition) {
    const int layer = layerOf(static_cast<std::size_t>(row));
    auto* menu = new QMenu(this);
    menu->setObjectName("menu.layer");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Name..."), this, [this, row] { askForName(row); });
    menu->addAction(tr("Colour..."), this, [this, layer] {
        const QString now = layers_.layers()[static_cast<std::size_t>(layer)].colour;
        askForColour(layers_, layer, now.isEmpty() ? QColor(Qt::red) : QColor(now), this);
    });
    QAction* map =
        menu->addAction(tr("Colour map of its image"), this, [this, layer] { layers_.setColour(layer, {}); });
    map->setEnabled(!layers_.layers()[static_cast<std::size_t>(layer)].colour.isEmpty());
    menu->addSeparator();
    menu->addAction(tr("Up"), this, [this, layer] { layers_.move(layer, 1); });
    menu->addAction(tr("Down"), this, [this, layer] { layers_.move(layer, -1); });
    menu->popup(globalPosition);
}

/// True when the event was used.
bool LayerRows::handle(int row, QEvent& event) {
    if (event.type() == QEvent::ContextMenu) {
        showMenu(row, static_cast<QContextMenuEvent&>(event).globalPos());
        return true;
    }
    if (event.type() == QEvent::MouseButtonDblClick) {
        dragged_ = -1;
        askForName(row);
        return true;
    }
    const QWidget& box = *rows_[static_cast<std::size_t>(row)].box;
    if (event.type() == QEvent::MouseButtonPress) {
        press(row);
    } else if (event.type() == QEvent::MouseMove && dragged_ >= 0) {
        over_ = rowAt(box, static_cast<QMouseEvent&>(event).position().toPoint());
        update();
    } else if (event.type() == QEvent::MouseButtonRelease && dragged_ >= 0) {
        drop(rowAt(box, static_cast<QMouseEvent&>(event).position().toPoint()));
    }
    return false;
}

bool LayerRows::eventFilter(QObject* watched, QEvent* event) {
    for (std::size_t i = 0; i < rows_.size() && i < layers_.layers().size(); ++i) {
        if (rows_[i].box == watched) {
            return handle(static_cast<int>(i), *event);
        }
    }
    return QWidget::eventFilter(watched, event);
}

/// A line where a dragged layer would go.
void LayerRows::paintEvent(QPaintEvent*) {
    if (dragged_ < 0 || over_ < 0 || over_ == dragged_) {
        return;
    }
    const QWidget& box = *rows_[static_cast<std::size_t>(over_)].box;
    const int y = over_ < dragged_ ? box.y() : box.y() + box.height() - 2;
    QPainter painter(this);
    painter.fillRect(QRect(8, y, width() - 16, 2), Theme::of(*this).focus);
}

}  // namespace tof::ui
