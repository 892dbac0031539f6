// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/figure_page.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "recon/base/json_text.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/basic.h"
#include "ui/kit/json.h"
#include "ui/kit/key_table.h"
#include "ui/kit/messages.h"
#include "ui/kit/undo_step.h"
#include "ui/pages/figure_preview.h"

namespace tof::ui {

namespace {

constexpr int kFigureBar = 40;
constexpr int kListWidth = 260;
constexpr int kFieldsHeight = 176;
constexpr int kMostColumns = 6;

/// "a", "b": the letter of the n-th panel.
QString letterOf(std::size_t n) {
    return n < 26 ? QString(QChar('a' + static_cast<int>(n))) : QString::number(n + 1);
}

}  // namespace

FigurePage::FigurePage(const PictureModels& models, Messages& messages, Threading threading, QWidget* parent)
    : Page(parent), models_(models), messages_(messages), worker_(threading) {
    setObjectName("page.figure");
    models_.bind(*this);
    bar_ = new QWidget(this);
    list_ = new KeyTable(0, 1, this);
    list_->setObjectName("figure.panels");
    list_->setAccessibleName(tr("Panels of the figure"));
    list_->verticalHeader()->hide();
    list_->horizontalHeader()->hide();
    list_->horizontalHeader()->setStretchLastSection(true);
    connect(list_, &QTableWidget::cellClicked, this, [this](int row, int) { select(row); });
    connect(list_, &KeyTable::rowChosen, this, &FigurePage::select);
    fields_ = new QWidget(this);
    preview_ = new FigurePreview(this);
    connect(&undo_, &QUndoStack::indexChanged, this, &Page::commandsChanged);
}

void FigurePage::addCommands(CommandRegistry& commands) {
    const auto open = [this] { return whyNoFigure(); };
    const auto panel = [this] { return whyNoPanel(); };
    commands.add(
        "Curves",
        {{.id = "figure.slice",
          .text = tr("Add slice to figure"),
          .brief = tr("Slice"),
          .help = tr("Adds the slice of the selected run through the cursor to the figure"),
          .run = [this] { addPanel(FigurePanel::Kind::Slice); },
          .whyNot = open,
          .separatorBefore = true},
         {.id = "figure.profile",
          .text = tr("Add profile to figure"),
          .brief = tr("Profile"),
          .help = tr("Adds the profiles of all runs along x through the cursor to the figure"),
          .run = [this] { addPanel(FigurePanel::Kind::Profile); },
          .whyNot = open},
         {.id = "figure.curves",
          .text = tr("Add curves to figure"),
          .brief = tr("Curves"),
          .help = tr("Adds CRC against noise of all runs to the figure"),
          .run = [this] { addPanel(FigurePanel::Kind::Curves); },
          .whyNot = open},
         {.id = "figure.earlier",
          .text = tr("Move panel forward"),
          .brief = tr("Forward"),
          .help = tr("Moves the selected panel of the figure a place forward"),
          .run = [this] { move(-1); },
          .whyNot = panel},
         {.id = "figure.later",
          .text = tr("Move panel back"),
          .brief = tr("Back"),
          .help = tr("Moves the selected panel of the figure a place back"),
          .run = [this] { move(1); },
          .whyNot = panel},
         {.id = "figure.remove",
          .text = tr("Remove panel from figure"),
          .brief = tr("Remove"),
          .help = tr("Takes the selected panel out of the figure; Undo brings it back"),
          .run = [this] { removePanel(); },
          .whyNot = panel},
         {.id = "figure.open",
          .text = tr("Open template of a figure..."),
          .help = tr("Shows the figure of a template, as the study keeps them in its folder figures"),
          .run = [this] { askForTemplate(); },
          .whyNot = open},
         {.id = "figure.keep",
          .text = tr("Keep template of figure..."),
          .help =
              tr("Writes the template into the study: tofscope-cli figure makes the figure again from it"),
          .run = [this] { askForTemplateName(); },
          .whyNot = open},
         {.id = "export.figure",
          .text = tr("Export figure..."),
          .help = tr("Writes the figure as PDF or SVG, with its fonts"),
          .icon = "export",
          .run = [this] { askForFile(); },
          .whyNot = open}});
}

void FigurePage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    widths_ = new ComboBox;
    widths_->setObjectName("figure.width");
    widths_->setAccessibleName(tr("Width of the figure"));
    for (const double width : figureWidths_mm()) {
        widths_->addItem(tr("%1 mm").arg(width), width);
    }
    connect(widths_, &QComboBox::activated, this, [this] {
        const double mm = widths_->currentData().toDouble();
        edit(tr("width of the figure"), [mm](FigureTemplate& figure) { figure.width_mm = mm; });
    });
    row->addWidget(widths_);
    columns_ = new ComboBox;
    columns_->setObjectName("figure.columns");
    columns_->setAccessibleName(tr("Columns of the figure"));
    for (int n = 1; n <= kMostColumns; ++n) {
        columns_->addItem(n == 1 ? tr("1 column") : tr("%1 columns").arg(n), n);
    }
    connect(columns_, &QComboBox::activated, this, [this] {
        const int n = columns_->currentData().toInt();
        edit(tr("columns of the figure"), [n](FigureTemplate& figure) {
            figure.columns = n;
            for (FigurePanel& panel : figure.panels) {
                panel.span = std::min(panel.span, n);
            }
        });
    });
    row->addWidget(columns_);
    for (const char* id : {"figure.slice", "figure.profile", "figure.curves", "figure.earlier",
                           "figure.later", "figure.remove"}) {
        row->addWidget(makeButton(commands.action(id), ButtonKind::Button, bar_));
    }
    note_ = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    row->addWidget(note_, 1);
    row->addWidget(makeButton(commands.action("export.figure"), ButtonKind::Square, bar_));
    buildFields();
}

