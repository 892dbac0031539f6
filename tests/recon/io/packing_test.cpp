// SPDX-License-Identifier: Apache-2.0
// Packed numbers are what zlib, which knows nothing of us, unpacks.
#include "recon/io/bytes/packing.h"

#include <zlib.h>

#include <QTest>
#include <cstring>
#include <random>

#include "recon/io/bytes/run_packing.h"

namespace packing_test {

using namespace tof;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A raw deflate stream by zlib; empty where it is none.
Bytes inflated(Bytes stream, std::size_t size) {
    Bytes result(size + 1);
    z_stream z{};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        return {};
    }
    z.next_in = stream.data();
    z.avail_in = static_cast<uInt>(stream.size());
    z.next_out = result.data();
    z.avail_out = static_cast<uInt>(result.size());
    const bool ended = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0;
    result.resize(ended ? z.total_out : 0);
    inflateEnd(&z);
    return result;
}

Bytes byRuns(const Bytes& bytes) {
    Bytes stream(mostByRuns(bytes.size()));
    stream.resize(static_cast<std::size_t>(packRuns(bytes, stream.data()) - stream.data()));
    stream.push_back(0x03);  // an empty last block
    stream.push_back(0x00);
    return stream;
}

Bytes randomBytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Bytes bytes(count);
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

/// Numbers as a scan makes them: noise within a cylinder, zeros beside it.
Bytes noiseInAField(int side, int slices, float relative, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> noise(1, relative);
    std::vector<float> values;
    for (int z = 0; z < slices; ++z) {
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) {
                const int dx = 2 * x - side + 1;
                const int dy = 2 * y - side + 1;
                values.push_back(dx * dx + dy * dy < side * side ? noise(random) : 0.0F);
            }
        }
    }
    Bytes bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// The first bytes of all numbers, then the second ones, and so on.
Bytes shuffledBack(const Bytes& places, std::size_t width) {
    Bytes numbers(places.size());
    const std::size_t count = places.size() / width;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < width; ++k) {
            numbers[i * width + k] = places[k * count + i];
        }
    }
    return numbers;
}

}  // namespace

class PackingTest : public QObject {
    Q_OBJECT

  private slots:
    /// Every length of a run about those where its code changes, at every place within a step of the search.
    void runsOfAnyLengthComeBack() {
        for (const std::size_t length :
             {1,   2,   15,  16,  31,  32,  33,  34,  35,  36,  40,  63,   130,
              257, 258, 259, 260, 261, 262, 263, 516, 517, 518, 519, 1000, 70000}) {
            for (std::size_t before = 0; before < 20; ++before) {
                for (const std::size_t after : {0, 1, 40}) {
                    Bytes bytes = randomBytes(before, 1);
                    bytes.insert(bytes.end(), length, 0xA5);
                    const Bytes last = randomBytes(after, 2);
                    bytes.insert(bytes.end(), last.begin(), last.end());
                    const Bytes stream = byRuns(bytes);
                    QVERIFY2(
                        inflated(stream, bytes.size()) == bytes,
                        qPrintable(QString("%1 after %2, before %3").arg(length).arg(before).arg(after)));
                    if (length >= 1000) {
                        QVERIFY(stream.size() < length / 16 + before + after + 40);
                    }
                }
            }
        }
    }

    void whatNeverRepeatsIsStored() {
        const Bytes bytes = randomBytes(200000, 3);
        const Bytes stream = byRuns(bytes);
        QVERIFY(inflated(stream, bytes.size()) == bytes);
        QVERIFY(stream.size() <= bytes.size() + 4 * 5 + 2);  // a head of 5 bytes for each 65535
        QVERIFY(inflated(byRuns({}), 0).empty());
    }

    void numbersComeBack_data() {
        QTest::addColumn<QByteArray>("numbers");
        QTest::addColumn<int>("width");
        const auto row = [](const char* name, const Bytes& bytes, int width) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                              static_cast<qsizetype>(bytes.size()))
                                << width;
        };
        row("noise in a field", noiseInAField(100, 20, 0.3F, 4), 4);
        row("noise everywhere", noiseInAField(3, 90000, 0.3F, 5), 4);
        row("zeros", Bytes(1000000, 0), 4);
        row("few numbers", noiseInAField(10, 3, 0.3F, 6), 4);
        row("one number", Bytes{1, 2, 3, 4}, 4);
        Bytes counts = randomBytes(800000, 7);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] = static_cast<std::uint8_t>(i % 2 == 0 && counts[i] < 30 ? 1 : 0);
        }
        row("counts of two bytes", counts, 2);
        Bytes times(800000);
        for (std::size_t i = 0; i < times.size() / 8; ++i) {
            const std::uint64_t time = 1'000'003 * i + i * i % 911;
            std::memcpy(times.data() + 8 * i, &time, 8);
        }
        row("ascending numbers of eight bytes", times, 8);
        row("bytes", noiseInAField(200, 3, 0.1F, 8), 1);
    }
    void numbersComeBack() {
        QFETCH(QByteArray, numbers);
        QFETCH(int, width);
        const Bytes bytes(numbers.begin(), numbers.end());
        PackedBlock block;
        for (int again = 0; again < 2; ++again) {  // in the same memory
            block.pack(bytes, static_cast<std::size_t>(width));
            if (bytes.size() < 16) {
                QVERIFY(block.stream().empty());  // not smaller
                continue;
            }
            QVERIFY(!block.stream().empty() && block.stream().size() < bytes.size());
            Bytes byZlib(bytes.size());
            auto size = static_cast<uLongf>(byZlib.size());
            QCOMPARE(uncompress(byZlib.data(), &size, block.stream().data(), block.stream().size()), Z_OK);
            QCOMPARE(size, bytes.size());
            QVERIFY(shuffledBack(byZlib, static_cast<std::size_t>(width)) == bytes);
            Bytes back(bytes.size());
            QVERIFY(unpack(block.stream(), static_cast<std::size_t>(width), back));
            QVERIFY(back == bytes);
            QVERIFY(!unpack(block.stream(), static_cast<std::size_t>(width),
                            std::span(back).first(bytes.size() - 8)));
        }
    }

    /// What is given up for speed is 7 % of the bytes that are stored, and 1 % of all.
    void aStreamIsHardlyLargerThanADeflatedOne() {
        for (const float relative : {0.001F, 0.1F, 1.0F}) {
            const Bytes bytes = noiseInAField(144, 24, relative, 9);
            PackedBlock block;
            block.pack(bytes, 4);
            auto size = compressBound(static_cast<uLong>(bytes.size()));
            Bytes deflated(size);
            QCOMPARE(compress2(deflated.data(), &size, shuffledBack(bytes, bytes.size() / 4).data(),
                               bytes.size(), 1),
                     Z_OK);
            QVERIFY2(static_cast<double>(block.stream().size()) <
                         1.075 * static_cast<double>(size) + 0.01 * static_cast<double>(bytes.size()),
                     qPrintable(QString("%1 for %2").arg(block.stream().size()).arg(size)));
        }
    }

    void randomNumbersAreLeftAsTheyAre() {
        PackedBlock block;
        block.pack(randomBytes(4'000'000, 10), 4);
        QVERIFY(block.stream().empty());
    }
};

QTEST_GUILESS_MAIN(PackingTest)

}  // namespace packing_test
#include "packing_test.moc"
