// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/communicator.h"

#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/ranks/axial_slab.h"
#include "recon/seam/host_space.h"
#include "tests/support/message_peers.h"
#include "tests/support/thread_ranks.h"

namespace communicator_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Values whose sum depends on its order where it is taken in float.
float value(int rank, std::size_t i) {
    return std::sin(static_cast<float>(i + 1)) * std::pow(10.0F, static_cast<float>(rank));
}

bool allEndWell(const std::vector<RankEnd>& ends) {
    return std::all_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.said.empty(); });
}

}  // namespace

class CommunicatorTest : public QObject {
    Q_OBJECT

  private slots:
    void aSumIsTakenInTheOrderOfRanksAndRoundedOnce_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("values");
        QTest::newRow("one rank") << 1 << 10;
        QTest::newRow("two") << 2 << 1001;
        QTest::newRow("five, not a multiple") << 5 << 1003;
        QTest::newRow("more ranks than values") << 5 << 3;
        QTest::newRow("nothing") << 3 << 0;
    }
    void aSumIsTakenInTheOrderOfRanksAndRoundedOnce() {
        QFETCH(int, ranks);
        QFETCH(int, values);
        std::vector<std::vector<float>> sums(static_cast<std::size_t>(ranks));

        const auto ends = onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            std::vector<float>& mine = sums[static_cast<std::size_t>(all->rank())];
            for (std::size_t i = 0; i < static_cast<std::size_t>(values); ++i) {
                mine.push_back(value(all->rank(), i));
            }
            all->sum(mine);
        });

        QVERIFY(allEndWell(ends));
        for (std::size_t i = 0; i < static_cast<std::size_t>(values); ++i) {
            double expected = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                expected += static_cast<double>(value(rank, i));
            }
            for (const std::vector<float>& sum : sums) {
                QCOMPARE(sum[i], static_cast<float>(expected));
            }
        }
    }

    void sumsInDoubleKeepWhatAFloatLoses() {
        const auto ends = onRanks(3, [](const std::shared_ptr<Communicator>& all) {
            std::vector<double> values{1, 1e-9 * all->rank(), all->first() ? 1e9 : 0.0};
            all->sum(values);
            if (values != std::vector<double>{3, 1e-9 + 2e-9, 1e9}) {
                throw InternalError("another sum");
            }
        });
        QVERIFY(allEndWell(ends));
    }

    void sumsMoveEachValueTwiceAtMost() {
        std::size_t bytes = 0;
        static_cast<void>(onRanks(
            4,
            [](const std::shared_ptr<Communicator>& all) {
                std::vector<float> values(1000, 1.0F);
                all->sum(values);
            },
            &bytes));
        QCOMPARE(bytes, std::size_t{4 * 2 * 750 * sizeof(float)});
    }

    void numbersAndTextsAreTheSameOnAll() {
        const auto ends = onRanks(3, [](const std::shared_ptr<Communicator>& all) {
            if (all->sum(0.1 * (all->rank() + 1)) != 0.1 + 0.2 + 0.1 * 3 || all->maximum(all->rank()) != 2 ||
                all->any(false) || !all->any(all->rank() == 1) ||
                all->ofFirst(all->first() ? "from the first" : "") != "from the first") {
                throw InternalError("another result");
            }
            const std::string mine(static_cast<std::size_t>(all->rank()), 'x');
            if (all->ofAll(mine) != std::vector<std::string>{"", "x", "xx"}) {
                throw InternalError("other texts");
            }
            std::vector<float> values(5, all->first() ? 7.0F : 0.0F);
            all->ofFirst(values);
            if (values != std::vector<float>(5, 7.0F)) {
                throw InternalError("other values");
            }
        });
        QVERIFY2(allEndWell(ends), ends[0].said.c_str());
    }

    void oneOfThoseThatFailSpeaksAndNobodyWaits() {
        const auto ends = onRanks(4, [](const std::shared_ptr<Communicator>& all) {
            all->barrier();
            if (all->rank() == 1 || all->rank() == 3) {
                throw CannotWrite("run.h5: no space left");
            }
            std::vector<float> values(100, 1.0F);
            all->sum(values);
        });
        QVERIFY(!ends[0].spoke && ends[1].spoke && !ends[2].spoke && !ends[3].spoke);
        for (const RankEnd& end : ends) {
            QVERIFY(end.kind == ErrorKind::CannotWrite);
        }
    }

    void afterAFailureThereAreNoOperations() {
        const auto ends = onRanks(2, [](const std::shared_ptr<Communicator>& all) {
            if (!all->first()) {
                throw BadInput("nothing there");
            }
            try {
                all->barrier();
            } catch (const RankFailed&) {
            }
            if (!all->ended()) {
                throw InternalError("it goes on");
            }
            all->barrier();
        });
        QVERIFY(ends[1].spoke && !ends[0].spoke);
    }

    void anotherVersionIsRefusedByNumber() {
        const auto ends = onRanks(3, [](const std::shared_ptr<Communicator>& all) {
            all->requireSame("version of tofscope-cli", all->rank() == 2 ? "0.2.0" : "0.1.0");
        });
        QVERIFY(ends[2].spoke && !ends[0].spoke && !ends[1].spoke);
        QCOMPARE(
            QString::fromStdString(ends[2].said),
            QString("rank 2 has another version of tofscope-cli than rank 0 (0.2.0 and 0.1.0); start the "
                    "same on every machine"));
    }

    void slabsShareAnImage_data() {
        QTest::addColumn<int>("planes");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("reach");
        QTest::addColumn<bool>("peers");
        for (const bool peers : {false, true}) {
            const auto row = [&](const char* what) -> QTestData& {
                return QTest::addRow("%s%s", what, peers ? ", spaces as peers" : "");
            };
            row("two") << 9 << 2 << 2 << peers;
            row("halos over several neighbours") << 7 << 4 << 3 << peers;
            row("no halo") << 5 << 5 << 0 << peers;
        }
    }
    void slabsShareAnImage() {
        QFETCH(int, planes);
        QFETCH(int, ranks);
        QFETCH(int, reach);
        QFETCH(bool, peers);
        const Lattice whole = Lattice::centred({3, 2, planes}, {4, 4, 4});
        std::vector<float> image(whole.voxels());
        for (std::size_t i = 0; i < image.size(); ++i) {
            image[i] = static_cast<float>(i);
        }
        std::vector<float> gathered;

        const auto ends = onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            const AxialSlab slab(whole, reach, all->rank(), all->size());
            HostSpace space(1);
            std::vector<float> mine(slab.size(), -1.0F);
            const auto own = static_cast<std::ptrdiff_t>(slab.ownOffset());
            std::copy_n(image.begin() + static_cast<std::ptrdiff_t>(slab.offset()) + own, slab.ownSize(),
                        mine.begin() + own);
            MessagePeers devices(*all, space);
            slab.refreshHalo(*all, space, peers ? &devices : nullptr, {mine.data(), mine.size()});
            if (devices.exchanges != (peers ? 1 : 0)) {
                throw InternalError("halos went another way");
            }
            if (!std::equal(mine.begin(), mine.end(),
                            image.begin() + static_cast<std::ptrdiff_t>(slab.offset()))) {
                throw InternalError("the halo is not the neighbours'");
            }
            // The first plane lies where it lies in the whole image.
            if (slab.lattice().centre(0, 0, 0).z != whole.centre(0, 0, slab.firstPlane()).z) {
                throw InternalError("the slab lies elsewhere");
            }
            std::vector<float> all_ = slab.gather(*all, mine);
            if (all->first()) {
                gathered = std::move(all_);
            }
        });

        QVERIFY2(allEndWell(ends), ends[0].said.c_str());
        QCOMPARE(gathered, image);
        QVERIFY_EXCEPTION_THROWN(AxialSlab(whole, reach, 0, planes + 1), WrongUse);
    }
};

QTEST_GUILESS_MAIN(CommunicatorTest)

}  // namespace communicator_test
#include "communicator_test.moc"
