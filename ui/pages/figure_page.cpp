// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/figure_page.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
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
#include "ui/kit/text.h"
#include "ui/kit/undo_step.h"
#include "ui/pages/figure_preview.h"
#include "viz/colour_map.h"

namespace tof::ui {

namespace {

constexpr int kFigureBar = 40;
constexpr int kListWidth = 260;
constexpr int kMostColumns = 6;

/// "a", "b": the letter of the n-th panel.
QString letterOf(std::size_t n) {
    return n < 26 ? QString(QChar('a' + static_cast<int>(n))) : QString::number(n + 1);
}

/// A field that follows the figure and the selected panel; null: none is.
class Follows {
  public:
    virtual ~Follows() = default;
    virtual void follow(const FigureTemplate& figure, const FigurePanel* panel) = 0;
};

/// Numbers of a template as text; what cannot be read is put back.
class NumbersField : public QLineEdit, public Follows {
  public:
    /// Empty: the field is not for this panel.
    using Shown = std::function<std::optional<QString>(const FigureTemplate&, const FigurePanel*)>;
    explicit NumbersField(Shown shown) : shown_(std::move(shown)) {}
    void follow(const FigureTemplate& figure, const FigurePanel* panel) override {
        const auto text = shown_(figure, panel);
        setVisible(text.has_value());
        showUntyped(*this, text.value_or(QString()));
    }

  private:
    Shown shown_;
};

/// A choice of the figure.
class ChoiceField : public ComboBox, public Follows {
  public:
    using Shown = std::function<int(const FigureTemplate&)>;  ///< the index
    explicit ChoiceField(Shown shown) : shown_(std::move(shown)) {}
    void follow(const FigureTemplate& figure, const FigurePanel* /*panel*/) override {
        setCurrentIndex(shown_(figure));
    }

