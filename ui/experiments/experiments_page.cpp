// SPDX-License-Identifier: Apache-2.0
#include "ui/experiments/experiments_page.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "recon/seam/engine.h"
#include "ui/desk/run_list.h"
#include "ui/desk/tasks.h"
#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kListWidth = 400;
constexpr int kRow = 24;
constexpr int kTick_ms = 250;
constexpr int kVerdictColumn = 2;
constexpr int kMostLarger = 6;  ///< times that a small picture is enlarged

QString verdictWord(Verdict verdict) {
    switch (verdict) {
        case Verdict::Passed: return ExperimentsPage::tr("passed");
        case Verdict::Failed: return ExperimentsPage::tr("failed");
        case Verdict::Skipped: return ExperimentsPage::tr("skipped");
    }
    return {};
}

QColor verdictColour(Verdict verdict, const Theme& theme) {
    return verdict == Verdict::Failed ? theme.error : verdict == Verdict::Passed ? theme.text : theme.text2;
}

/// Four digits, none that say nothing.
QString shortNumber(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 4).replace('-', QChar(0x2212))
                                : QString(QChar(0x2013));
}

QString valueText(double value, const std::string& unit) {
    const bool unitToo = std::isfinite(value) && !unit.empty();
    return shortNumber(value) + (unitToo ? " " + QString::fromStdString(unit) : QString());
}

/// A sentence of a report as a part of another.
QString withoutStop(const std::string& sentence) {
    const QString text = QString::fromStdString(sentence);
    return text.endsWith('.') ? text.chopped(1) : text;
}

/// "at most 0.02" as "<= 0.02".
QString conditionText(const Check& check) {
    const QString bound = shortNumber(check.bound);
    const QString unit = check.unit.empty() ? QString() : " " + QString::fromStdString(check.unit);
    switch (check.relation) {
        case Relation::Below: return "< " + bound + unit;
        case Relation::AtMost: return QChar(0x2264) + (" " + bound) + unit;
        case Relation::Above: return "> " + bound + unit;
        case Relation::AtLeast: return QChar(0x2265) + (" " + bound) + unit;
        case Relation::Within: return bound + " " + QChar(0x00b1) + " " + shortNumber(check.tolerance) + unit;
    }
    return {};
}

QString cellText(const DataTable::Cell& cell) {
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? valueText(*number, {}) : QString::fromStdString(std::get<std::string>(cell));
}

KeyTable* makeTable(const QString& name, const QString& label, const QStringList& titles) {
    auto* table = new KeyTable(0, static_cast<int>(titles.size()));
    table->setObjectName(name);
    table->setAccessibleName(label);
    table->setHorizontalHeaderLabels(titles);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRow);
    table->verticalHeader()->setMinimumSectionSize(16);
    table->horizontalHeader()->setFixedHeight(kRow);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setToolTip(label);
    return table;
}

QTableWidgetItem* put(QTableWidget& table, int row, int column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setToolTip(text);
    table.setItem(row, column, item);
    return item;
}

/// Columns as wide as what is in them; the first, of words, at most `most`.
void fitColumns(KeyTable& table, int most) {
    for (int c = 0; c < table.columnCount(); ++c) {
        int wanted = table.titleWidth(c) + 8;
        for (int row = 0; row < table.rowCount(); ++row) {
            wanted = std::max(wanted, table.wholeWidth(row, c) + 8);
        }
        table.setColumnWidth(c, c == 0 ? std::min(wanted, most) : wanted);
    }
}

}  // namespace

// ---- picture ----

ScaledPicture::ScaledPicture(QWidget* parent) : QWidget(parent) {
    setObjectName("experiments.picture");
    setAccessibleName(tr("Picture of the experiment"));
}

void ScaledPicture::paintEvent(QPaintEvent*) {
    if (picture_.isNull()) {
        return;
    }
    QPainter painter(this);
    // Enlarged by whole pixels: a voxel stays a square.
    const int larger = std::min(width() / picture_.width(), height() / picture_.height());
    const QSize shown = larger >= 1 ? picture_.size() * std::min(larger, kMostLarger)
                                    : picture_.size().scaled(size(), Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, larger < 1);
    painter.drawImage(QRect(QPoint((width() - shown.width()) / 2, 0), shown), picture_);
}

// ---- page ----

