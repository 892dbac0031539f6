// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ui/desk/correct_data.h"
#include "ui/desk/desk.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/corrections_dialog.h"
#include "ui/pages/data_words.h"
#include "ui/pictures/picture_models.h"

namespace tof::ui {

namespace {

constexpr int kPartBar = 40;
constexpr int kPartGap = 1;
constexpr int kOrigin = 360;
constexpr int kBarRoom = 14;  ///< beside the scroll bar

QString partName(DataQuantity part) {
    switch (part) {
        case DataQuantity::Att: return CorrectionsPage::tr("Attenuation");
        case DataQuantity::Mult: return CorrectionsPage::tr("Efficiency");
        default: return CorrectionsPage::tr("Randoms and scatter");
    }
}

/// Within a sentence: nouns keep their capitals in some languages.
QString partInSentence(DataQuantity part) {
    switch (part) {
        case DataQuantity::Att: return CorrectionsPage::tr("attenuation");
        case DataQuantity::Mult: return CorrectionsPage::tr("efficiency");
        default: return CorrectionsPage::tr("randoms and scatter");
    }
}

/// A factor in per cent, as small as it may be.
QString percentText(double share) {
    return std::isfinite(share) ? compactNumber(100 * share, 3) : QString(QChar(0x2013));
}

}  // namespace

// ---- chart ----

CorrectionChart::CorrectionChart(CorrectionsModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setObjectName("corrections.chart");
    setAccessibleName(tr("Size of the correction by view"));
    setToolTip(tr("Size of the correction in every view; click to show a view"));
}

Plot CorrectionChart::plot() const {
    double most = 0;
    for (const double size : model_.sizes(model_.part())) {
        most = std::isfinite(size) ? std::max(most, 100 * size) : most;
    }
    const QString title = model_.part() == DataQuantity::Att    ? tr("survives, %")
                          : model_.part() == DataQuantity::Mult ? tr("recorded, %")
                                                                : tr("of the counts, %");
    return {
        {60, 26, std::max(10.0, width() - 60.0 - 24), std::max(10.0, height() - 26.0 - 42)},
        niceAxis(1, std::max(2, model_.viewCount()), std::clamp(model_.viewCount() - 1, 1, 8), tr("view")),
        niceAxis(0, most > 0 ? most : 1, 4, title)};
}

QPointF CorrectionChart::place(int view) const {
    const auto& sizes = model_.sizes(model_.part());
    const auto index = static_cast<std::size_t>(view);
    return plot().at(view + 1, index < sizes.size() ? 100 * sizes[index] : 0);
}

void CorrectionChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    const auto& sizes = model_.sizes(model_.part());
    if (sizes.empty()) {
        return;
    }
    const Plot plot = this->plot();
    paintAxes(painter, plot, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (std::isfinite(sizes[i])) {
            line << plot.at(static_cast<double>(i) + 1, 100 * sizes[i]);
        }
    }
    painter.setPen(QPen(theme.run(0), 1.75));
    painter.drawPolyline(line);
    const auto now = static_cast<std::size_t>(model_.view());
    if (now < sizes.size() && std::isfinite(sizes[now])) {
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawEllipse(place(model_.view()), 6, 6);
    }
}

void CorrectionChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !model_.sizes(model_.part()).empty()) {
        const Plot now = plot();
        model_.setView(static_cast<int>(std::lround(now.x.value(now.shares(event->position()).x()))) - 1);
    }
}

// ---- page ----

