// SPDX-License-Identifier: Apache-2.0
#include "ui/window/palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

struct Synonym {
    const char* typed;
    const char* ids;  ///< the commands that do what is meant, with spaces between
};

/// What other programs call it.
constexpr Synonym kSynonyms[] = {
    {QT_TRANSLATE_NOOP("Text", "contrast"), "view.auto view.invert"},
    {QT_TRANSLATE_NOOP("Text", "brightness"), "view.auto view.invert"},
    {QT_TRANSLATE_NOOP("Text", "window"), "view.auto"},
    {QT_TRANSLATE_NOOP("Text", "level"), "view.auto"},
    {QT_TRANSLATE_NOOP("Text", "fusion"), "layer.pin page.compare compare.swipe"},
    {QT_TRANSLATE_NOOP("Text", "fuse"), "layer.pin page.compare compare.swipe"},
    {QT_TRANSLATE_NOOP("Text", "overlay"), "layer.pin page.compare compare.swipe"},
    {QT_TRANSLATE_NOOP("Text", "blink"), "layer.hide-top page.compare"},
    {QT_TRANSLATE_NOOP("Text", "nema"), "file.simulate"},
    {QT_TRANSLATE_NOOP("Text", "phantom"), "file.simulate roi.place"},
    {QT_TRANSLATE_NOOP("Text", "scanner"), "file.simulate"},
    {QT_TRANSLATE_NOOP("Text", "screenshot"), "export.picture-file export.picture"},
    {QT_TRANSLATE_NOOP("Text", "snapshot"), "export.picture-file export.picture"},
    {QT_TRANSLATE_NOOP("Text", "settings"), "run.all-settings edit.preferences"},
    {QT_TRANSLATE_NOOP("Text", "VOI"), "roi.sphere roi.threshold"},
    {QT_TRANSLATE_NOOP("Text", "MIP"), "view.mip chart.solid"},
    {QT_TRANSLATE_NOOP("Text", "reconstruct"), "run.start"},
    {QT_TRANSLATE_NOOP("Text", "stop"), "run.cancel run.pause run.finish"},
    {QT_TRANSLATE_NOOP("Text", "abort"), "run.cancel"},
};

bool meantBy(const QString& typed, const Command& command) {
    return typed.size() >= 3 &&
           std::any_of(std::begin(kSynonyms), std::end(kSynonyms), [&](const Synonym& each) {
               const bool word = Text::tr(each.typed).startsWith(typed, Qt::CaseInsensitive) ||
                                 QLatin1String(each.typed).startsWith(typed, Qt::CaseInsensitive);
               return word && QString(each.ids).split(' ').contains(command.id);
           });
}

/// How well a word names a command, 0 best; empty: not at all.
std::optional<int> rankOf(const QString& typed, const Command& command) {
    if (command.text.startsWith(typed, Qt::CaseInsensitive)) {
        return 0;
    }
    if (command.text.contains(typed, Qt::CaseInsensitive)) {
        return 1;
    }
    if (meantBy(typed, command)) {
        return 2;
    }
    const bool elsewhere = word(command.menu.toStdString()).contains(typed, Qt::CaseInsensitive) ||
                           command.id.contains(typed, Qt::CaseInsensitive) ||
                           command.help.contains(typed, Qt::CaseInsensitive);
    return elsewhere ? std::optional(8) : std::nullopt;
}

}  // namespace

std::vector<const Command*> matchingCommands(const CommandRegistry& commands, const QString& typed) {
    const QStringList words = typed.simplified().split(' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, const Command*>> found;
    for (const auto& command : commands.all()) {
        int rank = 0;
        bool all = true;
        for (const QString& word : words) {
            const auto one = rankOf(word, *command);
            all = all && one;
            rank += one.value_or(0);
        }
        // Nobody who looks for a word wants the program to end, unless the word is its name.
        if (command->id == "file.quit" && rank > static_cast<int>(words.size())) {
            rank += 1000;
        }
        if (all) {
            found.emplace_back(rank, command.get());
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Command*> out;
    for (const auto& [rank, command] : found) {
        out.push_back(command);
    }
    return out;
}

Palette::Palette(CommandRegistry& commands, QWidget* parent)
    : QDialog(parent), commands_(commands), line_(new QLineEdit), list_(new QListWidget) {
    setObjectName("palette");
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    line_->setObjectName("palette.line");
    line_->setAccessibleName(tr("Command"));
    line_->setPlaceholderText(tr("Type what you want to do"));
    line_->installEventFilter(this);
    list_->setObjectName("palette.list");
    list_->setAccessibleName(tr("Commands that fit"));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(line_);
    column->addWidget(list_);
    resize(560, 420);
    connect(line_, &QLineEdit::textChanged, this, &Palette::fill);
    connect(line_, &QLineEdit::returnPressed, this, &Palette::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &Palette::runCurrent);
    commands_.refresh();
    fill();
    line_->setFocus();
}

void Palette::fill() {
    const Theme& theme = Theme::of(*this);
    shown_ = matchingCommands(commands_, line_->text());
    list_->clear();
    for (const Command* command : shown_) {
        const QAction* action = commands_.action(command->id);
        const QString keys = keyText(*command);
        auto* row = new QListWidgetItem(word(command->menu.toStdString()) + QString(" ") + QChar(0x203a) +
                                        " " + command->text + (keys.isEmpty() ? "" : "    " + keys));
        row->setToolTip(action->toolTip());
        if (!action->isEnabled()) {
            row->setForeground(theme.disabled);
        }
        if (action->isCheckable()) {
            row->setCheckState(action->isChecked() ? Qt::Checked : Qt::Unchecked);
            row->setFlags(row->flags() & ~Qt::ItemIsUserCheckable);
        }
        list_->addItem(row);
    }
    if (shown_.empty()) {
        auto* none =
            new QListWidgetItem(tr("No command has \"%1\" in its name or description. H lists all keys")
                                    .arg(line_->text().simplified()));
        none->setFlags(Qt::NoItemFlags);
        none->setForeground(theme.text2);
        list_->addItem(none);
    }
    list_->setCurrentRow(shown_.empty() ? -1 : 0);
}

const Command* Palette::current() const {
    const int row = list_->currentRow();
    return row >= 0 ? shown_[static_cast<std::size_t>(row)] : nullptr;
}

void Palette::runCurrent() {
    const Command* command = current();
    if (command == nullptr) {
        return;
    }
    const QAction* action = commands_.action(command->id);
    if (!action->isEnabled()) {
        line_->setToolTip(action->toolTip());
        list_->currentItem()->setText(command->text + ": " + action->toolTip());
        return;
    }
    // After the palette has gone: the command may open a dialog of its own.
    QTimer::singleShot(0, &commands_, [&commands = commands_, id = command->id] {
        static_cast<void>(commands.trigger(id));
    });
    accept();
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step != 0 && !shown_.empty()) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace tof::ui
