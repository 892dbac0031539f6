// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/basic.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/kit/commands.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

QHBoxLayout* makeRow(QWidget* host, QMargins margins) {
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(margins);
    row->setSpacing(8);
    return row;
}

QVBoxLayout* makeColumn(QWidget* host, QMargins margins) {
    auto* column = new QVBoxLayout(host);
    column->setContentsMargins(margins);
    column->setSpacing(0);
    return column;
}

QLabel* makeSmallText(const QString& text, const QColor& colour) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setStyleSheet("font-size: 11px;");
    if (colour.isValid()) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, colour);
        label->setPalette(palette);
    }
    return label;
}

QLineEdit* makeNumberField(const QString& objectName, const QString& label, const QString& help, int width) {
    auto* field = new QLineEdit;
    field->setObjectName(objectName);
    field->setAccessibleName(label);
    field->setToolTip(help);
    field->setAlignment(Qt::AlignRight);
    field->setFixedWidth(width);
    return field;
}

std::optional<double> typedNumber(const QLineEdit& field) {
    bool ok = false;
    QString text = field.text();
    const double value = text.replace(QChar(0x2212), '-').toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

double typedOr(const QLineEdit& field, double before) {
    return field.isModified() ? typedNumber(field).value_or(before) : before;
}

void showUntyped(QLineEdit& field, const QString& text) {
    if (field.hasFocus() && field.isModified()) {
        return;
    }
    if (field.text() != text) {
        field.setText(text);
    }
    // A number that loses a digit at the edge is another number.
    QStyleOptionFrame option;
    option.initFrom(&field);
    constexpr int kBesideText = 6;  // margins of the line within, and the caret
    const QRect inside = field.style()->subElementRect(QStyle::SE_LineEditContents, &option, &field);
    const int needed = field.fontMetrics().horizontalAdvance(text) + kBesideText;
    if (inside.width() < needed) {
        field.setFixedWidth(field.width() + needed - inside.width());
    }
}

bool claimsKey(QEvent& event, std::initializer_list<Qt::Key> keys) {
    const bool claims =
        event.type() == QEvent::ShortcutOverride &&
        std::find(keys.begin(), keys.end(), static_cast<QKeyEvent&>(event).key()) != keys.end();
    if (claims) {
        event.accept();
    }
    return claims;
}

void drawFocusFrame(const QWidget& widget, QPainter& painter) {
    if (widget.hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(Theme::of(widget).focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(widget.rect().adjusted(1, 1, -1, -1));
    }
}

void drawElided(QPainter& painter, const QRect& box, int alignment, const QString& text) {
    painter.drawText(box, alignment, painter.fontMetrics().elidedText(text, Qt::ElideRight, box.width()));
}

void drawProgress(QPainter& painter, const QRectF& track, double share, const QColor& ground,
                  const QColor& colour, double radius) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(track, radius, radius);
    painter.setBrush(colour);
    const double filled = track.width() * std::clamp(share, 0.0, 1.0);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(filled, track.height())), radius, radius);
}

HairLine::HairLine(Qt::Orientation orientation, QWidget* parent) : QWidget(parent) {
    if (orientation == Qt::Horizontal) {
        setFixedHeight(1);
    } else {
        setFixedWidth(1);
    }
}

void HairLine::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Theme::of(*this).line);
}

namespace {

void drawChevron(const QWidget& widget, QPainter& painter, int left) {
    const Theme& theme = Theme::of(widget);
    const QColor& ink = widget.isEnabled() ? theme.text2 : theme.disabled;
    painter.drawPixmap(left, (widget.height() - 16) / 2,
                       iconPixmap("chevron-down", ink, 16, widget.devicePixelRatioF()));
}

}  // namespace

void ComboBox::showPopup() {
    QComboBox::showPopup();
    // Shortcuts of a page reach into the popups of its children.
    for (QWidget* widget = view(); widget != nullptr && widget != this; widget = widget->parentWidget()) {
        widget->installEventFilter(this);
    }
}

bool ComboBox::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto keys = {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Select, Qt::Key_Escape, Qt::Key_F4};
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool closes = std::find(keys.begin(), keys.end(), key) != keys.end();
        if (!closes) {  // the list answers those when they are offered to it
            event->accept();
            return true;
        }
    }
    return QComboBox::eventFilter(watched, event);
}

void ComboBox::paintEvent(QPaintEvent* event) {
    QComboBox::paintEvent(event);
    QPainter painter(this);
    drawChevron(*this, painter, width() - 21);
}

Switch::Switch(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(text);
}

QSize Switch::sizeHint() const {
    return {28 + 8 + fontMetrics().horizontalAdvance(text()) + 4, 32};
}