/// What of the selected panel is changed beside the list.
void FigurePage::buildFields() {
    auto* column = makeColumn(fields_, {12, 8, 12, 8});
    column->setSpacing(8);
    title_ = new QLineEdit;
    title_->setObjectName("figure.title");
    title_->setAccessibleName(tr("Title of the panel"));
    title_->setPlaceholderText(tr("Title: the name of the run"));
    connect(title_, &QLineEdit::editingFinished, this, [this] {
        const std::string text = title_->text().simplified().toStdString();
        editPanel(tr("title of a panel"), [&text](FigurePanel& panel) { panel.title = text; });
    });
    runs_ = new ComboBox;
    runs_->setObjectName("figure.run");
    runs_->setAccessibleName(tr("Run of the panel"));
    connect(runs_, &QComboBox::activated, this, [this] {
        const std::string run = runs_->currentData().toString().toStdString();
        editPanel(tr("run of a panel"), [&run](FigurePanel& panel) { panel.images = {{run}}; });
    });
    planes_ = new ComboBox;
    planes_->setObjectName("figure.plane");
    planes_->setAccessibleName(tr("Plane of the panel"));
    for (const QString& plane : {tr("Transverse"), tr("Coronal"), tr("Sagittal")}) {
        planes_->addItem(plane);
    }
    connect(planes_, &QComboBox::activated, this, [this](int plane) {
        editPanel(tr("plane of a panel"), [this, plane](FigurePanel& panel) {
            panel.plane = static_cast<Plane>(plane);
            panel.at_mm = models_.view.cursor()[planeFrame(panel.plane).normal];
        });
    });
    place_ = makeNumberField("figure.place", tr("Place of the slice, mm"),
                             tr("Coordinate of the slice along the normal of its plane, mm"), 80);
    connect(place_, &QLineEdit::editingFinished, this, [this] {
        if (const auto mm = typedNumber(*place_); place_->isModified() && mm) {
            editPanel(tr("place of a slice"), [&mm](FigurePanel& panel) { panel.at_mm = *mm; });
        }
        place_->setModified(false);
        showFields();
    });
    for (QWidget* field : std::initializer_list<QWidget*>{title_, runs_, planes_, place_}) {
        column->addWidget(field);
    }
    column->addStretch();
}

QString FigurePage::whyNot() const {
    const auto& items = models_.runs.items();
    const bool any =
        std::any_of(items.begin(), items.end(), [](const auto& item) { return item->hasIterates(); });
    return any ? QString() : tr("There are no runs yet");
}

QString FigurePage::whyNoFigure() const {
    return models_.study.folder() == nullptr ? tr("A figure belongs to a study: save the study first")
                                             : whyNot();
}

QString FigurePage::whyNoPanel() const {
    return selected_ >= 0 && whyNoFigure().isEmpty() ? QString() : tr("No panel of the figure is selected");
}

QString FigurePage::shownName() {
    return models_.study.name() + ", figure";
}

/// The study with the ROIs of now, which its file gets when it is left.
std::optional<Study> FigurePage::study() const {
    const Study* folder = models_.study.folder();
    if (folder == nullptr) {
        return {};
    }
    Study study = *folder;
    study.rois = models_.rois.set();
    return study;
}

void FigurePage::select(int panel) {
    selected_ = panel >= 0 && panel < static_cast<int>(figure_.panels.size()) ? panel : -1;
    showList();
    showFields();
    Q_EMIT commandsChanged();
}

void FigurePage::edit(const QString& text, const std::function<void(FigureTemplate&)>& change) {
    FigureTemplate after = figure_;
    change(after);
    if (!(after == figure_)) {
        undo_.push(new UndoStep<FigureTemplate>(text, figure_, after,
                                                [this](const FigureTemplate& state) { put(state); }));
    }
}