CorrectionsPage::CorrectionsPage(Desk& desk, QWidget* parent)
    : Page(parent), desk_(desk), model_(desk.tasks().threading()) {
    setObjectName("corrections");
    for (int column = 0; column < 3; ++column) {
        transverse_[static_cast<std::size_t>(column)] = makePane(Plane::Transverse, column);
        sagittal_[static_cast<std::size_t>(column)] = makePane(Plane::Sagittal, column);
    }
    bar_ = new QWidget(this);
    chart_ = new CorrectionChart(model_, this);
    originArea_ = new QScrollArea(this);
    originArea_->setFrameShape(QFrame::NoFrame);
    originArea_->setFocusPolicy(Qt::NoFocus);  // nothing in it takes keys
    originArea_->setWidgetResizable(true);
    originArea_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    originArea_->setStyleSheet("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }");
    auto* about = new QWidget(originArea_);
    auto* column = makeColumn(about, {0, 0, kBarRoom, 0});
    column->setSpacing(8);
    parts_ = new CorrectionsParts(about);
    origin_ = new QLabel(about);
    column->addWidget(parts_);
    column->addWidget(origin_, 1);
    originArea_->setWidget(about);
    origin_->setObjectName("corrections.origin");
    origin_->setWordWrap(true);
    origin_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    origin_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    strip_ = new FigureStrip(this);
    strip_->setObjectName("corrections.figures");
    connect(parts_, &CorrectionsParts::turned, this, &CorrectionsPage::make);
    connect(&desk_.study(), &OpenStudy::changed, this, &CorrectionsPage::comeBack);
    connect(&model_, &CorrectionsModel::changed, this, &CorrectionsPage::refresh);
    connect(&model_, &CorrectionsModel::changed, this, &Page::commandsChanged);
    PictureModels::of(desk_).bind(*this);
    desk_.sessions().parts().add({"corrections", [this] { return model_.toJson(); },
                                  [this](const nlohmann::json& saved) {
                                      model_.setOpen(desk_.study().measurement(), desk_.study().form());
                                      model_.fromJson(saved);
                                  }});
}

CorrectionsPage::~CorrectionsPage() {
    desk_.sessions().parts().freeze("corrections");
}

SlicePane* CorrectionsPage::makePane(Plane plane, int column) {
    auto* pane = new SlicePane(plane, PictureModels::of(desk_), this);
    pane->setObjectName(QString("corrections.%1.%2").arg(plane == Plane::Transverse ? "t" : "s").arg(column));
    pane->setAccessibleName(tr("Picture %1 of the correction").arg(column + 1));
    PaneSource source;
    source.bars = true;
    source.frameFollowsFocus = true;
    source.rois = false;
    source.namesOrientation = column == 0;
    source.volume = [this, column] { return model_.picture(column); };
    source.range = [this, column] { return model_.range(column); };
    source.setRange = [](DisplayRange) {};
    source.resetRange = [] {};
    source.autoRange = [] { return true; };
    source.anatomical = [this] {
        return model_.data() != nullptr && model_.data()->viewSpace() != ViewSpace::Radial;
    };
    source.caption = [this, column] { return caption(column); };
    source.empty = [this] {
        const QString why = model_.whyNot(model_.part());
        return !why.isEmpty() ? why : !model_.fault().isEmpty() ? model_.fault() : tr("picture on its way");
    };
    source.stepImage = [this](int step) { model_.setView(model_.view() + step); };
    pane->setSource(std::move(source));
    return pane;
}

const std::array<SlicePane*, 3>& CorrectionsPage::panes() const {
    // Views of panels are one voxel thick along x.
    const auto shown = model_.picture(0);
    return shown != nullptr && shown->lattice.size[0] == 1 && shown->lattice.size[1] > 1 ? sagittal_
                                                                                         : transverse_;
}

bool CorrectionsPage::showsViews() const {
    return model_.data() == nullptr || model_.corrections().shown == PartsShown::InViews;
}

QString CorrectionsPage::caption(int column) const {
    if (!showsViews()) {
        return {};
    }
    switch (column) {
        case 0: return tr("Counts, off");
        case 1: return partName(model_.part());
        default: return tr("Corrected, on");
    }
}

void CorrectionsPage::addCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return isInFront() ? QString() : tr("Open the Corrections page first"); };
    const std::tuple<DataQuantity, const char*, QString> parts[] = {
        {DataQuantity::Att, "corrections.att", tr("Share of pairs that survive on their way")},
        {DataQuantity::Mult, "corrections.mult", tr("Chance that what survives is recorded")},
        {DataQuantity::Add, "corrections.add", tr("Counts expected that are no true coincidences")}};
    for (const auto& [part, id, help] : parts) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = partName(part),
                      .help = help,
                      .run = [this, p = part] { model_.setPart(p); },
                      .whyNot =
                          [this, p = part, notShown] {
                              const QString why = notShown();
                              return why.isEmpty() ? model_.whyNot(p) : why;
                          },
                      .checked = [this, p = part] { return model_.part() == p; }});
    }
    commands.add({.id = "corrections.make",
                  .menu = "Tools",
                  .text = tr("Make corrections..."),
                  .help = tr("Finds and switches the parts of the corrections of the open data, in the "
                             "background, and opens the result as a study"),
                  .icon = "flask",
                  .run = [this] { make(std::nullopt); },
                  .whyNot = [this] { return whyNotCorrect(desk_); }});
}

