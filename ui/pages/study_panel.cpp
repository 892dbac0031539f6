// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/study_panel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/histo_system.h"
#include "recon/systems/lines/line_model.h"
#include "ui/kit/icons.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/kit/time_text.h"
#include "ui/pages/data_words.h"

namespace tof::ui {

namespace {

constexpr int kRowHeight = 52;
constexpr int kFieldWidth = 112;  ///< leaves the longest label its room

/// Names as people write them, not as files do.
QString shownChoice(const std::string& choice) {
    for (const char* capitals : {"ramla", "osem", "mlem"}) {
        if (choice == capitals) {
            return QString::fromStdString(choice).toUpper();
        }
    }
    return QString::fromStdString(choice);
}

QString oneDecimal(double mm) {
    return numberText(mm, 1);
}

}  // namespace

// ---- one setting ----

SettingField::SettingField(const SettingInfo& info, Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      info_(info),
      workspace_(workspace),
      fault_(new ElidedLabel(ElidedLabel::Role::Caption)) {
    setObjectName("setting." + QString::fromStdString(info.key));
    const QString label = word(info.label);
    QString help = word(info.help);
    if (info.kind == OptionKind::Integer || info.kind == OptionKind::Number) {
        help += "\n" + tr("%1 to %2 %3")
                           .arg(QString::number(info.low, 'g', 12), QString::number(info.high, 'g', 12),
                                word(info.unit))
                           .trimmed();
    }
    setToolTip(help);
    auto* name = new ElidedLabel;
    name->setText(label + (info.unit.empty() ? "" : ", " + word(info.unit)));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 3, 0, 3);
    row->setSpacing(8);
    name->setToolTip(name->text() + "\n" + help);
    row->addWidget(name, 1);
    if (info.kind == OptionKind::Choice) {
        choices_ = new ComboBox;
        choices_->setFixedWidth(kFieldWidth);
        choices_->setAccessibleName(label);
        for (const std::string& choice : info.choices) {
            choices_->addItem(shownChoice(choice), QString::fromStdString(choice));
        }
        connect(choices_, &QComboBox::activated, this,
                [this](int index) { commit(choices_->itemData(index).toString()); });
        row->addWidget(choices_);
    } else {
        field_ = new QLineEdit;
        field_->setFixedWidth(kFieldWidth);
        field_->setAccessibleName(label);
        field_->setAlignment(info.kind == OptionKind::Text ? Qt::AlignLeft : Qt::AlignRight);
        if (info.fallback.empty()) {
            field_->setPlaceholderText(tr("default"));
        }
        connect(field_, &QLineEdit::editingFinished, this, [this] { commit(field_->text()); });
        row->addWidget(field_);
    }
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(row);
    all->addWidget(fault_);
    fault_->hide();
    refresh();
}

void SettingField::refresh() {
    const QString value = QString::fromStdString(workspace_.settings().get(info_.key));
    if (choices_ != nullptr) {
        choices_->setCurrentIndex(choices_->findData(value));
    } else if (!field_->hasFocus()) {
        field_->setText(value);
    }
}

void SettingField::commit(const QString& text) {
    try {
        QString plain = text.trimmed();
        workspace_.setSetting(info_.key, plain.replace(QChar(0x2212), '-').toStdString());
        fault_->hide();
        if (field_ != nullptr) {
            field_->setProperty("bad", false);
        }
    } catch (const WrongUse& fault) {
        fault_->setText(fault.what());
        fault_->setToolTip(fault.what());
        fault_->show();
        field_->setProperty("bad", true);
    }
    if (field_ != nullptr) {
        field_->setStyle(field_->style());  // the style sheet looks at properties only when it is set
    }
}

// ---- runs ----

RunRows::RunRows(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    setObjectName("runs");
    setAccessibleName(tr("Runs"));
    setFocusPolicy(Qt::TabFocus);
}

QSize RunRows::sizeHint() const {
    return {200, std::max(1, static_cast<int>(workspace_.runs().items().size())) * (kRowHeight + 4)};
}

void RunRows::refresh() {
    setFixedHeight(sizeHint().height());
    update();
}

QString RunRows::stateText(const RunItem& item) {
    if (item.order() != RunOrder::None) {
        return word(orderName(item.order())) + QChar(0x2026);
    }
    const int whole = item.timing().empty() ? 0 : item.timing().back().iteration;
    const QString of = tr("%1 of %2").arg(whole).arg(item.settings().iterations);
    switch (item.state()) {
        case RunState::Queued:
            return item.held()        ? tr("not started")
                   : item.turn() <= 1 ? tr("queued, next")
                                      : tr("queued, number %1").arg(item.turn());
        case RunState::Preparing: return item.preparing().isEmpty() ? tr("starting") : tr("preparing");
        case RunState::Running: return of;
        case RunState::Paused: return tr("paused, %1").arg(of);
        case RunState::Done: return tr("%1 done").arg(whole);
        case RunState::Finished: return tr("%1 kept").arg(whole);
        case RunState::Cancelled: return tr("cancelled");
        case RunState::Failed: return whole == 0 ? tr("failed") : tr("failed, %1").arg(of);
        case RunState::Interrupted: return tr("interrupted, %1").arg(of);
        case RunState::Opened: return item.isVolume() ? tr("volume") : tr("%1 done").arg(whole);
    }
    return {};
}

void RunRows::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    const auto& items = workspace_.runs().items();
    if (items.empty()) {
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        painter.drawText(
            QRect(16, 4, QWidget::width() - 32, 32), Qt::AlignLeft | Qt::TextWordWrap,
            workspace_.measurement() != nullptr ? tr("none yet: press Run (F5)") : tr("none yet"));
        drawFocus(painter, 0);
        return;
    }
    for (int i = 0; i < static_cast<int>(items.size()); ++i) {
        const RunItem& item = *items[static_cast<std::size_t>(i)];
        const QRectF row(16, i * (kRowHeight + 4.0), QWidget::width() - 32.0, kRowHeight);
        const bool selected = item.id() == workspace_.runs().selectedId();
        painter.setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.sel);
            painter.drawRoundedRect(row, 4, 4);
        }
        if (item.state() == RunState::Failed) {
            painter.drawPixmap(QPointF(row.left() + 8, row.top() + 8),
                               iconPixmap("error", theme.error, 16, devicePixelRatioF()));
        } else {
            drawRunSymbol(painter, {row.left() + 15, row.top() + 17}, 10, i, theme.run(i));
        }
        const double left = row.left() + 30;
        const double right = row.right() - 8;
        const QString state = stateText(item);
        painter.setFont(textFont());
        painter.setPen(theme.text);
        const double stateWidth = painter.fontMetrics().horizontalAdvance(state);
        painter.drawText(QRectF(left, row.top() + 7, right - left, 20), Qt::AlignRight | Qt::AlignVCenter,
                         state);
        painter.setFont(textFont(13, selected ? QFont::DemiBold : QFont::Normal));
        painter.drawText(QRectF(left, row.top() + 7, right - left - stateWidth - 8, 20),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(item.label() + "  " + item.name(), Qt::ElideRight,
                                                          static_cast<int>(right - left - stateWidth - 8)));
        painter.setFont(smallFont());
        const bool failed = item.state() == RunState::Failed;
        painter.setPen(failed ? theme.error : theme.text2);
        const bool timed = item.state() == RunState::Running && item.remainingSeconds();
        const QString caption = failed  ? item.error()
                                : timed ? tr("%1, %2").arg(etaText(item.remainingSeconds()), item.engine())
                                : item.held() ? tr("number %1, %2").arg(item.turn()).arg(item.engine())
                                              : item.engine();
        const QRectF second(left, row.top() + 26, right - left, 16);
        const double mark = selected && isOutdated(item) ? drawMark(painter, second) : 0;
        painter.drawText(second.adjusted(0, 0, -mark, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(caption, Qt::ElideRight,
                                                          static_cast<int>(second.width() - mark)));
        if (isActive(item.state())) {
            const QRectF track(left, row.bottom() - 6, right - left, 3);
            const double blocks = static_cast<double>(std::max<std::size_t>(1, item.progress().blocks));
            const double done = (std::max(0, item.progress().iteration - 1) +
                                 static_cast<double>(item.progress().block) / blocks) /
                                std::max(1, item.progress().iterations);
            painter.setPen(Qt::NoPen);
            painter.setBrush(selected ? theme.ctlBorder : theme.line);
            painter.drawRoundedRect(track, 1.5, 1.5);
            painter.setBrush(theme.run(i));
            painter.drawRoundedRect(
                QRectF(track.left(), track.top(), track.width() * std::clamp(done, 0.0, 1.0), 3), 1.5, 1.5);
        }
    }
    drawFocus(painter, workspace_.runs().indexOf(workspace_.runs().selectedId()));
}

