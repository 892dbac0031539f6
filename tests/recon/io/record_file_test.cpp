// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>

#include "recon/base/error.h"
#include "recon/io/bytes/record_file.h"

namespace record_file_test {

using namespace tof;

namespace {

const std::vector<float> kThree = {1, 2, 3};
const std::vector<float> kOne = {4};
const std::vector<RecordView> kRecords{{"first", kThree}, {"", {}}, {"third", kOne}};

}  // namespace

class RecordFileTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        end_ = RecordFile(path()).append(0, kRecords);
    }

    void recordsComeBack() {
        QCOMPARE(texts(), (std::vector<std::string>{"first", "", "third"}));
        QCOMPARE(RecordFile(path()).read(places_[2]).values, std::vector<float>{4});
        QCOMPARE(texts(1), std::vector<std::string>{"first"});
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(RecordFile(path()).read(7)));
    }

    void appendingCutsOffWhatIsBehind() {
        QCOMPARE(texts(), (std::vector<std::string>{"first", "", "third"}));

        static_cast<void>(RecordFile(path()).append(places_[1], std::vector<RecordView>{{"second", {}}}));

        QCOMPARE(texts(), (std::vector<std::string>{"first", "second"}));
    }

    /// What was begun is no record, and what is written next takes its place.
    void whatIsNotWantedIsLeftUnfinished() {
        const std::vector<float> large(std::size_t{5} << 20U, 1.0F);
        int left = 3;

        const std::uint64_t end =
            RecordFile(path()).append(end_, {"large", large}, [&] { return left-- > 0; });

        QCOMPARE(end, end_);
        QCOMPARE(texts(), (std::vector<std::string>{"first", "", "third"}));
        QVERIFY(std::filesystem::file_size(path()) > end);
        const std::uint64_t whole = RecordFile(path()).append(end, {"large", large}, [] { return true; });
        QCOMPARE(texts(), (std::vector<std::string>{"first", "", "third", "large"}));
        QCOMPARE(places_.back(), whole);
    }

    /// Cut anywhere, or with any byte changed: records before the place are whole, and no other is made up.
    void damageEndsTheRecords() {
        texts();
        const std::vector<std::uint64_t> places = places_;
        QFile file(QString::fromStdString(path()));
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray bytes = file.readAll();
        file.close();
        for (int at = 0; at < bytes.size(); ++at) {
            const auto whole = static_cast<std::size_t>(
                std::count_if(places.begin() + 1, places.end(),
                              [&](std::uint64_t place) { return place <= static_cast<std::uint64_t>(at); }));
            for (const bool cut : {true, false}) {
                QByteArray damaged = cut ? bytes.left(at) : bytes;
                if (!cut) {
                    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
                }
                QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
                file.write(damaged);
                file.close();
                QVERIFY2(texts().size() == whole, qPrintable(QString("%1 at %2").arg(cut).arg(at)));
            }
        }
    }

    void otherPeoplesFilesStayAsTheyAre_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"link", "hard link", "folder"}) {
            QTest::newRow(kind) << QString(kind);
        }
    }
    void otherPeoplesFilesStayAsTheyAre() {
        QFETCH(const QString, kind);
        const std::string place = folder_->filePath("place").toStdString();
        if (kind == "link") {
            std::filesystem::create_symlink(path(), place);
        } else if (kind == "hard link") {
            std::filesystem::create_hard_link(path(), place);
        } else {
            std::filesystem::create_directory(place);
        }

        QCOMPARE(RecordFile(place).each([](std::uint64_t, const Record&) { return true; }), std::uint64_t{0});
        QVERIFY_THROWS_EXCEPTION(CannotWrite, static_cast<void>(RecordFile(place).append(0, kRecords)));
        QCOMPARE(std::filesystem::file_size(path()), end_);
    }

  private:
    [[nodiscard]] std::string path() const { return folder_->filePath("records").toStdString(); }
    /// Texts of the records, at most `most`; their places go to places_.
    std::vector<std::string> texts(std::size_t most = 100) {
        std::vector<std::string> found;
        places_.clear();
        places_.push_back(0);
        const std::uint64_t end = RecordFile(path()).each([&](std::uint64_t at, const Record& record) {
            if (found.size() == most) {
                return false;
            }
            places_.back() = at;
            places_.push_back(at);
            found.push_back(record.text);
            return true;
        });
        places_.back() = end;
        return found;
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::vector<std::uint64_t> places_;  ///< where records begin, and the end
    std::uint64_t end_ = 0;
};

QTEST_GUILESS_MAIN(RecordFileTest)

}  // namespace record_file_test
#include "record_file_test.moc"
