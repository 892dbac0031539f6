// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_head.h"
#include "recon/systems/histo/histo_model.h"

#include <QMenu>
#include <QPainter>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// A preset as a person reads it: the user's own without what marks it in files and settings.
QString presetName(const std::string& preset) {
    const QString name = QString::fromStdString(preset);
    return name.startsWith(kPresetPrefix) ? name.section(':', 1) : name;
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

QString LabHead::title() const {
    return lab_.operand(side_).kind == ProjectionKind::Forward ? tr("Forward") : tr("Back");
}

QString LabHead::caption() const {
    const LabOperand& operand = lab_.operand(side_);
    const auto& pictures = lab_.results().pictures();
    const bool known = pictures != nullptr && !pictures->where[side_].isEmpty();
    QString text = known ? pictures->where[side_] : QString::fromStdString(operand.engine);
    if (!operand.preset.empty()) {
        text += ", " + presetName(operand.preset);
    }
    return text;
}

QMenu* LabHead::makeMenu() {
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    const LabOperand now = lab_.operand(side_);
    const auto add = [&](const QString& text, const LabOperand& operand, const QString& why = {}) {
        QAction* action = menu->addAction(text, this, [this, operand] { lab_.setOperand(side_, operand); });
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
    const auto engine = [&](const std::string& name, const std::string& strategy, const QString& why = {}) {
        LabOperand operand = now;
        operand.engine = name;
        operand.strategy = strategy;
        const std::string text = strategy.empty() ? name : name + ", " + strategy;
        add(QString::fromStdString(text), operand, why);
    };
    engine("auto", "");
    for (const std::string& name : lab_.engines().names()) {
        const auto found = lab_.engines().find(name);
        if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
            engine(name, "", QString::fromStdString(unsupported->why));
            continue;
        }
        for (const std::string& s :
             std::get<std::shared_ptr<const Engine>>(found)->strategyNames(DirectModel::kSystem)) {
            engine(name, s);
        }
    }
    engine(kDefinition, "",
           lab_.projectsImage() ? tr("The definition is evaluated for point sources only") : "");
    menu->addSeparator();
    LabOperand own = now;
    own.preset.clear();
    add(tr("this kernel"), own);
    QMenu* presets =
        menu->addMenu(now.preset.empty() ? tr("a preset") : tr("preset %1").arg(presetName(now.preset)));
    std::vector<std::string> names = KernelSpec::presetNames();
    for (const std::string& mine : lab_.library().ownNames()) {
        names.push_back(kPresetPrefix + mine);
    }
    for (const std::string& preset : names) {
        LabOperand operand = now;
        operand.preset = preset;
        QAction* action = presets->addAction(presetName(preset), this,
                                             [this, operand] { lab_.setOperand(side_, operand); });
        action->setCheckable(true);
        action->setChecked(now.preset == preset);
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
    painter.drawText(QRect(left, 1, right - left, height()), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(caption(), Qt::ElideRight, right - left));
    painter.drawPixmap(width() - 26, (height() - 16) / 2,
                       iconPixmap("chevron-down", theme.text2, 16, devicePixelRatioF()));
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

}  // namespace tof::ui