void FigurePage::editPanel(const QString& text, const std::function<void(FigurePanel&)>& change) {
    if (selected_ >= 0) {
        edit(text,
             [&](FigureTemplate& figure) { change(figure.panels[static_cast<std::size_t>(selected_)]); });
    }
}

void FigurePage::addPanel(FigurePanel::Kind kind) {
    FigurePanel panel;
    panel.kind = kind;
    const Vec3 cursor = models_.view.cursor();
    if (kind == FigurePanel::Kind::Slice) {
        const RunItem* item = models_.runs.selected();
        if (item == nullptr || !item->hasIterates()) {
            messages_.add(Severity::Warning, tr("Figure: select a run with an image first"));
            return;
        }
        const bool last = item->shownIterate() == item->lastIterate();
        panel.images = {{item->label().toStdString(), last ? 0 : item->shownIterate()}};
        panel.plane = models_.view.activePlane();
        panel.at_mm = cursor[planeFrame(panel.plane).normal];
    } else {
        for (const std::string& run : models_.study.folder()->runs()) {
            panel.images.push_back({run});
        }
        if (kind == FigurePanel::Kind::Profile) {
            const Box& box = models_.view.fitted();
            panel.from_mm = {box.low.x, cursor.y, cursor.z};
            panel.to_mm = {box.high.x, cursor.y, cursor.z};
        }
    }
    const int place = selected_ < 0 ? static_cast<int>(figure_.panels.size()) : selected_ + 1;
    edit(tr("add a panel"),
         [&](FigureTemplate& figure) { figure.panels.insert(figure.panels.begin() + place, panel); });
    select(place);
}

void FigurePage::move(int by) {
    const int to = selected_ + by;
    if (selected_ < 0 || to < 0 || to >= static_cast<int>(figure_.panels.size())) {
        return;
    }
    edit(tr("move a panel"), [&](FigureTemplate& figure) {
        std::swap(figure.panels[static_cast<std::size_t>(selected_)],
                  figure.panels[static_cast<std::size_t>(to)]);
    });
    select(to);
}

void FigurePage::removePanel() {
    const int gone = selected_;
    edit(tr("remove a panel"),
         [&](FigureTemplate& figure) { figure.panels.erase(figure.panels.begin() + gone); });
    select(std::min(gone, static_cast<int>(figure_.panels.size()) - 1));
}

void FigurePage::put(const FigureTemplate& figure) {
    figure_ = figure;
    select(selected_);
    refresh();
}

void FigurePage::refresh() {
    if (!isVisible() || note_ == nullptr) {
        return;  // nothing is read for a page that nobody sees
    }
    if (figure_.panels.empty() && undo_.count() == 0 && whyNoFigure().isEmpty()) {
        messages_.guard(tr("Figure"), [&] { figure_ = firstFigure(*study()); });
    }
    showList();
    showFields();
    draw();
}

void FigurePage::draw() {
    if (worker_.busy()) {
        stale_ = true;
        return;
    }
    if (figure_.panels.empty() || !study()) {
        preview_->setSentence(whyNoFigure().isEmpty() ? tr("Add a slice, a profile or curves")
                                                      : whyNoFigure());
        note_->setText({});
        return;
    }
    struct Work {
        FigureTemplate figure;
        Study study;
        std::string path;
        Drawing made;
    };
    const Study now = *study();
    const auto work = std::make_shared<Work>(Work{figure_, now, figurePath(now, "figure"), {}});
    worker_.start([work] { work->made = drawFigure(work->figure, work->study, work->path); },
                  [this, work](const std::exception_ptr& fault) {
                      if (fault != nullptr) {
                          preview_->setSentence(sentence(fault));
                          note_->setText({});
                      } else {
                          note_->setText(
                              tr("%1 x %2 mm").arg(work->made.width_mm).arg(work->made.height_mm, 0, 'f', 1));
                          preview_->setDrawing(std::move(work->made));
                      }
                      if (std::exchange(stale_, false)) {
                          draw();
                      }
                  });
}

QString FigurePage::words(const FigurePanel& panel) const {
    QStringList images;
    for (const FigureImage& image : panel.images) {
        images << QString::fromStdString(image.run.empty() ? image.file : image.run);
    }
    const QString all = images.join(", ");
    switch (panel.kind) {
        case FigurePanel::Kind::Slice: return tr("%1: slice at %2 mm").arg(all).arg(panel.at_mm, 0, 'f', 1);
        case FigurePanel::Kind::Profile: return tr("%1: profiles").arg(all);
        case FigurePanel::Kind::Curves: return tr("%1: curves").arg(all);
    }
    return {};
}

