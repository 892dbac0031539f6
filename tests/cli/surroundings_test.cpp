// SPDX-License-Identifier: Apache-2.0
// Commands in surroundings that somebody else has chosen: memory that is overwritten when it is freed,
// plug-ins and libraries that lie where they might be found.
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"
#include "tests/support/places.h"
#include "tests/support/small_data.h"

namespace surroundings_test {

using namespace tof;
using namespace tof::test;

namespace {

std::size_t unchanged(unsigned /*flags*/, std::size_t /*values*/, const unsigned* /*value*/, std::size_t size,
                      std::size_t* /*allocated*/, void** /*buffer*/) {
    return size;
}

/// A file in the old format with a dataset, or in the new one with a group, that a filter must read which
/// the library does not have.
void writeWithForeignFilter(const QString& path, H5F_libver_t format) {
    constexpr H5Z_filter_t kForeign = 300;
    const H5Z_class2_t filter{H5Z_CLASS_T_VERS, kForeign, 1, 1, "foreign", nullptr, nullptr, unchanged};
    H5Zregister(&filter);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, format, H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(path.toUtf8().constData(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const hid_t groups = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_filter(groups, kForeign, H5Z_FLAG_MANDATORY, 0, nullptr);
    H5Pset_link_phase_change(groups, 0, 0);  // all links in a heap, which the filter packs
    const hid_t group = H5Gcreate2(file, "grid", H5P_DEFAULT, groups, H5P_DEFAULT);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t size = 64;
    H5Pset_chunk(layout, 1, &size);
    H5Pset_filter(layout, kForeign, H5Z_FLAG_MANDATORY, 0, nullptr);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    for (const hid_t place : {group, file}) {
        const hid_t image =
            H5Dcreate2(place, "image", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, layout, H5P_DEFAULT);
        const std::vector<float> values(size, 1.0F);
        H5Dwrite(image, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(image);
    }
    H5Sclose(space);
    H5Pclose(layout);
    H5Gclose(group);
    H5Pclose(groups);
    H5Fclose(file);
    H5Pclose(access);
    H5Zunregister(kForeign);
}

}  // namespace

class SurroundingsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        writeData(path("small.h5").toStdString(), *smallData(KernelSpec::preset("variant1")));
        QVERIFY(QDir().mkpath(path("plugins")));
        for (const char* const name :
             {"plugins/libintruder.so", "libcuda.so.1", "libfftw3f.so.3", "libmpi.so.40",
              "libhdf5_serial.so.103", "libdcmdata.so.17", "libtofscope_fftw.so"}) {
            QVERIFY2(QFile::copy(inBuild("tests/intruder/libtofscope_intruder.so"), path(name)), name);
        }
        qputenv("TOFSCOPE_TEST_TRACE", path("trace").toUtf8());
    }

    void cleanup() {
        qunsetenv("GLIBC_TUNABLES");
        qunsetenv("HDF5_PLUGIN_PATH");
    }

    /// The allocator keeps no block for later and overwrites what is freed: who uses it after that crashes.
    void whatIsWrittenIsWholeWhereFreedMemoryIsOverwritten() {
        qputenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165");
        const QString list = path("list.h5");
        const QList<QStringList> commands{
            {"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events", "2000", "--seed",
             "5", list},
            {"convert", list, path("copy.h5")},
            {"bin", list, path("data.h5"), "--views", "4x1", "--grid", "20x20x6"},
            {"reconstruct", path("small.h5"), "--out", path("run.h5"), "--iterations", "2", "--save-every",
             "1", "--checkpoint-every", "0"},
            {"convert", path("run.h5"), path("image.nii")},
            {"convert", path("run.h5"), path("image.hv")},
            {"info", path("run.h5")},
        };
        for (const QStringList& words : commands) {
            const Said said = cli(words);
            QVERIFY2(said.code == 0, (words.join(' ').toUtf8() + "\n" + said.all()));
        }
        QCOMPARE(QDir(folder_.path()).entryList({"*.part"}), QStringList());
    }

    void noPlugInIsLoadedThatTheEnvironmentNames_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("old") << static_cast<int>(H5F_LIBVER_EARLIEST);
        QTest::newRow("new") << static_cast<int>(H5F_LIBVER_V110);
    }
    void noPlugInIsLoadedThatTheEnvironmentNames() {
        QFETCH(const int, format);
        const QString file = path("foreign.h5");
        writeWithForeignFilter(file, static_cast<H5F_libver_t>(format));
        qputenv("HDF5_PLUGIN_PATH", path("plugins").toUtf8());

        const Said said = cli({"info", file});

        QCOMPARE(said.code, 3);
        QVERIFY2(!QFile::exists(path("trace")), said.all());
    }

