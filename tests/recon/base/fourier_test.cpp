// SPDX-License-Identifier: Apache-2.0
#include "recon/base/fourier.h"

#include <QTest>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace fourier_test {

using namespace tof;

namespace {

using Pair = std::complex<double>;

struct Grid {
    int x, y, z;
    std::vector<float> values;

    [[nodiscard]] Pair transformed(int kx, int ky, int kz) const {
        Pair sum = 0;
        std::size_t i = 0;
        for (int c = 0; c < z; ++c) {
            for (int b = 0; b < y; ++b) {
                for (int a = 0; a < x; ++a, ++i) {
                    const double turns = static_cast<double>(kx * a) / x + static_cast<double>(ky * b) / y +
                                         static_cast<double>(kz * c) / z;
                    sum += static_cast<double>(values[i]) * std::polar(1.0, -2 * std::numbers::pi * turns);
                }
            }
        }
        return sum;
    }
};

Grid noise(int x, int y, int z) {
    Grid grid{x, y, z, std::vector<float>(static_cast<std::size_t>(x * y * z))};
    std::mt19937 random(3);
    for (float& value : grid.values) {
        value = std::uniform_real_distribution<float>(-1, 1)(random);
    }
    return grid;
}

}  // namespace

class FourierTest : public QObject {
    Q_OBJECT

  private slots:
    void theTransformIsThatOfItsDefinition_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::newRow("even") << 12 << 10 << 8;
        QTest::newRow("odd") << 15 << 7 << 9;
        QTest::newRow("a plane") << 20 << 18 << 1;
        QTest::newRow("a line") << 21 << 1 << 1;
    }
    void theTransformIsThatOfItsDefinition() {
        QFETCH(int, x);
        QFETCH(int, y);
        QFETCH(int, z);
        const Grid grid = noise(x, y, z);
        const ThreadPool pool(2);
        const RealTransform transform({x, y, z}, pool);
        std::vector<RealTransform::Pair> pairs(transform.pairs());

        transform.forward(grid.values.data(), pairs.data());

        // Some ten roundings of 6e-8 of sums of up to a thousand values, which are 20 in the mean.
        std::size_t i = 0;
        for (int kz = 0; kz < z; ++kz) {
            for (int ky = 0; ky < y; ++ky) {
                for (int kx = 0; kx <= x / 2; ++kx, ++i) {
                    QVERIFY(std::abs(Pair(pairs[i]) - grid.transformed(kx, ky, kz)) < 2e-5);
                }
            }
        }
        std::vector<float> again(transform.reals());
        transform.backward(pairs.data(), again.data());
        for (std::size_t k = 0; k < again.size(); ++k) {
            QVERIFY(std::abs(again[k] - grid.values[k]) < 2e-6F);
        }
    }

    void smoothSizesHaveSmallPrimesAlone() {
        const auto isSmooth = [](int n) {
            for (const int prime : {2, 3, 5, 7}) {
                while (n % prime == 0) {
                    n /= prime;
                }
            }
            return n == 1;
        };
        for (int n = 1; n < 400; ++n) {
            int expected = n;
            while (!isSmooth(expected)) {
                ++expected;
            }
            QCOMPARE(smoothSize(n), expected);
        }
        QCOMPARE(smoothSize(0), 1);
    }
};

QTEST_GUILESS_MAIN(FourierTest)

}  // namespace fourier_test
#include "fourier_test.moc"
