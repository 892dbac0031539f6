// SPDX-License-Identifier: Apache-2.0
// The runs as a table: a row each, of what they were made with and what came of it.
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

namespace tof::ui {

class RunList;
class Screen;
class ViewModel;

struct RunTable {
    struct Column {
        QString id;     ///< "crc", or the key of a setting
        QString title;  ///< "CRC, %"
    };
    struct Cell {
        QString text;                    ///< as it is shown, and LaTeX has it
        std::optional<double> number{};  ///< what it is sorted by, and CSV has to nine digits
        QString exact{};                 ///< a setting as files have it, for CSV
    };
    struct Row {
        int run = 0;
        QString label;
        std::vector<Cell> cells;  ///< one per column
    };
    std::vector<Column> columns;
    std::vector<Row> rows;  ///< in the order of the list
};

/// Every run and every filtered one, at the iterate on screen of it: letter, name, comment by letter,
/// iterate, the settings that runs differ in, CRC with its SD over spheres, noise and NSR in per cent, FWHM
/// in mm of the peak at the cursor along the axis of profiles (x where they go along a line), objective and
/// seconds of work.
[[nodiscard]] RunTable runTable(RunList& runs, const Screen& screen, const ViewModel& view,
                                const std::map<QString, QString>& comments);

/// The table as a file has it by its extension: `.tex`, a tabular of LaTeX as it is shown, else comma
/// separated, with settings as files have them and figures of nine digits.
[[nodiscard]] QString runTableText(const RunTable& table, const QString& file);

}  // namespace tof::ui
