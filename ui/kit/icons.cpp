// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

#include "ui/kit/theme.h"

// The macro needs the global namespace.
static void initResources() {
    Q_INIT_RESOURCE(tofscope_ui);
}

namespace tof::ui {

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, double ratio) {
    initResources();
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray svg = file.readAll().replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(qRound(size * ratio), qRound(size * ratio));
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
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
