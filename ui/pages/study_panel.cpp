// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/study_panel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/histo_system.h"
#include "ui/desk/layers.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/data_words.h"
#include "ui/pages/setting_words.h"
#include "ui/pages/undo_steps.h"

namespace tof::ui {

namespace {

QString oneDecimal(double mm) {
    return numberText(mm, 1);
}

ValueRow* addValue(QVBoxLayout& column, const QString& name) {
    auto* row = new ValueRow(name);
    column.addWidget(row);
    return row;
}

}  // namespace

StudyPanel::StudyPanel(const RunModels& models, LayerModel& layers, ViewModel& view,
                       const EngineRegistry& engines, CommandRegistry& commands)
    : models_(models), engines_(engines) {
    auto* all = makeColumn(this, {0, 8, 0, 8});
    const auto section = [&](const QString& title) {
        sections_.push_back(addSection(*all, title));
        return sections_.back();
    };
    QVBoxLayout& study = *section(tr("STUDY"))->content();
    name_ = addValue(study, tr("Name"));
    events_ = addValue(study, tr("Events"));
    views_ = addValue(study, tr("Views"));
    lattice_ = addValue(study, tr("Lattice"));

    buildModel(*section(tr("KERNEL")));

    Section* reconstruct = section(tr("RECONSTRUCT"));
    reconstruct->setNote(tr("for the next run"));
    moreFields_ = new QWidget;
    auto* more = makeColumn(moreFields_);
    for (const SettingInfo& info : settingsTable()) {
        if (info.key != "kernel" && (info.system.empty() || info.system == DirectModel::kSystem)) {
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
    runs_ = new RunRows(models_.runs, models_.queue, models_.settings, models_.study);
    runs->content()->addWidget(runs_);
    connect(runs_, &RunRows::contextRequested, this, &StudyPanel::runContextRequested);
    buildRunDetails(*runs->content());
    Section* stack = section(tr("LAYERS"));
    for (const char* id : {"layer.up", "layer.down"}) {
        stack->addToHeading(makeButton(commands.action(id), ButtonKind::Button, this));
    }
    stack->content()->setContentsMargins(0, 0, 0, 0);
    stack->content()->addWidget(new LayerRows(layers, models_.runs, view));
    const auto showLayers = [stack, &layers] { stack->setVisible(layers.stacked()); };
    connect(&layers, &LayerModel::changed, stack, showLayers);
    showLayers();
    all->addStretch();

    connect(&models_.runs, &RunList::settled, this, &StudyPanel::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &StudyPanel::refresh);
    connect(&models_.settings, &SettingsModel::edited, this, &StudyPanel::refreshSettings);
    connect(&models_.settings, &SettingsModel::edited, this, &StudyPanel::refreshRuns);
    connect(&models_.live, &LiveTuning::changed, this, &StudyPanel::refreshSettings);
    refreshStudy();
    listKernels();
    refreshRuns();
}

void StudyPanel::refresh() {
    refreshStudy();
    refreshSettings();
    refreshRuns();
}

void StudyPanel::addField(const SettingInfo& info, QVBoxLayout& column) {
    auto* field = new SettingField(info, models_.settings, models_.study, engines_, models_.undo);
    fields_[info.key] = field;
    column.addWidget(field);
}

void StudyPanel::buildModel(Section& section) {
    model_ = &section;
    kernelRows_ = new QWidget;
    auto* rows = makeColumn(kernelRows_);
    kernel_ = new ChoiceList;
    kernel_->setObjectName("setting.kernel");
    kernel_->setAccessibleName(tr("Kernel"));
    kernel_->setToolTip(tr("SR kernel of the next run: a preset, one's own, or a file"));
    connect(kernel_, &QComboBox::activated, this, &StudyPanel::chooseKernel);
    connect(&models_.settings, &SettingsModel::kernelsChanged, this, &StudyPanel::listKernels);
    rows->addWidget(kernel_);
    rows->addSpacing(4);
    tof_ = addValue(*rows, tr("TOF"));
    radial_ = addValue(*rows, tr("Radial"));
    axial_ = addValue(*rows, tr("Axial"));
    taps_ = addValue(*rows, tr("Taps"));
    kernelFault_ = new ElidedLabel(ElidedLabel::Role::Caption);
    kernelFault_->hide();
    rows->addWidget(kernelFault_);
    section.content()->addWidget(kernelRows_);

    lineFields_ = new QWidget;
    auto* fields = makeColumn(lineFields_);
    for (const SettingInfo& info : settingsTable()) {
        if (!info.system.empty() && info.system != DirectModel::kSystem) {
            addField(info, *fields);
        }
    }
    lineFields_->hide();
    section.content()->addWidget(lineFields_);
}

void StudyPanel::showModelOf(const std::string& system) {
    const bool histo = system == DirectModel::kSystem;
    model_->setTitle(histo ? tr("KERNEL") : tr("PROJECTOR"));
    kernelRows_->setVisible(histo);
    lineFields_->setVisible(!histo);
    for (const SettingInfo& info : settingsTable()) {
        if (info.key != "kernel" && !info.system.empty()) {
            fields_.at(info.key)->setVisible(appliesTo(info, system));
        }
    }
}

void StudyPanel::buildRunDetails(QVBoxLayout& column) {
    runDetails_ = new QWidget;
    auto* rows = makeColumn(runDetails_, {16, 4, 16, 0});
    const auto add = [&](const QString& name, const char* object, const QString& help) {
        ValueRow* row = addValue(*rows, name);
        row->setObjectName(object);
        row->setToolTip(help);
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
    const RunItem* item = models_.runs.selected();
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
    row->addWidget(new ElidedLabel(tr("Live iterations")), 1);
    liveIterations_ =
        makeNumberField("live.iterations", tr("Live iterations"),
                        tr("Iterations that live tuning makes at every change of a setting, 1 to 100"),
                        SettingField::kFieldWidth);
    connect(liveIterations_, &QLineEdit::editingFinished, this, [this] {
        if (liveIterations_->isModified()) {
            liveIterations_->setModified(false);
            try {
                models_.live.setIterations(liveIterations_->text().toInt());
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
    const auto& open = models_.study.measurement();
    showModelOf(open != nullptr ? open->system() : DirectModel::kSystem);
    const QString none(QChar(0x2013));
    const auto times = QString(QChar(0x00d7));
    name_->setValue(models_.study.name().isEmpty() ? none : models_.study.name());
    const Lattice* lattice = nullptr;
    if (open != nullptr) {
        showData(*open);
        lattice = &open->lattice();
    } else {
        views_->show();
        events_->setValue(none);
        views_->setValue(none);
        if (RunItem* item = models_.runs.selected()) {
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
    kernel_->setChoices(kernelChoices(models_.settings.kernels()));
    refreshSettings();
}

void StudyPanel::showData(const Measurement& open) {
    const DataWords words = dataWords(open, models_.study.form());
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
        setSetting(models_.settings, models_.undo, "kernel", kernel.toStdString());
    }
    refreshSettings();
}

void StudyPanel::refreshSettings() {
    for (const auto& [key, field] : fields_) {
        field->refresh();
        if (const SettingInfo& info = settingInfo(key); info.system.empty()) {
            field->setVisible(isUsed(info, models_.settings.current()));
        }
    }
    liveRow_->setVisible(models_.live.on());
    if (!liveIterations_->isModified()) {
        liveIterations_->setText(QString::number(models_.live.iterations()));
        liveIterations_->setModified(false);
    }
    const std::string& value = models_.settings.current().kernelText;
    const QString text = QString::fromStdString(value);
    int index = kernel_->findData(text);
    if (index < 0) {
        kernel_->insertItem(0,
                            text.startsWith('{')
                                ? QString::fromStdString(kernelName(models_.settings.current()))
                                : text.section('/', -1),
                            text);
        index = 0;
    }
    kernel_->setCurrentIndex(index);
    if (value == kernelShown_ && kernelData_ == models_.study.histo()) {
        return;
    }
    kernelShown_ = value;
    kernelData_ = models_.study.histo();
    const QString none(QChar(0x2013));
    try {
        const KernelSpec spec = models_.settings.current().kernel();
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
    startQueue_->setVisible(models_.queue.whyNotRelease().isEmpty());
    refreshRunDetails();
    if (models_.study.histo() == nullptr) {
        refreshStudy();
    }
}

}  // namespace tof::ui
