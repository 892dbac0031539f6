// SPDX-License-Identifier: Apache-2.0
// Values and the names that scripts and sessions have for them, as tables of pairs.
#pragma once

#include <QStringList>
#include <algorithm>
#include <iterator>

#include "recon/base/error.h"

namespace tof::ui {

/// The name of a value that is in the table.
template <typename Table, typename Value>
[[nodiscard]] const char* nameIn(const Table& table, Value value) {
    return std::find_if(std::begin(table), std::end(table),
                        [&](const auto& row) { return row.first == value; })
        ->second;
}

/// The value of a name; `otherwise` where it is none of the table.
template <typename Table, typename Value>
[[nodiscard]] Value valueIn(const Table& table, const QString& name, Value otherwise) {
    const auto* const found =
        std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return name == row.second; });
    return found != std::end(table) ? found->first : otherwise;
}

/// The value of a name. Throws WrongUse with `none`, in which %1 stands for the name, and %2 for all names
/// where the sentence lists them.
template <typename Table>
[[nodiscard]] auto valueIn(const Table& table, const QString& name, const char* none) {
    QStringList names;
    for (const auto& [value, text] : table) {
        if (name == text) {
            return value;
        }
        names << text;
    }
    throw WrongUse(QString(none).replace("%2", names.join(", ")).arg(name).toStdString());
}

}  // namespace tof::ui
