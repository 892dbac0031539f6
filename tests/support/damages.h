// SPDX-License-Identifier: Apache-2.0
// One generator of 25 damages to small files, and what their readers make of them: right, a remark, a
// refusal, or believed without a word.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "recon/base/error.h"
#include "tests/support/places.h"

namespace tof::test {

/// How a field is stored, which says what can stand in it.
enum class FieldKind {
    Text,   ///< anything
    Once,   ///< anything, but no second time
    Float,  ///< a number of the binary file, NaN and infinity included
    Whole   ///< a whole number of the binary file
};

struct DamagedField {
    QByteArray key;
    QByteArray value;  ///< as text
    FieldKind kind = FieldKind::Text;
    bool damaged = true;  ///< false: stays as it is
};

/// A kind of file: its fields and data, how it is written, and all that its reader gives, as bytes.
struct DamagedReader {
    QString name;
    std::vector<DamagedField> fields{};
    QByteArray data{};
    qsizetype start = 0;   ///< where values or records begin in the data
    qsizetype record = 4;  ///< bytes of one
    std::function<void(const std::vector<DamagedField>& fields, const QByteArray& data)> write{};
    std::function<QByteArray(std::string& note)> read{};
};

struct FieldDamage {
    const char* name;
    std::function<std::vector<QByteArray>(const QByteArray& value)> values;  ///< none, one or two
};

inline std::vector<FieldDamage> fieldDamages() {
    using Values = std::vector<QByteArray>;
    const auto number = [](double value) { return QByteArray::number(value, 'g', 12); };
    const auto to = [](const char* text) { return [text](const QByteArray&) { return Values{text}; }; };
    const auto by = [number](const std::function<double(double)>& change) {
        return [number, change](const QByteArray& value) { return Values{number(change(value.toDouble()))}; };
    };
    return {{"missing", [](const QByteArray&) { return Values{}; }},
            {"empty", to("")},
            {"zero", to("0")},
            {"negative", by([](double x) { return -x - (x == 0 ? 1 : 0); })},
            {"no number", to("nan")},
            {"infinite", to("inf")},
            {"a word", to("many")},
            {"huge", to("1e30")},
            {"twice alike",
             [](const QByteArray& value) {
                 return Values{value, value};
             }},
            {"twice, contradicting",
             [number](const QByteArray& value) {
                 return Values{value, number(2 * value.toDouble() + 1)};
             }},
            {"another unit, x 1000", by([](double x) { return 1000 * x; })},
            {"another unit, x 0.1", by([](double x) { return 0.1 * x; })},
            {"half more", by([](double x) { return x + 0.5; })},
            {"one more", by([](double x) { return x + 1; })},
            {"one less", by([](double x) { return x - 1; })}};
}

struct DataDamage {
    QString name;
    std::function<QByteArray(QByteArray data, qsizetype start, qsizetype record)> change;
};

/// `unit` is what the data are made of, "value" or "record"; `longer` is how they get longer by whole ones.
inline std::vector<DataDamage> dataDamages(const QString& unit, const DataDamage& longer) {
    const auto records = [](QByteArray data, qsizetype start, qsizetype record, auto change) {
        std::vector<QByteArray> all;
        for (qsizetype at = start; at + record <= data.size(); at += record) {
            all.push_back(data.mid(at, record));
        }
        change(all);
        data.truncate(start);
        for (const QByteArray& one : all) {
            data += one;
        }
        return data;
    };
    const auto middle = [](char value) {
        return [value](QByteArray data, qsizetype start, qsizetype record) {
            return data.replace(start + (data.size() - start) / record / 2 * record, record,
                                QByteArray(record, value));
        };
    };
    return {{"no data", [](const QByteArray&, qsizetype, qsizetype) { return QByteArray(); }},
            {"cut within a " + unit, [](const QByteArray& data, qsizetype,
                                        qsizetype record) { return data.chopped((record + 1) / 2); }},
            {"a " + unit + " less",
             [](const QByteArray& data, qsizetype, qsizetype record) { return data.chopped(record); }},
            {"half of it",
             [](const QByteArray& data, qsizetype start, qsizetype record) {
                 return data.left(start + (data.size() - start) / record / 2 * record);
             }},
            {"bytes more",
             [](const QByteArray& data, qsizetype, qsizetype) { return data + QByteArray(3, '\1'); }},
            longer,
            {"another byte order",
             [records](const QByteArray& data, qsizetype start, qsizetype record) {
                 return records(data, start, record, [](std::vector<QByteArray>& all) {
                     for (QByteArray& one : all) {
                         std::reverse(one.begin(), one.end());
                     }
                 });
             }},
            {"another order of " + unit + "s",
             [records](const QByteArray& data, qsizetype start, qsizetype record) {
                 return records(data, start, record,
                                [](std::vector<QByteArray>& all) { std::reverse(all.begin(), all.end()); });
             }},
            {"a " + unit + " of zeros", middle('\0')},
            {"a " + unit + " of ones", middle('\xFF')}};
}

/// The table of what readers do.
class DamageTable {
  public:
    DamageTable(const QString& unit, const DataDamage& longer) : dataDamages_(dataDamages(unit, longer)) {}

