// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>
#include <QString>
#include <QWidget>

#include "recon/base/error.h"
#include "ui/kit/commands.h"

class QUndoStack;

namespace tof::ui {

/// One of the pages in the middle of the window: it shows a model and brings the commands that drive it.
class Page : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    /// Adds the page's own commands; called once, before build().
    virtual void addCommands(CommandRegistry& commands) { static_cast<void>(commands); }
    /// Fills the page's bars with buttons; called once, after every command exists.
    virtual void build(CommandRegistry& commands) = 0;
    /// Follows the models; does nothing while nobody sees the page.
    virtual void refresh() = 0;
    /// Puts back what is being dragged; false when nothing is.
    virtual bool abandonDrag() = 0;

    /// Empty when the page has something to show, else the reason.
    [[nodiscard]] virtual QString whyNot() const { return {}; }
    /// True when the page needs no study, and the panels about one are not beside it.
    [[nodiscard]] virtual bool standsAlone() const { return false; }
    /// True while what the page shows is still being computed, for scripts that take pictures.
    [[nodiscard]] virtual bool busy() const { return false; }
    /// True when the page has nothing left to show and the first one is to take its place.
    [[nodiscard]] virtual bool isEmpty() const { return false; }
    /// Empty when there is something to take a picture of, else the reason.
    [[nodiscard]] virtual QString whyNoPicture() const = 0;
    /// What picture files show.
    [[nodiscard]] virtual QWidget& pictures() { return *this; }
    /// What is on screen, as the start of a file's name: "A variant1, iterate 5".
    [[nodiscard]] virtual QString shownName() = 0;
    /// Another image in the page's picture, as its keys do where no picture has the focus.
    virtual void stepImage(int step) { static_cast<void>(step); }
    /// The points of the profile that the page shows, if it shows one.
    [[nodiscard]] virtual QString profileCsv() const { return {}; }
    /// The page's own steps; null where undo is that of the ROIs.
    [[nodiscard]] virtual QUndoStack* undoStack() { return nullptr; }

    /// True when it is the page in front, whether or not the window is on screen.
    [[nodiscard]] bool isInFront() const;

  Q_SIGNALS:
    /// What the page's commands can do has changed.
    void commandsChanged();
    /// What the page has made is to be seen on the first page.
    void firstPageAsked();

  protected:
    /// Gives the page's parts their places.
    virtual void arrange() {}
    void resizeEvent(QResizeEvent*) override { arrange(); }
    void showEvent(QShowEvent*) override { refresh(); }
};

/// The pages, one in front of the others; the first is what is there without a choice.
class PageStack : public QStackedWidget {
    Q_OBJECT

  public:
    using QStackedWidget::QStackedWidget;

    void add(Page* page) { addWidget(page); }
    /// The page of a kind. Throws InternalError when there is none.
    template <typename P>
    [[nodiscard]] P& find() const {
        for (int i = 0; i < count(); ++i) {
            if (auto* found = qobject_cast<P*>(widget(i))) {
                return *found;
            }
        }
        throw InternalError("no such page");
    }
    [[nodiscard]] Page& page(int index) const { return *static_cast<Page*>(widget(index)); }
    [[nodiscard]] Page& inFront() const { return page(currentIndex()); }
    [[nodiscard]] bool isInFront(const Page& page) const { return currentWidget() == &page; }
    void turnTo(Page& page) {
        setCurrentWidget(&page);
        Q_EMIT chosen();
    }
    /// Shows a page, or the first one where it is in front already.
    void toggle(Page& wanted) { turnTo(isInFront(wanted) ? page(0) : wanted); }

  Q_SIGNALS:
    /// A page was chosen, even if it was in front already.
    void chosen();
};

inline bool Page::isInFront() const {
    const auto* stack = qobject_cast<const PageStack*>(parentWidget());
    return stack != nullptr && stack->isInFront(*this);
}

}  // namespace tof::ui
