// SPDX-License-Identifier: Apache-2.0
// Valid files with bytes changed, the same ones every time: readers accept them or throw BadInput, nothing
// else.
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <random>
#include <set>

#include "tests/fuzz/readers.h"
#include "tests/support/places.h"
#include "tests/support/sanitizers.h"

namespace io_mutation_test {

using namespace tof;
using tof::test::inTree;

namespace {

std::string bytesOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Changes a few bytes, or cuts or repeats a piece.
std::string mutate(std::string bytes, std::mt19937& random) {
    const auto pick = [&](std::size_t count) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(count, 1));
    };
    static constexpr std::array<std::uint32_t, 8> kNumbers = {
        0U, 1U, 0xFFFFFFFFU, 0x7FFFFFFFU, 0x80000000U, 0x7FC00000U, 0x10000U, 0xFFFFU};
    static const std::array<std::string, 6> kWords = {"nan", "-1", "1e300", "4294967296", "{", ""};
    switch (random() % 6) {
        case 0: bytes.resize(pick(bytes.size())); break;
        case 1: {
            const std::size_t at = pick(bytes.size());
            bytes.insert(at, bytes.substr(at, pick(64)));
            break;
        }
        case 2: {  // a number in a text
            const std::size_t at = bytes.find_first_of("0123456789", pick(bytes.size()));
            if (at != std::string::npos) {
                bytes.replace(at, 1, kWords[pick(kWords.size())]);
            }
            break;
        }
        case 3: {  // a number in a header
            const std::uint32_t number = kNumbers[pick(kNumbers.size())];
            if (bytes.size() > 4) {
                std::memcpy(bytes.data() + pick(bytes.size() - 4), &number, 4);
            }
            break;
        }
        default:
            for (std::size_t i = 0; i <= pick(4); ++i) {
                bytes[pick(bytes.size())] = static_cast<char>(random());
            }
    }
    return bytes;
}

}  // namespace

class IoMutationTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        rlimit limit{};
        ::getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur =
            kSanitized ? limit.rlim_cur : rlim_t{3} << 30U;  // an allocation from an unchecked number fails
        QCOMPARE(::setrlimit(RLIMIT_AS, &limit), 0);
    }

    void changedFilesAreReadOrRefused_data() {
        QTest::addColumn<int>("index");
        const auto& targets = fuzz::readerTargets();
        for (std::size_t i = 0; i < targets.size(); ++i) {
            QTest::newRow(targets[i].name) << static_cast<int>(i);
        }
    }
    void changedFilesAreReadOrRefused() {
        QFETCH(int, index);
        const int kMutations = qEnvironmentVariableIntValue("TOF_MUTATIONS") > 0
                                   ? qEnvironmentVariableIntValue("TOF_MUTATIONS")
                                   : 150;
        const fuzz::ReaderTarget& target = fuzz::readerTargets()[static_cast<std::size_t>(index)];
        const QTemporaryDir temporary;
        const std::string folder = temporary.path().toStdString();
        target.seed(folder);
        const std::string path = folder + "/" + target.file;
        const std::string whole = bytesOf(path);
        target.read(folder);  // the valid file is read
        std::mt19937 random(20240229);
        int refused = 0;

        for (int i = 0; i < kMutations; ++i) {
            fuzz::save(path, mutate(whole, random));
            try {
                target.read(folder);
            } catch (const BadInput& fault) {
                ++refused;
                QVERIFY2(std::string(fault.what()).find(folder) != std::string::npos, fault.what());
            } catch (const std::exception& fault) {
                QFAIL(qPrintable(QString("mutation %1: %2").arg(i).arg(fault.what())));
            }
        }

        QVERIFY(refused > 0);
        const std::filesystem::path found =
            std::filesystem::path(inTree("tests/fuzz/regressions").toStdString()) / target.name;
        if (std::filesystem::exists(found)) {  // what broke readers once, and what would
            for (const auto& entry : std::filesystem::directory_iterator(found)) {
                fuzz::save(path, bytesOf(entry.path().string()));
                try {
                    target.read(folder);
                } catch (const BadInput& fault) {
                    QVERIFY2(std::string(fault.what()).find(folder) != std::string::npos, fault.what());
                }
            }
        }
        fuzz::save(path, whole);
        target.read(folder);  // and nothing was left behind
    }

    void everyFolderOfRegressionsIsAReaders() {
        std::set<std::string> names;
        for (const fuzz::ReaderTarget& target : fuzz::readerTargets()) {
            names.insert(target.name);
        }
        for (const auto& folder :
             std::filesystem::directory_iterator(inTree("tests/fuzz/regressions").toStdString())) {
            QVERIFY2(names.contains(folder.path().filename().string()), folder.path().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(IoMutationTest)

}  // namespace io_mutation_test
#include "io_mutation_test.moc"