void RunRows::drawFocus(QPainter& painter, int row) const {
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Theme::of(*this).focus, 2));
        painter.drawRoundedRect(QRectF(17, row * (kRowHeight + 4.0) + 1, QWidget::width() - 34.0,
                                       std::min(kRowHeight, QWidget::height()) - 2),
                                4, 4);
    }
}

bool RunRows::isOutdated(const RunItem& item) const {
    // A live run keeps its image while the next one is made of other settings.
    const bool ended = !isActive(item.state()) || (item.isLive() && item.volume() != nullptr);
    return ended && item.state() != RunState::Queued && !item.isVolume() &&
           workspace_.measurement() != nullptr && !workspace_.changedSettings(item).empty();
}

double RunRows::drawMark(QPainter& painter, const QRectF& line) const {
    const Theme& theme = Theme::of(*this);
    const QString text = tr("settings changed");
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12.0;
    const QRectF mark(line.right() - width, line.top() - 0.5, width, line.height() + 1);
    const QPen before = painter.pen();
    painter.setPen(QPen(theme.warning, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(mark.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme.text);
    painter.drawText(mark, Qt::AlignCenter, text);
    painter.setPen(before);
    return width + 8;
}

QString RunRows::tip(const RunItem& item) const {
    QStringList lines{item.label() + "  " + item.name(), stateText(item)};
    for (const QString& line : {item.engine(), item.error()}) {
        if (!line.isEmpty()) {
            lines << line;
        }
    }
    if (!isOutdated(item)) {
        return lines.join('\n');
    }
    lines << tr("The next run has other settings:");
    const auto value = [](const RunSettings& settings, const std::string& key) {
        const QString text =
            QString::fromStdString(key == "kernel" ? kernelName(settings) : settings.get(key));
        return text.isEmpty() ? tr("default") : text;
    };
    for (const std::string& key : workspace_.changedSettings(item)) {
        lines << tr("%1: %2 here, %3 next")
                     .arg(word(settingInfo(key).label), value(item.settings(), key),
                          value(workspace_.settings(), key));
    }
    return lines.join('\n');
}

bool RunRows::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const RunItem* item = itemAt(help->pos());
        QToolTip::showText(help->globalPos(), item != nullptr ? tip(*item) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void RunRows::mousePressEvent(QMouseEvent* event) {
    if (const RunItem* item = itemAt(event->position())) {
        workspace_.runs().select(item->id());
        if (event->button() == Qt::RightButton) {
            Q_EMIT contextRequested(item->id(), event->globalPosition().toPoint());
        }
    }
}

RunItem* RunRows::itemAt(QPointF at) const {
    const auto index = static_cast<std::size_t>(std::max(0.0, at.y()) / (kRowHeight + 4));
    const auto& items = workspace_.runs().items();
    return index < items.size() ? items[index].get() : nullptr;
}

void RunRows::mouseMoveEvent(QMouseEvent* event) {
    const RunItem* dragged = workspace_.runs().selected();
    const RunItem* under = itemAt(event->position());
    const bool waits = (event->buttons() & Qt::LeftButton) != 0 && dragged != nullptr && under != nullptr &&
                       dragged->state() == RunState::Queued && under->state() == RunState::Queued;
    if (waits && under != dragged) {
        workspace_.moveInQueue(dragged->id(), under->turn() - 1);
    }
}

void RunRows::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        workspace_.runs().selectNext(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    }
    QWidget::keyPressEvent(event);
}

// ---- the panel ----

StudyPanel::StudyPanel(Workspace& workspace, CommandRegistry& commands, QWidget* parent)
    : QWidget(parent), workspace_(workspace) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 8, 0, 8);
    all->setSpacing(0);
    const auto section = [&](const QString& title) {
        sections_.push_back(addSection(*all, title));
        return sections_.back();
    };
    const auto row = [&](Section* s, const QString& name) {
        auto* r = new ValueRow(name);
        s->content()->addWidget(r);
        return r;
    };

    Section* study = section(tr("STUDY"));
    name_ = row(study, tr("Name"));
    events_ = row(study, tr("Events"));
    views_ = row(study, tr("Views"));
    lattice_ = row(study, tr("Lattice"));

    buildModel(*section(tr("KERNEL")));

    Section* reconstruct = section(tr("RECONSTRUCT"));
    reconstruct->setNote(tr("for the next run"));
    moreFields_ = new QWidget;
    auto* more = new QVBoxLayout(moreFields_);
    more->setContentsMargins(0, 0, 0, 0);
    more->setSpacing(0);
    for (const SettingInfo& info : settingsTable()) {
        if (info.key != "kernel" && info.system != LineModel::kSystem) {
            addField(info, info.common ? *reconstruct->content() : *more);
        }
    }
    commands.add({.id = "run.all-settings",
                  .menu = "Run",
                  .text = tr("All settings"),
                  .help = tr("Shows every setting of a reconstruction"),
                  .run = [this] { moreFields_->setVisible(moreFields_->isHidden()); },
                  .checked = [this] { return !moreFields_->isHidden(); },
                  .separatorBefore = true});
    buildLiveRow(*reconstruct->content());
    reconstruct->content()->addWidget(moreFields_);
    moreFields_->hide();
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 4, 0, 0);
    line->addStretch();
    line->addWidget(makeButton(commands.action("run.all-settings"), ButtonKind::Button, this));
    reconstruct->content()->addLayout(line);

    Section* runs = section(tr("RUNS"));
    startQueue_ = makeButton(commands.action("run.start-queue"), ButtonKind::Button, this);
    runs->addToHeading(startQueue_);
    runs->content()->setContentsMargins(0, 0, 0, 0);
    runs_ = new RunRows(workspace_);
    runs->content()->addWidget(runs_);
    connect(runs_, &RunRows::contextRequested, this, &StudyPanel::runContextRequested);
    buildRunDetails(*runs->content());
    all->addStretch();

    refreshStudy();
    listKernels();
    refreshRuns();
}