  private:
    Shown shown_;
};

QString numbersText(std::initializer_list<double> numbers) {
    QStringList all;
    for (const double number : numbers) {
        all << QString::number(number, 'g', 6);
    }
    return all.join(" ");
}

QString rangeText(const std::optional<DisplayRange>& range) {
    return range ? numbersText({range->low, range->high}) : QString();
}

/// Finite numbers with spaces, commas or semicolons between them; empty when there is anything else.
std::optional<std::vector<double>> numbersIn(QString text) {
    std::vector<double> numbers;
    text.replace(QChar(0x2212), '-');
    for (const QString& word : text.split(QRegularExpression("[\\s,;]+"), Qt::SkipEmptyParts)) {
        bool good = false;
        numbers.push_back(word.toDouble(&good));
        if (!good || !std::isfinite(numbers.back())) {
            return {};
        }
    }
    return numbers;
}

/// What a field of a range says: nothing for automatic, else two ends; anything else changes nothing.
void takeRange(const std::vector<double>& numbers, std::optional<DisplayRange>& range) {
    const bool ends = numbers.size() == 2 && numbers[0] < numbers[1];
    if (ends || numbers.empty()) {
        range = ends ? std::optional(DisplayRange{numbers[0], numbers[1]}) : std::nullopt;
    }
}

void takePoint(const std::vector<double>& numbers, Vec3& point) {
    point = numbers.size() == 3 ? Vec3{numbers[0], numbers[1], numbers[2]} : point;
}

ChoiceField* choiceOf(const char* id, const QString& name, ChoiceField::Shown shown) {
    auto* field = new ChoiceField(std::move(shown));
    field->setObjectName(id);
    field->setAccessibleName(name);
    field->setToolTip(name);
    return field;
}

/// The whole template as text: what has no field of its own is changed here.
void editAsText(FigurePage& page, Messages& messages) {
    bool ok = false;
    const QString before = QString::fromStdString(figureToJson(page.figure()));
    const QString text =
        QInputDialog::getMultiLineText(page.window(), FigurePage::tr("Template as text"),
                                       FigurePage::tr("Fields as docs/figures.md lists them"), before, &ok);
    if (ok && text != before) {
        messages.guard(FigurePage::tr("Figure"), [&] {
            const FigureTemplate read =
                figureFromJson(text.toStdString(), FigurePage::tr("the text").toStdString());
            page.edit(FigurePage::tr("template as text"), [&](FigureTemplate& figure) { figure = read; });
        });
    }
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
         {.id = "figure.text",
          .text = tr("Template of figure as text..."),
          .help = tr("Shows all that the template says, and takes what is changed in it"),
          .run = [this] { editAsText(*this, messages_); },
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

/// What of the figure and of the selected panel is changed below the list.
void FigurePage::buildFields() {
    auto* grid = new QGridLayout(fields_);
    grid->setContentsMargins(12, 8, 12, 8);
    grid->setSpacing(8);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    buildChoices(*grid);
    buildNumbers(*grid);
    buildPanelFields(*grid);
    grid->setRowStretch(6, 1);
}

/// Map and letters of the figure.
void FigurePage::buildChoices(QGridLayout& grid) {
    auto* maps = choiceOf("figure.map", tr("Colour map of the figure"), [](const FigureTemplate& figure) {
        const auto& all = viz::ColourMap::all();
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const auto& map) { return map.id == figure.map; });
        return at != all.end() ? static_cast<int>(at - all.begin()) : -1;
    });
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        maps->addItem(word(map.label), QString::fromStdString(map.id));
    }
    connect(maps, &QComboBox::activated, this, [this, maps] {
        const std::string map = maps->currentData().toString().toStdString();
        edit(tr("colour map of the figure"), [&map](FigureTemplate& figure) { figure.map = map; });
    });
    auto* letters = choiceOf("figure.letters", tr("Letters of the panels"),
                             [](const FigureTemplate& figure) { return static_cast<int>(figure.letters); });
    letters->addItems({tr("a, b, c"), tr("A, B, C"), tr("no letters")});
    connect(letters, &QComboBox::activated, this, [this](int index) {
        edit(tr("letters of the panels"), [index](FigureTemplate& figure) {
            figure.letters = static_cast<FigureTemplate::Letters>(index);
        });
    });
    grid.addWidget(maps, 0, 0);
    grid.addWidget(letters, 0, 1);
}

/// A field of numbers, which `shown` shows and `taken` puts into the template.
QLineEdit* FigurePage::numbersField(const char* id, const QString& name, const QString& help,
                                    NumbersShown shown, const NumbersTaken& taken) {
    auto* field = new NumbersField(std::move(shown));
    field->setObjectName(id);
    field->setAccessibleName(name);
    field->setToolTip(help);
    field->setPlaceholderText(name);
    connect(field, &QLineEdit::editingFinished, this, [this, field, name, taken] {
        const auto typed = numbersIn(field->text());
        if (field->isModified() && typed) {
            edit(name, [&](FigureTemplate& figure) {
                FigurePanel none;
                FigurePanel& panel =
                    selected_ >= 0 ? figure.panels[static_cast<std::size_t>(selected_)] : none;
                taken(*typed, figure, panel);
            });
        }
        field->setModified(false);
        showFields();
    });
    return field;
}

/// Ranges and bar of the figure, the range of a slice and the ends of a profile.
void FigurePage::buildNumbers(QGridLayout& grid) {
    using Numbers = std::vector<double>;
    auto* range = numbersField(
        "figure.range", tr("Range"), tr("Both ends of the range of all slices; empty: automatic"),
        [](const FigureTemplate& figure, const FigurePanel*) {
            return std::optional(rangeText(figure.range));
        },
        [](const Numbers& typed, FigureTemplate& figure, FigurePanel&) { takeRange(typed, figure.range); });
    auto* bar = numbersField(
        "figure.scale-bar", tr("Bar, mm"), tr("Length of the scale bar; 0: none, empty: automatic"),
        [](const FigureTemplate& figure, const FigurePanel*) {
            return std::optional(figure.scaleBar_mm ? numbersText({*figure.scaleBar_mm}) : QString());
        },
        [](const Numbers& typed, FigureTemplate& figure, FigurePanel&) {
            if (typed.empty() || (typed.size() == 1 && typed[0] >= 0)) {
                figure.scaleBar_mm = typed.empty() ? std::nullopt : std::optional(typed[0]);
            }
        });
    auto* ownRange = numbersField(
        "figure.panel-range", tr("Own range"), tr("Both ends of this slice's range; empty: the figure's"),
        [](const FigureTemplate&, const FigurePanel* panel) {
            const bool slice = panel != nullptr && panel->kind == FigurePanel::Kind::Slice;
            return slice ? std::optional(rangeText(panel->range)) : std::nullopt;
        },
        [](const Numbers& typed, FigureTemplate&, FigurePanel& panel) { takeRange(typed, panel.range); });
    const auto end = [&](const char* id, const QString& name, Vec3 FigurePanel::*point) {
        return numbersField(
            id, name, tr("%1 of the line that the profiles are taken along: x y z, mm").arg(name),
            [point](const FigureTemplate&, const FigurePanel* panel) {
                const bool profile = panel != nullptr && panel->kind == FigurePanel::Kind::Profile;
                return profile ? std::optional(
                                     numbersText({(panel->*point).x, (panel->*point).y, (panel->*point).z}))
                               : std::nullopt;
            },
            [point](const Numbers& typed, FigureTemplate&, FigurePanel& panel) {
                takePoint(typed, panel.*point);
            });
    };
    auto* from = end("figure.from", tr("From"), &FigurePanel::from_mm);
    auto* to = end("figure.to", tr("To"), &FigurePanel::to_mm);
    grid.addWidget(range, 1, 0);
    grid.addWidget(bar, 1, 1);
    grid.addWidget(ownRange, 4, 1);
    grid.addWidget(from, 5, 0);
    grid.addWidget(to, 5, 1);
}

/// Title, run, plane and place of a panel.
void FigurePage::buildPanelFields(QGridLayout& grid) {
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
    grid.addWidget(title_, 2, 0, 1, 2);
    grid.addWidget(runs_, 3, 0);
    grid.addWidget(planes_, 3, 1);
    grid.addWidget(place_, 4, 0);
}

QString FigurePage::whyNot() const {
    const auto& items = models_.runs.items();
    const bool any =
        std::any_of(items.begin(), items.end(), [](const auto& item) { return item->hasIterates(); });
    return any ? QString() : tr("There are no runs yet");
}

FigurePage::~FigurePage() {
    wish_.end();
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
    showList();
    showFields();
    draw();
}

void FigurePage::draw() {
    if (worker_.busy()) {
        stale_ = true;
        return;
    }
    const bool first = beginsAnew();
    if (!study() || (figure_.panels.empty() && !first)) {
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
    worker_.start(
        [work, first, wish = wish_] {
            if (first) {
                work->figure = firstFigure(work->study, wish);
            }
            work->made = drawFigure(work->figure, work->study, work->path, wish);
        },
        [this, work, first](const std::exception_ptr& fault) {
            if (first && beginsAnew() && study()->folder() == work->study.folder()) {
                figure_ = work->figure;
                showList();
                showFields();
            }
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
            } else if (!fileWanted_.isEmpty()) {
                messages_.guard(tr("Figure"), [&] { writeFigureTo(std::exchange(fileWanted_, {})); });
            }
        });
}

bool FigurePage::beginsAnew() const {
    return figure_.panels.empty() && undo_.count() == 0 && whyNoFigure().isEmpty();
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
    for (QWidget* field : fields_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (auto* follows = dynamic_cast<Follows*>(field)) {
            follows->follow(figure_, panel);
        }
    }
    title_->setVisible(panel != nullptr);
    const bool slice = panel != nullptr && panel->kind == FigurePanel::Kind::Slice;
    for (QWidget* field : std::initializer_list<QWidget*>{runs_, planes_, place_}) {
        field->setVisible(slice);
    }
    arrange();
    if (panel == nullptr) {
        return;
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
    if (worker_.busy()) {
        fileWanted_ = file;
        return;
    }
    if (!preview_->sentence().isEmpty()) {
        throw WrongUse(preview_->sentence().toStdString());
    }
    writeDrawing(file.toStdString(), preview_->drawing());
    messages_.written(file);
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
    const int below =
        std::min(fields_->layout() != nullptr ? fields_->layout()->sizeHint().height() : 0, height * 2 / 3);
    list_->setGeometry(0, kFigureBar, kListWidth, height - below);
    fields_->setGeometry(0, kFigureBar + height - below, kListWidth, below);
    preview_->setGeometry(kListWidth, kFigureBar, std::max(0, width() - kListWidth), height);
}

}  // namespace tof::ui
