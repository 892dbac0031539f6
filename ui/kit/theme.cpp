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

#include "recon/base/error.h"

// The macro needs the global namespace.
static void initResources() {
    Q_INIT_RESOURCE(tofscope_ui);
}

namespace tof::ui {

namespace {

/// A colour: its name in the style sheet, and what it is in each theme.
struct ColourRow {
    QColor Theme::*colour;
    const char* name;
    QRgb dark;
    QRgb light;
    QRgb contrast;
};

constexpr ColourRow kColours[] = {
    {&Theme::win, "@win", 0x202020, 0xf4f4f4, 0x000000},
    {&Theme::gap, "@gap", 0x0c0c0c, 0xc4c4c4, 0x808080},
    {&Theme::ctl, "@ctl", 0x2d2d2d, 0xffffff, 0x000000},
    {&Theme::hover, "@hover", 0x353535, 0xe8e8e8, 0x1c1c1c},
    {&Theme::down, "@down", 0x282828, 0xd8d8d8, 0x262626},
    {&Theme::sel, "@sel", 0x444444, 0xcccccc, 0x0b2b52},
    {&Theme::selBorder, "@selBorder", 0x444444, 0xcccccc, 0xffe600},
    {&Theme::input, "@input", 0x181818, 0xffffff, 0x000000},
    {&Theme::plot, "@plot", 0x181818, 0xffffff, 0x000000},
    {&Theme::grid, "@grid", 0x2e2e2e, 0xeaeaea, 0x5a5a5a},
    {&Theme::line, "@line", 0x343434, 0xd2d2d2, 0xa0a0a0},
    {&Theme::ctlBorder, "@ctlBorder", 0x767676, 0x888888, 0xffffff},
    {&Theme::text, "@text", 0xeaeaea, 0x1a1a1a, 0xffffff},
    {&Theme::text2, "@text2", 0xb8b8b8, 0x474747, 0xf0f0f0},
    {&Theme::text3, "@text3", 0x949494, 0x636363, 0xdcdcdc},
    {&Theme::disabled, "@disabled", 0x767676, 0x8a8a8a, 0xa0a0a0},
    {&Theme::focus, "@focus", 0xf4f4f4, 0x1a1a1a, 0xffe600},
    {&Theme::primary, "@primary", 0xe4e4e4, 0x2a2a2a, 0xffffff},
    {&Theme::onPrimary, "@onPrimary", 0x161616, 0xffffff, 0x000000},
    {&Theme::alternate, "@alternate", 0x242424, 0xf8f8f8, 0x101010},
    {&Theme::roi, "@roi", 0xf4e04d, 0xf4e04d, 0xf4e04d},
    {&Theme::roiSelected, "@roiSelected", 0xffffff, 0xffffff, 0xffffff},
    {&Theme::roiLabel, "@roiLabel", 0xf5f5f5, 0xf5f5f5, 0xffffff},
    {&Theme::error, "@error", 0xff8066, 0xb3261e, 0xffab99},
    {&Theme::warning, "@warning", 0xf2c14e, 0x8a5a00, 0xffd35c},
};

Theme makeTheme(ThemeKind kind) {
    Theme t;
    t.kind = kind;
    for (const ColourRow& row : kColours) {
        t.*row.colour = kind == ThemeKind::Contrast ? row.contrast
                        : kind == ThemeKind::Dark   ? row.dark
                                                    : row.light;
    }
    t.runs = kind != ThemeKind::Light ? std::array<QColor, 8>{0x62b4f0, 0xf0a030, 0x2fc0a0, 0xd08fd8,
                                                              0xb5d33d, 0xf78fb0, 0xd2b48c, 0x9aa8ff}
                                      : std::array<QColor, 8>{0x0067b0, 0xb35400, 0x00775e, 0x8a3f96,
                                                              0x5a7000, 0xb0305c, 0x7a5a2a, 0x3d4db3};
    t.roiHalo = QColor(0, 0, 0, 205);
    return t;
}

/// Fusion without underlined shortcuts, with tool tips that come at a calm pace. Nothing moves by itself:
/// whoever is made unwell by motion has no switch to look for.
class Style : public QProxyStyle {
  public:
    Style() : QProxyStyle(QStyleFactory::create("Fusion")) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override {
        switch (hint) {
            case SH_UnderlineShortcut:
            case SH_ComboBox_Popup:
            case SH_Widget_Animation_Duration: return 0;
            case SH_ToolTip_WakeUpDelay: return 500;
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
    QString system = QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
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

const Theme& Theme::contrast() {
    static const Theme instance = makeTheme(ThemeKind::Contrast);
    return instance;
}

const Theme& Theme::ofKind(ThemeKind kind) {
    return kind == ThemeKind::Contrast ? contrast() : kind == ThemeKind::Dark ? dark() : light();
}

QString themeName(ThemeKind kind) {
    return kind == ThemeKind::Contrast ? "contrast" : kind == ThemeKind::Dark ? "dark" : "light";
}

ThemeKind themeFromName(const QString& name) {
    return name == "contrast" ? ThemeKind::Contrast : name == "light" ? ThemeKind::Light : ThemeKind::Dark;
}

const Theme& Theme::of(const QWidget& widget) {
    if (widget.palette().color(QPalette::Window) == contrast().win) {
        return contrast();
    }
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
    initResources();
    QFile file(":/style/window.qss");
    if (!file.open(QIODevice::ReadOnly)) {
        throw InternalError("the program carries no style sheet");
    }
    QString sheet = QString::fromUtf8(file.readAll());
    sheet.replace("@runA", runs[0].name());
    sheet.replace("@kind", kind == ThemeKind::Light ? "light" : "dark");
    // Whole names: "@text" begins "@text2", too.
    for (const ColourRow& row : kColours) {
        sheet.replace(QRegularExpression(QString(row.name) + "\\b"), (this->*row.colour).name());
    }
    return sheet;
}

void applyTheme(QApplication& application, ThemeKind kind) {
    const Theme& theme = Theme::ofKind(kind);
    QFont font(windowFamily());
    font.setPixelSize(13);
    QApplication::setFont(font);
    if (application.styleSheet().isEmpty()) {  // a style asks every widget, and no theme has another
        QApplication::setStyle(new Style);
    }
    QApplication::setCursorFlashTime(0);  // NOLINT: the application owns the style
    QApplication::setEffectEnabled(Qt::UI_General, false);
    QApplication::setPalette(theme.palette());
    QToolTip::setPalette(theme.palette());
    if (const QString sheet = theme.styleSheet(); sheet != application.styleSheet()) {
        application.setStyleSheet(sheet);  // which asks every widget, too
    }
}

WithoutStyleSheet::WithoutStyleSheet() : sheet_(qApp->styleSheet()) {
    qApp->setStyleSheet({});
}

WithoutStyleSheet::~WithoutStyleSheet() {
    qApp->setStyleSheet(sheet_);
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
