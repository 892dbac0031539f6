// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <QPixmap>
#include <QString>
#include <array>

class QApplication;
class QWidget;

namespace tof::ui {

/// Contrast: white on black, lines and borders as strong as text, a yellow frame where the keys are.
enum class ThemeKind { Dark, Light, Contrast };
/// dark, light, contrast.
[[nodiscard]] QString themeName(ThemeKind kind);
/// Dark for a name that is none of them.
[[nodiscard]] ThemeKind themeFromName(const QString& name);

/// Every colour of the window. Style sheet, charts, overlays and icons read them from here; widgets hold
/// none.
struct Theme {
    ThemeKind kind = ThemeKind::Dark;
    QColor win, gap, ctl, hover, down, sel, selBorder, input, plot, grid, line, ctlBorder;
    QColor text, text2, text3, disabled, focus, primary, onPrimary, alternate;
    std::array<QColor, 8> runs;  ///< told apart by a colour-blind eye, too, with their symbols and lines
    QColor roi, roiSelected, error, warning;
    QColor roiHalo, roiLabel;  ///< around outlines and labels; text beside an ROI

    [[nodiscard]] static const Theme& dark();
    [[nodiscard]] static const Theme& light();
    [[nodiscard]] static const Theme& contrast();
    [[nodiscard]] static const Theme& ofKind(ThemeKind kind);
    /// The theme a widget is shown in, told from its palette.
    [[nodiscard]] static const Theme& of(const QWidget& widget);

    /// The colour of RunItem::mark(); that of text where it has none.
    [[nodiscard]] QColor run(int mark) const {
        return mark < 0 ? text2 : runs[static_cast<std::size_t>(mark) % runs.size()];
    }
    [[nodiscard]] QPalette palette() const;
    [[nodiscard]] QString styleSheet() const;
};

/// Style, palette, fonts and style sheet of the whole program.
void applyTheme(QApplication& application, ThemeKind kind);

/// Widgets are put together without the program's style sheet, which all get at once when this ends. With it,
/// Qt matches its rules anew for a widget and everything within each time that one gets another parent, which
/// is as often as layouts lie within each other.
class WithoutStyleSheet {
  public:
    WithoutStyleSheet();
    ~WithoutStyleSheet();
    WithoutStyleSheet(const WithoutStyleSheet&) = delete;
    WithoutStyleSheet& operator=(const WithoutStyleSheet&) = delete;

  private:
    QString sheet_;
};

/// The window's font at a size in px; figures are tabular.
[[nodiscard]] QFont textFont(int pixels = 13, QFont::Weight weight = QFont::Normal);
/// Units, captions, axis numbers.
[[nodiscard]] inline QFont smallFont(QFont::Weight weight = QFont::Normal) {
    return textFont(11, weight);
}

/// Number with a true minus sign and fixed decimals; an en dash for values that are not numbers.
[[nodiscard]] QString numberText(double value, int decimals);
/// A number with `digits` significant ones (the zero before the point counts), with an exponent below 0.001.
[[nodiscard]] QString compactNumber(double value, int digits = 4);
/// The power of ten that numbers of a column have in common where they would else be written with an exponent
/// each: that of the largest size, when it lies below 0.01 or from 1e7 on; else 0.
[[nodiscard]] int commonPower(double largest);
/// "10" with a raised exponent.
[[nodiscard]] QString powerText(int power);
/// "12 300" with thin spaces, for running text.
[[nodiscard]] QString countText(double value);
/// "19.7 M": three significant digits and a factor.
[[nodiscard]] QString millionsText(double value);

struct Theme;

/// An icon of resources/icons recoloured for normal, disabled and checked states. Unknown names give an empty
/// icon.
[[nodiscard]] QIcon themedIcon(const QString& name, const Theme& theme);
/// One picture of an icon, `size` px square at a device pixel ratio.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size = 16, double ratio = 1);
/// The program's own icon, in its colours.
[[nodiscard]] QIcon programIcon();

}  // namespace tof::ui