void CorrectionsPage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    row->addWidget(makeSegments(commands, {"corrections.att", "corrections.mult", "corrections.add"}, bar_));
    row->addStretch();
    row->addWidget(makeButton(commands.action("corrections.make"), ButtonKind::Button, bar_));
    refresh();
}

void CorrectionsPage::make(std::optional<PartName> turned) {
    const QFileInfo open(desk_.study().path());
    QString parent = open.absolutePath();
    if (desk_.study().path().isEmpty() || !QFileInfo(parent).isWritable()) {
        parent = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    }
    const QString stem = parent + "/" + correctedName(desk_.study().name());
    QString folder = stem;
    for (int i = 2; QFileInfo::exists(folder + ".tofstudy"); ++i) {
        folder = stem + "-" + QString::number(i);
    }
    CorrectionsDialog dialog(correctionStates(desk_), desk_.engines(), folder + ".tofstudy", this);
    if (turned) {
        dialog.turn(*turned);
    }
    if (dialog.exec() == QDialog::Accepted) {
        awaited_ = QFileInfo(dialog.wish().folder).absoluteFilePath();
        correctOpenData(desk_, dialog.wish());
    }
}

QString CorrectionsPage::whyNot() const {
    return desk_.study().measurement() == nullptr ? tr("Open a study, data or list-mode first") : QString();
}

QString CorrectionsPage::shownName() {
    return desk_.study().name() + ", " +
           tr("%1 of view %2").arg(partName(model_.part())).arg(model_.view() + 1);
}

QString CorrectionsPage::origin() const {
    const auto& measured = model_.data();
    if (measured == nullptr) {
        return {};
    }
    QStringList lines;
    const nlohmann::json scanner = parsedJson(measured->scannerJson());
    const auto scannerName = savedIn<std::string>(scanner, "name", "");
    lines << (scannerName.empty() ? tr("The file does not say which scanner it is of")
                                  : tr("Scanner: %1").arg(QString::fromStdString(scannerName)));
    const QString phantom = QString::fromStdString(measured->phantom());
    const auto phantomName = savedIn<std::string>(parsedJson(measured->phantom()), "name", "");
    lines << (phantom.isEmpty()
                  ? tr("What was measured is not said")
                  : tr("Measured: %1")
                        .arg(phantomName.empty() ? phantom : QString::fromStdString(phantomName)));
    const EventTally tally = measured->events();
    lines << (tally.recorded > 0
                  ? tr("%1 of %2 events kept").arg(millionsText(tally.kept), millionsText(tally.recorded))
                  : tr("%1 events kept").arg(millionsText(tally.kept)));
    if (measured->duration_s() > 0) {
        lines << tr("Duration: %1 s").arg(compactNumber(measured->duration_s(), 4));
    }
    if (const auto histo = desk_.study().histo()) {
        lines << (histo->deposit == "face"
                      ? tr("End points spread over crystal faces, seed %1").arg(histo->depositSeed)
                      : tr("End points at crystal centres"));
    }
    if (!showsViews()) {
        return lines.join("\n");  // the parts above say it all
    }
    QStringList there;
    QStringList missing;
    for (const DataQuantity part : CorrectionsModel::parts()) {
        (model_.whyNot(part).isEmpty() ? there : missing) << partInSentence(part);
    }
    lines << (there.isEmpty() ? tr("No corrections in the file")
                              : tr("In the file: %1").arg(there.join(", ")));
    if (!missing.isEmpty()) {
        lines << tr("Not in the file: %1").arg(missing.join(", "));
    }
    return lines.join("\n");
}

std::vector<FigureStrip::Figure> CorrectionsPage::figures() const {
    std::vector<FigureStrip::Figure> out;
    if (model_.data() == nullptr) {
        return out;
    }
    if (const auto sumOfAdd = model_.corrections().sumOfAdd) {
        const double events = model_.data()->events().kept;
        out.push_back({tr("events"), countText(events), "", tr("In the whole list")});
        out.push_back({tr("randoms and scatter"),
                       percentText(events > 0 ? sumOfAdd(*model_.data()) / events : std::nan("")), "%",
                       tr("Expected among the events of the whole list")});
        return out;
    }
    out.push_back({tr("view"), tr("%1 of %2").arg(model_.view() + 1).arg(model_.viewCount()), "",
                   dataWords(*model_.data(), desk_.study().form()).viewHelp});
    addPlace(out);
    const auto& sizes = model_.sizes(model_.part());
    const auto now = static_cast<std::size_t>(model_.view());
    if (now < sizes.size()) {
        out.push_back({tr("in this view"), percentText(sizes[now]), "%",
                       tr("Mean factor of the counts; of randoms and scatter their share of the counts")});
        out.push_back({tr("in all views"), percentText(model_.size(model_.part())), "%",
                       tr("Mean factor of the counts; of randoms and scatter their share of the counts")});
    }
    return out;
}

