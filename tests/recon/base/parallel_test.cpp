// SPDX-License-Identifier: Apache-2.0
#include "recon/base/parallel.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "recon/base/error.h"

namespace parallel_test {

using namespace tof;

class ParallelTest : public QObject {
    Q_OBJECT

  private slots:
    void sumsHaveTheSameBitsWhateverTheThreads() {
        const auto sum = [](int threads) {
            return ThreadPool(threads).sumRange(10007, 100, [](std::size_t begin, std::size_t end) {
                double part = 0;
                for (std::size_t i = begin; i < end; ++i) {
                    part += 1.0 / static_cast<double>(i + 1);
                }
                return part;
            });
        };
        const double alone = sum(1);
        for (const int threads : {2, 3, 7}) {
            const double together = sum(threads);
            QCOMPARE(std::memcmp(&alone, &together, sizeof(alone)), 0);
        }
    }

    void everyPlaceIsVisitedOnceByAsManyThreadsAsAsked() {
        for (const Priority priority : {Priority::Normal, Priority::Background}) {
            const ThreadPool pool(3, priority);
            std::vector<std::atomic<int>> visits(1003);

            pool.forRange(visits.size(), 10, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    ++visits[i];
                }
            });
            pool.forRange(0, 10, [&](std::size_t, std::size_t) { ++visits[0]; });

            QCOMPARE(pool.threads(), 3);
            QVERIFY(std::all_of(visits.begin(), visits.end(), [](const auto& count) { return count == 1; }));
        }
    }

    void subnormalNumbersAreZeroInLoopsAndThereAlone() {
#if !defined(__SSE__)
        QSKIP("the arithmetic of this processor is left as it is");
#endif
        volatile float small = 1e-30F;
        const ThreadPool pool(3);
        std::vector<float> products(1000, 1.0F);
        const auto multiply = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                products[i] = small * 1e-10F;
            }
        };
        pool.forRange(products.size(), 1, multiply);
        QCOMPARE(std::count(products.begin(), products.end(), 0.0F), 1000);
        QVERIFY(small * 1e-10F > 0);

        QVERIFY_EXCEPTION_THROWN(
            pool.forRange(10, 1, [](std::size_t, std::size_t) { throw std::runtime_error("ended"); }),
            std::runtime_error);
        QVERIFY(small * 1e-10F > 0);
    }

    void loopsEndWhereTheyAreNotWanted() {
        std::atomic<bool> unwanted = false;
        std::atomic<int> after = 0;
        const ThreadPool pool(3, Priority::Normal, [&] {
            if (unwanted) {
                throw Cancelled();
            }
        });
        const auto count = [&](std::size_t begin, std::size_t) {
            after += unwanted ? 1 : 0;
            unwanted = unwanted || begin == 500;
        };

        QVERIFY_EXCEPTION_THROWN(pool.forRange(1000000, 1, count), Cancelled);

        QVERIFY2(after <= 3, qPrintable(QString::number(after)));  // what other threads had begun
        QVERIFY_EXCEPTION_THROWN(pool.forRange(1, 1, count), Cancelled);
    }

    void bodiesThatTakeLongHeed() {
        std::atomic<bool> unwanted = false;
        const ThreadPool pool(1, Priority::Normal, [&] {
            if (unwanted) {
                throw Cancelled();
            }
        });
        int steps = 0;

        QVERIFY_EXCEPTION_THROWN(pool.forRange(1, 1,
                                               [&](std::size_t, std::size_t) {
                                                   for (;; ++steps) {
                                                       pool.heed();
                                                       unwanted = steps == 3;
                                                   }
                                               }),
                                 Cancelled);

        QCOMPARE(steps, 4);
    }
};

QTEST_APPLESS_MAIN(ParallelTest)

}  // namespace parallel_test
#include "parallel_test.moc"
