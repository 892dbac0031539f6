// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layer_rows.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <cmath>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kPerCent = 100;

}  // namespace

LayerRows::LayerRows(Desk& desk, QWidget* parent) : QWidget(parent), desk_(desk) {
    setObjectName("layers");
    setAccessibleName(tr("Layers"));
    static_cast<void>(makeColumn(this, {16, 0, 16, 0}));
    connect(&desk_.layers(), &LayerModel::changed, this, &LayerRows::refresh);
    connect(&desk_.view(), &ViewModel::changed, this, &LayerRows::refresh);
    connect(&desk_.runs(), &RunList::changed, this, &LayerRows::refresh);
}

int LayerRows::layerOf(std::size_t row) const {
    return static_cast<int>(desk_.layers().layers().size()) - 1 - static_cast<int>(row);
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
            [this, place](bool on) { desk_.layers().setVisible(layerOf(place), on); });
    row.name = new ElidedLabel(ElidedLabel::Role::Text);
    row.opacity = new QSlider(Qt::Horizontal);
    row.opacity->setObjectName(QString("layer.opacity.%1").arg(place));
    row.opacity->setRange(0, kPerCent);
    row.opacity->setFixedWidth(84);
    connect(row.opacity, &QSlider::valueChanged, this, [this, place](int value) {
        desk_.layers().setOpacity(layerOf(place), static_cast<double>(value) / kPerCent);
    });
    connect(row.opacity, &QSlider::sliderReleased, this, [this] { desk_.layers().endDrag(); });
    line->addWidget(row.eye);
    line->addWidget(row.name, 1);
    line->addWidget(row.opacity);
    column->addLayout(line);
    row.look = new ElidedLabel(ElidedLabel::Role::Caption);
    column->addWidget(row.look);
    layout()->addWidget(row.box);
    rows_.push_back(row);
}

QString LayerRows::lookText(const RunItem& item) {
    for (const ShownLayer& layer : desk_.layers().shown()) {
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
    LayerModel& layers = desk_.layers();
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
        const QString name = item == nullptr ? layer.image : item->label() + "  " + item->name();
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

bool LayerRows::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress) {
        for (std::size_t i = 0; i < rows_.size() && i < desk_.layers().layers().size(); ++i) {
            if (rows_[i].box == watched) {
                const Layer& layer = desk_.layers().layers()[static_cast<std::size_t>(layerOf(i))];
                if (const RunItem* item = desk_.layers().itemOf(layer)) {
                    desk_.runs().select(item->id());
                }
            }
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace tof::ui
