// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/kit/basic.h"
#include "ui/kit/json.h"
#include "ui/kit/key_table.h"
#include "ui/kit/messages.h"

namespace tof::ui {

namespace {

constexpr int kRunsBar = 40;
constexpr const char* kPin = "\u25cf ";  ///< before the letter of a pinned run

bool hasWords(const RunTable::Row& row, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return std::any_of(row.cells.begin(), row.cells.end(), [&](const RunTable::Cell& cell) {
            return cell.text.contains(word, Qt::CaseInsensitive);
        });
    });
}

/// Numbers by their size, texts by the alphabet, numbers before texts.
bool isLess(const RunTable::Cell& a, const RunTable::Cell& b) {
    if (a.number && b.number) {
        return *a.number < *b.number;
    }
    return a.number.has_value() != b.number.has_value() ? a.number.has_value()
                                                        : a.text.compare(b.text, Qt::CaseInsensitive) < 0;
}

}  // namespace

RunsPage::RunsPage(const PictureModels& models, Screen& screen, const RoiCurves& curves, Messages& messages,
                   QWidget* parent)
    : Page(parent), models_(models), screen_(screen), messages_(messages) {
    setObjectName("page.runs");
    models_.bind(*this);
    connect(&curves, &RoiCurves::changed, this, &RunsPage::refresh);
    bar_ = new QWidget(this);
    table_ = new KeyTable(0, 0, this);
    table_->setObjectName("runs.table");
    table_->setAccessibleName(tr("Table of runs"));
    table_->verticalHeader()->hide();
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    const auto choose = [this](int row) {
        if (const RunItem* item = models_.runs.find(table_->item(row, 0)->data(Qt::UserRole).toInt())) {
            models_.runs.select(item->id());
        }
    };
    connect(table_, &QTableWidget::cellClicked, this, [choose](int row, int) { choose(row); });
    connect(table_, &KeyTable::rowChosen, this, choose);
    connect(table_, &QTableWidget::cellDoubleClicked, this, [this](int, int) { askForComment(); });
    connect(table_, &KeyTable::copyRequested, this,
            [this] { QApplication::clipboard()->setText(runTableText(shown(), ".csv")); });
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &RunsPage::nextSorting);
    table_->horizontalHeader()->setSectionsClickable(true);
}

void RunsPage::addCommands(CommandRegistry& commands) {
    const auto selected = [this] { return models_.runs.selected(); };
    commands.add(
        "Run",
        {{.id = "runs.pin",
          .text = tr("Pin run"),
          .help = tr("Keeps the selected run at the top of the table of runs; again lets it go"),
          .run = [this, selected] { setPinned(selected()->label(), !pinned_.contains(selected()->label())); },
          .whyNot = [this] { return whyNoRun(); },
          .checked = [this,
                      selected] { return selected() != nullptr && pinned_.contains(selected()->label()); }},
         {.id = "runs.comment",
          .text = tr("Comment on run..."),
          .help = tr("A comment on the selected run, which the table of runs shows and the study keeps"),
          .run = [this] { askForComment(); },
          .whyNot = [this] { return whyNoRun(); }},
         {.id = "export.runs",
          .text = tr("Export table of runs..."),
          .help = tr("Writes what the table of runs shows as CSV, or as a tabular of LaTeX"),
          .icon = "export",
          .run = [this] { exportTable(); },
          .whyNot = [this] { return whyNot(); }}});
}