void CorrectionsPage::addPlace(std::vector<FigureStrip::Figure>& figures) const {
    const DataWords words = dataWords(*model_.data(), desk_.study().form());
    const ViewLayout layout = model_.data()->layout();
    const auto found = std::find(layout.views.begin(), layout.views.end(), model_.viewIndex());
    const std::size_t columns = layout.axes[0].values.size();
    if (found == layout.views.end() || columns == 0) {
        return;
    }
    const auto place = static_cast<std::size_t>(found - layout.views.begin());
    figures.push_back({words.first, words.firstText(layout.axes[0], place % columns), "", words.firstHelp});
    figures.push_back(
        {words.second, words.secondText(layout.axes[1], place / columns), "", words.secondHelp});
}

void CorrectionsPage::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.gap);
    painter.fillRect(QRect(0, 0, width(), kPartBar), theme.win);
    painter.fillRect(QRect(width() - kOrigin, chart_->y(), kOrigin, chart_->height()), theme.win);
}

void CorrectionsPage::arrange() {
    const int w = width();
    bar_->setGeometry(0, 0, w, kPartBar);
    const int stripTop = height() - FigureStrip::kHeight;
    strip_->setGeometry(0, stripTop, w, FigureStrip::kHeight);
    const bool views = showsViews();
    const int chartHeight = std::clamp(height() / (views ? 3 : 2), 180, views ? 250 : 320);
    const int facts = views ? w - kOrigin + 12 : 16;
    chart_->setGeometry(0, stripTop - chartHeight, views ? w - kOrigin : w, chartHeight);
    originArea_->setGeometry(facts, stripTop - chartHeight + 12, kOrigin - 16, chartHeight - 16);
    originArea_->raise();
    // A scroll area asks what is in it for no height of its width.
    origin_->setMinimumHeight(std::max(0, origin_->heightForWidth(kOrigin - 16 - kBarRoom)));
    const int h = stripTop - chartHeight - kPartBar - kPartGap;
    const int third = views ? (w - 2 * kPartGap) / 3 : w;
    for (const auto* set : {&transverse_, &sagittal_}) {
        for (std::size_t i = 0; i < 3; ++i) {
            SlicePane* pane = (*set)[i];
            const int left = static_cast<int>(i) * (third + kPartGap);
            pane->setGeometry(left, kPartBar, i == 2 ? std::max(0, w - left) : third, h);
            pane->setVisible(set == &panes() && (views || i == 0));
        }
    }
    SlicePane::shareScale({panes().begin(), panes().end()}, desk_.view().zoom());
}

void CorrectionsPage::refresh() {
    model_.setOpen(desk_.study().measurement(), desk_.study().form());
    if (!isVisible() || bar_->layout() == nullptr) {
        return;  // nothing is computed for a page that nobody sees
    }
    model_.refresh();
    showParts();
    arrange();
    for (SlicePane* pane : panes()) {
        pane->update();
    }
    chart_->update();
    strip_->setFigures(figures());
}

void CorrectionsPage::comeBack() {
    auto* stack = qobject_cast<PageStack*>(parentWidget());
    if (awaited_.isEmpty() || desk_.study().path() != awaited_ || !whyNot().isEmpty() || stack == nullptr) {
        return;
    }
    awaited_.clear();
    stack->turnTo(*this);
}

void CorrectionsPage::showParts() {
    if (partsOf_ != model_.data()) {
        partsOf_ = model_.data();
        parts_->follow(correctionStates(desk_), whyNotCorrect(desk_));
        origin_->setText(origin());
    }
}

bool CorrectionsPage::abandonDrag() {
    return std::any_of(panes().begin(), panes().end(), [](SlicePane* pane) { return pane->abandonDrag(); });
}

}  // namespace tof::ui
