// SPDX-License-Identifier: Apache-2.0
// Files and pipes that grow while they are read, numbers that do not stay in memory, and texts that are
// written aside.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <numeric>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/copy_file.h"
#include "recon/io/bytes/growing_file.h"
#include "recon/io/bytes/spill_file.h"
#include "tests/support/refusal.h"

namespace byte_files_test {

using namespace tof;
using tof::test::refusal;
using tof::test::saidBy;

class ByteFilesTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    void save(const char* name, const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) {
        QFile out(folder_.filePath(name));
        QVERIFY(out.open(mode) && out.write(bytes) == bytes.size());
    }
    static QByteArray next(GrowingFile& growing) {
        std::array<std::byte, 4> bytes{};
        const std::size_t count = growing.read(bytes);
        return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(count)};
    }

  private slots:
    void aFileIsReadAsFarAsItHasGrown() {
        save("grows", "abcdef");
        GrowingFile growing(file("grows"));

        QVERIFY(!growing.isPipe());
        QCOMPARE(next(growing), QByteArray("abcd"));
        QCOMPARE(next(growing), QByteArray("ef"));
        QCOMPARE(next(growing), QByteArray());
        save("grows", "ghi", QIODevice::Append);
        growing.wait(std::chrono::milliseconds(1));
        QCOMPARE(next(growing), QByteArray("ghi"));
        QVERIFY(!growing.closed());
    }

    void aPipeEndsWhenItsWritersHaveClosedIt() {
        const std::string path = file("pipe");
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        GrowingFile growing(path);
        QVERIFY(growing.isPipe());
        QCOMPARE(next(growing), QByteArray());  // nobody writes yet, which is no end
        QVERIFY(!growing.closed());

        const int writer = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        QCOMPARE(::write(writer, "abcdef", 6), ssize_t{6});
        ::close(writer);

        growing.wait(std::chrono::milliseconds(1000));
        QCOMPARE(next(growing), QByteArray("abcd"));
        QCOMPARE(next(growing), QByteArray("ef"));
        QVERIFY(!growing.closed());
        QCOMPARE(next(growing), QByteArray());
        QVERIFY(growing.closed());
    }

    void whatIsNoLongerTheFileIsRefused() {
        save("shrinks", "abcdef");
        GrowingFile growing(file("shrinks"));
        (void)next(growing);

        save("shrinks", "ab");
        const QString shorter = refusal([&] { (void)next(growing); });
        QVERIFY2(shorter.contains("shrinks: was shortened to 2 bytes after 4 of them"), qPrintable(shorter));
        save("other", "abcdefgh");
        QVERIFY(::rename(file("other").c_str(), file("shrinks").c_str()) == 0);
        const QString replaced = refusal([&] { (void)next(growing); });
        QVERIFY2(replaced.contains("shrinks: was replaced by another file"), qPrintable(replaced));
        QVERIFY(QFile::remove(folder_.filePath("shrinks")));
        const QString removed = refusal([&] { (void)next(growing); });
        QVERIFY2(removed.contains("shrinks: was removed while it was followed"), qPrintable(removed));
    }

    void whatCannotGrowIsRefused() {
        const QString missing = refusal([&] { const GrowingFile none(file("missing")); });
        QVERIFY2(missing.contains("missing: cannot be opened (No such file"), qPrintable(missing));
        const QString folder = refusal([&] { const GrowingFile none(folder_.path().toStdString()); });
        QVERIFY2(folder.contains("is neither a file nor a named pipe"), qPrintable(folder));
    }

    void spilledNumbersComeBackAndLeaveNoFile() {
        SpillFile spill(file("out.h5"));
        std::vector<std::uint32_t> numbers(1000);
        std::iota(numbers.begin(), numbers.end(), 7U);
        const std::span<const std::uint32_t> all(numbers);

        spill.append(all.first(300));
        spill.append(all.subspan(300));
        std::vector<std::uint32_t> middle(400);
        spill.read(200, middle);

        QCOMPARE(spill.size(), 1000U);
        QVERIFY(std::equal(middle.begin(), middle.end(), numbers.begin() + 200));
        QVERIFY(QDir(folder_.path()).entryList({"out.h5*"}).isEmpty());
        const QString beyond = saidBy([&] { spill.read(900, middle); });
        QVERIFY2(beyond.contains("out.h5: what does not stay in memory cannot be kept"), qPrintable(beyond));
    }

    void spillingIntoNoFolderIsSaid() {
        SpillFile spill(file("nowhere/out.h5"));

        QVERIFY_EXCEPTION_THROWN(spill.append(std::array<std::uint32_t, 1>{1}), CannotWrite);
        QCOMPARE(spill.size(), 0U);
    }

    void textsAreWrittenAside() {
        writeTextAside(file("text"), "first");
        writeTextAside(file("text"), "second");

        QFile text(folder_.filePath("text"));
        QVERIFY(text.open(QIODevice::ReadOnly));
        QCOMPARE(text.readAll(), QByteArray("second"));
        QVERIFY(QDir(folder_.path()).entryList({"text.*"}).isEmpty());
    }

    void filesAreCopiedUntilNobodyWaits() {
        const QByteArray bytes(100000, 'x');
        save("copied", bytes);
        QCOMPARE(::chmod(file("copied").c_str(), 0640), 0);
        int asked = 0;
        copyFile(file("copied"), file("copy"), [&asked] { ++asked; });

        QFile copy(folder_.filePath("copy"));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll(), bytes);
        struct stat facts {};
        QCOMPARE(::stat(file("copy").c_str(), &facts), 0);
        QCOMPARE(facts.st_mode & 0777U, 0640U);
        QVERIFY(asked >= 1);
        QVERIFY_EXCEPTION_THROWN(copyFile(file("copied"), file("none"), [] { throw Cancelled(); }),
                                 Cancelled);
        QVERIFY_EXCEPTION_THROWN(copyFile(file("nowhere"), file("none"), {}), BadInput);
        QVERIFY_EXCEPTION_THROWN(copyFile(folder_.path().toStdString(), file("none"), {}), BadInput);
        QVERIFY_EXCEPTION_THROWN(copyFile(file("copied"), file("no/folder"), {}), CannotWrite);
        const std::string pipe = file("held");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY_EXCEPTION_THROWN(copyFile(pipe, file("none"), {}), BadInput);  // it waits for no writer
    }

    /// A program that was killed leaves its temporary behind, which nobody holds; one that lives is left
    /// alone.
    void temporariesOfTheDeadAreRemoved() {
        const TemporaryFile living(file("run.h5"));
        save("run.h5.999999-0123abcd.part", "dead");
        save("run.h5.part.of.somebody", "else's");

        removeLeftTemporaries(file("run.h5"));

        QVERIFY(!QFile::exists(folder_.filePath("run.h5.999999-0123abcd.part")));
        QVERIFY(QFile::exists(folder_.filePath("run.h5.part.of.somebody")));
        QVERIFY(QFile::exists(QString::fromStdString(living.name())));
    }
};

QTEST_GUILESS_MAIN(ByteFilesTest)

}  // namespace byte_files_test
#include "byte_files_test.moc"
