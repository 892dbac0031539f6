// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/engineering.h"

#include <QRegularExpression>
#include <cmath>

namespace tof::ui {

namespace {

struct Factor {
    QChar letter;
    double value;
};
constexpr Factor kFactors[] = {{u'G', 1e9}, {u'M', 1e6}, {u'k', 1e3}};

}  // namespace

std::optional<double> engineeringNumber(const QString& text) {
    static const QRegularExpression blanks("[\\s\\x{00a0}\\x{2009}\\x{202f}'_]");
    static const QRegularExpression form("^([+-]?\\d*(?:\\.\\d*)?(?:[eE][+-]?\\d+)?)([kKmMgG]?)$");
    QString plain = text;
    plain.replace(QChar(0x2212), '-').remove(blanks);
    if (plain.count(',') == 1 && !plain.contains('.')) {
        static const QRegularExpression thousands(",\\d{3}(?!\\d)");
        if (thousands.match(plain).hasMatch()) {
            return std::nullopt;
        }
        plain.replace(',', '.');
    }
    const auto match = form.match(plain);
    bool ok = false;
    const double number = match.hasMatch() ? match.captured(1).toDouble(&ok) : 0;
    if (!ok || !std::isfinite(number)) {
        return std::nullopt;
    }
    const QString letter = match.captured(2);
    if (letter == "m") {
        return std::nullopt;  // milli, or a million?
    }
    for (const Factor& factor : kFactors) {
        if (letter.compare(factor.letter, Qt::CaseInsensitive) == 0) {
            return number * factor.value;
        }
    }
    return number;
}

QString engineeringText(double value) {
    for (const Factor& factor : kFactors) {
        if (std::abs(value) >= factor.value) {
            return QString::number(value / factor.value, 'g', 6) + QChar(0x00a0) + factor.letter;
        }
    }
    return QString::number(value, 'g', 6);
}

}  // namespace tof::ui
