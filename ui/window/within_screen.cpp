// SPDX-License-Identifier: Apache-2.0
#include "ui/window/within_screen.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QLayout>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tof::ui {

namespace {

constexpr QSize kFrame{16, 48};  ///< title bar and frame of a window
constexpr int kLowScreen = 700;  ///< px that every dialog has room in

/// Puts everything in a dialog into an area that scrolls.
void letScroll(QDialog& dialog) {
    auto* content = new QWidget;
    content->setLayout(dialog.layout());  // Qt hands it over with all that is in it
    auto* area = new QScrollArea;
    area->setObjectName("dialog.scroll");
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what is in it
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(area);
}

}  // namespace

void keepWithin(QDialog& dialog, QSize room) {
    QLayout* layout = dialog.layout();
    if (layout == nullptr) {
        return;
    }
    for (QWidget* each : dialog.findChildren<QWidget*>()) {
        each->ensurePolished();  // the style sheet makes many larger
    }
    layout->invalidate();
    const QSize needed = layout->totalMinimumSize().expandedTo(dialog.minimumSize());
    if (needed.width() > room.width() || needed.height() > room.height()) {
        layout->setSizeConstraint(QLayout::SetDefaultConstraint);
        dialog.setMinimumSize(0, 0);
        letScroll(dialog);
        constexpr int kBar = 12;  // a scroll bar takes no room from what fits
        dialog.resize((needed + QSize(kBar, kBar)).boundedTo(room));
    } else if (dialog.width() > room.width() || dialog.height() > room.height()) {
        dialog.resize(dialog.size().boundedTo(room));
    }
}

WithinScreen::WithinScreen(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WithinScreen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && watched->isWidgetType()) {
        auto* dialog = qobject_cast<QDialog*>(watched);
        const auto isOurs = [](const QMetaObject& kind) {
            return &kind == &QDialog::staticMetaObject || QByteArray(kind.className()).startsWith("tof::");
        };
        if (dialog == nullptr || !isOurs(*dialog->metaObject())) {
            return false;
        }
        const QSize screen = dialog->screen()->availableGeometry().size();
        if (screen.height() < kLowScreen) {
            keepWithin(*dialog, screen - kFrame);
        }
    }
    return false;
}

}  // namespace tof::ui
