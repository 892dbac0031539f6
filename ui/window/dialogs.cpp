// SPDX-License-Identifier: Apache-2.0
#include "ui/window/dialogs.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSysInfo>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/seam/engine.h"
#include "recon/settings/version.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/basic.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "viz/surface.h"

namespace tof::ui {

namespace {

const std::vector<std::pair<QString, QString>>& mouseMap() {
    static const std::vector<std::pair<QString, QString>> rows{
        {Text::tr("left drag"), Text::tr("move the cursor")},
        {Text::tr("Ctrl+left drag"),
         Text::tr("draw the line that profiles are taken along; its ends can be dragged")},
        {Text::tr("right drag"), Text::tr("window (across) and level (up, down)")},
        {Text::tr("middle drag"), Text::tr("pan")},
        {Text::tr("wheel"), Text::tr("next or previous slice; with Shift ten")},
        {Text::tr("Ctrl+wheel"), Text::tr("zoom about the pointer")},
        {Text::tr("wheel, right button held"), Text::tr("next or previous image in this picture")},
        {Text::tr("double-click"), Text::tr("one picture alone, and back")},
        {Text::tr("click a point of the curve"), Text::tr("show that iterate")},
    };
    return rows;
}

std::vector<QString> menusOf(const CommandRegistry& commands) {
    std::vector<QString> menus;
    for (const auto& command : commands.all()) {
        if (std::find(menus.begin(), menus.end(), command->menu) == menus.end()) {
            menus.push_back(command->menu);
        }
    }
    return menus;
}

QDialog* textDialog(const QString& title, const QString& html, QWidget* parent, QDialogButtonBox** buttons) {
    auto* dialog = new QDialog(parent);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->resize(720, 640);
    auto* text = new QTextBrowser;
    text->setHtml(html);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->addWidget(text);
    column->addWidget(box);
    *buttons = box;
    return dialog;
}

}  // namespace

QDialog* makeCheatSheet(const CommandRegistry& commands, QWidget* parent) {
    QString html;
    for (const QString& menu : menusOf(commands)) {
        QString rows;
        for (const auto& command : commands.all()) {
            if (command->menu == menu && !command->keys.isEmpty()) {
                const QAction* action = commands.action(command->id);
                const QString state =
                    action->isCheckable() ? (action->isChecked() ? Text::tr("on") : Text::tr("off")) : "";
                rows += QString(
                            "<tr><td width=150><b>%1</b></td><td width=190>%2</td><td "
                            "width=40>%3</td><td>%4</td></tr>")
                            .arg(keyText(*command).toHtmlEscaped(), command->text.toHtmlEscaped(), state,
                                 command->help.toHtmlEscaped());
            }
        }
        if (!rows.isEmpty()) {
            html += "<h4>" + (menu.isEmpty() ? Text::tr("Pictures") : word(menu.toStdString())) +
                    "</h4><table cellspacing=4>" + rows + "</table>";
        }
    }
    html += "<h4>" + Text::tr("Mouse") + "</h4><table cellspacing=4>";
    for (const auto& [gesture, effect] : mouseMap()) {
        html += QString("<tr><td width=190><b>%1</b></td><td>%2</td></tr>").arg(gesture, effect);
    }
    html += "</table>";
    QDialogButtonBox* buttons = nullptr;
    QDialog* dialog = textDialog(Text::tr("Keys"), html, parent, &buttons);
    dialog->setObjectName("cheatsheet");
    return dialog;
}

QString keyMapMarkdown(const CommandRegistry& commands) {
    QString text = "| key | command | what it does |\n| --- | --- | --- |\n";
    for (const QString& menu : menusOf(commands)) {
        for (const auto& command : commands.all()) {
            if (command->menu == menu && !command->keys.isEmpty()) {
                QStringList keys;
                for (const QKeySequence& key : command->keys) {
                    keys << "`" + key.toString(QKeySequence::PortableText) + "`";
                }
                text += "| " + keys.join(", ") + " | " + (menu.isEmpty() ? "" : menu + " > ") +
                        command->text + " | " + command->help + " |\n";
            }
        }
    }
    for (const auto& [gesture, effect] : mouseMap()) {
        text += "| " + gesture + " | | " + effect + " |\n";
    }
    return text;
}

QString reportText(const EngineRegistry& engines, const SettingsModel& settings, const Messages& messages) {
    QString text = QString("Tofscope %1, Qt %2, %3, surfaces through %4\n")
                       .arg(kVersion, qVersion(), QSysInfo::prettyProductName(),
                            QString::fromStdString(viz::surfaceDriver()));
    for (const std::string& name : engines.names()) {
        const auto found = engines.find(name);
        const auto* engine = std::get_if<std::shared_ptr<const Engine>>(&found);
        text += QString::fromStdString(name) + ": " +
                QString::fromStdString(engine != nullptr ? (*engine)->device().name
                                                         : std::get<Unsupported>(found).why) +
                "\n";
    }
    text += "next run: " + QString::fromStdString(settings.current().toJson()) + "\n";
    for (const Message& message : messages.all()) {
        const QString kinds[] = {Text::tr("note"), Text::tr("warning"), Text::tr("error")};
        text += message.time.toString(Qt::ISODate) + " " + kinds[static_cast<int>(message.severity)] + ": " +
                message.text + "\n";
    }
    return text;
}

QDialog* makeMessageCentre(const EngineRegistry& engines, const SettingsModel& settings, Messages& messages,
                           QWidget* parent) {
    QString html;
    const auto& all = messages.all();
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
        const QString kinds[] = {Text::tr("note"), Text::tr("warning"), Text::tr("error")};
        html += QString("<p><b>%1</b> %2<br>%3</p>")
                    .arg(kinds[static_cast<int>(it->severity)], it->time.toString("HH:mm:ss"),
                         it->text.toHtmlEscaped());
    }
    QDialogButtonBox* buttons = nullptr;
    QDialog* dialog =
        textDialog(Text::tr("Messages"), all.empty() ? "<p>" + Text::tr("No messages.") + "</p>" : html,
                   parent, &buttons);
    dialog->setObjectName("messages");
    auto* copy = buttons->addButton(Text::tr("Copy report"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog, [&engines, &settings, &messages] {
        QApplication::clipboard()->setText(reportText(engines, settings, messages));
    });
    messages.markRead();
    return dialog;
}

}  // namespace tof::ui
