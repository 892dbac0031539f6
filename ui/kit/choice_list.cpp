// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/choice_list.h"

#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kWhat = Qt::UserRole + 1;
constexpr int kRow = 26;
constexpr int kMargin = 8;
constexpr int kWidest = 960;

/// Name at the left, explanation in small letters behind the longest name.
class ChoiceDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// That of the widest row, for each: the list asks for one alone.
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QAbstractItemModel& model = *index.model();
        const QFontMetrics letters(smallFont());
        int what = 0;
        for (int i = 0; i < model.rowCount(); ++i) {
            what = std::max(what, letters.horizontalAdvance(model.index(i, 0).data(kWhat).toString()));
        }
        return {std::min(kWidest, namesWidth(model) + what + 4 * kMargin), kRow};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = option.widget != nullptr ? Theme::of(*option.widget) : Theme::dark();
        const bool there = (index.flags() & Qt::ItemIsEnabled) != 0;
        const bool title = index.data(Qt::UserRole + 2).toBool();
        painter->fillRect(option.rect,
                          there && (option.state & QStyle::State_Selected) != 0 ? theme.sel : theme.ctl);
        const QRect line = option.rect.adjusted(kMargin, 0, -kMargin, 0);
        painter->setFont(title ? smallFont(QFont::DemiBold) : textFont());
        painter->setPen(title ? theme.text2 : there ? theme.text : theme.disabled);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->setFont(smallFont());
        painter->setPen(there ? theme.text2 : theme.disabled);
        drawElided(*painter, line.adjusted(title ? 0 : namesWidth(*index.model()) + kMargin, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, index.data(kWhat).toString());
    }

  private:
    static int namesWidth(const QAbstractItemModel& model) {
        const QFontMetrics letters(textFont());
        int widest = 0;
        for (int i = 0; i < model.rowCount(); ++i) {
            widest = std::max(widest, letters.horizontalAdvance(model.index(i, 0).data().toString()));
        }
        return widest + kMargin;
    }
};

}  // namespace

ChoiceList::ChoiceList(QWidget* parent) {
    setParent(parent);
    setItemDelegate(new ChoiceDelegate(this));
    qobject_cast<QListView*>(view())->setUniformItemSizes(true);
    // As wide as there is room for: titles of groups and explanations belong to the open list.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
}

void ChoiceList::setChoices(const std::vector<Choice>& choices) {
    const QVariant chosen = currentData();
    auto* items = qobject_cast<QStandardItemModel*>(model());
    const QSignalBlocker quiet(this);
    clear();
    for (const Choice& choice : choices) {
        addItem(choice.text, choice.value);
        QStandardItem* item = items->item(count() - 1);
        const QString what = choice.whyNot.isEmpty() ? choice.what : choice.whyNot;
        item->setData(what, kWhat);
        item->setData(choice.title, Qt::UserRole + 2);
        item->setToolTip(what);
        item->setEnabled(choice.whyNot.isEmpty() && !choice.title);
    }
    setCurrentIndex(chosen.isValid() ? findData(chosen) : -1);
}

void ChoiceList::showPopup() {
    if (source_) {
        setChoices(source_());
    }
    const int wanted = count() == 0 ? 0 : itemDelegate()->sizeHint({}, model()->index(0, 0)).width();
    constexpr int kAround = 20;  // border, padding and a scroll bar
    view()->setMinimumWidth(std::max(width(), wanted) + kAround);
    ComboBox::showPopup();
}

}  // namespace tof::ui