void RunsPage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    auto* title = new ElidedLabel(tr("Runs"), ElidedLabel::Role::Strong);
    title->setFixedWidth(title->sizeHint().width());
    row->addWidget(title);
    filter_ = new QLineEdit;
    filter_->setObjectName("runs.filter");
    filter_->setAccessibleName(tr("Words that the rows have"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    filter_->setFixedWidth(180);
    connect(filter_, &QLineEdit::textEdited, this, &RunsPage::setFilter);
    row->addWidget(filter_);
    for (const char* id : {"runs.pin", "runs.comment"}) {
        row->addWidget(makeButton(commands.action(id), ButtonKind::Button, bar_));
    }
    note_ = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    row->addWidget(note_, 1);
    row->addWidget(makeButton(commands.action("export.runs"), ButtonKind::Square, bar_));
}

QString RunsPage::whyNot() const {
    const auto& items = models_.runs.items();
    const bool any =
        std::any_of(items.begin(), items.end(), [](const auto& item) { return item->hasIterates(); });
    return any ? QString() : tr("There are no runs yet");
}

QString RunsPage::whyNoRun() const {
    const RunItem* item = models_.runs.selected();
    return item != nullptr && item->hasIterates() ? QString() : tr("No run is selected");
}

QString RunsPage::shownName() {
    return models_.study.name() + ", runs";
}

void RunsPage::stepImage(int step) {
    models_.runs.selectNext(step);
}

RunTable RunsPage::shown() const {
    RunTable table = runTable(models_.runs, screen_, models_.view, comments_);
    const QStringList words = words_.simplified().split(' ', Qt::SkipEmptyParts);
    std::erase_if(table.rows, [&](const RunTable::Row& row) { return !hasWords(row, words); });
    const auto by = std::find_if(table.columns.begin(), table.columns.end(),
                                 [this](const RunTable::Column& column) { return column.id == sortedBy_; });
    if (by != table.columns.end()) {
        const auto column = static_cast<std::size_t>(by - table.columns.begin());
        // Rows that say nothing come last either way.
        std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
            const RunTable::Cell& first = a.cells[column];
            const RunTable::Cell& second = b.cells[column];
            if (first.text.isEmpty() || second.text.isEmpty()) {
                return !first.text.isEmpty() && second.text.isEmpty();
            }
            return order_ == Qt::AscendingOrder ? isLess(first, second) : isLess(second, first);
        });
    }
    std::stable_partition(table.rows.begin(), table.rows.end(),
                          [this](const RunTable::Row& row) { return pinned_.contains(row.label); });
    return table;
}

