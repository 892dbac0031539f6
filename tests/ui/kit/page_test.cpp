// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/page.h"

#include <QSignalSpy>
#include <QTest>

#include "recon/base/error.h"
#include "ui/kit/messages.h"

namespace page_test {

using namespace tof;
using namespace tof::ui;

namespace {

class PlainPage : public Page {
  public:
    void addCommands(CommandRegistry&) override {}
    void build(CommandRegistry&) override {}
    void refresh() override {}
    bool abandonDrag() override { return false; }
    [[nodiscard]] QString whyNoPicture() const override { return {}; }
    [[nodiscard]] QString shownName() override { return "plain"; }
};

}  // namespace

class OtherPage : public PlainPage {
    Q_OBJECT
};

class PageTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPageIsChosenAndLeftForTheFirst() {
        PageStack pages;
        auto* first = new PlainPage;
        auto* second = new OtherPage;
        pages.add(first);
        pages.add(second);
        const QSignalSpy chosen(&pages, &PageStack::chosen);

        pages.toggle(*second);
        QVERIFY(second->isInFront() && !first->isInFront());
        QCOMPARE(&pages.inFront(), second);

        pages.toggle(*second);
        QVERIFY(first->isInFront());
        pages.toggle(*first);  // stays: there is nothing to go back to
        QVERIFY(first->isInFront());
        QCOMPARE(chosen.count(), 3);
    }

    void aPageIsFoundByItsKind() {
        PageStack pages;
        pages.add(new PlainPage);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(pages.find<OtherPage>()), InternalError);
        auto* other = new OtherPage;
        pages.add(other);

        QCOMPARE(&pages.find<OtherPage>(), other);
    }

    void aPageOnItsOwnIsNotInFront() { QVERIFY(!PlainPage().isInFront()); }

    void rowsOfAMenuAreAddedInTheirOrder() {
        QWidget window;
        CommandRegistry commands(&window, &window);

        commands.add("Tools", {{.id = "one", .run = [] {}}, {.id = "two", .run = [] {}}});

        QCOMPARE(commands.all().size(), std::size_t{2});
        QCOMPARE(commands.all()[0]->id, QString("one"));
        QCOMPARE(commands.all()[1]->menu, QString("Tools"));
        QVERIFY_EXCEPTION_THROWN(commands.add("View", {{.id = "three", .run = [] {}}, {.id = "two"}}),
                                 InternalError);
    }

    void whatIsThrownBecomesAMessage() {
        Messages messages;

        messages.guard("Loading", [] { throw BadInput("no such file"); });
        messages.guard("Loading", [] {});

        QCOMPARE(messages.all().size(), std::size_t{1});
        QCOMPARE(messages.all()[0].text, QString("Loading: no such file"));
        QVERIFY(messages.all()[0].severity == Severity::Error);
    }
};

QTEST_MAIN(PageTest)

}  // namespace page_test
#include "page_test.moc"
