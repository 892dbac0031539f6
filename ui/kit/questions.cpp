// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/questions.h"

#include <QMessageBox>
#include <QPushButton>

#include "ui/kit/preferences.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

bool Questions::confirm(const QString& title, const QString& text, const QString& yes) const {
    if (asking_ == Asking::Never || !preferences_.isOn("confirm")) {
        return true;
    }
    QMessageBox box(QMessageBox::Question, title, text, QMessageBox::Yes | QMessageBox::No, &window_);
    box.setIconPixmap(iconPixmap("warning", Theme::of(window_).warning, 32, window_.devicePixelRatioF()));
    box.button(QMessageBox::Yes)->setText(yes);
    box.button(QMessageBox::No)->setText(Text::tr("Go back"));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

}  // namespace tof::ui