ExperimentsPage::ExperimentsPage(const EngineRegistry& engines, RunList& runs, TaskQueue& tasks,
                                 QWidget* parent)
    : Page(parent), tasks_(tasks), model_(engines, runs, tasks), timer_(new QTimer(this)) {
    setObjectName("experiments");
    timer_->setInterval(kTick_ms);
    connect(timer_, &QTimer::timeout, this, &ExperimentsPage::refreshProgress);
    connect(&model_, &ExperimentsModel::changed, this, &ExperimentsPage::refresh);
    connect(&model_, &ExperimentsModel::changed, this, &Page::commandsChanged);
}

void ExperimentsPage::addCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return isInFront() ? QString() : tr("Open the Experiments page first"); };
    const std::tuple<ExperimentSize, const char*, QString, QString> sizes[] = {
        {ExperimentSize::Quick, "experiments.quick", tr("Quick"), tr("A minute or less on two cores")},
        {ExperimentSize::Full, "experiments.full", tr("Full"),
         tr("What the paper did; hours without a GPU")}};
    for (const auto& [size, id, text, help] : sizes) {
        commands.add({.id = id,
                      .menu = "Tools",
                      .text = tr("%1 experiment").arg(text),
                      .brief = text,
                      .help = help,
                      .run = [this, s = size] { model_.setSize(s); },
                      .whyNot = notShown,
                      .checked = [this, s = size] { return model_.size() == s; },
                      .separatorBefore = size == ExperimentSize::Quick});
    }
    const auto both = [notShown](std::function<QString()> other) {
        return [notShown, other] {
            const QString why = notShown();
            return why.isEmpty() ? other() : why;
        };
    };
    const std::pair<std::string, QString> engines[] = {{"cpu", tr("CPU")}, {"cuda", tr("CUDA")}};
    for (const auto& [name, text] : engines) {
        commands.add({.id = QString::fromStdString("experiments." + name),
                      .menu = "Tools",
                      .text = tr("Experiment by %1").arg(text),
                      .brief = text,
                      .help = tr("The engine that reconstructs and is timed"),
                      .run = [this, n = name] { model_.setEngine(n); },
                      .whyNot = both([this, n = name] { return model_.whyNotEngine(n); }),
                      .checked = [this, n = name] { return model_.engine() == n; },
                      .separatorBefore = name == "cpu"});
    }
    commands.add(
        "Tools",
        {{.id = "experiments.run",
          .text = tr("Run experiment"),
          .brief = tr("Run"),
          .help = tr("Runs the chosen experiment in the background and writes its report"),
          .icon = "run",
          .run = [this] { model_.run(); },
          .whyNot = both([this] { return model_.whyNotRun(); })},
         {.id = "experiments.data",
          .text = tr("Own data for the experiment..."),
          .brief = tr("Own data..."),
          .help = tr("Takes a file of your own instead of the paper's data"),
          .run = [this] { chooseData(); },
          .whyNot = both([this] { return model_.whyNoOwnData(); })},
         {.id = "experiments.paperData",
          .text = tr("Data of the paper for the experiment"),
          .help = tr("Takes the paper's data again, not a file of your own"),
          .run = [this] { model_.setOwnData({}); },
          .whyNot = both([this] {
              return model_.ownData().isEmpty() ? tr("No file of your own was chosen") : QString();
          })},
         {.id = "experiments.images",
          .text = tr("Open images of the experiment"),
          .brief = tr("Open as runs"),
          .help = tr("Puts the images that the experiment made beside the runs, on Slices"),
          .run =
              [this] {
                  if (model_.openImages() > 0) {
                      Q_EMIT firstPageAsked();
                  }
              },
          .whyNot = both([this] { return model_.whyNoImages(); })},
         {.id = "experiments.report",
          .text = tr("Open report of the experiment"),
          .brief = tr("Open report"),
          .help = tr("Shows the report, one page with checks, curves and pictures, in the browser"),
          .run =
              [this] {
                  QDesktopServices::openUrl(QUrl::fromLocalFile(model_.reportFile(model_.selected())));
              },
          .whyNot = both([this] {
              return model_.reportFile(model_.selected()).isEmpty() ? tr("Run the experiment first")
                                                                    : QString();
          })},
         {.id = "experiments.folder",
          .text = tr("Folder of experiments..."),
          .brief = tr("Folder..."),
          .help = tr("Where reports are written, and looked for"),
          .run = [this] { chooseFolder(); },
          .whyNot = notShown}});
}

