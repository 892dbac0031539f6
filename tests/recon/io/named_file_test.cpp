// SPDX-License-Identifier: Apache-2.0
// Headers that name files of other folders: every reader refuses them, unless the user has allowed it.
#include <QTemporaryDir>
#include <QTest>

#include "recon/io/bytes/named_file.h"
#include "tests/fuzz/readers.h"
#include "tests/support/refusal.h"

namespace named_file_test {

using namespace tof;
namespace fs = std::filesystem;

namespace {

std::string bytesOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Puts what a header names into another folder and names it there; the names of the files that moved.
std::vector<std::string> leadOutside(const std::string& header, const fs::path& folder,
                                     const fs::path& other) {
    std::string text = bytesOf(header);
    std::vector<std::string> moved;
    if (text.find('\0') != std::string::npos) {
        return moved;  // no text: it names nothing
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const std::size_t at = text.find(name);
        if (entry.path() != header && at != std::string::npos) {
            text.replace(at, name.size(), (other / name).string());
            moved.push_back(name);
        }
    }
    for (const std::string& name : moved) {
        fs::rename(folder / name, other / name);
    }
    fuzz::save(header, text);
    return moved;
}

}  // namespace

class NamedFileTest : public QObject {
    Q_OBJECT

  private slots:
    void everyReaderStaysInTheFolder_data() {
        QTest::addColumn<int>("index");
        const auto& targets = fuzz::readerTargets();
        for (std::size_t i = 0; i < targets.size(); ++i) {
            QTest::newRow(targets[i].name) << static_cast<int>(i);
        }
    }
    void everyReaderStaysInTheFolder() {
        QFETCH(const int, index);
        const fuzz::ReaderTarget& target = fuzz::readerTargets()[static_cast<std::size_t>(index)];
        const QTemporaryDir one;
        const QTemporaryDir two;
        const std::string folder = one.path().toStdString();
        target.seed(folder);
        const std::vector<std::string> moved =
            leadOutside(folder + "/" + target.file, folder, two.path().toStdString());
        const std::string name = target.file;
        const bool names = name.ends_with(".hv") || name.ends_with(".mhd") || name.ends_with(".hs") ||
                           name.ends_with(".cdh") || name.ends_with(".n.hdr") || name == "ring.json";
        QCOMPARE(!moved.empty(), names);  // a reader that begins to name files gets a row here by itself

        const QString said = test::refusal([&] { target.read(folder); });

        QCOMPARE(said.contains("--allow-outside"), names);
        const OutsideAllowed allowed;
        QCOMPARE(test::refusal([&] { target.read(folder); }), QString("accepted"));
    }

    void whereAFileLiesIsSeenThroughLinksAndDots_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("within");
        QTest::newRow("beside") << "data.raw" << true;
        QTest::newRow("in quotes") << "'data.raw'" << true;
        QTest::newRow("below") << "below/data.raw" << true;
        QTest::newRow("below, as Windows writes it") << "below\\data.raw" << true;
        QTest::newRow("down and up") << "below/../data.raw" << true;
        QTest::newRow("whole path of its own folder") << "FOLDER/data.raw" << true;
        QTest::newRow("not there") << "nothing.raw" << true;
        QTest::newRow("above") << "../data.raw" << false;
        QTest::newRow("above, as Windows writes it") << "..\\data.raw" << false;
        QTest::newRow("above and not there") << "../nothing.raw" << false;
        QTest::newRow("whole path") << "/etc/passwd" << false;
        QTest::newRow("in quotes, whole path") << "\"/etc/passwd\"" << false;
        QTest::newRow("a folder that begins alike") << "../in more/data.raw" << false;
        QTest::newRow("a link") << "link.raw" << false;
        QTest::newRow("through the link of a folder") << "away/data.raw" << false;
    }
    void whereAFileLiesIsSeenThroughLinksAndDots() {
        QFETCH(const QString, name);
        QFETCH(const bool, within);
        const QTemporaryDir temporary;
        const fs::path whole(temporary.path().toStdString());
        const fs::path folder = whole / "in";
        for (const char* const made : {"in/below", "in more"}) {
            fs::create_directories(whole / made);
        }
        for (const char* const made : {"data.raw", "in/data.raw", "in/below/data.raw", "in more/data.raw"}) {
            fuzz::save((whole / made).string(), "x");
        }
        fs::create_symlink(whole / "data.raw", folder / "link.raw");
        fs::create_directory_symlink(whole, folder / "away");
        const std::string header = (folder / "a.hv").string();
        const std::string written =
            QString(name).replace("FOLDER", QString::fromStdString(folder.string())).toStdString();

        QCOMPARE(test::refusal([&] { (void)namedBeside(header, written); }) == "accepted", within);

        allowOutside((folder / "other.hv").string());
        QCOMPARE(test::refusal([&] { (void)namedBeside(header, written); }) == "accepted", within);
        allowOutside(header);
        QCOMPARE(test::refusal([&] { (void)namedBeside(header, written); }), QString("accepted"));
    }
};

QTEST_GUILESS_MAIN(NamedFileTest)

}  // namespace named_file_test
#include "named_file_test.moc"
