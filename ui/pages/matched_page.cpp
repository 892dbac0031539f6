// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/matched_page.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/desk/open_study.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/tasks.h"
#include "ui/desk/view_model.h"
#include "ui/kit/theme.h"
#include "ui/pages/run_commands.h"

namespace tof::ui {

namespace {

constexpr double kNear = 0.1;  ///< share of the level

constexpr int kMatchedBar = 40;
constexpr int kMatchedGap = 1;
constexpr int kCaption = 28;
constexpr std::size_t kMostRead = 16;  ///< iterates from disk that are held at a time

/// Columns that make the pictures largest, all of `aspect` (width over height).
int columnsFor(std::size_t count, QSize area, double aspect) {
    const int n = static_cast<int>(count);
    int best = 1;
    double most = 0;
    for (int columns = 1; columns <= n; ++columns) {
        const int rows = (n + columns - 1) / columns;
        const double width = static_cast<double>(area.width()) / columns;
        const double height = static_cast<double>(area.height()) / rows - kCaption;
        const double size = std::min(width, height * aspect);
        if (size > most + 0.5) {
            most = size;
            best = columns;
        }
    }
    return best;
}

QString percent(double share) {
    return numberText(100 * share, 1) + QChar(0x00a0) + "%";
}

}  // namespace

std::vector<MatchedIterate> matchedIterates(const RunList& runs, double noise) {
    std::vector<MatchedIterate> matched;
    for (const auto& item : runs.items()) {
        const std::vector<int> shown = item->iterates();
        std::optional<MatchedIterate> best;
        bool below = false;
        bool above = false;
        for (const Figures& f : item->figures()) {
            const bool there = std::binary_search(shown.begin(), shown.end(), f.iteration);
            if (!there || !std::isfinite(f.noise)) {
                continue;
            }
            below = below || f.noise <= noise;
            above = above || f.noise >= noise;
            if (!best || std::abs(f.noise - noise) < std::abs(best->noise - noise)) {
                best = MatchedIterate{item->id(), f.iteration, f.noise, f.crc};
            }
        }
        if (best) {
            const bool passes = below && above;
            if (!passes && std::abs(best->noise - noise) > kNear * noise) {
                best->reach = below ? MatchedIterate::Reach::StaysBelow : MatchedIterate::Reach::StaysAbove;
            }
            matched.push_back(*best);
        }
    }
    return matched;
}

std::optional<double> noiseOnScreen(RunList& runs) {
    const RunItem* item = runs.selected();
    const Figures* figures = item != nullptr ? item->figuresOf(item->shownIterate()) : nullptr;
    return figures != nullptr && std::isfinite(figures->noise) ? std::optional(figures->noise) : std::nullopt;
}

MatchedPage::MatchedPage(const PictureModels& models, Screen& screen, const RoiCurves& curves,
                         TaskQueue& tasks, QWidget* parent)
    : Page(parent), models_(models), screen_(screen), tasks_(tasks) {
    setObjectName("page.matched");
    models_.bind(*this);
    connect(&curves, &RoiCurves::changed, this, &MatchedPage::refresh);
    bar_ = new QWidget(this);
    pictures_ = new QWidget(this);
}

void MatchedPage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    auto* title = new ElidedLabel(tr("Matched noise"), ElidedLabel::Role::Strong);
    title->setFixedWidth(title->sizeHint().width());
    row->addWidget(title);
    field_ = makeNumberField(
        "matched.level", tr("Noise level, per cent"),
        tr("Noise, SD (n - 1) over mean in the first uniform ROI; of every run the nearest iterate"), 72);
    connect(field_, &QLineEdit::editingFinished, this, [this] {
        if (field_->isModified()) {
            setLevel(typedNumber(*field_).value_or(0) / 100);
        }
        field_->setModified(false);
        refresh();
    });
    row->addWidget(field_);
    auto* unit = new ElidedLabel("%", ElidedLabel::Role::Caption);
    unit->setFixedWidth(16);
    row->addWidget(unit);
    row->addWidget(makeSegments(commands, {"plane.transverse", "plane.coronal", "plane.sagittal"}, bar_));
    note_ = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    row->addWidget(note_, 1);
    row->addWidget(makeButton(commands.action("export.picture"), ButtonKind::Square, bar_));
}

QString MatchedPage::whyNot() const {
    const auto& items = models_.runs.items();
    const bool any = std::any_of(items.begin(), items.end(), [](const auto& item) {
        return std::any_of(item->figures().begin(), item->figures().end(),
                           [](const Figures& f) { return std::isfinite(f.noise); });
    });
    return any ? QString() : tr("Noise needs a run with an iterate, and an ROI of role uniform");
}