void FigurePage::showList() {
    list_->setRowCount(static_cast<int>(figure_.panels.size()));
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
        auto* item = new QTableWidgetItem(letterOf(i) + "  " + words(figure_.panels[i]));
        item->setToolTip(item->text());
        list_->setItem(static_cast<int>(i), 0, item);
    }
    if (selected_ >= 0) {
        list_->selectRow(selected_);
    } else {
        list_->clearSelection();
    }
}

void FigurePage::showFields() {
    if (title_ == nullptr) {
        return;
    }
    int width = widths_->findData(figure_.width_mm);
    if (width < 0) {  // a template may have any
        widths_->addItem(tr("%1 mm").arg(figure_.width_mm), figure_.width_mm);
        width = widths_->count() - 1;
    }
    widths_->setCurrentIndex(width);
    columns_->setCurrentIndex(columns_->findData(figure_.columns));
    const FigurePanel* panel =
        selected_ >= 0 ? &figure_.panels[static_cast<std::size_t>(selected_)] : nullptr;
    fields_->setVisible(panel != nullptr);
    if (panel == nullptr) {
        return;
    }
    const bool slice = panel->kind == FigurePanel::Kind::Slice;
    for (QWidget* field : std::initializer_list<QWidget*>{runs_, planes_, place_}) {
        field->setVisible(slice);
    }
    showUntyped(*title_, QString::fromStdString(panel->title));
    planes_->setCurrentIndex(static_cast<int>(panel->plane));
    showUntyped(*place_, QString::number(panel->at_mm, 'f', 1));
    runs_->clear();
    for (const std::string& run :
         models_.study.folder() != nullptr ? models_.study.folder()->runs() : std::vector<std::string>()) {
        runs_->addItem(tr("Run %1").arg(QString::fromStdString(run)), QString::fromStdString(run));
    }
    runs_->setCurrentIndex(runs_->findData(QString::fromStdString(panel->images.front().run)));
}

void FigurePage::keepTemplate(const QString& name) {
    if (const auto now = study()) {
        const std::string path = figurePath(*now, name.toStdString());
        writeFigure(path, figure_);
        messages_.written(QString::fromStdString(path));
    }
}

void FigurePage::openTemplate(const QString& file) {
    const FigureTemplate read = readFigure(file.toStdString());
    edit(tr("open a template"), [&read](FigureTemplate& figure) { figure = read; });
}

void FigurePage::writeFigureTo(const QString& file) {
    if (const auto now = study()) {
        writeDrawing(file.toStdString(), drawFigure(figure_, *now, figurePath(*now, "figure")));
        messages_.written(file);
    }
}

void FigurePage::askForTemplateName() {
    bool ok = false;
    const QString name = QInputDialog::getText(window(), tr("Keep template of figure"),
                                               tr("Name of the figure"), QLineEdit::Normal, "figure", &ok);
    if (ok) {
        messages_.guard(tr("Figure"), [&] { keepTemplate(name); });
    }
}

void FigurePage::askForTemplate() {
    const QString file = QFileDialog::getOpenFileName(
        window(), tr("Open template of a figure"),
        QString::fromStdString(models_.study.folder()->folder()) + "/figures", tr("Templates (*.json)"));
    if (!file.isEmpty()) {
        messages_.guard(tr("Figure"), [&] { openTemplate(file); });
    }
}

void FigurePage::askForFile() {
    const QString file = QFileDialog::getSaveFileName(window(), tr("Export figure"), "figure.pdf",
                                                      tr("PDF (*.pdf);;SVG (*.svg)"));
    if (!file.isEmpty()) {
        messages_.guard(tr("Figure"), [&] { writeFigureTo(file); });
    }
}

nlohmann::json FigurePage::toJson() const {
    return figure_.panels.empty() ? nlohmann::json() : parsedJson(figureToJson(figure_));
}

void FigurePage::fromJson(const nlohmann::json& saved) {
    FigureTemplate figure;
    try {
        figure = saved.is_object() ? figureFromJson(jsonText(saved), "study.json, figure") : FigureTemplate();
    } catch (const Error&) {
        figure = {};  // that of another release, or damaged: the page begins anew
    }
    undo_.clear();
    selected_ = -1;
    put(figure);
}

void FigurePage::arrange() {
    bar_->setGeometry(0, 0, width(), kFigureBar);
    const int height = std::max(0, this->height() - kFigureBar);
    const int below = std::min(kFieldsHeight, height / 2);
    list_->setGeometry(0, kFigureBar, kListWidth, height - below);
    fields_->setGeometry(0, kFigureBar + height - below, kListWidth, below);
    preview_->setGeometry(kListWidth, kFigureBar, std::max(0, width() - kListWidth), height);
}

}  // namespace tof::ui
