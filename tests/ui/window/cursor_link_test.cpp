// SPDX-License-Identifier: Apache-2.0
// Two studies side by side: windows of one name share their cursor and nothing else.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <array>
#include <cstring>
#include <limits>

#include "recon/base/error.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "ui/desk/cursor_link.h"

namespace cursor_link_test {

using namespace tof;
using tof::test::inBuild;
using namespace tof::ui;
using test::until;

class CursorLinkTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        runtime_ = folder_.filePath("run");
        QDir().mkpath(runtime_);
        QFile::setPermissions(runtime_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", runtime_.toLocal8Bit());
        dataFile_ = writeSmallData();
    }
    void begin() override { open(dataFile_); }

  private slots:
    void theCursorOfOneIsTheCursorOfBothAndRunsStayWhereTheyAre() {
        test::Program other(engines_);
        other.open({dataFile_});
        desk_->view().setCursor({20, 4, 2});
        link(*window_).join("pair");
        link(other.window).join("pair");
        // The one that was there first keeps its cursor.
        QVERIFY(until([&] { return other.desk.view().cursor().x == desk_->view().cursor().x; }, 5000));
        QCOMPARE(desk_->view().cursor().x, 20.0);

        other.desk.view().setCursor({-32, 8, 6});
        QVERIFY(until([&] { return desk_->view().cursor().x == -32; }, 5000));
        QCOMPARE(desk_->view().cursor().z, 6.0);
        desk_->view().setCursor({12, -16, -6});
        QVERIFY(until([&] { return other.desk.view().cursor().y == -16; }, 5000));

        reconstruct(2);
        desk_->view().setRange({0, 7});
        QVERIFY(test::stays([&] { return other.desk.runs().items().empty(); }, 100));
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QVERIFY(other.desk.view().range().high != 7);
        // Alone again.
        QVERIFY(window_->commands().trigger("file.unlink"));
        QVERIFY(until([&] { return link(other.window).name().isEmpty(); }, 5000));
        desk_->view().setCursor({0, 0, 0});
        QVERIFY(test::stays([&] { return other.desk.view().cursor().y == -16.0; }, 100));
    }

    void threeWindowsGoTogetherThroughTheFirst() {
        test::Program second(engines_);
        test::Program third(engines_);
        for (test::Program* each : {&second, &third}) {
            each->open({dataFile_});
        }
        link(*window_).join("three");
        link(second.window).join("three");
        link(third.window).join("three");
        QVERIFY(until([&] { return link(*window_).others() == 2; }, 5000));
        desk_->view().setCursor({20, 4, 2});
        QVERIFY(until(
            [&] { return second.desk.view().cursor().x == 20 && third.desk.view().cursor().x == 20; }, 5000));
        second.desk.view().setCursor({40, 0, 2});
        QVERIFY(until([&] { return third.desk.view().cursor().x == 40; }, 5000));
        QCOMPARE(desk_->view().cursor().x, 40.0);
    }

    void aCursorOutsideThisImageGoesToItsBorderAndIsNotSentBack() {
        link(*window_).join("border");
        const int peer = connectedTo("border");
        std::array<double, 3> mm{};
        QVERIFY(until([&] { return ::recv(peer, mm.data(), sizeof mm, 0) == sizeof mm; }, 5000));
        QCOMPARE(mm[0], desk_->view().cursor().x);  // it is told where the cursor is
        mm = {5000, 0, 0};
        QCOMPARE(::send(peer, mm.data(), sizeof mm, 0), ssize_t{sizeof mm});
        QVERIFY(until([&] { return desk_->view().cursor().x > 100; }, 5000));
        QVERIFY(desk_->view().cursor().x <= 120);
        QVERIFY(test::stays([&] { return ::recv(peer, mm.data(), sizeof mm, 0) < 0; }, 100));
        ::close(peer);
    }

    void whatIsNoCursorEndsTheLinkAndMovesNothing_data() {
        QTest::addColumn<QByteArray>("message");
        const auto bytes = [](std::array<double, 3> mm) {
            return QByteArray(reinterpret_cast<const char*>(mm.data()), sizeof mm);
        };
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("words") << QByteArray("one two three");
        QTest::newRow("two numbers") << bytes({1, 2, 3}).left(16);
        QTest::newRow("four numbers") << bytes({1, 2, 3}) + QByteArray(8, '\0');
        QTest::newRow("not a number") << bytes({std::numeric_limits<double>::quiet_NaN(), 0, 0});
        QTest::newRow("infinite") << bytes({0, -inf, 0});
        QTest::newRow("long") << QByteArray(100000, '7');
    }
    void whatIsNoCursorEndsTheLinkAndMovesNothing() {
        QFETCH(QByteArray, message);
        link(*window_).join("foreign");
        const Vec3 before = desk_->view().cursor();
        const int peer = connectedTo("foreign");
        QVERIFY(until([&] { return link(*window_).others() == 1; }, 5000));
        ::send(peer, message.constData(), static_cast<std::size_t>(message.size()), 0);
        QVERIFY(until([&] { return link(*window_).others() == 0; }, 5000));
        QCOMPARE(desk_->view().cursor().x, before.x);
        QCOMPARE(link(*window_).name(), QString("foreign"));  // others may still come
        ::close(peer);
    }

    void theSocketOfAProgramThatWasKilledIsTakenOver() {
        const int held = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
        const sockaddr_un address = addressOf("killed");
        QCOMPARE(::bind(held, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(held);  // its file stays
        link(*window_).join("killed");
        QVERIFY(connectedTo("killed") >= 0);
        link(*window_).leave();
        QVERIFY(!QFile::exists(runtime_ + "/tofscope-link-killed"));
    }

    void namesThatAreNoneAreRefused() {
        QVERIFY_EXCEPTION_THROWN(link(*window_).join("../there"), WrongUse);
        QVERIFY_EXCEPTION_THROWN(link(*window_).join(""), WrongUse);
        QVERIFY(link(*window_).name().isEmpty());
    }

    void aSecondProgramMovesTheCursorOfTheFirst() {
        const QString program = inBuild("bin/tofscope");
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        link(*window_).join("programs");
        QProcess process;
        process.start(program, {"--fresh", dataFile_, "--wait", "--link", "programs", "--cursor=-40,12,2",
                                "--wait", "--exit"});
        QVERIFY2(until([&] { return desk_->view().cursor().x == -40; }, 60000),
                 process.readAllStandardError().constData());
        QVERIFY(until([&] { return process.state() == QProcess::NotRunning; }, 30000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(until([&] { return link(*window_).others() == 0; }, 5000));
        QVERIFY(desk_->runs().items().empty());
    }

  private:
    [[nodiscard]] sockaddr_un addressOf(const QString& name) const {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray path = (runtime_ + "/tofscope-link-" + name).toLocal8Bit();
        std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
        return address;
    }
    /// A socket of somebody else's; -1 where nobody listens.
    [[nodiscard]] int connectedTo(const QString& name) const {
        const int peer = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
        const sockaddr_un address = addressOf(name);
        return ::connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? peer : -1;
    }
    static CursorLink& link(const MainWindow& window) { return *window.findChild<CursorLink*>(); }

    QString runtime_;
    QString dataFile_;
};

QTEST_MAIN(CursorLinkTest)

}  // namespace cursor_link_test
#include "cursor_link_test.moc"