QString MatchedPage::whyNoPicture() const {
    return whyNoImage(models_.runs);
}

QString MatchedPage::shownName() {
    return models_.study.name() + ", matched noise";
}

void MatchedPage::setLevel(double noise) {
    if (noise > 0 && std::isfinite(noise) && level_ != noise) {
        level_ = noise;
        Q_EMIT levelChanged();
        refresh();
    }
}

QString MatchedPage::caption(const MatchedIterate& matched, int width) const {
    using Reach = MatchedIterate::Reach;
    const RunItem* item = models_.runs.find(matched.runId);
    if (item == nullptr) {
        return {};
    }
    const QString level = percent(level_.value_or(0));
    const QString never = matched.reach == Reach::StaysBelow   ? tr("stays below %1").arg(level)
                          : matched.reach == Reach::StaysAbove ? tr("stays above %1").arg(level)
                                                               : QString();
    const QString iterate = QString::number(matched.iteration);
    const QString noise = percent(matched.noise);
    const QString full = item->label() + " " + item->name();
    const bool crc = std::isfinite(matched.crc);
    const auto joined = [&](const QString& head, const QString& rest) {
        return never.isEmpty() ? tr("%1, %2").arg(head, rest) : tr("%1 %2, %3").arg(head, never, rest);
    };
    const QString words = tr("iterate %1: noise %2").arg(iterate, noise) +
                          (crc ? tr(", CRC %1").arg(percent(matched.crc)) : "");
    const QString figures = tr("iterate %1: %2").arg(iterate, noise);
    const QFontMetrics metrics(textFont());
    for (const QString& text :
         {joined(full, words), joined(item->label(), words), joined(item->label(), figures)}) {
        if (metrics.horizontalAdvance(text) <= width) {
            return text;
        }
    }
    return never.isEmpty() ? item->label() + ": " + noise : item->label() + " " + never;
}

void MatchedPage::writeCaptions() {
    for (std::size_t n = 0; n < std::min(cells_.size(), shown_.size()); ++n) {
        ElidedLabel& label = *cells_[n].caption;
        label.setText(caption(shown_[n], label.width()));
        label.setToolTip(caption(shown_[n], QWIDGETSIZE_MAX));
    }
}

bool MatchedPage::abandonDrag() {
    return std::any_of(cells_.begin(), cells_.end(),
                       [](const Cell& cell) { return cell.pane->abandonDrag(); });
}

std::shared_ptr<const Volume> MatchedPage::volumeOf(std::size_t n) {
    if (n >= shown_.size()) {
        return nullptr;
    }
    const std::pair<int, int> key{shown_[n].runId, shown_[n].iteration};
    const RunItem* item = models_.runs.find(key.first);
    if (const auto held = item != nullptr ? item->kept(key.second).volume : nullptr) {
        return held;
    }
    const auto kept = read_.find(key);
    return kept != read_.end() ? kept->second : nullptr;
}

DisplayUnit MatchedPage::unitOf(std::size_t n) const {
    const RunItem* item = n < shown_.size() ? models_.runs.find(shown_[n].runId) : nullptr;
    return item != nullptr ? screen_.unitOf(*item) : models_.view.unit();
}

void MatchedPage::fetch(const MatchedIterate& matched) {
    RunItem* item = models_.runs.find(matched.runId);
    const std::pair<int, int> key{matched.runId, matched.iteration};
    if (item == nullptr || item->file().isEmpty() || read_.size() + reading_.size() >= kMostRead ||
        !reading_.insert(key).second) {
        return;
    }
    const auto image = std::make_shared<KeptImage>(item->kept(matched.iteration));
    tasks_.add(
        tr("Reading iterate %1 of run %2").arg(matched.iteration).arg(item->label()),
        [image](TaskControl& control) { image->volume = image->get([&control] { control.checkpoint(); }); },
        [this, image, key] {
            read_[key] = image->volume;
            reading_.erase(key);
            refresh();
        });
}

