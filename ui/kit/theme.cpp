// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QPixmapCache>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QStyleOption>
#include <QSvgRenderer>
#include <QToolTip>
#include <QWidget>
#include <cmath>

// The macro needs the global namespace.
static void initResources() {
    Q_INIT_RESOURCE(tofscope_ui);
}

namespace tof::ui {

namespace {

/// A colour: its name in the style sheet, and what it is in the dark and in the light theme.
struct ColourRow {
    QColor Theme::*colour;
    const char* name;
    QRgb dark;
    QRgb light;
};

constexpr ColourRow kColours[] = {
    {&Theme::win, "@win", 0x202020, 0xf4f4f4},
    {&Theme::gap, "@gap", 0x0c0c0c, 0xc4c4c4},
    {&Theme::ctl, "@ctl", 0x2d2d2d, 0xffffff},
    {&Theme::hover, "@hover", 0x353535, 0xe8e8e8},
    {&Theme::down, "@down", 0x282828, 0xd8d8d8},
    {&Theme::sel, "@sel", 0x444444, 0xcccccc},
    {&Theme::input, "@input", 0x181818, 0xffffff},
    {&Theme::plot, "@plot", 0x181818, 0xffffff},
    {&Theme::grid, "@grid", 0x2e2e2e, 0xeaeaea},
    {&Theme::line, "@line", 0x343434, 0xd2d2d2},
    {&Theme::ctlBorder, "@ctlBorder", 0x767676, 0x888888},
    {&Theme::text, "@text", 0xeaeaea, 0x1a1a1a},
    {&Theme::text2, "@text2", 0xb8b8b8, 0x474747},
    {&Theme::text3, "@text3", 0x949494, 0x636363},
    {&Theme::disabled, "@disabled", 0x767676, 0x8a8a8a},
    {&Theme::focus, "@focus", 0xf4f4f4, 0x1a1a1a},
    {&Theme::primary, "@primary", 0xe4e4e4, 0x2a2a2a},
    {&Theme::onPrimary, "@onPrimary", 0x161616, 0xffffff},
    {&Theme::alternate, "@alternate", 0x242424, 0xf8f8f8},
    {&Theme::roi, "@roi", 0xf4e04d, 0xf4e04d},
    {&Theme::roiSelected, "@roiSelected", 0xffffff, 0xffffff},
    {&Theme::roiLabel, "@roiLabel", 0xf5f5f5, 0xf5f5f5},
    {&Theme::error, "@error", 0xff8066, 0xb3261e},
    {&Theme::warning, "@warning", 0xf2c14e, 0x8a5a00},
};

Theme makeTheme(ThemeKind kind) {
    const bool dark = kind == ThemeKind::Dark;
    Theme t;
    t.kind = kind;
    for (const ColourRow& row : kColours) {
        t.*row.colour = dark ? row.dark : row.light;
    }
    t.runs = dark ? std::array<QColor, 4>{0x62b4f0, 0xf0a030, 0x2fc0a0, 0xd08fd8}
                  : std::array<QColor, 4>{0x0067b0, 0xb35400, 0x00775e, 0x8a3f96};
    t.roiHalo = QColor(0, 0, 0, 205);
    return t;
}

/// Fusion without underlined shortcuts, with tool tips that come at a calm pace.
class Style : public QProxyStyle {
  public:
    Style() : QProxyStyle(QStyleFactory::create("Fusion")) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override {
        switch (hint) {
            case SH_UnderlineShortcut: return 0;
            case SH_ToolTip_WakeUpDelay: return 500;
            case SH_ComboBox_Popup: return 0;
            default: return QProxyStyle::styleHint(hint, option, widget, result);
        }
    }
};

bool tabular(const QString& family) {
    QFont font(family);
    font.setPixelSize(13);
    const QFontMetricsF metrics(font);
    return std::abs(metrics.horizontalAdvance('0') - metrics.horizontalAdvance('1')) < 0.01;
}

/// The system's font where its figures are tabular, else Noto Sans, else DejaVu Sans (both are).
QString windowFamily() {
    const QStringList families = QFontDatabase::families();
    const QString system = QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
    // DejaVu is what fontconfig gives when nobody chose a font; Noto is narrower and reads better.
    const bool chosen =
        !system.startsWith("DejaVu") && !system.startsWith("Sans") && families.contains(system);
    if (chosen && tabular(system)) {
        return system;
    }
    for (const char* family : {"Noto Sans", "DejaVu Sans"}) {
        if (families.contains(QString(family))) {
            return family;
        }
    }
    return system;
}

}  // namespace

const Theme& Theme::dark() {
    static const Theme instance = makeTheme(ThemeKind::Dark);
    return instance;
}

const Theme& Theme::light() {
    static const Theme instance = makeTheme(ThemeKind::Light);
    return instance;
}

const Theme& Theme::of(const QWidget& widget) {
    return widget.palette().color(QPalette::Window).lightness() < 128 ? dark() : light();
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, win);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::Base, input);
    p.setColor(QPalette::AlternateBase, alternate);
    p.setColor(QPalette::Button, ctl);
    p.setColor(QPalette::Highlight, sel);
    p.setColor(QPalette::HighlightedText, text);
    p.setColor(QPalette::PlaceholderText, text3);
    p.setColor(QPalette::ToolTipBase, ctl);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, line);
    p.setColor(QPalette::Light, hover);
    p.setColor(QPalette::Link, text);
    p.setColor(QPalette::BrightText, error);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, disabled);
    }
    return p;
}

