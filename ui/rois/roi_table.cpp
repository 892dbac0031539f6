// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/roi_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kFixedColumns = 3;  ///< name, shape, role

using Kind = RoiQuantity::Kind;

constexpr int kLeastName = 112;  ///< "background 1" with its sign
constexpr int kMostName = 260;

/// The widest text that a column has room for at the start; longer ones widen it.
const char* sampleOf(Kind kind) {
    switch (kind) {
        case Kind::Total: return "0000000";
        case Kind::Mean:
        case Kind::Sd:
        case Kind::Minimum:
        case Kind::Maximum:
        case Kind::Peak: return "000000";
        case Kind::SdPercent:
        case Kind::Voxels:
        case Kind::Volume:
        case Kind::Crc:
        case Kind::ContrastRecovery:
        case Kind::TrueCrc:
        case Kind::Nsr: return "000.0";
        case Kind::Overshoot: return "00.00";
        case Kind::Outside: return "00.0";
    }
    return "";
}

Kind kindOf(int column) {
    return roiQuantities()[static_cast<std::size_t>(column - kFixedColumns)].kind;
}

/// "sphere 2" before "sphere 10".
bool namedBefore(const Roi& a, const Roi& b) {
    const auto parts = [](const Roi& roi) {
        const QString name = QString::fromStdString(roi.name);
        bool number = false;
        const int n = name.section(' ', -1).toInt(&number);
        return std::pair(number ? name.section(' ', 0, -2) : name, number ? n : -1);
    };
    const auto [stemA, numberA] = parts(a);
    const auto [stemB, numberB] = parts(b);
    const int order = stemA.compare(stemB, Qt::CaseInsensitive);
    return order != 0 ? order < 0 : numberA < numberB;
}

/// Shows by a small triangle above its title which column the rows are sorted by; the title keeps its place.
class SortHeader : public QHeaderView {
  public:
    explicit SortHeader(const RoiTable& table, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent), table_(table) {
        setSectionsClickable(true);
    }

  protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override {
        QHeaderView::paintSection(painter, rect, column);
        if (table_.sorting().column != column) {
            return;
        }
        const bool left = column < kFixedColumns;
        const QPointF tip(left ? rect.left() + 12.0 : rect.right() - 11.0, 1.5);
        const double down = table_.sorting().descending ? 1 : -1;
        const double y = down > 0 ? tip.y() : tip.y() + 4;
        QPolygonF triangle;
        triangle << QPointF(tip.x() - 4, y) << QPointF(tip.x() + 4, y) << QPointF(tip.x(), y + 4 * down);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(Theme::of(*this).text);
        painter->drawPolygon(triangle);
        painter->restore();
    }

  private:
    const RoiTable& table_;
};

/// `power`: the power of ten in the header of values in the image's unit.
QString shownValue(Kind kind, double value, const DisplayUnit& unit, int power) {
    switch (kind) {
        case Kind::SdPercent:
        case Kind::Crc:
        case Kind::ContrastRecovery:
        case Kind::Nsr:
        case Kind::TrueCrc:
        case Kind::Outside: return numberText(100 * value, 1);
        case Kind::Overshoot: return numberText(value, 2);
        case Kind::Voxels: return numberText(value, 1);
        case Kind::Volume: return numberText(value / 1000, value < 1e5 ? 2 : 1);
        case Kind::Total: return std::abs(value) < 100 ? compactNumber(value, 4) : numberText(value, 0);
        default: {
            const double shown = unit.shown(value);
            if (power != 0) {
                return numberText(shown / std::pow(10.0, power), 3);
            }
            return std::abs(shown) >= 100 && std::abs(shown) < 1e7 ? numberText(shown, 0)
                                                                   : compactNumber(shown, 4);
        }
    }
}

}  // namespace

RoiTable::RoiTable(RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent)
    : RoiList(kFixedColumns + static_cast<int>(roiQuantities().size()), rois, view, screen, parent) {
    setObjectName("rois.all");
    setProperty("dense", true);  // small font: many columns
    setAccessibleName(tr("All values of all regions of interest"));
    auto* header = new SortHeader(*this, this);
    setHorizontalHeader(header);
    QStringList titles{tr("ROI"), tr("shape"), tr("role")};
    for (const RoiQuantity& quantity : roiQuantities()) {
        titles << Text::tr(quantity.brief != nullptr ? quantity.brief : quantity.title);
    }
    setHorizontalHeaderLabels(titles);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    dress(*header, kFixedColumns);
    for (int c = kFixedColumns; c < columnCount(); ++c) {
        hidePeak(c);
    }
    for (int c = 0; c < columnCount(); ++c) {
        header->setSectionResizeMode(c, c == 0 ? QHeaderView::Interactive : QHeaderView::Fixed);
        const QString what =
            c < kFixedColumns
                ? QString()
                : Text::tr(roiQuantities()[static_cast<std::size_t>(c - kFixedColumns)].help) + "\n";
        horizontalHeaderItem(c)->setToolTip(what + tr("A click sorts"));
    }
    connect(header, &QHeaderView::sectionClicked, this, &RoiTable::nextSorting);
    connect(header, &QHeaderView::sectionResized, this,
            [this](int column) { namesByHand_ = namesByHand_ || (column == 0 && !fitting_); });
    connect(this, &QTableWidget::cellClicked, this, [this](int row, int) { choose(row); });
}