    void noLibraryIsLoadedFromTheCurrentFolder() {
        for (const QStringList& words : {QStringList{"devices"}, QStringList{"info", "small.h5"}}) {
            QProcess process;
            process.setWorkingDirectory(folder_.path());
            process.start(kProgram, words);
            const Said said = finish(process);
            QVERIFY2(said.code == 0, said.all());
            QVERIFY2(!QFile::exists(path("trace")), said.all());
        }
    }

    void headersStayInTheirFolder() {
        QVERIFY(QDir().mkpath(path("header")));
        QFile values(path("image.raw"));
        QVERIFY(values.open(QFile::WriteOnly) && values.write(QByteArray(24, '\5')) == 24);
        values.close();
        QFile header(path("header/image.mhd"));
        QVERIFY(header.open(QFile::WriteOnly));
        header.write(
            "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 2 3 5\n"
            "ElementType = MET_UCHAR\nElementDataFile = ../image.raw\n");
        header.close();

        const Said refused = cli({"convert", path("header/image.mhd"), path("o.h5")});
        const Said allowed = cli({"--allow-outside", "convert", path("header/image.mhd"), path("o.h5")});

        QVERIFY2(refused.code == 3 && refused.err.contains("--allow-outside"), refused.all());
        QVERIFY2(allowed.code == 0, allowed.all());
    }

    void pipesAreNoInput() {
        QCOMPARE(::mkfifo(path("pipe").toUtf8().constData(), 0600), 0);
        for (const QStringList& words :
             {QStringList{"info", path("pipe")},
              QStringList{"rois", path("small.h5"), "--rois", path("pipe")},
              QStringList{"convert", path("pipe"), path("o.h5")}, QStringList{"info", "/dev/stdin"},
              QStringList{"sweep", path("pipe")}, QStringList{"runs", path("pipe")}}) {
            const Said said = cli(words);
            QVERIFY2(said.code == 3 || said.code == 2, (words.join(' ').toUtf8() + said.all()));
        }
    }

    void closedStreamsCostNothing() {
        for (const QList<int>& closed : {QList<int>{1}, QList<int>{1, 2}, QList<int>{0, 1, 2}}) {
            const QString run = path("closed.h5");
            QFile::remove(run);
            const Said said = cli({"reconstruct", path("small.h5"), "--out", run, "--iterations", "1"}, [&] {
                for (const int stream : closed) {
                    ::close(stream);
                }
            });
            QVERIFY2(said.code == 0, said.all());
            QVERIFY(QFile::exists(run));
        }
    }

    void aReaderThatHasLeftEndsNoRun() {
        QProcess shell;
        shell.start("bash",
                    {"-c", QString("'%1' reconstruct '%2' --out '%3' --iterations 3 2>&1 | head -1 >&2; "
                                   "exit ${PIPESTATUS[0]}")
                               .arg(kProgram, path("small.h5"), path("piped.h5"))});
        const Said said = finish(shell);
        QVERIFY2(said.code == 0 || said.code == 5, said.all());  // 5: the table could not be told
        QVERIFY(QFile::exists(path("piped.h5")));
        QCOMPARE(QDir(folder_.path()).entryList({"piped.h5*"}), QStringList{"piped.h5"});
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(SurroundingsTest)

}  // namespace surroundings_test
#include "surroundings_test.moc"
