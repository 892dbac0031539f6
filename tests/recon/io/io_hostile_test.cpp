// SPDX-License-Identifier: Apache-2.0
// Files that lie, and outputs that cannot be written: one sentence, no crash, nothing lost.
#include <hdf5.h>
#include <sys/resource.h>
#include <zlib.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <limits>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/support/sanitizers.h"

namespace io_hostile_test {

using namespace tof;

namespace {

/// Lowers the largest size of a file this process may write; the signal is ignored so that writes just fail.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

/// Lowers the address space, so that an allocation from an unchecked number fails instead of being granted.
class MemoryLimit {
  public:
    MemoryLimit() {
        ::getrlimit(RLIMIT_AS, &before_);
        rlimit limit = before_;
        limit.rlim_cur = kSanitized ? before_.rlim_cur : rlim_t{3} << 30U;
        ::setrlimit(RLIMIT_AS, &limit);
    }
    ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

  private:
    rlimit before_{};
};

Volume smallVolume() {
    Volume volume(Lattice::centred({4, 3, 2}, {4, 4, 4}), 1.5F);
    volume.units = "1";
    return volume;
}

/// Makes HDF5 files that our writer would not make, through the C library.
class RawFile {
  public:
    explicit RawFile(const std::string& path)
        : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~RawFile() { H5Fclose(id_); }
    RawFile(const RawFile&) = delete;
    RawFile& operator=(const RawFile&) = delete;