void ExperimentsPage::build(CommandRegistry& commands) {
    buildList();
    auto* sheet = new QWidget(this);
    auto* bar = new QWidget(sheet);
    bar->setFixedHeight(40);
    auto* row = makeRow(bar);
    row->addWidget(makeSegments(commands, {"experiments.quick", "experiments.full"}, bar));
    row->addWidget(makeButton(commands.action("experiments.run"), ButtonKind::Button, bar));
    row->addStretch();
    for (const char* id : {"experiments.images", "experiments.report", "experiments.folder"}) {
        row->addWidget(makeButton(commands.action(id), ButtonKind::Button, bar));
    }
    auto* what = new QWidget(sheet);
    auto* second = makeRow(what, {12, 0, 12, 6});
    second->addWidget(makeSegments(commands, {"experiments.cpu", "experiments.cuda"}, what));
    second->addWidget(makeButton(commands.action("experiments.data"), ButtonKind::Button, what));
    named_ = new ComboBox(what);
    named_->setObjectName("experiments.named");
    named_->setAccessibleName(tr("Scanner of the experiment"));
    named_->setToolTip(tr("Which of the built-in scanners the experiment tests"));
    named_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(named_, &QComboBox::activated, this,
            [this](int chosen) { model_.setOwnData(listed_.value(chosen)); });
    second->addWidget(named_);
    data_ = new QLabel(what);
    data_->setObjectName("experiments.dataText");
    data_->setWordWrap(true);
    second->addWidget(data_, 1);
    auto* column = makeColumn(sheet);
    column->addWidget(bar);
    column->addWidget(what);
    buildSheet(*column);
    auto* both = makeRow(this, {});
    both->setSpacing(0);
    both->addWidget(list_);
    both->addWidget(new HairLine(Qt::Vertical, this));
    both->addWidget(sheet, 1);
    refresh();
}

void ExperimentsPage::buildList() {
    list_ = makeTable("experiments.list", tr("Experiments with the papers; arrow keys choose one"),
                      {tr("experiment"), tr("of"), tr("verdict")});
    list_->setFixedWidth(kListWidth);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setRowCount(model_.count());
    for (int row = 0; row < model_.count(); ++row) {
        put(*list_, row, 0, QString::fromStdString(model_.experiment(row).name));
        put(*list_, row, 1, QString::fromStdString(model_.experiment(row).source));
        put(*list_, row, kVerdictColumn, {});
    }
    list_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    list_->setColumnWidth(0, 122);
    list_->setColumnWidth(kVerdictColumn, 84);
    connect(list_, &QTableWidget::cellClicked, this, [this](int row, int) { model_.select(row); });
    connect(list_, &KeyTable::rowChosen, this, [this](int row) { model_.select(row); });
}

