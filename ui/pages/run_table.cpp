// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_table.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "recon/metrics/profile.h"
#include "recon/systems/histo/histo_system.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/save_file.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/setting_words.h"

namespace tof::ui {

namespace {

using Cell = RunTable::Cell;

/// A column that is not a setting's.
struct Figure {
    const char* id;
    QString title;
    std::function<Cell(const RunItem&)> read;
};

Cell numberCell(double value, int digits) {
    return std::isfinite(value) ? Cell{numberText(value, digits), value} : Cell{};
}

/// A share of the figures at the iterate on screen, in per cent.
Cell percentCell(const RunItem& item, double Figures::*share) {
    const Figures* figures = item.figuresOf(item.shownIterate());
    return figures != nullptr ? numberCell(100 * figures->*share, 1) : Cell{};
}

Cell widthCell(const RunItem& item, const Screen& screen, Vec3 cursor, int axis) {
    const auto volume = item.volume();
    if (volume == nullptr || !screen.kindOf(item).width) {
        return {};
    }
    const Profile profile = profileAlong(*volume, axis, cursor);
    const auto found = profile.value.empty()
                           ? PeakSearch{}
                           : peakNear(profile, viz::coordinate(cursor, axis), kPeakReach_mm);
    return found.peak ? numberCell(found.peak->width_mm(), 1) : Cell{};
}

Cell objectiveCell(const RunItem& item) {
    for (const StoredIterate& each : item.timing()) {
        if (each.iteration == item.shownIterate() && each.objective) {
            return {compactNumber(each.objective->total(), 7), each.objective->total()};
        }
    }
    return {};
}

std::vector<Figure> figuresAfter(const Screen& screen, const ViewModel& view) {
    const int axis = view.profileAxis() == ViewModel::kAlongLine ? 0 : view.profileAxis();
    const Vec3 cursor = view.cursor();
    return {{"crc", Text::tr("CRC, %"), [](const RunItem& item) { return percentCell(item, &Figures::crc); }},
            {"crc-sd", Text::tr("SD of CRC, %"),
             [](const RunItem& item) { return percentCell(item, &Figures::crcSd); }},
            {"noise", Text::tr("Noise, %"),
             [](const RunItem& item) { return percentCell(item, &Figures::noise); }},
            {"nsr", Text::tr("NSR, %"), [](const RunItem& item) { return percentCell(item, &Figures::nsr); }},
            {"fwhm", Text::tr("FWHM along %1, mm").arg(QChar("xyz"[axis])),
             [&screen, cursor, axis](const RunItem& item) { return widthCell(item, screen, cursor, axis); }},
            {"objective", Text::tr("Objective"), objectiveCell},
            {"time", Text::tr("Time, s"), [](const RunItem& item) {
                 return item.seconds() > 0 ? numberCell(item.seconds(), 1) : Cell{};
             }}};
}

/// The settings that the runs were made with otherwise than each other.
std::vector<const SettingInfo*> settingsApart(const std::vector<const RunItem*>& runs) {
    std::vector<const SettingInfo*> apart;
    const RunItem* first = nullptr;
    for (const SettingInfo& info : settingsTable()) {
        first = nullptr;
        const bool differs = std::any_of(runs.begin(), runs.end(), [&](const RunItem* item) {
            if (item->isVolume()) {
                return false;
            }
            first = first == nullptr ? item : first;
            return item->settings().get(info.key) != first->settings().get(info.key);
        });
        if (differs) {
            apart.push_back(&info);
        }
    }
    return apart;
}

Cell settingCell(const RunItem& item, const SettingInfo& info) {
    if (item.isVolume()) {
        return {};
    }
    const std::string value =
        info.key == "kernel" ? kernelName(item.settings()) : item.settings().get(info.key);
    bool isNumber = false;
    const double number = QString::fromStdString(value).toDouble(&isNumber);
    return {shownValue(info, value), isNumber ? std::optional(number) : std::nullopt,
            QString::fromStdString(value)};
}

QString ofLatex(QString text) {
    text.replace('\\', "\\textbackslash ");
    for (const char special : {'&', '%', '$', '#', '_', '{', '}'}) {
        text.replace(special, QString("\\") + special);
    }
    return text.replace('~', "\\textasciitilde ").replace('^', "\\textasciicircum ");
}

QString exactly(const Cell& cell) {
    if (!cell.exact.isEmpty()) {
        return cell.exact;
    }
    return cell.number ? QString::number(*cell.number, 'g', 9) : cell.text;
}

/// Rows of cells, title first, each joined by `between` and ended by `end`.
QString lines(const RunTable& table, const QString& between, const QString& end,
              const std::function<QString(const Cell&)>& written) {
    QString text;
    const auto add = [&](const auto& cells, const auto& writtenOf) {
        QStringList each;
        std::transform(cells.begin(), cells.end(), std::back_inserter(each), writtenOf);
        text += each.join(between) + end;
    };
    add(table.columns, [&](const RunTable::Column& column) { return written(Cell{column.title}); });
    for (const RunTable::Row& row : table.rows) {
        add(row.cells, written);
    }
    return text;
}

}  // namespace

RunTable runTable(RunList& runs, const Screen& screen, const ViewModel& view,
                  const std::map<QString, QString>& comments) {
    std::vector<const RunItem*> shown;
    for (const auto& item : runs.items()) {
        if (item->hasIterates()) {
            shown.push_back(item.get());
        }
    }
    const auto comment = [&](const RunItem& item) {
        const auto own = comments.find(item.label());
        return Cell{own != comments.end() ? own->second : QString()};
    };
    std::vector<Figure> all{
        {"run", Text::tr("Letter"), [](const RunItem& item) { return Cell{item.label()}; }},
        {"name", Text::tr("Name"), [](const RunItem& item) { return Cell{item.name()}; }},
        {"comment", Text::tr("Comment"), comment},
        {"iterate", Text::tr("Iterate"), [](const RunItem& item) {
             const int at = item.shownIterate();
             return at > 0 ? Cell{QString::number(at), static_cast<double>(at)} : Cell{};
         }}};
    for (const SettingInfo* info : settingsApart(shown)) {
        all.push_back({info->key.c_str(),
                       word(info->label) + (info->unit.empty() ? "" : ", " + word(info->unit)),
                       [info](const RunItem& item) { return settingCell(item, *info); }});
    }
    for (Figure& figure : figuresAfter(screen, view)) {
        all.push_back(std::move(figure));
    }
    // An objective is there where runs were asked for it.
    std::erase_if(all, [&](const Figure& figure) {
        return figure.id == std::string("objective") &&
               std::none_of(shown.begin(), shown.end(),
                            [&](const RunItem* item) { return figure.read(*item).number.has_value(); });
    });
    RunTable table;
    for (const Figure& figure : all) {
        table.columns.push_back({figure.id, figure.title});
    }
    for (const RunItem* item : shown) {
        RunTable::Row row{item->id(), item->label(), {}};
        std::transform(all.begin(), all.end(), std::back_inserter(row.cells),
                       [item](const Figure& figure) { return figure.read(*item); });
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString runTableText(const RunTable& table, const QString& file) {
    if (!file.endsWith(".tex", Qt::CaseInsensitive)) {
        return lines(table, ",", "\n", [](const Cell& cell) { return csvCell(exactly(cell)); });
    }
    QString columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const bool numbers = std::any_of(table.rows.begin(), table.rows.end(),
                                         [i](const RunTable::Row& row) { return row.cells[i].number; });
        columns += numbers ? 'r' : 'l';
    }
    QString body = lines(table, " & ", " \\\\\n", [](const Cell& cell) { return ofLatex(cell.text); });
    body.insert(body.indexOf('\n') + 1, "\\hline\n");
    return "\\begin{tabular}{" + columns + "}\n" + body + "\\end{tabular}\n";
}

}  // namespace tof::ui