    void group(const char* name) { H5Gclose(H5Gcreate2(id_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }
    /// An unwritten dataset: sizes without storage.
    void dataset(const char* name, std::vector<hsize_t> sizes, hid_t type, hid_t plist = H5P_DEFAULT) {
        const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
        const hid_t dataset = H5Dcreate2(id_, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
        H5Dclose(dataset);
        H5Sclose(space);
    }
    template <class T>
    void write(const char* name, std::vector<hsize_t> sizes, hid_t type, const std::vector<T>& values) {
        dataset(name, std::move(sizes), type);
        const hid_t dataset = H5Dopen2(id_, name, H5P_DEFAULT);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(dataset);
    }
    void numbers(const char* object, const char* name, const std::vector<double>& values) {
        const hsize_t count = values.size();
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t attribute = H5Acreate_by_name(id_, object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                                  H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data());
        H5Aclose(attribute);
        H5Sclose(space);
    }
    [[nodiscard]] hid_t id() const { return id_; }

  private:
    hid_t id_;
};

QByteArray niftiHeader() {
    QByteArray bytes(352, '\0');
    const auto put = [&](int offset, auto value) {
        std::memcpy(bytes.data() + offset, &value, sizeof(value));
    };
    put(0, qint32{348});
    put(40, qint16{3});
    put(42, qint16{2});
    put(44, qint16{2});
    put(46, qint16{2});
    put(70, qint16{2});
    put(72, qint16{8});
    for (int axis = 0; axis < 4; ++axis) {
        put(76 + 4 * axis, 1.0F);
    }
    put(108, 352.0F);
    std::memcpy(bytes.data() + 344, "n+1", 4);
    return bytes;
}

/// Lines of `more` stand in place of those with their keys.
QByteArray interfileHeader(const QByteArray& more = {}) {
    QByteArray header = "!INTERFILE :=\n";
    for (const QByteArray& line :
         QByteArray("name of data file := h.v\nnumber of bytes per pixel := 1\nnumber of dimensions := 3\n"
                    "matrix size [1] := 2\nmatrix size [2] := 2\nmatrix size [3] := 2\n"
                    "scaling factor (mm/pixel) [1] := 4\nscaling factor (mm/pixel) [2] := 4\n"
                    "scaling factor (mm/pixel) [3] := 4")
             .split('\n')) {
        header += more.startsWith(line.left(line.indexOf(":="))) ? QByteArray() : line + "\n";
    }
    return header + more + "!END OF INTERFILE :=\n";
}

}  // namespace

class IoHostileTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::string file(const QString& name) const { return folder_->filePath(name).toStdString(); }
    std::string save(const QString& name, const QByteArray& bytes) const {
        QFile out(folder_->filePath(name));
        const bool good = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size();
        return good ? file(name) : std::string();
    }
    static QByteArray bytesOf(const std::string& path) {
        QFile in(QString::fromStdString(path));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    /// The sentence of BadInput that `read` throws within a small memory.
    static std::string refusal(const std::function<void()>& read) {
        const MemoryLimit limit;
        try {
            read();
        } catch (const BadInput& fault) {
            return fault.what();
        }
        return "";
    }
    static void verifyNames(const std::string& sentence, const std::string& path, const std::string& field) {
        QVERIFY2(sentence.starts_with(path), sentence.c_str());
        QVERIFY2(sentence.find(field) != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find('\n') == std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("; ") != std::string::npos, sentence.c_str());  // a remedy follows the fault
    }

  private slots:
    void initTestCase() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void missingEmptyAndForeignFilesAreRefused() {
        for (const auto& path :
             {file("none.h5"), save("empty.h5", ""), save("text.h5", "hello"), file(".")}) {
            verifyNames(refusal([&] { (void)readVolume(path); }), path, "");
            verifyNames(refusal([&] { (void)readEvents(path); }), path, "");
            verifyNames(refusal([&] { (void)readData(path); }), path, "");
            verifyNames(refusal([&] { (void)readRunSummary(path); }), path, "");
            verifyNames(refusal([&] { (void)readCheckpoint(path); }), path, "");
            verifyNames(refusal([&] { (void)recognise(path).infoJson(); }), path, "");
        }
    }

    void dataPartsPointToTheirHeader() {
        save("h.v", QByteArray(8, '\1'));
        save("h.hv", interfileHeader());

        verifyNames(refusal([&] { (void)readVolume(file("h.v")); }), file("h.v"), "'h.hv'");
    }

    void truncatedHdf5IsRefusedAtEveryLength() {
        const std::string path = file("v.h5");
        writeVolume(path, smallVolume());
        const QByteArray whole = bytesOf(path);
        for (qsizetype length = 0; length < whole.size(); length += 97) {
            save("v.h5", whole.left(length));
            QVERIFY(!refusal([&] { (void)readVolume(path); }).empty());
        }
        save("v.h5", whole.left(whole.size() - 1));
        verifyNames(refusal([&] { (void)readVolume(path); }), path, "truncated");
    }

    void sizesBeyondTheFileAreRefused_data() {
        QTest::addColumn<bool>("chunked");
        QTest::addColumn<qulonglong>("side");
        QTest::newRow("contiguous, large") << false << 1000ULL;
        QTest::newRow("contiguous, absurd") << false << 60000ULL;
        QTest::newRow("contiguous, overflowing 64 bits") << false << 4000000000000ULL;
        QTest::newRow("chunked, large") << true << 1000ULL;
        QTest::newRow("chunked, absurd") << true << 60000ULL;
        QTest::newRow("chunked, overflowing 64 bits") << true << 4000000000000ULL;
    }
    void sizesBeyondTheFileAreRefused() {
        QFETCH(bool, chunked);
        QFETCH(qulonglong, side);
        const std::string path = file("huge.h5");
        {
            RawFile raw(path);
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            if (chunked) {
                const hsize_t chunk[3] = {1, 64, 64};
                H5Pset_chunk(plist, 3, chunk);
                H5Pset_deflate(plist, 1);
            }
            // Late allocation: the header carries the sizes, the file no data.
            H5Pset_alloc_time(plist, H5D_ALLOC_TIME_LATE);
            raw.dataset("/image", {side, side, side}, H5T_NATIVE_FLOAT, plist);
            raw.numbers("/image", "spacing_mm", {1, 1, 1});
            H5Pclose(plist);
        }
        verifyNames(refusal([&] { (void)readVolume(path); }), path, "'/image'");
    }

    void hugeChunksAreRefused() {
        const std::string path = file("chunk.h5");
        {
            RawFile raw(path);
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {1000, 1000, 1000};
            H5Pset_chunk(plist, 3, chunk);
            raw.dataset("/image", {1000, 1000, 1000}, H5T_NATIVE_FLOAT, plist);
            raw.numbers("/image", "spacing_mm", {1, 1, 1});
            H5Pclose(plist);
        }
        verifyNames(refusal([&] { (void)readVolume(path); }), path, "chunks");
    }

    void dataElsewhereAreRefused() {
        save("elsewhere.raw", QByteArray(24 * 4, '\0'));
        {
            RawFile raw(file("external.h5"));
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_external(plist, file("elsewhere.raw").c_str(), 0, 96);
            raw.dataset("/image", {2, 3, 4}, H5T_NATIVE_FLOAT, plist);
            raw.numbers("/image", "spacing_mm", {1, 1, 1});
            H5Pclose(plist);
        }
        writeVolume(file("v.h5"), smallVolume());
        {
            RawFile raw(file("link.h5"));
            H5Lcreate_external(file("v.h5").c_str(), "/image", raw.id(), "/image", H5P_DEFAULT, H5P_DEFAULT);
        }
        verifyNames(refusal([&] { (void)readVolume(file("external.h5")); }), file("external.h5"),
                    "another file");
        verifyNames(refusal([&] { (void)readVolume(file("link.h5")); }), file("link.h5"), "link");
    }

    void wrongVolumesAreRefused_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("field");
        QTest::newRow("no image") << "no image"
                                  << "'/image'";
        QTest::newRow("a group in place of the image") << "group"
                                                       << "'/image'";
        QTest::newRow("two dimensions") << "flat"
                                        << "'/image'";
        QTest::newRow("texts in place of numbers") << "text"
                                                   << "'/image'";
        QTest::newRow("an empty side") << "empty"
                                       << "along x";
        QTest::newRow("no spacing") << "no spacing"
                                    << "'spacing_mm'";
        QTest::newRow("a spacing of two numbers") << "short spacing"
                                                  << "'spacing_mm'";
        QTest::newRow("a spacing that is not a number") << "nan spacing"
                                                        << "'spacing_mm'";
        QTest::newRow("a negative spacing") << "negative spacing"
                                            << "spacing";
        QTest::newRow("an infinite origin") << "origin"
                                            << "'origin_mm'";
    }
    void wrongVolumesAreRefused() {
        QFETCH(QString, fault);
        QFETCH(QString, field);
        const std::string path = file("wrong.h5");
        {
            RawFile raw(path);
            const std::vector<float> values(24, 1.0F);
            const double nan = std::numeric_limits<double>::quiet_NaN();
            if (fault == "group") {
                raw.group("/image");
            } else if (fault == "flat") {
                raw.write<float>("/image", {4, 6}, H5T_NATIVE_FLOAT, values);
            } else if (fault == "text") {
                raw.write<float>("/image", {2, 3, 4}, H5T_STD_B32LE, values);
            } else if (fault == "empty") {
                raw.write<float>("/image", {2, 3, 0}, H5T_NATIVE_FLOAT, values);
            } else if (fault != "no image") {
                raw.write<float>("/image", {2, 3, 4}, H5T_NATIVE_FLOAT, values);
            }
            if (fault == "short spacing") {
                raw.numbers("/image", "spacing_mm", {1, 1});
            } else if (fault == "nan spacing") {
                raw.numbers("/image", "spacing_mm", {1, nan, 1});
            } else if (fault == "negative spacing") {
                raw.numbers("/image", "spacing_mm", {1, -1, 1});
            } else if (fault != "no spacing" && fault != "no image") {
                raw.numbers("/image", "spacing_mm", {1, 1, 1});
            }
            if (fault == "origin") {
                raw.numbers("/image", "origin_mm", {0, 0, std::numeric_limits<double>::infinity()});
            }
        }
        verifyNames(refusal([&] { (void)readVolume(path); }), path, field.toStdString());
    }

    void wrongListsAreRefused() {
        const std::string path = file("l.h5");
        const auto write = [&](std::vector<hsize_t> crystals, hid_t type, std::vector<hsize_t> times,
                               float time, std::uint8_t kind) {
            RawFile raw(path);
            raw.group("/events");
            raw.write<std::uint32_t>("/events/crystal", std::move(crystals), type,
                                     std::vector<std::uint32_t>(64, 1));
            raw.write<float>("/events/dt_ps", std::move(times), H5T_NATIVE_FLOAT,
                             std::vector<float>(64, time));
            raw.write<std::uint8_t>("/events/kind", {5}, H5T_NATIVE_UINT8,
                                    std::vector<std::uint8_t>(64, kind));
        };
        const auto sentence = [&] { return refusal([&] { (void)readEvents(path); }); };

        write({5, 3}, H5T_NATIVE_UINT32, {5}, 0, 0);
        verifyNames(sentence(), path, "'/events/crystal'");
        write({5, 2}, H5T_NATIVE_FLOAT, {5}, 0, 0);
        verifyNames(sentence(), path, "'/events/crystal'");
        write({5, 2}, H5T_NATIVE_INT32, {5}, 0, 0);
        verifyNames(sentence(), path, "'/events/crystal'");
        write({5, 2}, H5T_NATIVE_UINT32, {4}, 0, 0);
        verifyNames(sentence(), path, "'/events/dt_ps'");
        write({5, 2}, H5T_NATIVE_UINT32, {5}, std::nanf(""), 0);
        verifyNames(sentence(), path, "'/events/dt_ps'");
        write({5, 2}, H5T_NATIVE_UINT32, {5}, 0, 3);
        verifyNames(sentence(), path, "'/events/kind'");
    }

    void wrongDataAreRefused() {
        const std::string path = file("d.h5");
        const auto write = [&](double phi, float count, std::vector<hsize_t> eff,
                               const char* name = "/corrections/eff") {
            RawFile raw(path);
            raw.group("/histo");
            raw.group("/corrections");
            raw.write<float>("/histo/counts", {2, 1, 2, 2}, H5T_NATIVE_FLOAT, std::vector<float>(8, count));
            raw.numbers("/histo/counts", "spacing_mm", {4, 4, 4});
            raw.write<double>("/histo/phi", {2}, H5T_NATIVE_DOUBLE, {0, phi});
            raw.write<double>("/histo/theta", {2}, H5T_NATIVE_DOUBLE, {0, 0});
            raw.write<float>(name, std::move(eff), H5T_NATIVE_FLOAT, std::vector<float>(64, 1.0F));
        };
        const auto sentence = [&] { return refusal([&] { (void)readData(path); }); };

        write(1.0, 1.0F, {2, 1, 2, 2});
        QVERIFY(sentence().empty());
        write(4.0, 1.0F, {2, 1, 2, 2});
        verifyNames(sentence(), path, "'/histo/phi'");
        write(1.0, -1.0F, {2, 1, 2, 2});
        verifyNames(sentence(), path, "'/histo/counts'");
        write(1.0, std::numeric_limits<float>::infinity(), {2, 1, 2, 2});
        verifyNames(sentence(), path, "'/histo/counts'");
        for (const std::vector<hsize_t>& shape : {std::vector<hsize_t>{2, 1, 2, 3}, {2, 4, 4}, {8}}) {
            write(1.0, 1.0F, shape);
            verifyNames(sentence(), path, "'/corrections/eff'");
        }
        write(1.0, 1.0F, {2, 1, 2, 2}, "/corrections/mult");
        verifyNames(sentence(), path, "'/corrections/mult'");
    }

    void wrongNiftiIsRefused_data() {
        QTest::addColumn<int>("offset");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* name, int offset, auto value, const char* field) {
            QTest::newRow(name) << offset << QByteArray(reinterpret_cast<const char*>(&value), sizeof(value))
                                << field;
        };
        row("no dimensions", 40, qint16{0}, "'dim[0]'");
        row("eight dimensions", 40, qint16{8}, "'dim[0]'");
        row("negative side", 42, qint16{-1}, "'dim[1]'");
        row("32767 on a side", 42, qint16{32767}, "");
        row("colours", 70, qint16{128}, "'datatype'");
        row("spacing of zero", 80, 0.0F, "'pixdim'");
        row("spacing not a number", 84, std::nanf(""), "'pixdim'");
        row("data inside the header", 108, 100.0F, "'vox_offset'");
        row("data beyond the file", 108, 1e8F, "'vox_offset'");
        row("offset not a number", 108, std::nanf(""), "'vox_offset'");
        row("no magic", 344, qint32{0}, "'magic'");
        row("pair without image", 344, qint32{0x0031696e}, ".img");
        row("transform of zeros", 254, qint16{1}, "'srow'");
    }
    void wrongNiftiIsRefused() {
        QFETCH(int, offset);
        QFETCH(QByteArray, value);
        QFETCH(QString, field);
        QByteArray bytes = niftiHeader();
        std::memcpy(bytes.data() + offset, value.data(), static_cast<std::size_t>(value.size()));
        const std::string path = save("n.nii", bytes + QByteArray(8, '\1'));

        verifyNames(refusal([&] { (void)readVolume(path); }), path, field.toStdString());
    }

