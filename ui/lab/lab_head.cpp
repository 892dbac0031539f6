// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_head.h"

#include <QMenu>
#include <QPainter>

#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

QString presetOf(const LabOperand& operand) {
    return presetName(QString::fromStdString(operand.preset));
}

}  // namespace

LabHead::LabHead(KernelLab& lab, int side, QWidget* parent)
    : QAbstractButton(parent), lab_(lab), side_(side) {
    setObjectName(side == 0 ? "lab.a" : "lab.b");
    setAccessibleName(side == 0 ? tr("Projection A") : tr("Projection B"));
    setFocusPolicy(Qt::TabFocus);
    setToolTip(tr("Forward or back, engine and strategy, kernel"));
    connect(this, &QAbstractButton::clicked, this, [this] {
        QMenu* menu = makeMenu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(mapToGlobal(QPoint(8, height())));
    });
    connect(&lab_, &KernelLab::edited, this, qOverload<>(&QWidget::update));
    connect(&lab_, &KernelLab::computed, this, qOverload<>(&QWidget::update));
}

QString LabHead::caption() const {
    const LabOperand& operand = lab_.operand(side_);
    const auto& pictures = lab_.results().pictures();
    const std::string where =
        pictures != nullptr ? pictures->sides[static_cast<std::size_t>(side_)].where : std::string();
    const QString text = QString::fromStdString(where.empty() ? operand.engine : where);
    return operand.preset.empty() ? text : text + ", " + presetOf(operand);
}

QMenu* LabHead::makeMenu() {
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    const LabOperand now = lab_.operand(side_);
    const auto add = [&](const QString& text, const LabOperand& operand, const QString& why = {},
                         QMenu* to = nullptr) {
        QAction* action = (to != nullptr ? to : menu)->addAction(text, this, [this, operand] {
            lab_.setOperand(side_, operand);
        });
        action->setCheckable(true);
        action->setChecked(operand == now);
        action->setEnabled(why.isEmpty());
        action->setToolTip(why);
    };
    for (const ProjectionKind kind : {ProjectionKind::Forward, ProjectionKind::Back}) {
        LabOperand operand = now;
        operand.kind = kind;
        add(kind == ProjectionKind::Forward ? tr("Forward") : tr("Back"), operand);
    }
    menu->addSeparator();
    const auto engine = [&](const std::string& name, const std::string& strategy,
                            const std::string& why = {}) {
        LabOperand operand = now;
        operand.engine = name;
        operand.strategy = strategy;
        const std::string text = strategy.empty() ? name : name + ", " + strategy;
        add(QString::fromStdString(text), operand, QString::fromStdString(why));
    };
    engine("auto", "");
    lab_.forEachStrategy(engine);
    engine(
        kDefinition, "",
        lab_.projectsImage() ? tr("The definition is evaluated for point sources only").toStdString() : "");
    menu->addSeparator();
    LabOperand own = now;
    own.preset.clear();
    add(tr("this kernel"), own);
    QMenu* presets = menu->addMenu(now.preset.empty() ? tr("a preset") : tr("preset %1").arg(presetOf(now)));
    for (const std::string& preset : lab_.readPresets()) {
        LabOperand operand = now;
        operand.preset = preset;
        add(presetOf(operand), operand, {}, presets);
    }
    return menu;
}

void LabHead::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), underMouse() ? theme.hover : theme.win);
    const int right = width() - 28;
    painter.setFont(textFont(13, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRect(12, 0, right - 12, height()), Qt::AlignVCenter, title());
    const int left = 12 + painter.fontMetrics().horizontalAdvance(title()) + 10;
    painter.setFont(smallFont());
    painter.setPen(theme.text2);
    drawElided(painter, QRect(left, 1, right - left, height()), Qt::AlignVCenter, caption());
    painter.drawPixmap(width() - 26, (height() - 16) / 2,
                       iconPixmap("chevron-down", theme.text2, 16, devicePixelRatioF()));
    drawFocusFrame(*this, painter);
}

}  // namespace tof::ui