void MatchedPage::rebuild(std::size_t count) {
    if (cells_.size() == count && plane_ == models_.view.activePlane()) {
        return;
    }
    plane_ = models_.view.activePlane();
    for (const Cell& cell : cells_) {
        cell.pane->deleteLater();
        cell.caption->deleteLater();
        cell.pane->hide();
        cell.caption->hide();
    }
    cells_.clear();
    for (std::size_t n = 0; n < count; ++n) {
        Cell cell;
        cell.caption = new ElidedLabel(ElidedLabel::Role::Text);
        cell.caption->setParent(pictures_);
        cell.pane = new SlicePane(plane_, models_, pictures_);
        cell.pane->setObjectName(QString("matched.%1").arg(n));
        PaneSource source;
        source.volume = [this, n] { return volumeOf(n); };
        source.range = [this, n] {
            const RunItem* item = models_.runs.find(shown_.at(n).runId);
            const RunItem* shown = models_.runs.onScreen();
            const auto volume = volumeOf(n);
            if (item == nullptr || shown == nullptr || volume == nullptr || item->units() == shown->units()) {
                return models_.view.rangeIn(unitOf(n));
            }
            // A mu-map is on Slices: its range is not one of runs.
            const Look look = screen_.lookOf(*item);
            return look.isAuto ? screen_.automaticRange(volume, look.range) : look.range;
        };
        source.setRange = [this, n](DisplayRange range) {
            const DisplayUnit own = unitOf(n);
            models_.view.setShownRange({own.shown(range.low), own.shown(range.high)});
        };
        source.unit = [this, n] { return unitOf(n); };
        source.empty = [this] {
            return reading_.empty() ? tr("no more than %1 pictures are read from disk").arg(kMostRead)
                                    : tr("reading the iterate");
        };
        source.bars = n + 1 == count;  // once is enough: all share one range and scale
        source.namesOrientation = source.bars;
        source.rois = false;
        source.frameFollowsFocus = true;
        cell.pane->setSource(std::move(source));
        cell.pane->show();
        cell.caption->show();
        cells_.push_back(cell);
    }
}

void MatchedPage::arrange() {
    bar_->setGeometry(0, 0, width(), kMatchedBar);
    pictures_->setGeometry(0, kMatchedBar, width(), height() - kMatchedBar);
    if (cells_.empty()) {
        return;
    }
    const Box& box = models_.view.fitted();
    const viz::PlaneAxes axes = viz::planeAxes(plane_, models_.view.orientation());
    const Vec3 size = box.high - box.low;
    const double aspect =
        viz::coordinate(size, axes.across) / std::max(1e-6, viz::coordinate(size, axes.down));
    const int columns = columnsFor(cells_.size(), pictures_->size(), aspect);
    const int rows = (static_cast<int>(cells_.size()) + columns - 1) / columns;
    const int w = (pictures_->width() - (columns - 1) * kMatchedGap) / columns;
    const int h = (pictures_->height() - (rows - 1) * kMatchedGap) / rows;
    std::vector<SlicePane*> panes;
    for (int i = 0; i < static_cast<int>(cells_.size()); ++i) {
        const Cell& cell = cells_[static_cast<std::size_t>(i)];
        const QRect area(i % columns * (w + kMatchedGap), i / columns * (h + kMatchedGap), w, h);
        cell.caption->setGeometry(area.adjusted(12, 0, -8, -(h - kCaption)));
        cell.pane->setGeometry(area.adjusted(0, kCaption, 0, 0));
        panes.push_back(cell.pane);
    }
    SlicePane::shareScale(panes, models_.view.zoom());
    writeCaptions();
}

void MatchedPage::refresh() {
    if (!isVisible() || field_ == nullptr) {
        return;  // nothing is read for a page that nobody sees
    }
    if (!level_) {
        level_ = noiseOnScreen(models_.runs);
        Q_EMIT levelChanged();
    }
    shown_ = level_ ? matchedIterates(models_.runs, *level_) : std::vector<MatchedIterate>{};
    rebuild(shown_.size());
    showUntyped(*field_, level_ ? numberText(100 * *level_, 1) : QString());
    note_->setText(shown_.empty() ? whyNot()
                                  : tr("of every run the iterate whose noise is nearest; one display range"));
    std::erase_if(read_, [this](const auto& held) {
        return std::none_of(shown_.begin(), shown_.end(), [&held](const MatchedIterate& one) {
            return std::pair{one.runId, one.iteration} == held.first;
        });
    });
    for (std::size_t n = 0; n < shown_.size(); ++n) {
        if (volumeOf(n) == nullptr) {
            fetch(shown_[n]);
        }
        cells_[n].pane->update();
    }
    arrange();
}

void MatchedPage::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.fillRect(QRect(0, kMatchedBar - 1, width(), 1), theme.line);
}

}  // namespace tof::ui
