// SPDX-License-Identifier: Apache-2.0
// Small widgets that every panel is made of.
#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QMargins>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

class QAction;
class QHBoxLayout;
class QLineEdit;
class QPainter;
class QVBoxLayout;

namespace tof::ui {

class CommandRegistry;

/// A row of a bar, 8 px between what is in it.
[[nodiscard]] QHBoxLayout* makeRow(QWidget* host, QMargins margins = {12, 6, 12, 6});
/// A column of a panel, nothing between what is in it.
[[nodiscard]] QVBoxLayout* makeColumn(QWidget* host, QMargins margins = {});

/// Small text that wraps, in a colour where one is given.
[[nodiscard]] QLabel* makeSmallText(const QString& text, const QColor& colour = {});

/// A field for a number, which stands at its right.
[[nodiscard]] QLineEdit* makeNumberField(const QString& objectName, const QString& label, const QString& help,
                                         int width);
/// What was typed, with either minus sign; empty when it is no number.
[[nodiscard]] std::optional<double> typedNumber(const QLineEdit& field);
/// What was typed where the field was touched; else `before`, with the digits that are not shown.
[[nodiscard]] double typedOr(const QLineEdit& field, double before);
/// Writes a text into a field, which grows to show all of it, unless somebody is typing there.
void showUntyped(QLineEdit& field, const QString& text);

/// Accepts the override of a shortcut by one of these plain keys, so that the widget gets them itself.
[[nodiscard]] bool claimsKey(QEvent& event, std::initializer_list<Qt::Key> keys);
/// The frame of a picture that has the focus.
void drawFocusFrame(const QWidget& widget, QPainter& painter);
/// One line of text, cut at the right where it has no room.
void drawElided(QPainter& painter, const QRect& box, int alignment, const QString& text);
/// A bar filled to a share of 0..1, with ends of `radius`.
void drawProgress(QPainter& painter, const QRectF& track, double share, const QColor& ground,
                  const QColor& colour, double radius);

/// One-pixel line.
class HairLine : public QWidget {
  public:
    explicit HairLine(Qt::Orientation orientation, QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Combo box with the house's chevron. While its list is open, keys are the list's: no shortcut takes them.
class ComboBox : public QComboBox {
  public:
    using QComboBox::QComboBox;
    void showPopup() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A switch: filled track when on.
class Switch : public QAbstractButton {
  public:
    explicit Switch(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Name at the left, number and small unit at the right; 24 px high.
class ValueRow : public QWidget {
  public:
    explicit ValueRow(const QString& name, QWidget* parent = nullptr);
    void setValue(const QString& value, const QString& unit = {});
    [[nodiscard]] QString value() const { return value_; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;  ///< copies the value

  private:
    QString name_;
    QString value_;
    QString unit_;
};

/// Text that never moves its neighbours: elided to the width it is given, whole in its tooltip.
class ElidedLabel : public QWidget {
  public:
    enum class Role { Text, Caption, Strong };
    explicit ElidedLabel(Role role = Role::Text, Qt::Alignment alignment = Qt::AlignLeft,
                         QWidget* parent = nullptr);
    explicit ElidedLabel(const QString& text, Role role = Role::Text, Qt::Alignment alignment = Qt::AlignLeft)
        : ElidedLabel(role, alignment) {
        setText(text);
    }
    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return text_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {8, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QString text_;
    Role role_;
    Qt::Alignment alignment_;
};

/// A part of a side panel: heading of 32 px with small buttons at its right, content below; a click or Space
/// folds it.
class Section : public QWidget {
    Q_OBJECT

  public:
    explicit Section(const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QVBoxLayout* content() const { return content_; }
    /// Adds a widget at the right end of the heading.
    void addToHeading(QWidget* widget);
    void setTitle(const QString& title);
    void setNote(const QString& note);
    void setFolded(bool folded);
    [[nodiscard]] bool folded() const { return folded_; }

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] int roomForTitle() const;

    QString title_;
    QString note_;
    bool folded_ = false;
    QWidget* heading_;
    QHBoxLayout* headingLayout_;
    QWidget* body_;
    QVBoxLayout* content_;
};

/// Appends a section to a side panel's column, with the space and hairline that part it from the one above.
[[nodiscard]] Section* addSection(QVBoxLayout& column, const QString& title);

/// A button bound to an action: 24 px square icon, small text button, tool-bar button, or part of a segment.
enum class ButtonKind { Square, Button, Bar, Segment };
[[nodiscard]] QToolButton* makeButton(QAction* action, ButtonKind kind, QWidget* parent);

/// A small text button that opens a menu, with the house's chevron. (The arrow of Qt's style leaves a picture
/// in Qt's cache at every repaint of a button with a style sheet.)
class MenuButton : public QToolButton {
  public:
    MenuButton(QAction* action, QMenu* menu, QWidget* parent);

  protected:
    void paintEvent(QPaintEvent* event) override;
};
/// Buttons in a row that look like one control.
[[nodiscard]] QWidget* makeSegments(const std::vector<QToolButton*>& buttons, QWidget* parent);
[[nodiscard]] QWidget* makeSegments(const CommandRegistry& commands, std::initializer_list<const char*> ids,
                                    QWidget* parent);

}  // namespace tof::ui