QString Theme::styleSheet() const {
    QString sheet = R"(
* { font-size: 13px; }
QMenuBar { background: @win; padding: 0 8px; spacing: 0; }
QMenuBar::item { padding: 6px 8px; border-radius: 4px; background: transparent; color: @text; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @ctl; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border-radius: 4px; color: @text; }
QMenu::item:selected { background: @sel; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::icon { padding-left: 4px; }
QMenu::indicator { left: 6px; }
QToolTip { background: @ctl; color: @text; border: 1px solid @ctlBorder; padding: 4px 6px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px; color: @text;
    min-height: 22px; padding: 2px; }
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @down; }
QToolButton:checked { background: @sel; border-color: @ctlBorder; }
QToolButton:disabled { color: @disabled; }
QToolButton:focus { border: 2px solid @focus; padding: 1px; }
QToolButton[kind="bar"] { min-height: 26px; padding: 2px 3px 2px 8px; }
QToolButton[kind="bar"]:focus { padding: 1px 2px 1px 7px; }
QToolButton[kind="square"] { min-width: 22px; max-width: 22px; padding: 2px; }
QToolButton[kind="square"]:focus { padding: 1px; }
QToolButton::menu-indicator { image: none; }
QToolButton[kind="button"] { background: @ctl; border: 1px solid @ctlBorder; min-height: 20px; padding: 1px 9px; }
QToolButton[kind="button"][opens="menu"] { padding-right: 22px; }
QToolButton[kind="button"]:hover { background: @hover; }
QToolButton[kind="button"]:checked { background: @sel; font-weight: 600; }
QToolButton[kind="button"]:disabled { border-color: @line; }
QToolButton[kind="button"]:focus { border: 2px solid @focus; padding: 0 8px; }
QToolButton[kind="button"][opens="menu"]:focus { padding-right: 21px; }
QToolButton[kind="segment"] { background: @ctl; border: 1px solid @ctlBorder; border-radius: 0; min-height: 22px;
    padding: 2px 7px; border-left-width: 0; }
QToolButton[kind="segment"]:hover { background: @hover; }
QToolButton[kind="segment"]:checked { background: @sel; font-weight: 600; }
QToolButton[kind="segment"][end="left"] { border-left-width: 1px; border-top-left-radius: 4px;
    border-bottom-left-radius: 4px; }
QToolButton[kind="segment"][end="right"] { border-top-right-radius: 4px; border-bottom-right-radius: 4px; }
QToolButton[kind="segment"]:disabled { border-color: @line; background: @win; }
QToolButton[kind="segment"]:focus { border: 2px solid @focus; padding: 1px 6px 1px 5px; }
QToolButton[kind="segment"][end="left"]:focus { padding-left: 6px; }
QPushButton { background: @ctl; border: 1px solid @ctlBorder; border-radius: 4px; color: @text; min-height: 26px;
    padding: 0 12px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @down; }
QPushButton:disabled { color: @disabled; border-color: @line; background: @win; }
QPushButton:focus { border: 2px solid @focus; min-height: 24px; padding: 0 11px; }
QPushButton[kind="primary"] { background: @primary; color: @onPrimary; font-weight: 600; border-color: @primary; }
QPushButton[kind="primary"]:focus { border-color: @ctlBorder; }
QLineEdit, QSpinBox, QDoubleSpinBox { background: @input; border: 1px solid @ctlBorder; border-radius: 4px;
    min-height: 24px; padding: 0 7px; color: @text; selection-background-color: @sel; selection-color: @text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid @focus; min-height: 22px;
    padding: 0 6px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { color: @disabled; border-color: @line;
    background: @win; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0;
    border: 0; }
QLineEdit[bad="true"] { border-color: @error; }
QComboBox { background: @input; border: 1px solid @ctlBorder; border-radius: 4px; min-height: 24px;
    padding: 0 4px 0 7px; color: @text; }
QComboBox:focus { border: 2px solid @focus; min-height: 22px; padding: 0 3px 0 6px; }
QComboBox:disabled { color: @disabled; border-color: @line; background: @win; }
QComboBox::drop-down { width: 22px; border: 0; }
QComboBox::down-arrow { image: none; width: 0; height: 0; }
QComboBox QAbstractItemView { background: @ctl; border: 1px solid @line; outline: 0; padding: 2px;
    selection-background-color: @sel; selection-color: @text; }
QScrollArea { border: 0; background: @win; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar::handle:vertical { background: @line; border-radius: 4px; min-height: 24px; }
QScrollBar::handle:vertical:hover { background: @ctlBorder; }
QScrollBar:horizontal { background: transparent; height: 8px; margin: 0; }
QScrollBar::handle:horizontal { background: @line; border-radius: 4px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTableWidget { background: transparent; border: 0; gridline-color: transparent; color: @text; outline: 0;
    selection-background-color: @sel; selection-color: @text; }
QTableWidget[dense="true"] { font-size: 11px; }
QTableWidget::item { padding: 0 4px; border-bottom: 1px solid @line; }
QTableWidget::item:selected { background: @sel; }
QTableWidget::item:focus { border: 1px solid @focus; padding: 0 3px; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid @ctlBorder; color: @text2;
    font-size: 11px; padding: 0 7px; }
QProgressBar { background: @line; border: 0; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: @runA; border-radius: 2px; }
QSlider::groove:horizontal { background: @line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @ctlBorder; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal { background: @ctl; border: 1px solid @ctlBorder; width: 12px; height: 12px;
    margin: -5px 0; border-radius: 7px; }
QSlider::handle:horizontal:hover { background: @hover; }
QSlider::handle:horizontal:focus { border: 2px solid @focus; width: 10px; height: 10px; }
QSlider::handle:horizontal:disabled { background: @win; border-color: @line; }
QDialog { background: @win; }
QFileDialog QComboBox::down-arrow { image: url(:/icons/sheet-chevron-@kind.svg); width: 16px; height: 16px; }
QCheckBox::indicator, QListView::indicator, QTreeView::indicator { width: 13px; height: 13px;
    border: 1px solid @ctlBorder; border-radius: 3px; background: @input; }
QCheckBox::indicator:checked, QListView::indicator:checked, QTreeView::indicator:checked { background: @primary;
    border-color: @primary; image: url(:/icons/sheet-tick-@kind.svg); }
QCheckBox::indicator:focus { border: 2px solid @focus; width: 11px; height: 11px; }
QCheckBox::indicator:disabled { border-color: @line; background: @win; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTextBrowser, QPlainTextEdit { background: @input; border: 1px solid @line; color: @text; }
)";
    sheet.replace("@runA", runs[0].name());
    sheet.replace("@kind", kind == ThemeKind::Dark ? "dark" : "light");
    // Whole names: "@text" begins "@text2", too.
    for (const ColourRow& row : kColours) {
        sheet.replace(QRegularExpression(QString(row.name) + "\\b"), (this->*row.colour).name());
    }
    return sheet;
}

void applyTheme(QApplication& application, ThemeKind kind) {
    const Theme& theme = kind == ThemeKind::Dark ? Theme::dark() : Theme::light();
    QFont font(windowFamily());
    font.setPixelSize(13);
    QApplication::setFont(font);
    QApplication::setStyle(new Style);
    QApplication::setPalette(theme.palette());
    QToolTip::setPalette(theme.palette());
    application.setStyleSheet(theme.styleSheet());
}

QFont textFont(int pixels, QFont::Weight weight) {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

QString numberText(double value, int decimals) {
    if (!std::isfinite(value)) {
        return QString(QChar(0x2013));
    }
    QString text = QString::number(value, 'f', decimals);
    if (text.startsWith('-')) {
        const bool zero = text.toDouble() == 0;
        text = zero ? text.mid(1) : QChar(0x2212) + text.mid(1);
    }
    return text;
}

QString compactNumber(double value, int digits) {
    if (!std::isfinite(value)) {
        return QString(QChar(0x2013));
    }
    const double size = std::abs(value);
    if (size == 0) {
        return "0";
    }
    if (size >= 1e7 || size < 1e-3) {
        const QString text = QString::number(value, 'e', std::max(0, digits - 2));
        const int exponent = text.section('e', 1, 1).toInt();
        QString brief = text.section('e', 0, 0) + "e" + QString::number(exponent);
        return brief.replace('-', QChar(0x2212));
    }
    const int whole = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
    const int leadingZeros = size < 1 ? static_cast<int>(-std::floor(std::log10(size))) - 1 : 0;
    return numberText(value, std::max(0, digits - whole + leadingZeros));
}

int commonPower(double largest) {
    const double size = std::abs(largest);
    const bool plain = !std::isfinite(size) || size == 0 || (size >= 0.01 && size < 1e7);
    return plain ? 0 : static_cast<int>(std::floor(std::log10(size)));
}

QString powerText(int power) {
    static const QString raised =
        QString::fromUtf8("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079");
    QString text = "10";
    for (const QChar c : QString::number(power)) {
        text += c == '-' ? QChar(0x207b) : raised[c.digitValue()];
    }
    return text;
}

QString countText(double value) {
    QString digits = QString::number(value, 'f', 0);
    if (value < 10000) {
        return digits;
    }
    for (auto i = digits.size() - 3; i > 0; i -= 3) {
        digits.insert(i, QChar(0x2009));
    }
    return digits;
}

QString millionsText(double value) {
    const auto nbsp = QString(QChar(0x00a0));
    const auto three = [](double v) { return QString::number(v, 'f', v < 10 ? 2 : v < 100 ? 1 : 0); };
    if (value >= 1e9) {
        return three(value / 1e9) + nbsp + "G";
    }
    return value >= 1e6 ? three(value / 1e6) + nbsp + "M" : countText(value);
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, double ratio) {
    initResources();
    // It is one pixmap each time: Qt keeps what it draws of every new one.
    const QString key = QString("%1 %2 %3 %4").arg(name, colour.name(QColor::HexArgb)).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray svg = file.readAll().replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    pixmap = QPixmap(qRound(size * ratio), qRound(size * ratio));
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon themedIcon(const QString& name, const Theme& theme) {
    QIcon icon;
    for (const double ratio : {1.0, 1.5, 2.0, 3.0}) {
        icon.addPixmap(iconPixmap(name, theme.text, 16, ratio), QIcon::Normal);
        icon.addPixmap(iconPixmap(name, theme.disabled, 16, ratio), QIcon::Disabled);
    }
    return icon;
}

QIcon programIcon() {
    QIcon icon;
    for (const int size : {16, 32, 64, 128}) {
        icon.addPixmap(iconPixmap("tofscope", QColor(), size));
    }
    return icon;
}

}  // namespace tof::ui