std::optional<RoiQuantity::Kind> RoiTable::quantityOf(int column) const {
    return column >= kFixedColumns ? std::optional(kindOf(column)) : std::nullopt;
}

void RoiTable::sortBy(Sorting sorting) {
    if (!(sorting == sorting_) && sorting.column < columnCount()) {
        sorting_ = sorting;
        order_.clear();
        horizontalHeader()->viewport()->update();
        refresh();
    }
}

void RoiTable::nextSorting(int column) {
    const bool first = column >= kFixedColumns;  // largest first; names from A
    if (column != sorting_.column) {
        sortBy({column, first});
    } else if (sorting_.descending == first) {
        sortBy({column, !first});
    } else {
        sortBy({});
    }
}

void RoiTable::sortRows(const Figures& figures) {
    const auto& rois = rois_.rois();
    if (rois_.dragging() && order_.size() == rois.size()) {
        return;  // rows stay under the eye meanwhile
    }
    order_.resize(rois.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (sorting_.column < 0) {
        return;
    }
    const auto at = [](int roi) { return static_cast<std::size_t>(roi); };
    if (sorting_.column < kFixedColumns) {
        std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
            const Roi& first = rois[at(sorting_.descending ? b : a)];
            const Roi& second = rois[at(sorting_.descending ? a : b)];
            return sorting_.column == 0   ? namedBefore(first, second)
                   : sorting_.column == 1 ? first.shape < second.shape
                                          : first.role < second.role;
        });
        return;
    }
    std::vector<std::optional<double>> values(rois.size());
    for (std::size_t i = 0; i < std::min(rois.size(), figures.rois.size()); ++i) {
        values[i] = roiValue(kindOf(sorting_.column), rois[i], figures.rois[i], screen_.kind());
    }
    // Those without a value come last either way.
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
        const auto& first = values[at(a)];
        const auto& second = values[at(b)];
        if (!first || !second) {
            return first.has_value() && !second.has_value();
        }
        return sorting_.descending ? *first > *second : *first < *second;
    });
}

/// SUVpeak has its column where values are SUV; files have the peak always.
void RoiTable::hidePeak(int column) {
    if (kindOf(column) == Kind::Peak) {
        setColumnHidden(column, !unitName_.startsWith(kSuv));
    }
}

void RoiTable::choosePower(const Figures& figures) {
    const DisplayUnit unit = screen_.unit();
    double largest = 0;
    for (std::size_t i = 0; i < std::min(rois_.rois().size(), figures.rois.size()); ++i) {
        for (int column = kFixedColumns; column < columnCount(); ++column) {
            const auto value = roiValueHasUnit(kindOf(column)) ? roiValue(kindOf(column), rois_.rois()[i],
                                                                          figures.rois[i], screen_.kind())
                                                               : std::nullopt;
            largest = value ? std::max(largest, std::abs(unit.shown(*value))) : largest;
        }
    }
    const int power = commonPower(largest);
    if (power == power_ && unit.name == unitName_) {
        return;
    }
    power_ = power;
    unitName_ = unit.name;
    for (int column = kFixedColumns; column < columnCount(); ++column) {
        hidePeak(column);
        if (roiValueHasUnit(kindOf(column))) {
            const RoiQuantity& quantity = roiQuantities()[static_cast<std::size_t>(column - kFixedColumns)];
            const QString title = roiTitle(quantity, unit, TitleLength::Brief);
            horizontalHeaderItem(column)->setText(power == 0 ? title : title + ", " + powerText(power));
        }
    }
    fitColumns();
}

