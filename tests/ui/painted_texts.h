// SPDX-License-Identifier: Apache-2.0
// What a widget and its children write on the screen.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QStringList>
#include <QWidget>

namespace tof::test {

/// A device that keeps the texts painted on it, and nothing else.
class TextCollector : public QPaintDevice {
  public:
    explicit TextCollector(QSize size) : engine_(texts_), size_(size) {}
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine_; }
    [[nodiscard]] const QStringList& texts() const { return texts_; }

  protected:
    [[nodiscard]] int metric(PaintDeviceMetric which) const override {
        switch (which) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY: return 96;
            case PdmDepth: return 32;
            case PdmDevicePixelRatio: return 1;
            default: return QPaintDevice::metric(which);
        }
    }

  private:
    class Engine : public QPaintEngine {
      public:
        explicit Engine(QStringList& texts) : QPaintEngine(AllFeatures), texts_(texts) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawTextItem(const QPointF&, const QTextItem& item) override { texts_ << item.text(); }
        [[nodiscard]] Type type() const override { return User; }

      private:
        QStringList& texts_;
    };
    QStringList texts_;
    mutable Engine engine_;
    QSize size_;
};

/// Every text that `top` and what lies in it paint, as painted: elided ones with their dots.
inline QStringList paintedTexts(QWidget& top) {
    TextCollector collector(top.size());
    top.render(&collector);
    return collector.texts();
}

}  // namespace tof::test