void Switch::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = isEnabled() ? theme.text : theme.disabled;
    const QRectF track(0.5, height() / 2.0 - 6.5, 27, 13);
    painter.setPen(QPen(isEnabled() ? theme.text2 : theme.disabled, 1));
    painter.setBrush(isChecked() ? QBrush(ink) : Qt::NoBrush);
    painter.drawRoundedRect(track, 6.5, 6.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? theme.win : ink);
    painter.drawEllipse(QPointF(isChecked() ? track.right() - 6.5 : track.left() + 6.5, track.center().y()),
                        4, 4);
    painter.setPen(ink);
    painter.drawText(QRect(36, 0, width() - 36, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(track.adjusted(-0.0, -2, 2, 2), 8, 8);
    }
}

ValueRow::ValueRow(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
    setFixedHeight(24);
}

void ValueRow::setValue(const QString& value, const QString& unit) {
    if (value != value_ || unit != unit_) {
        value_ = value;
        unit_ = unit;
        setAccessibleName(name_ + " " + value + " " + unit);
        setToolTip(value_ + (unit_.isEmpty() ? "" : " " + unit_) + "\n" + Text::tr("Double-click copies"));
        update();
    }
}

void ValueRow::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setPen(theme.text2);
    painter.setFont(textFont());
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, name_);
    const int nameWidth = painter.fontMetrics().horizontalAdvance(name_) + 12;
    int right = width();
    if (!unit_.isEmpty()) {
        painter.setFont(smallFont());
        const int unitWidth = painter.fontMetrics().horizontalAdvance(unit_);
        painter.drawText(QRect(right - unitWidth, 0, unitWidth, height()), Qt::AlignRight | Qt::AlignVCenter,
                         unit_);
        right -= unitWidth + 4;
    }
    painter.setFont(textFont());
    painter.setPen(theme.text);
    const QString shown =
        painter.fontMetrics().elidedText(value_, Qt::ElideMiddle, std::max(10, right - nameWidth));
    painter.drawText(QRect(nameWidth, 0, right - nameWidth, height()), Qt::AlignRight | Qt::AlignVCenter,
                     shown);
}

void ValueRow::mouseDoubleClickEvent(QMouseEvent*) {
    QString text = value_;
    QApplication::clipboard()->setText(text.replace(QChar(0x2212), '-'));
}

ElidedLabel::ElidedLabel(Role role, Qt::Alignment alignment, QWidget* parent)
    : QWidget(parent), role_(role), alignment_(alignment) {}

void ElidedLabel::setText(const QString& text) {
    if (text != text_) {
        text_ = text;
        setAccessibleName(text);
        updateGeometry();
        update();
    }
}

namespace {

QFont fontOf(ElidedLabel::Role role) {
    using Role = ElidedLabel::Role;
    return role == Role::Caption ? smallFont()
                                 : textFont(13, role == Role::Strong ? QFont::DemiBold : QFont::Normal);
}

}  // namespace