void StudyPanel::addField(const SettingInfo& info, QVBoxLayout& column) {
    auto* field = new SettingField(info, workspace_);
    fields_[info.key] = field;
    column.addWidget(field);
}

void StudyPanel::buildModel(Section& section) {
    model_ = &section;
    kernelRows_ = new QWidget;
    auto* rows = new QVBoxLayout(kernelRows_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    const auto row = [&](const QString& name) {
        auto* r = new ValueRow(name);
        rows->addWidget(r);
        return r;
    };
    kernel_ = new ComboBox;
    kernel_->setObjectName("setting.kernel");
    kernel_->setAccessibleName(tr("Kernel"));
    kernel_->setToolTip(tr("SR kernel of the next run: a preset, one's own, or a file"));
    connect(kernel_, &QComboBox::activated, this, &StudyPanel::chooseKernel);
    connect(&workspace_, &Workspace::kernelsChanged, this, &StudyPanel::listKernels);
    rows->addWidget(kernel_);
    rows->addSpacing(4);
    tof_ = row(tr("TOF"));
    radial_ = row(tr("Radial"));
    axial_ = row(tr("Axial"));
    taps_ = row(tr("Taps"));
    kernelFault_ = new ElidedLabel(ElidedLabel::Role::Caption);
    kernelFault_->hide();
    rows->addWidget(kernelFault_);
    section.content()->addWidget(kernelRows_);

    lineFields_ = new QWidget;
    auto* fields = new QVBoxLayout(lineFields_);
    fields->setContentsMargins(0, 0, 0, 0);
    fields->setSpacing(0);
    for (const SettingInfo& info : settingsTable()) {
        if (info.system == LineModel::kSystem) {
            addField(info, *fields);
        }
    }
    lineFields_->hide();
    section.content()->addWidget(lineFields_);
}

void StudyPanel::showModelOf(const std::string& system) {
    const bool lines = system == LineModel::kSystem;
    model_->setTitle(lines ? tr("PROJECTOR") : tr("KERNEL"));
    kernelRows_->setVisible(!lines);
    lineFields_->setVisible(lines);
    for (const SettingInfo& info : settingsTable()) {
        if (info.key != "kernel" && info.system == DirectModel::kSystem) {
            fields_.at(info.key)->setVisible(!lines);
        }
    }
}

void StudyPanel::buildRunDetails(QVBoxLayout& column) {
    runDetails_ = new QWidget;
    auto* rows = new QVBoxLayout(runDetails_);
    rows->setContentsMargins(16, 4, 16, 0);
    rows->setSpacing(0);
    const auto add = [&](const QString& name, const char* object, const QString& help) {
        auto* row = new ValueRow(name);
        row->setObjectName(object);
        row->setToolTip(help);
        rows->addWidget(row);
        return row;
    };
    runTime_ = add(tr("Time"), "run.time", tr("Worked on this run, pauses left out"));
    runMemory_ = add(tr("Memory"), "run.memory",
                     tr("Held by the run: data, tables and images in this machine's memory; on the device, "
                        "what it has taken since its beginning"));
    runPeak_ =
        add(tr("Peak memory"), "run.peak", tr("The most the run has held, asked after each iteration"));
    column.addWidget(runDetails_);
}

void StudyPanel::refreshRunDetails() {
    const RunItem* item = workspace_.runs().selected();
    const double seconds = item != nullptr ? item->seconds() : 0;
    const bool holds = item != nullptr && isActive(item->state()) && item->memory().host > 0;
    const bool held = item != nullptr && item->peak().host > 0;
    runDetails_->setVisible(seconds > 0 || held);
    runTime_->setVisible(seconds > 0);
    runMemory_->setVisible(holds);  // one that has ended holds none
    runPeak_->setVisible(held);
    const auto text = [](const RunMemory& memory) {
        constexpr double kMiB = 1024.0 * 1024.0;
        const QString host = numberText(static_cast<double>(memory.host) / kMiB, 0);
        return memory.device == 0 ? tr("%1 MiB").arg(host)
                                  : tr("%1 MiB + %2 MiB device")
                                        .arg(host, numberText(static_cast<double>(memory.device) / kMiB, 0));
    };
    runTime_->setValue(durationText(seconds));
    runMemory_->setValue(holds ? text(item->memory()) : QString());
    runPeak_->setValue(held ? text(item->peak()) : QString());
}

void StudyPanel::buildLiveRow(QVBoxLayout& column) {
    liveRow_ = new QWidget;
    liveRow_->setFixedHeight(34);
    auto* row = new QHBoxLayout(liveRow_);
    row->setContentsMargins(0, 3, 0, 3);
    auto* name = new ElidedLabel;
    name->setText(tr("Live iterations"));
    row->addWidget(name, 1);
    liveIterations_ = new QLineEdit;
    liveIterations_->setObjectName("live.iterations");
    liveIterations_->setAccessibleName(tr("Live iterations"));
    liveIterations_->setToolTip(
        tr("Iterations that live tuning makes at every change of a setting, 1 to 100"));
    liveIterations_->setAlignment(Qt::AlignRight);
    liveIterations_->setFixedWidth(kFieldWidth);
    connect(liveIterations_, &QLineEdit::editingFinished, this, [this] {
        if (liveIterations_->isModified()) {
            liveIterations_->setModified(false);
            try {
                workspace_.live().setIterations(liveIterations_->text().toInt());
            } catch (const WrongUse&) {
                // The tooltip says what is allowed; the field goes back to what is true.
            }
            refreshSettings();
        }
    });
    row->addWidget(liveIterations_);
    column.addWidget(liveRow_);
}

void StudyPanel::refreshStudy() {
    const auto& open = workspace_.measurement();
    showModelOf(open != nullptr ? open->system() : DirectModel::kSystem);
    const QString none(QChar(0x2013));
    const auto times = QString(QChar(0x00d7));
    name_->setValue(workspace_.studyName().isEmpty() ? none : workspace_.studyName());
    const Lattice* lattice = nullptr;
    if (open != nullptr) {
        showData(*open);
        lattice = &open->lattice();
    } else {
        views_->show();
        events_->setValue(none);
        views_->setValue(none);
        if (RunItem* item = workspace_.runs().selected()) {
            lattice = &item->lattice();
        }
    }
    if (lattice == nullptr) {
        lattice_->setValue(none);
        return;
    }
    const auto& s = lattice->spacing_mm;
    const bool isotropic = s[0] == s[1] && s[1] == s[2];
    lattice_->setValue(QString("%2 %1 %3 %1 %4, ")
                               .arg(times)
                               .arg(lattice->size[0])
                               .arg(lattice->size[1])
                               .arg(lattice->size[2]) +
                           (isotropic ? oneDecimal(s[0])
                                      : QString("%1 %2 %3").arg(oneDecimal(s[0]), times, oneDecimal(s[2]))),
                       "mm");
}

void StudyPanel::listKernels() {
    kernel_->clear();
    for (const std::string& preset : KernelSpec::presetNames()) {
        kernel_->addItem(QString::fromStdString(preset), QString::fromStdString(preset));
    }
    for (const std::string& own : workspace_.kernels().ownNames()) {
        try {
            const std::string value = workspace_.kernels().setting(kPresetPrefix + own);
            kernel_->addItem(QString::fromStdString(own), QString::fromStdString(value));
        } catch (const Error&) {
            // A file that is no kernel: the lab's list says so when it is chosen there.
        }
    }
    kernel_->addItem(tr("From file…"), QString());
    refreshSettings();
}

void StudyPanel::showData(const Measurement& open) {
    const DataWords words = dataWords(open);
    const EventTally events = open.events();
    events_->setValue(millionsText(events.kept), events.recorded > 0
                                                     ? tr("of %1 kept").arg(millionsText(events.recorded))
                                                     : words.eventsNote);
    QStringList counts;
    for (const std::size_t count : open.viewCounts()) {
        counts << QString::number(count);
    }
    views_->setVisible(!counts.isEmpty());
    views_->setValue(counts.join(QString(" %1 ").arg(QChar(0x00d7))), words.viewsNote);
}

void StudyPanel::chooseKernel(int index) {
    QString kernel = kernel_->itemData(index).toString();
    if (kernel.isEmpty()) {
        kernel = QFileDialog::getOpenFileName(this, tr("Kernel description"), QString(),
                                              tr("Kernels (*.json);;All files (*)"));
    }
    if (!kernel.isEmpty()) {
        workspace_.setSetting("kernel", kernel.toStdString());
    }
    refreshSettings();
}

void StudyPanel::refreshSettings() {
    for (const auto& [key, field] : fields_) {
        field->refresh();
    }
    liveRow_->setVisible(workspace_.live().on());
    if (!liveIterations_->isModified()) {
        liveIterations_->setText(QString::number(workspace_.live().iterations()));
        liveIterations_->setModified(false);
    }
    const std::string& value = workspace_.settings().kernelText;
    const QString text = QString::fromStdString(value);
    int index = kernel_->findData(text);
    if (index < 0) {
        kernel_->insertItem(0,
                            text.startsWith('{') ? QString::fromStdString(kernelName(workspace_.settings()))
                                                 : text.section('/', -1),
                            text);
        index = 0;
    }
    kernel_->setCurrentIndex(index);
    if (value == kernelShown_ && kernelData_ == workspace_.data()) {
        return;
    }
    kernelShown_ = value;
    kernelData_ = workspace_.data();
    const QString none(QChar(0x2013));
    try {
        const KernelSpec spec = workspace_.settings().kernel();
        tof_->setValue(QString::number(spec.tof_ps), tr("ps FWHM"));
        axial_->setValue(oneDecimal(spec.axial_mm), "mm");
        const double edge = 288;
        const double inner = spec.radial.at(0);
        const double outer = spec.radial.at(edge);
        if (!spec.measured.empty()) {
            radial_->setValue(tr("measured"));
        } else {
            radial_->setValue(
                inner == outer ? oneDecimal(inner) : tr("%1 to %2").arg(oneDecimal(inner), oneDecimal(outer)),
                "mm");
        }
        if (kernelData_ != nullptr && !kernelData_->views.empty()) {
            const KernelOutline kernel(spec, kernelData_->lattice, kernelData_->views.front());
            taps_->setValue(countText(static_cast<double>(kernel.taps().size())), tr("largest kernel"));
        } else {
            taps_->setValue(none);
        }
        kernelFault_->hide();
    } catch (const Error& fault) {
        for (ValueRow* row : {tof_, radial_, axial_, taps_}) {
            row->setValue(none);
        }
        kernelFault_->setText(fault.what());
        kernelFault_->setToolTip(fault.what());
        kernelFault_->show();
    }
}

void StudyPanel::refreshRuns() {
    runs_->refresh();
    startQueue_->setVisible(workspace_.whyNotStartQueue().isEmpty());
    refreshRunDetails();
    if (workspace_.data() == nullptr) {
        refreshStudy();
    }
}

}  // namespace tof::ui
