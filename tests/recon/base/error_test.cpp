// SPDX-License-Identifier: Apache-2.0
#include "recon/base/error.h"

#include <QTest>
#include <new>
#include <system_error>

namespace error_test {

using namespace tof;

namespace {

template <typename Thrown>
std::exception_ptr thrown(const Thrown& what) {
    return std::make_exception_ptr(what);
}

}  // namespace

class ErrorTest : public QObject {
    Q_OBJECT

  private slots:
    void whateverIsThrownIsOneSentenceOfAKind_data() {
        QTest::addColumn<std::exception_ptr>("fault");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QString>("sentence");
        const char* const memory = "memory ran out; take a smaller grid, fewer views or fewer threads";
        QTest::newRow("ours") << thrown(BadInput("a.h5: is empty")) << ErrorKind::BadInput
                              << "a.h5: is empty";
        QTest::newRow("cancelled") << thrown(Cancelled()) << ErrorKind::Cancelled << "cancelled";
        QTest::newRow("memory") << thrown(std::bad_alloc()) << ErrorKind::Unavailable << memory;
        QTest::newRow("no thread") << thrown(std::system_error(
                                          std::make_error_code(std::errc::resource_unavailable_try_again)))
                                   << ErrorKind::Unavailable << memory;
        QTest::newRow("no pages") << thrown(std::system_error(
                                         std::make_error_code(std::errc::not_enough_memory)))
                                  << ErrorKind::Unavailable << memory;
        QTest::newRow("system") << thrown(
                                       std::system_error(std::make_error_code(std::errc::io_error), "read"))
                                << ErrorKind::Internal << "internal error: read: Input/output error";
        QTest::newRow("library") << thrown(std::runtime_error("oops")) << ErrorKind::Internal
                                 << "internal error: oops";
        QTest::newRow("no exception") << thrown(7) << ErrorKind::Internal << "internal error of unknown kind";
    }

    void whateverIsThrownIsOneSentenceOfAKind() {
        QFETCH(std::exception_ptr, fault);
        QFETCH(ErrorKind, kind);
        QFETCH(QString, sentence);

        const Failure failure = failureOf(fault);

        QVERIFY(failure.kind == kind);
        QCOMPARE(QString::fromStdString(failure.sentence()), sentence);
    }
};

QTEST_APPLESS_MAIN(ErrorTest)

}  // namespace error_test
#include "error_test.moc"