    void severalNiftiVolumesAreRefused() {
        QByteArray bytes = niftiHeader();
        const qint16 dims[] = {4, 2, 2, 2, 3};
        std::memcpy(bytes.data() + 40, dims, sizeof(dims));
        const std::string path = save("n.nii", bytes + QByteArray(24, '\1'));

        verifyNames(refusal([&] { (void)readVolume(path); }), path, "'dim[4]'");
    }

    void hugeNiftiIsRefused() {
        QByteArray bytes = niftiHeader();
        const qint16 side = 32767;
        for (const int offset : {42, 44, 46}) {
            std::memcpy(bytes.data() + offset, &side, 2);
        }
        const std::string path = save("n.nii", bytes + QByteArray(8, '\1'));

        verifyNames(refusal([&] { (void)readVolume(path); }), path, "too many");
    }

    /// 12 kB that would inflate to 10 MB, for a header that announces 1.3 GB: nothing of that size is
    /// allocated.
    void gzipBombIsRefused() {
        QByteArray bytes = niftiHeader();
        const qint16 side = 1100;
        for (const int offset : {42, 44, 46}) {
            std::memcpy(bytes.data() + offset, &side, 2);
        }
        const std::string path = file("bomb.nii.gz");
        gzFile out = gzopen(path.c_str(), "wb9");
        QVERIFY(gzwrite(out, bytes.data(), 352) == 352);
        const QByteArray zeros(10 << 20, '\0');
        gzwrite(out, zeros.data(), static_cast<unsigned>(zeros.size()));
        gzclose(out);

        verifyNames(refusal([&] { (void)readVolume(path); }), path, "more than the file holds");
    }