void RoiTable::writeRow(int row, const Figures& figures) {
    const RoiSet& set = rois_.set();
    const auto i = static_cast<std::size_t>(roiOfRow(row));
    const Roi& roi = set.rois[i];
    const QString dash(QChar(0x2013));
    const DisplayUnit unit = screen_.unit();
    const KindRow image = screen_.kind();
    const QFont font = smallFont();
    QTableWidgetItem* name = write(row, 0, QString::fromStdString(roi.name), font);
    name->setToolTip(name->text());
    sign(*name, roi);
    write(row, 1, word(shapeName(roi.shape)), font);
    write(row, 2, roi.role == Roi::Role::None ? dash : word(roleName(roi.role)), font);
    for (int column = kFixedColumns; column < columnCount(); ++column) {
        const Kind kind = kindOf(column);
        const auto value =
            i < figures.rois.size() ? roiValue(kind, roi, figures.rois[i], image) : std::nullopt;
        QTableWidgetItem* cell =
            write(row, column, value ? shownValue(kind, *value, unit, power_) : dash, font);
        const QString why = value                  ? QString()
                            : figures.rois.empty() ? tr("There is no image yet")
                                                   : whyNoRoiValue(kind, roi, set, image);
        if (cell->toolTip() != why) {
            cell->setToolTip(why);
        }
    }
}

void RoiTable::refresh() {
    const Figures f = screen_.figures();
    choosePower(f);
    sortRows(f);
    setRowCount(static_cast<int>(order_.size()));
    for (int row = 0; row < rowCount(); ++row) {
        writeRow(row, f);
    }
    const auto selected = std::find(order_.begin(), order_.end(), rois_.selected());
    const int current = selected == order_.end() ? -1 : static_cast<int>(selected - order_.begin());
    if (currentRow() != current) {
        setCurrentCell(current, current < 0 ? -1 : 0);
    }
}

void RoiTable::fitColumns() {
    fitting_ = true;
    for (int c = 1; c < columnCount(); ++c) {
        int wanted = titleWidth(c);
        if (c >= kFixedColumns) {
            wanted = std::max(wanted, cellWidth(sampleOf(kindOf(c))));
        } else {
            const auto shapes = {Roi::Shape::Circle,  Roi::Shape::Annulus,  Roi::Shape::Ellipse,
                                 Roi::Shape::Polygon, Roi::Shape::Cylinder, Roi::Shape::Region};
            const auto roles = {Roi::Role::Sphere, Roi::Role::Background, Roi::Role::Uniform};
            const auto reserve = [&](const char* name) { wanted = std::max(wanted, cellWidth(word(name))); };
            if (c == 1) {
                std::for_each(shapes.begin(), shapes.end(), [&](Roi::Shape s) { reserve(shapeName(s)); });
            } else {
                std::for_each(roles.begin(), roles.end(), [&](Roi::Role r) { reserve(roleName(r)); });
            }
        }
        setColumnWidth(c, wanted);
    }
    // What is there already is as whole as what comes.
    for (int row = 0; row < rowCount(); ++row) {
        for (int c = 1; c < columnCount(); ++c) {
            if (item(row, c) != nullptr) {
                widenFor(row, c);
            }
        }
    }
    fitting_ = false;
    fitNames();
}

void RoiTable::fitNames() {
    if (namesByHand_) {
        return;
    }
    int others = 0;
    for (int c = 1; c < columnCount(); ++c) {
        others += columnWidth(c);
    }
    int least = kLeastName;
    for (int row = 0; row < rowCount(); ++row) {
        least = std::max(least, wholeWidth(row, 0));
    }
    fitting_ = true;
    setColumnWidth(0, std::clamp(viewport()->width() - others, std::min(least, kMostName), kMostName));
    fitting_ = false;
}

bool RoiTable::event(QEvent* event) {
    const bool done = RoiList::event(event);
    // Only now the style sheet's font and margins are known.
    if (event->type() == QEvent::Show || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange) {
        fitColumns();
    }
    return done;
}

void RoiTable::resizeEvent(QResizeEvent* event) {
    RoiList::resizeEvent(event);
    fitNames();
}

QString RoiTable::caption() const {
    const Figures f = screen_.figures();
    const auto percent = [](double value) { return numberText(100 * value, 1) + QChar(0x00a0) + "%"; };
    QStringList parts;
    if (!f.rois.empty() && std::isfinite(f.crc)) {
        parts << (std::isfinite(f.crcSd) ? tr("CRC %1 (SD %2)").arg(percent(f.crc), percent(f.crcSd))
                                         : tr("CRC %1").arg(percent(f.crc)));
    }
    if (!f.rois.empty() && std::isfinite(f.noise)) {
        parts << tr("noise %1").arg(percent(f.noise)) << tr("NSR %1").arg(percent(f.nsr));
    }
    if (const QString unit = unitWord(screen_.unit()); !unit.isEmpty()) {
        parts << tr("values in %1").arg(unit);
    }
    parts << tr("SD (n − 1); voxels by fraction inside");
    return parts.join("; ");
}

}  // namespace tof::ui