QSize ElidedLabel::sizeHint() const {
    const QFontMetrics metrics(fontOf(role_));
    return {metrics.horizontalAdvance(text_) + 2, metrics.height() + 4};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setFont(fontOf(role_));
    painter.setPen(role_ == Role::Caption ? theme.text2 : theme.text);
    // Three letters and dots say nothing; the tooltip has it all.
    constexpr int kFewest = 8;
    constexpr qsizetype kSentence = 40;
    const bool fits = painter.fontMetrics().horizontalAdvance(text_) <= width();
    const bool worthIt =
        text_.size() > kSentence && width() > kFewest * painter.fontMetrics().averageCharWidth();
    if (role_ == Role::Caption && !fits && !worthIt) {
        return;
    }
    drawElided(painter, rect(), static_cast<int>(alignment_ | Qt::AlignVCenter), text_);
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
        const QPoint at = static_cast<QHelpEvent*>(event)->globalPos();
        QToolTip::showText(at, width() < sizeHint().width() - 2 ? text_ : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

Section* addSection(QVBoxLayout& column, const QString& title) {
    if (column.count() > 0) {
        column.addSpacing(12);
        auto* margin = new QHBoxLayout;
        margin->setContentsMargins(16, 0, 16, 4);
        margin->addWidget(new HairLine(Qt::Horizontal));
        column.addLayout(margin);
    }
    auto* section = new Section(title);
    column.addWidget(section);
    return section;
}

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent), title_(title), heading_(new QWidget(this)), body_(new QWidget(this)) {
    setAccessibleName(title);
    setFocusPolicy(Qt::TabFocus);
    heading_->setFixedHeight(32);
    headingLayout_ = new QHBoxLayout(heading_);
    headingLayout_->setContentsMargins(16, 2, 16, 2);
    headingLayout_->setSpacing(4);
    headingLayout_->addStretch();
    content_ = makeColumn(body_, {16, 0, 16, 0});
    auto* all = makeColumn(this);
    all->addWidget(heading_);
    all->addWidget(body_);
}

void Section::addToHeading(QWidget* widget) {
    headingLayout_->addWidget(widget);
}

void Section::setTitle(const QString& title) {
    if (title != title_) {
        title_ = title;
        setAccessibleName(title);
        update();
    }
}

void Section::setNote(const QString& note) {
    if (note != note_) {
        note_ = note;
        update();
    }
}

void Section::setFolded(bool folded) {
    folded_ = folded;
    body_->setVisible(!folded);
    update();
}

void Section::mousePressEvent(QMouseEvent* event) {
    if (event->position().y() < 32 && event->button() == Qt::LeftButton) {
        setFolded(!folded_);
    }
}

void Section::keyPressEvent(QKeyEvent* event) {
    // A field inside leaves Return to its parents after it has committed; only the heading itself folds.
    const auto keys = {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter};
    if (hasFocus() && std::find(keys.begin(), keys.end(), event->key()) != keys.end()) {
        setFolded(!folded_);
    } else {
        QWidget::keyPressEvent(event);
    }
}

/// From the left margin to the first button or the note.
int Section::roomForTitle() const {
    constexpr int kGap = 8;
    int right = width() - 16;
    if (!note_.isEmpty()) {
        right -= QFontMetrics(smallFont()).horizontalAdvance(note_) + kGap;
    }
    for (int i = 0; i < headingLayout_->count(); ++i) {
        const QWidget* widget = headingLayout_->itemAt(i)->widget();
        if (widget != nullptr && widget->isVisibleTo(this)) {
            right = std::min(right, widget->x() - kGap);
        }
    }
    return right - 16;
}

void Section::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setFont(smallFont(QFont::DemiBold));
    painter.setPen(theme.text2);
    const QRect line(16, 0, width() - 32, 32);
    const QString title = painter.fontMetrics().elidedText(title_, Qt::ElideRight, roomForTitle());
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, title);
    const int titleWidth = painter.fontMetrics().horizontalAdvance(title);
    if (folded_) {
        painter.drawPixmap(16 + titleWidth + 4, 8,
                           iconPixmap("chevron-right", theme.text2, 16, devicePixelRatioF()));
    }
    if (!note_.isEmpty()) {
        painter.setFont(smallFont());
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, note_);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRoundedRect(QRect(10, 5, titleWidth + (folded_ ? 32 : 12), 22), 4, 4);
    }
}

namespace {

void dress(QToolButton* button, QAction* action, ButtonKind kind) {
    button->setDefaultAction(action);
    button->setIconSize({16, 16});
    button->setObjectName(action->objectName() + ".button");
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    const std::pair<const char*, Qt::ToolButtonStyle> looks[] = {
        {"square", Qt::ToolButtonIconOnly},
        {"button", Qt::ToolButtonTextOnly},
        {"bar", Qt::ToolButtonTextBesideIcon},
        {"segment", action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly}};
    const auto& [name, style] = looks[static_cast<std::size_t>(kind)];
    button->setProperty("kind", name);
    button->setToolButtonStyle(style);
}

}  // namespace

QToolButton* makeButton(QAction* action, ButtonKind kind, QWidget* parent) {
    auto* button = new QToolButton(parent);
    dress(button, action, kind);
    return button;
}

MenuButton::MenuButton(QAction* action, QMenu* menu, QWidget* parent) : QToolButton(parent) {
    dress(this, action, ButtonKind::Button);
    setProperty("opens", "menu");
    setMenu(menu);
    setPopupMode(QToolButton::InstantPopup);
}

void MenuButton::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    drawChevron(*this, painter, width() - 20);
}

QWidget* makeSegments(const std::vector<QToolButton*>& buttons, QWidget* parent) {
    auto* row = new QWidget(parent);
    auto* layout = makeRow(row, {});
    layout->setSpacing(0);
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        buttons[i]->setProperty("end", i == 0 ? "left" : i + 1 == buttons.size() ? "right" : "middle");
        layout->addWidget(buttons[i]);
    }
    return row;
}

QWidget* makeSegments(const CommandRegistry& commands, std::initializer_list<const char*> ids,
                      QWidget* parent) {
    std::vector<QToolButton*> buttons;
    for (const char* id : ids) {
        buttons.push_back(makeButton(commands.action(id), ButtonKind::Segment, parent));
    }
    return makeSegments(buttons, parent);
}

}  // namespace tof::ui