    void damagedGzipIsRefused() {
        const std::string path = file("v.nii.gz");
        writeVolume(path, smallVolume());
        const QByteArray whole = bytesOf(path);
        save("v.nii.gz", whole.left(whole.size() / 2));
        QVERIFY(!refusal([&] { (void)readVolume(path); }).empty());

        QByteArray damaged = whole;
        damaged[damaged.size() - 12] = static_cast<char>(~damaged[damaged.size() - 12]);
        save("v.nii.gz", damaged);
        QVERIFY(!refusal([&] { (void)readVolume(path); }).empty());
    }

    void wrongInterfileIsRefused_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* line, const char* field) {
            QTest::newRow(line) << QByteArray(line) + "\n" << field;
        };
        row("data offset in bytes[1] := 1000000000000", "'data offset in bytes'");
        row("data offset in bytes[1] := 2", "");
        row("data offset in bytes[1] := -1", "'data offset in bytes'");
        row("matrix size [1] := 2147483648", "along x");
        row("matrix size [1] := 0", "along x");
        row("matrix size [1] := 2.5", "'matrix size'");
        row("matrix size [1] := many", "'matrix size'");
        row("matrix size [1] := 60000", "values of 1 bytes");
        row("matrix size [-1] := 2", "index");
        row("number of bytes per pixel := 3", "'number format'");
        row("number format := ascii", "'number format'");
        row("imagedata byte order := middle", "'imagedata byte order'");
        row("number of time frames := 3", "--frame");
        row("PET data type := Emission", "'PET data type'");
        row("scaling factor (mm/pixel) [2] := nan", "'scaling factor (mm/pixel)'");
        row("scaling factor (mm/pixel) [2] := 0", "spacing");
        row("first pixel offset (mm) [1] := inf", "'first pixel offset (mm)'");
        row("image scaling factor[1] := {1,2,3}", "'image scaling factor'");
        row("quantification units := nan", "'quantification units'");
        row("name of data file := ${HOME}/x.v", "'name of data file'");
        row("name of data file := none.v", "none.v");
        row("number of dimensions := 5", "'number of dimensions'");
        row("matrix size [1] := 2\nmatrix size [1] := 1", "stands twice");
    }
    void wrongInterfileIsRefused() {
        QFETCH(QByteArray, line);
        QFETCH(QString, field);
        save("h.v", QByteArray(8, '\1'));
        const std::string path = save("h.hv", interfileHeader(line));

        const std::string sentence = refusal([&] { (void)readVolume(path); });

        QVERIFY2(sentence.find(field.toStdString()) != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.starts_with(folder_->path().toStdString()), sentence.c_str());
    }