void RunsPage::refresh() {
    if (!isVisible() || note_ == nullptr) {
        return;  // nothing is computed for a page that nobody sees
    }
    const RunTable now = shown();
    table_->setColumnCount(static_cast<int>(now.columns.size()));
    table_->setRowCount(static_cast<int>(now.rows.size()));
    int sorted = -1;
    for (int column = 0; column < table_->columnCount(); ++column) {
        const RunTable::Column& each = now.columns[static_cast<std::size_t>(column)];
        auto* title = new QTableWidgetItem(each.title);
        title->setToolTip(each.title + "\n" + tr("A click sorts"));
        table_->setHorizontalHeaderItem(column, title);
        sorted = each.id == sortedBy_ ? column : sorted;
    }
    // Qt keeps the row's number, which may be another run's now.
    table_->clearSelection();
    table_->setCurrentItem(nullptr);
    for (int at = 0; at < table_->rowCount(); ++at) {
        const RunTable::Row& row = now.rows[static_cast<std::size_t>(at)];
        for (int column = 0; column < table_->columnCount(); ++column) {
            const RunTable::Cell& cell = row.cells[static_cast<std::size_t>(column)];
            const bool pin = column == 0 && pinned_.contains(row.label);
            auto* item = new QTableWidgetItem((pin ? QString(kPin) : QString()) + cell.text);
            item->setTextAlignment((cell.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            item->setData(Qt::UserRole, row.run);
            item->setToolTip(cell.text);
            table_->setItem(at, column, item);
        }
        if (row.run == models_.runs.selectedId()) {
            table_->selectRow(at);
        }
    }
    table_->resizeColumnsToContents();
    table_->horizontalHeader()->setSortIndicatorShown(sorted >= 0);
    table_->horizontalHeader()->setSortIndicator(sorted, order_);
    showUntyped(*filter_, words_);
    const int rows = table_->rowCount();
    note_->setText(rows == 1 ? tr("1 run") : tr("%n runs", "", rows));
}

void RunsPage::setFilter(const QString& words) {
    words_ = words;
    refresh();
}

void RunsPage::sortBy(const QString& column, Qt::SortOrder order) {
    sortedBy_ = column;
    order_ = order;
    refresh();
}

/// First as the click says, then the other way, then as the list of runs has them.
void RunsPage::nextSorting(int column) {
    const QString id = shown().columns[static_cast<std::size_t>(column)].id;
    if (id != sortedBy_) {
        sortBy(id, Qt::AscendingOrder);
    } else if (order_ == Qt::AscendingOrder) {
        sortBy(id, Qt::DescendingOrder);
    } else {
        sortBy({}, Qt::AscendingOrder);
    }
}

void RunsPage::setPinned(const QString& run, bool pinned) {
    pinned_.removeAll(run);
    if (pinned) {
        pinned_ << run;
    }
    refresh();
    Q_EMIT commandsChanged();
}

void RunsPage::setComment(const QString& run, const QString& text) {
    if (text.simplified().isEmpty()) {
        comments_.erase(run);
    } else {
        comments_[run] = text.simplified();
    }
    refresh();
}

void RunsPage::askForComment() {
    const RunItem* item = models_.runs.selected();
    if (!whyNoRun().isEmpty()) {
        return;
    }
    const QString run = item->label();
    bool ok = false;
    const auto own = comments_.find(run);
    const QString text =
        QInputDialog::getText(window(), tr("Comment on run"), tr("Comment on run %1").arg(run),
                              QLineEdit::Normal, own != comments_.end() ? own->second : QString(), &ok);
    if (ok) {
        setComment(run, text);
    }
}

void RunsPage::exportTable() {
    const QString csv = tr("CSV (*.csv)");
    const QString latex = tr("LaTeX (*.tex)");
    QString chosen = csv;
    QString file = QFileDialog::getSaveFileName(window(), tr("Export table of runs"), "runs",
                                                csv + ";;" + latex, &chosen);
    if (file.isEmpty()) {
        return;
    }
    if (QFileInfo(file).suffix().isEmpty()) {
        file += chosen == latex ? ".tex" : ".csv";
    }
    messages_.guard(tr("Table of runs"), [&] {
        writeTable(file);
        messages_.written(file);
    });
}

void RunsPage::writeTable(const QString& file) const {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != "csv" && suffix != "tex") {
        throw WrongUse(file.toStdString() + ": a table of runs is written as .csv or .tex; name it so");
    }
    writeTextAside(file.toStdString(), runTableText(shown(), file).toStdString());
}

nlohmann::json RunsPage::toJson() const {
    nlohmann::json comments = nlohmann::json::object();
    for (const auto& [run, text] : comments_) {
        comments[run.toStdString()] = text;
    }
    return {{"filter", words_},
            {"sorted_by", sortedBy_},
            {"descending", order_ == Qt::DescendingOrder},
            {"pinned", pinned_},
            {"comments", comments}};
}

void RunsPage::fromJson(const nlohmann::json& saved) {
    words_ = savedIn(saved, "filter", QString());
    sortedBy_ = savedIn(saved, "sorted_by", QString());
    order_ = savedIn(saved, "descending", false) ? Qt::DescendingOrder : Qt::AscendingOrder;
    const auto pinned = savedIn<std::vector<QString>>(saved, "pinned");
    pinned_ = QStringList(pinned.begin(), pinned.end());
    comments_.clear();
    const nlohmann::json comments = savedIn(saved, "comments");
    for (const auto& [run, text] : comments.items()) {
        if (text.is_string()) {
            comments_[QString::fromStdString(run)] = QString::fromStdString(text.get<std::string>());
        }
    }
    refresh();
}

void RunsPage::arrange() {
    bar_->setGeometry(0, 0, width(), kRunsBar);
    table_->setGeometry(0, kRunsBar, width(), height() - kRunsBar);
}

}  // namespace tof::ui