void ExperimentsPage::buildSheet(QVBoxLayout& column) {
    auto* head = new QWidget;
    auto* words = makeColumn(head, {16, 4, 16, 8});
    words->setSpacing(4);
    title_ = new QLabel;
    title_->setFont(textFont(16, QFont::DemiBold));
    about_ = new QLabel;
    state_ = new QLabel;
    state_->setObjectName("experiments.state");
    for (QLabel* label : {title_, about_, state_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        words->addWidget(label);
    }
    head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column.addWidget(head);
    checks_ = makeTable("experiments.checks", tr("Checks of what the paper claims"),
                        {tr("check"), tr("condition"), tr("value"), tr("verdict"), tr("remark")});
    auto* lower = new QWidget;
    auto* below = makeColumn(lower, {16, 8, 16, 8});
    below->setSpacing(8);
    choice_ = new ComboBox;
    choice_->setObjectName("experiments.choice");
    choice_->setAccessibleName(tr("Curves, pictures or numbers"));
    choice_->setToolTip(tr("Which curves, picture or numbers of the experiment are shown"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(choice_, &QComboBox::currentIndexChanged, this, &ExperimentsPage::showChosen);
    below->addWidget(choice_);
    shown_ = new QStackedWidget;
    chart_ = new ExperimentChart;
    picture_ = new ScaledPicture;
    numbers_ = makeTable("experiments.numbers", tr("Numbers of the experiment"), {});
    nothing_ = new QLabel;
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    for (QWidget* widget : std::initializer_list<QWidget*>{chart_, picture_, numbers_, nothing_}) {
        shown_->addWidget(widget);
    }
    below->addWidget(shown_, 1);
    results_ = new QSplitter(Qt::Vertical);
    results_->setChildrenCollapsible(false);
    auto* upper = new QWidget;
    makeColumn(upper, {9, 0, 9, 0})->addWidget(checks_);
    results_->addWidget(upper);
    results_->addWidget(lower);
    results_->setStretchFactor(0, 2);
    results_->setStretchFactor(1, 5);
    column.addWidget(results_, 1);
    column.addStretch(0);  // without results words stay at the top
}

QString ExperimentsPage::verdictText(int row) const {
    if (const auto now = model_.progress(row)) {
        return now->share < 0 ? tr("waits") : tr("%1 %").arg(static_cast<int>(100 * now->share));
    }
    const auto* result = model_.result(row);
    return result != nullptr && result->verdict ? verdictWord(*result->verdict) : QString();
}

void ExperimentsPage::refreshList() {
    const Theme& theme = Theme::of(*this);
    for (int row = 0; row < model_.count(); ++row) {
        QTableWidgetItem* cell = list_->item(row, kVerdictColumn);
        cell->setText(verdictText(row));
        const auto* result = model_.result(row);
        const bool told = !model_.inWork(row) && result != nullptr && result->verdict;
        cell->setForeground(told ? verdictColour(*result->verdict, theme) : theme.text2);
        cell->setToolTip(told ? result->made : QString());
    }
    if (list_->currentRow() != model_.selected()) {
        list_->setCurrentCell(model_.selected(), 0);
    }
}

void ExperimentsPage::refresh() {
    if (list_ == nullptr || !isVisible()) {
        return;
    }
    refreshList();
    refreshProgress();
    refreshSheet();
}

/// What changes while one is going on; comes by itself four times a second then.
void ExperimentsPage::refreshProgress() {
    bool any = false;
    for (int row = 0; row < model_.count(); ++row) {
        any = any || model_.inWork(row);
    }
    if (any != timer_->isActive()) {
        any ? timer_->start() : timer_->stop();
    }
    if (any) {
        refreshList();
    }
    const int row = model_.selected();
    const auto* result = model_.result(row);
    QString text;
    if (const auto now = model_.progress(row)) {
        const QString& step = now->step;
        text = tasks_.paused() && !step.isEmpty() ? tr("Paused: %1").arg(step)
               : step.isEmpty()                   ? tr("Waits for what is being done before it")
                                                  : step;
    } else if (result != nullptr && !result->fault.isEmpty()) {
        text = result->fault;
    } else if (result != nullptr && result->report != nullptr && !result->report->skipped.empty()) {
        text = tr("Skipped: %1").arg(QString::fromStdString(result->report->skipped));
    } else if (result != nullptr && result->report != nullptr) {
        text = tr("%1; %2 s, %3")
                   .arg(withoutStop(result->report->conditions), numberText(result->report->made.seconds, 1),
                        result->made);
    } else if (result != nullptr) {
        text = tr("Made %1; its report is there").arg(result->made);
    } else {
        text = model_.whyNotRun();
    }
    state_->setText(text);
    state_->setVisible(!text.isEmpty());
}

void ExperimentsPage::refreshSheet() {
    const int row = model_.selected();
    const Experiment& chosen = model_.experiment(row);
    const bool full = model_.size() == ExperimentSize::Full;
    title_->setText(word(chosen.about));
    about_->setText(QString::fromStdString(chosen.source) + "\n" +
                    (full ? tr("Full: %1").arg(word(chosen.full)) : tr("Quick: %1").arg(word(chosen.quick))));
    refreshData();
    const auto* result = model_.result(row);
    const auto report = result != nullptr ? result->report : nullptr;
    results_->setVisible(report != nullptr);
    if (report == filled_ && row == filledRow_) {
        return;
    }
    filled_ = report;
    filledRow_ = row;
    choice_->blockSignals(true);
    choice_->clear();
    if (report != nullptr) {
        fillChecks(*report);
        fillNumbers(*report);
        for (std::size_t i = 0; i < report->pictures.size(); ++i) {
            choice_->addItem(withoutStop(report->pictures[i].caption), static_cast<int>(i));
        }
        choice_->addItem(tr("Numbers"), -1);
    }
    choice_->blockSignals(false);
    showChosen();
}

void ExperimentsPage::fillChecks(const ExperimentReport& report) {
    const Theme& theme = Theme::of(*this);
    checks_->setRowCount(static_cast<int>(report.checks.size()));
    for (int row = 0; row < checks_->rowCount(); ++row) {
        const Check& check = report.checks[static_cast<std::size_t>(row)];
        put(*checks_, row, 0, QString::fromStdString(check.name));
        put(*checks_, row, 1, conditionText(check))->setToolTip(QString::fromStdString(check.source));
        put(*checks_, row, 2, valueText(check.value, check.unit));
        put(*checks_, row, 3, verdictWord(check.verdict()))
            ->setForeground(verdictColour(check.verdict(), theme));
        put(*checks_, row, 4, QString::fromStdString(check.missing.empty() ? check.remark : check.missing));
    }
    constexpr int kMostWords = 340;
    fitColumns(*checks_, kMostWords);
}

void ExperimentsPage::fillNumbers(const ExperimentReport& report) {
    numbers_->clear();
    numbers_->setColumnCount(static_cast<int>(report.data.columns.size()));
    QStringList titles;
    for (const std::string& title : report.data.columns) {
        titles << QString::fromStdString(title);
    }
    numbers_->setHorizontalHeaderLabels(titles);
    constexpr std::size_t kMost = 2000;  // the whole table is in the file
    numbers_->setRowCount(static_cast<int>(std::min(kMost, report.data.rows.size())));
    for (int row = 0; row < numbers_->rowCount(); ++row) {
        const auto& cells = report.data.rows[static_cast<std::size_t>(row)];
        for (int c = 0; c < std::min(numbers_->columnCount(), static_cast<int>(cells.size())); ++c) {
            put(*numbers_, row, c, cellText(cells[static_cast<std::size_t>(c)]));
        }
    }
    fitColumns(*numbers_, 4 * kListWidth);
}

void ExperimentsPage::showChosen() {
    const int index = choice_->currentIndex() < 0 ? -2 : choice_->currentData().toInt();
    if (filled_ == nullptr || index == -2) {
        return;
    }
    if (index == -1) {
        shown_->setCurrentWidget(numbers_);
        return;
    }
    const ExperimentPicture& chosen = filled_->pictures[static_cast<std::size_t>(index)];
    if (const auto* lines = std::get_if<LineChart>(&chosen.shown)) {
        chart_->setChart(*lines);
        shown_->setCurrentWidget(chart_);
        return;
    }
    const QImage picture(model_.pictureFile(filledRow_, chosen.file));
    picture_->setPicture(picture);
    nothing_->setText(tr("The file of this picture is not there any more; run the experiment again"));
    shown_->setCurrentWidget(picture.isNull() ? static_cast<QWidget*>(nothing_) : picture_);
}

void ExperimentsPage::chooseData() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Own data for the experiment"), model_.ownData());
    if (!file.isEmpty()) {
        model_.setOwnData(file);
    }
}

void ExperimentsPage::refreshData() {
    const QStringList names = model_.namedData();
    QStringList all = names;
    const QString shown = model_.ownData().isEmpty() ? names.value(0) : model_.ownData();
    if (!names.isEmpty() && !names.contains(shown)) {
        all << shown;
    }
    if (all != listed_) {
        listed_ = all;
        named_->clear();
        for (const QString& each : all) {
            named_->addItem(QFileInfo(each).fileName());
        }
    }
    named_->setCurrentIndex(static_cast<int>(all.indexOf(shown)));
    named_->setVisible(!names.isEmpty());
    data_->setText(names.isEmpty() ? dataText() : QString());
}

QString ExperimentsPage::dataText() const {
    const std::string& taken = model_.experiment(model_.selected()).ownData;
    if (taken.empty()) {
        return {};
    }
    return model_.ownData().isEmpty() ? tr("Data: the paper's; takes %1 of your own").arg(word(taken))
                                      : tr("Data: %1").arg(model_.ownData());
}

void ExperimentsPage::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of experiments"), model_.folder());
    if (!folder.isEmpty()) {
        model_.setFolder(folder);
    }
}

void ExperimentsPage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Theme::of(*this).win);
}

}  // namespace tof::ui