    void unfitCheckpointsAndRunsAreRefused() {
        const std::string path = file("v.h5");
        writeVolume(path, smallVolume());

        verifyNames(refusal([&] { (void)readCheckpoint(path); }), path, "'iteration'");
        verifyNames(refusal([&] { (void)readRunSummary(path); }), path, "'/settings'");
        verifyNames(refusal([&] { (void)readIterate(path, 1); }), path, "iteration 1");
        verifyNames(refusal([&] { (void)readData(path); }), path, "'/histo/counts'");
        verifyNames(refusal([&] { (void)readEvents(path); }), path, "'/events/crystal'");
    }

    void fullDiskLeavesTheOldFileWhole_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"v.h5", "v.nii", "v.nii.gz", "v.hv", "l.h5", "d.h5", "k.ckpt", "r.h5"}) {
            QTest::newRow(name) << name;
        }
    }
    void fullDiskLeavesTheOldFileWhole() {
        QFETCH(QString, name);
        const std::string path = file(name);
        Volume large(Lattice::centred({64, 64, 64}, {4, 4, 4}));
        for (std::size_t i = 0; i < large.data.size(); ++i) {
            large.data[i] = static_cast<float>(std::sin(static_cast<double>(i) * static_cast<double>(i)));
        }
        const auto write = [&](const Volume& volume) {
            if (name == "l.h5") {
                EventList events;
                events.crystals.assign(volume.data.size(), {1, 2});
                events.dt_ps = volume.data;
                writeEvents(path, events);
            } else if (name == "d.h5") {
                HistoData data;
                data.lattice = volume.lattice;
                data.views = {{0, 0}};
                data.counts.resize(volume.data.size(), 0.5F);
                writeData(path, data);
            } else if (name == "k.ckpt") {
                Checkpoint checkpoint;
                checkpoint.image = std::make_shared<const Volume>(volume);
                writeCheckpoint(path, checkpoint);
            } else if (name == "r.h5") {
                RunWriter writer(path, volume.lattice, "{}", "", "");
                writer.addIterate({1, {}, 1}, std::make_shared<const Volume>(volume), KeepImage::Yes);
                writer.finish();
            } else {
                writeVolume(path, volume);
            }
        };
        write(smallVolume());
        const QByteArray before = bytesOf(path);
        const QStringList files = QDir(folder_->path()).entryList(QDir::Files);
        std::string sentence;
        {
            const FileSizeLimit limit(100 * 1024);
            try {
                write(large);
            } catch (const CannotWrite& fault) {
                sentence = fault.what();
            }
        }
        QVERIFY2(sentence.find("File too large") != std::string::npos, sentence.c_str());
        QCOMPARE(bytesOf(path), before);
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files), files);  // no temporary is left

        write(large);  // and writing works again
        QVERIFY(bytesOf(path) != before);
    }

    void impossibleOutputsAreRefusedAtOnce() {
        const std::string plain = save("plain", "x");
        QVERIFY(QDir(folder_->path()).mkdir("folder.h5"));
        for (const std::string& path : {plain + "/v.h5", file("no/such/folder/v.h5"), file("folder.h5"),
                                        std::string("/dev/full.h5/v.h5"), std::string("")}) {
            QVERIFY_EXCEPTION_THROWN(writeAside(path, [](const std::string&) { QFAIL("not reached"); }),
                                     CannotWrite);
        }
        QVERIFY_EXCEPTION_THROWN(writeVolume(plain + "/v.h5", smallVolume()), CannotWrite);
        QVERIFY_EXCEPTION_THROWN(RunWriter(plain + "/r.h5", smallVolume().lattice, "{}", "", ""),
                                 CannotWrite);
    }

    void leftoversOfACrashAreOverwritten() {
        save("v.h5.4711-00c0ffee.part", "left by a crash");
        save("v.h5.part", "somebody's download");

        writeVolume(file("v.h5"), smallVolume());

        QCOMPARE(readVolume(file("v.h5")).data, smallVolume().data);
        QCOMPARE(QDir(folder_->path()).entryList({"*.part"}), QStringList{"v.h5.part"});
    }

    void twoWritersOfOneFileDoNotMix() {
        const TemporaryFile first(file("v.h5"));

        QVERIFY_EXCEPTION_THROWN(writeVolume(file("v.h5"), smallVolume()), CannotWrite);

        QVERIFY(QFile::exists(QString::fromStdString(first.name())));
    }

    /// Where nobody knows of locks, another program may put its own file in the place of ours.
    void whatWasNotWrittenHereIsNotRenamedIntoPlace() {
        writeVolume(file("v.h5"), smallVolume());
        TemporaryFile ours(file("v.h5"));
        const QString name = QString::fromStdString(ours.name());
        QVERIFY(QFile::rename(name, folder_->filePath("moved")));
        save(QFileInfo(name).fileName().toUtf8().constData(), "half a file of another program");

        QVERIFY_EXCEPTION_THROWN(ours.renameIntoPlace(), CannotWrite);

        QCOMPARE(readVolume(file("v.h5")).data, smallVolume().data);
        QVERIFY(QFile::exists(name));
    }

    void foldersInTheWayAreKept() {
        QVERIFY(QDir(folder_->path()).mkdir("v.h5.4711-00c0ffee.part"));

        writeVolume(file("v.h5"), smallVolume());

        QVERIFY(QFileInfo(folder_->filePath("v.h5.4711-00c0ffee.part")).isDir());
    }

    void linksAreNotWrittenThroughByTheTemporary() {
        save("precious", "keep me");
        QVERIFY(QFile::link(folder_->filePath("precious"), folder_->filePath("v.h5.4711-00c0ffee.part")));

        writeVolume(file("v.h5"), smallVolume());

        QCOMPARE(bytesOf(file("precious")), QByteArray("keep me"));
    }

    void linkedTargetsStayLinked() {
        writeVolume(file("real.h5"), Volume(Lattice::centred({1, 1, 1}, {1, 1, 1})));
        QVERIFY(QFile::link(folder_->filePath("real.h5"), folder_->filePath("link.h5")));

        writeVolume(file("link.h5"), smallVolume());

        QVERIFY(QFileInfo(folder_->filePath("link.h5")).isSymLink());
        QCOMPARE(readVolume(file("real.h5")).data, smallVolume().data);
    }

    void failingWriterLeavesNothing() {
        save("v.txt", "old");

        QVERIFY_EXCEPTION_THROWN(writeAside(file("v.txt"),
                                            [&](const std::string& temporary) {
                                                QFile out(QString::fromStdString(temporary));
                                                QVERIFY(out.open(QIODevice::WriteOnly));
                                                throw Cancelled();
                                            }),
                                 Cancelled);

        QCOMPARE(bytesOf(file("v.txt")), QByteArray("old"));
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files), QStringList("v.txt"));
    }
};

QTEST_GUILESS_MAIN(IoHostileTest)

}  // namespace io_hostile_test
#include "io_hostile_test.moc"