    /// `folder` must be named in every refusal. Returns the first sentence that is none, or nothing.
    [[nodiscard]] QString add(const DamagedReader& reader, const QString& folder) {
        folder_ = folder;
        fault_.clear();
        reader.write(reader.fields, reader.data);
        std::string usual;
        const QByteArray whole = reader.read(usual);
        QStringList cells{reader.name};
        for (const FieldDamage& damage : fieldDamages()) {
            Cell cell;
            for (std::size_t i = 0; i < reader.fields.size(); ++i) {
                const std::vector<QByteArray> values = damage.values(reader.fields[i].value);
                if (fits(reader.fields[i], values)) {
                    reader.write(with(reader.fields, i, values), reader.data);
                    judge(reader, whole, usual, reader.fields[i].key, damage.name, cell);
                }
            }
            cells += cell.text();
        }
        for (const DataDamage& damage : dataDamages_) {
            Cell cell;
            if (!reader.data.isEmpty()) {
                reader.write(reader.fields, damage.change(reader.data, reader.start, reader.record));
                judge(reader, whole, usual, "", damage.name, cell);
            }
            cells += cell.text();
        }
        columns_.push_back(cells);
        return fault_;
    }

    [[nodiscard]] std::size_t damages() const { return fieldDamages().size() + dataDamages_.size(); }
    /// As Markdown, a row for each damage, and a list of what is believed.
    [[nodiscard]] QString text() const {
        QStringList names{"damage"};
        for (const FieldDamage& damage : fieldDamages()) {
            names += damage.name;
        }
        for (const DataDamage& damage : dataDamages_) {
            names += damage.name;
        }
        QString text;
        for (qsizetype row = 0; row < names.size(); ++row) {
            text += "| " + names[row] + " |";
            for (const QStringList& cells : columns_) {
                text += " " + cells[row] + " |";
            }
            text += "\n";
            if (row == 0) {
                text +=
                    "| --- |" + QString(" --- |").repeated(static_cast<qsizetype>(columns_.size())) + "\n";
            }
        }
        text += "\nBelieved:\n\n";
        for (const auto& [what, damages] : believed_) {
            text += "- " + what + ": " + damages.join(", ") + ".\n";
        }
        return text;
    }

  private:
    /// How many fields came to what.
    struct Cell {
        int refused = 0;
        int remark = 0;
        int right = 0;
        int believed = 0;

        [[nodiscard]] QString text() const {
            QStringList parts;
            for (const auto& [count, letter] :
                 {std::pair{refused, "R"}, {remark, "N"}, {right, "="}, {believed, "B"}}) {
                if (count > 0) {
                    parts += count > 1 ? QString("%1 %2").arg(count).arg(letter) : QString(letter);
                }
            }
            return parts.join(", ");
        }
    };

    static bool fits(const DamagedField& field, const std::vector<QByteArray>& values) {
        if (!field.damaged || (field.kind != FieldKind::Text && values.size() > 1)) {
            return false;
        }
        if (field.kind == FieldKind::Text || field.kind == FieldKind::Once) {
            return true;
        }
        bool isNumber = false;
        const double value = values.empty() ? 0 : values.front().toDouble(&isNumber);
        return isNumber &&
               (field.kind == FieldKind::Float || (std::abs(value) < 32768 && value == std::floor(value)));
    }

    static std::vector<DamagedField> with(const std::vector<DamagedField>& fields, std::size_t at,
                                          const std::vector<QByteArray>& values) {
        std::vector<DamagedField> changed;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i != at) {
                changed.push_back(fields[i]);
                continue;
            }
            for (const QByteArray& value : values) {
                changed.push_back({fields[i].key, value, fields[i].kind});
            }
        }
        return changed;
    }

    void judge(const DamagedReader& reader, const QByteArray& whole, const std::string& usual,
               const QString& key, const QString& damage, Cell& cell) {
        try {
            std::string note;
            const QByteArray read = reader.read(note);
            if (note != usual) {
                ++cell.remark;
            } else if (read == whole) {
                ++cell.right;
            } else {
                ++cell.believed;
                believe(reader.name + (key.isEmpty() ? "" : ", " + key.trimmed()), damage);
            }
        } catch (const Error& refused) {
            const QString told = refused.what();
            if (!told.contains(folder_) || told.contains('\n')) {
                fault_ = reader.name + ", " + key + ", " + damage + ": " + told;
            }
            ++cell.refused;
        }
    }

    void believe(const QString& what, const QString& damage) {
        const auto at = std::find_if(believed_.begin(), believed_.end(),
                                     [&](const auto& one) { return one.first == what; });
        (at == believed_.end() ? believed_.emplace_back(what, QStringList()) : *at).second += damage;
    }

    std::vector<DataDamage> dataDamages_;
    QString folder_;
    QString fault_;
    std::vector<QStringList> columns_;
    std::vector<std::pair<QString, QStringList>> believed_;
};

/// Holds a table of damages to a page of docs/measurements, or writes it there where TOFSCOPE_WRITE_TABLE is
/// set. Returns what is wrong, or nothing.
[[nodiscard]] inline QString pageFault(const QString& name, const QString& table,
                                       const QString& called = "damages") {
    QFile page(inTree("docs/measurements/") + name);
    QString text = page.open(QIODevice::ReadOnly) ? QString(page.readAll()) : QString();
    page.close();
    const QString begin = "<!-- table: " + called + " -->\n";
    const qsizetype from = text.indexOf(begin) + begin.size();
    const qsizetype to = text.indexOf("<!-- /table -->", from);
    if (from < begin.size() || to < from) {
        return name + " has no place for the table";
    }
    if (qEnvironmentVariableIsSet("TOFSCOPE_WRITE_TABLE")) {
        const QByteArray written = text.replace(from, to - from, table).toUtf8();
        return page.open(QIODevice::WriteOnly) && page.write(written) == written.size()
                   ? ""
                   : name + " cannot be written";
    }
    return text.mid(from, to - from) == table ? QString()
                                              : name + " differs; TOFSCOPE_WRITE_TABLE=1 writes:\n" + table;
}

}  // namespace tof::test
