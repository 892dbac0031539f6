// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>

#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/memory.h"
#include "recon/base/parallel.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/packing.h"
#include "recon/io/bytes/positioned.h"
#include "recon/io/hdf5/hdf5_driver.h"
#include "recon/io/hdf5/hdf5_probe.h"

namespace tof::h5 {

namespace {

constexpr std::uint64_t kChunkLimit = 512U << 20U;  // the library allocates whole chunks
constexpr std::size_t kTextLimit = 256U << 20U;     // scanner descriptions list every crystal
constexpr std::uint64_t kDeflateRatio = 1032;       // the most that deflate can shrink
constexpr std::size_t kRankLimit = 8;

/// The library prints its error stack unless told otherwise, once per thread; and it would load the plug-ins
/// that the environment names as soon as a file asks for one.
void silence() {
    // At exit the library would flush files it failed to close, and crashes over them when a disk was full.
    // Every file here is closed by its handle; must come before the library's first call.
    H5dont_atexit();
    // Where memory fails within this call, it prints: what would quiet it makes the same call first.
    if (H5open() < 0) {
        throw std::bad_alloc();  // nothing else fails there; what is called after it would crash
    }
    static const bool alone = H5PLset_loading_state(0) >= 0;
    (void)alone;
    thread_local const bool silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
    (void)silent;
}

/// Keeps the innermost complaint. Runs inside the C library: must not throw.
herr_t collect(unsigned depth, const H5E_error2_t* entry, void* out) noexcept {
    try {
        if (depth == 0 && entry->desc != nullptr) {
            *static_cast<std::string*>(out) = entry->desc;
        }
    } catch (...) {
        return -1;
    }
    return 0;
}

/// What the library last complained about in this thread.
std::string complaint() {
    std::string found;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &found);
    return found;
}

/// What is added to a complaint after an allocation of this thread has failed: the file may claim too much,
/// or the machine have too little, and then the library's own reason is often a wrong one.
const char* shortage() {
    return errno == ENOMEM ? ", and memory ran out" : "";
}

/// Whether something is there; throws where the library cannot say.
bool answered(htri_t answer, const std::string& path, const std::string& what) {
    if (answer < 0) {
        throw BadInput("{}: '{}' cannot be looked for ({}{}); copy or make the file again", path, what,
                       complaint(), shortage());
    }
    return answer > 0;
}

Shape sizesOf(hid_t space) {
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || static_cast<std::size_t>(rank) > kRankLimit) {
        return {std::numeric_limits<std::uint64_t>::max()};
    }
    std::array<hsize_t, kRankLimit> sizes{};
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    return {sizes.begin(), sizes.begin() + rank};
}

/// Product of the sizes; 0 for an overflow as for an empty shape's zero.
std::uint64_t elements(const Shape& shape) {
    std::uint64_t product = 1;
    for (const std::uint64_t size : shape) {
        if (size != 0 && product > std::numeric_limits<std::uint64_t>::max() / size) {
            return 0;
        }
        product *= size;
    }
    return product;
}

/// Rows cut into equal blocks, which lie in the file one by one.
struct Blocks {
    std::uint64_t perRow = 0;
    std::uint64_t slices = 0;    ///< slices of the second dimension, in a block
    std::uint64_t elements = 0;  ///< in a block

    [[nodiscard]] std::vector<hsize_t> start(const Shape& shape, std::uint64_t block) const {
        std::vector<hsize_t> at(shape.size(), 0);
        at[0] = block / perRow;
        at[1] = block % perRow * slices;
        return at;
    }
};

/// Blocks of `slices` of the second dimension, which they divide evenly.
Blocks blocksOf(const Shape& shape, std::uint64_t slices) {
    return {shape[1] / slices, slices, elements(shape) / shape[0] / shape[1] * slices};
}

/// Blocks of at most some MB, so that every core has some and a reader can hold them.
Blocks smallBlocks(const Shape& shape, std::size_t width) {
    constexpr std::uint64_t kMost = 32U << 20U;
    if (shape.size() < 2) {
        throw InternalError("only rows of numbers can be packed");
    }
    const std::uint64_t slice = elements(shape) / shape[0] / shape[1] * width;
    std::uint64_t slices = shape[1];
    while (slices > 1 && (shape[1] % slices != 0 || slices * slice > kMost)) {
        --slices;
    }
    return blocksOf(shape, slices);
}

/// The library's type of an element in memory.
struct Native {
    static hid_t of(const float*) { return H5T_NATIVE_FLOAT; }
    static hid_t of(const double*) { return H5T_NATIVE_DOUBLE; }
    static hid_t of(const std::uint8_t*) { return H5T_NATIVE_UINT8; }
    static hid_t of(const std::uint16_t*) { return H5T_NATIVE_UINT16; }
    static hid_t of(const std::uint32_t*) { return H5T_NATIVE_UINT32; }
    static hid_t of(const std::uint64_t*) { return H5T_NATIVE_UINT64; }
    static hid_t of(const std::int32_t*) { return H5T_NATIVE_INT32; }
};

/// The descriptor of a file whose bytes lie where the library says; nothing where that cannot be had.
std::optional<int> descriptorOf(hid_t file) {
    const Handle whole(H5Fget_create_plist(file), H5Pclose);
    hsize_t userBlock = 1;
    void* descriptor = nullptr;
    if (H5Pget_userblock(whole.get(), &userBlock) < 0 || userBlock != 0 ||
        H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr) {
        return std::nullopt;
    }
    return *static_cast<const int*>(descriptor);  // the reader has the library's usual driver
}

/// Bytes [first, first + count) of a contiguous dataset, as they lie in the file, by all threads: one that
/// copies hundreds of MB keeps the others waiting. False, with anything in `out`, where that cannot be had.
bool copyContiguous(hid_t file, hid_t dataset, hid_t type, hid_t native, std::uint64_t first,
                    std::uint64_t count, const ThreadPool& pool, std::uint8_t* out) {
    constexpr std::uint64_t kLeast = 16U << 20U;
    constexpr std::uint64_t kPart = 4U << 20U;
    const Handle plist(H5Dget_create_plist(dataset), H5Pclose);
    const std::optional<int> from = descriptorOf(file);
    if (count < kLeast || H5Tequal(type, native) <= 0 || H5Pget_layout(plist.get()) != H5D_CONTIGUOUS ||
        !from) {
        return false;
    }
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF) {
        return false;
    }
    std::atomic<bool> good = true;
    pool.forRange(count, kPart, [&](std::size_t begin, std::size_t end) {
        const std::span<std::uint8_t> part(out + begin, end - begin);
        if (good && readWhole(*from, offset + first + begin, std::as_writable_bytes(part)) != 0) {
            good = false;
        }
    });
    return good;
}

/// A handle. Where the library had no memory for it, what is tried with it would fail for another reason.
Handle given(Handle handle) {
    if (!handle.valid() && errno == ENOMEM) {
        throw std::bad_alloc();
    }
    return handle;
}

Handle simpleSpace(const Shape& shape) {
    const std::vector<hsize_t> sizes(shape.begin(), shape.end());
    return given({H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose});
}

/// Selects rows of the slowest dimension and returns the matching memory space.
Handle selectRows(hid_t space, const Shape& shape, std::uint64_t first, std::uint64_t count) {
    std::vector<hsize_t> start(shape.size(), 0);
    std::vector<hsize_t> block(shape.begin(), shape.end());
    start[0] = first;
    block[0] = count;
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) < 0) {
        return given({});
    }
    return given({H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose});
}

std::string shapeText(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, "]["));
}

/// A group or dataset that keeps no times: one content has one sequence of bytes.
Handle timeless(hid_t kind) {
    Handle plist = given({H5Pcreate(kind), H5Pclose});
    H5Pset_obj_track_times(plist.get(), 0);
    return plist;
}

/// Texts of a fixed size: they lie in headers with checksums, unlike those of variable size.
Handle textType(std::size_t size) {
    Handle type = given({H5Tcopy(H5T_C_S1), H5Tclose});
    H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

}  // namespace

bool Handle::release() noexcept {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_ == nullptr || close_(id) >= 0;
}

Handle& Handle::operator=(Handle&& other) noexcept {
    (void)release();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
}

bool isHdf5(std::string_view start) {
    static constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
    for (const std::size_t offset :
         {std::size_t{0}, std::size_t{512}, std::size_t{1024}, std::size_t{2048}}) {
        if (start.size() >= offset && start.substr(offset).starts_with(kSignature)) {
            return true;
        }
    }
    return false;
}

Reader::Reader(std::string path, std::function<void()> heed)
    : path_(std::move(path)), heed_(std::move(heed)) {
    errno = 0;
    silence();
    std::error_code fault;
    fileBytes_ = std::filesystem::file_size(path_, fault);
    if (fault) {
        throw BadInput("{}: cannot be opened ({}); check the name and the permission to read it", path_,
                       fault.message());
    }
    if (hasOldSuperblock(path_)) {
        probe();
    }
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    // Files appear whole by a rename and are never written in place: a lock would only fail on shared disks.
    H5Pset_file_locking(access.get(), 0, 1);
    file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!file_.valid()) {
        const std::string why = complaint();
        if (why.find("truncated file") != std::string::npos) {
            throw BadInput(
                "{}: truncated, only its first {} bytes are there, and an HDF5 file cannot be read in part; "
                "copy or make it again",
                path_, fileBytes_);
        }
        throw BadInput("{}: not a readable HDF5 file ({}{}); copy or make it again", path_, why, shortage());
    }
}

void Reader::fail(const std::string& what) const {
    throw BadInput("{}: {}{}", path_, what, shortage());
}

void Reader::probe() const {
    if (!probed_ && !survivesReading(path_)) {
        fail("its HDF5 structure is damaged; copy or make it again");
    }
    probed_ = true;
}

bool Reader::has(const std::string& object) const {
    silence();
    if (object == "/") {
        return true;
    }
    std::size_t end = 0;
    while (end != std::string::npos) {
        end = object.find('/', end + 1);
        const std::string step = object.substr(0, end);
        if (!answered(H5Lexists(file_.get(), step.c_str(), H5P_DEFAULT), path_, step)) {
            return false;
        }
        H5L_info_t info{};
        if (H5Lget_info(file_.get(), step.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
            fail(fmt::format("'{}' is a link to somewhere else; store the data itself there", step));
        }
        if (end != std::string::npos && !isGroup(step)) {
            return false;
        }
    }
    return answered(H5Oexists_by_name(file_.get(), object.c_str(), H5P_DEFAULT), path_, object);
}

bool Reader::isGroup(const std::string& object) const {
    const Handle id(H5Oopen(file_.get(), object.c_str(), H5P_DEFAULT), H5Oclose);
    return id.valid() && H5Iget_type(id.get()) == H5I_GROUP;
}

std::vector<std::string> Reader::children(const std::string& group, std::size_t limit) const {
    std::vector<std::string> names;
    if (!has(group) || !isGroup(group)) {
        return names;
    }
    H5G_info_t info{};
    if (H5Gget_info_by_name(file_.get(), group.c_str(), &info, H5P_DEFAULT) < 0 || info.nlinks > limit) {
        fail(fmt::format("'{}' cannot be listed or has more than {} members; make the file again", group,
                         limit));
    }
    std::array<char, 256> name{};
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const ssize_t length = H5Lget_name_by_idx(file_.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, i,
                                                  name.data(), name.size(), H5P_DEFAULT);
        if (length < 0 || static_cast<std::size_t>(length) >= name.size()) {
            fail(fmt::format("'{}' has an unreadable member; make the file again", group));
        }
        names.emplace_back(name.data());
    }
    return names;
}

Shape Reader::Opened::shape() const {
    return sizesOf(space.get());
}

bool Reader::Opened::holdsNumbers() const {
    const H5T_class_t kind = H5Tget_class(type.get());
    return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

Reader::Opened Reader::openDataset(const std::string& name) const {
    if (!has(name)) {
        fail(fmt::format("dataset '{}' is missing; see docs/formats.md for what the file must hold", name));
    }
    Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) {
        fail(fmt::format("'{}' is not a readable dataset ({}); make the file again", name, complaint()));
    }
    const hid_t id = dataset.get();
    return {std::move(dataset), {H5Dget_type(id), H5Tclose}, {H5Dget_space(id), H5Sclose}};
}

void Reader::checkStorage(const Opened& dataset, const std::string& name) const {
    const Shape shape = dataset.shape();
    const std::uint64_t size = H5Tget_size(dataset.type.get());
    const Handle plist(H5Dget_create_plist(dataset.id.get()), H5Pclose);
    const H5D_layout_t layout = plist.valid() ? H5Pget_layout(plist.get()) : H5D_LAYOUT_ERROR;
    if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) {
        fail(fmt::format("dataset '{}' has a storage layout that is not supported; rewrite it plain", name));
    }
    if (layout == H5D_CONTIGUOUS && H5Pget_external_count(plist.get()) != 0) {
        fail(fmt::format("dataset '{}' keeps its data in another file; store the data itself", name));
    }
    std::uint64_t ratio = 1;
    if (layout == H5D_CHUNKED) {
        std::array<hsize_t, kRankLimit> chunk{};
        const int rank = H5Pget_chunk(plist.get(), static_cast<int>(chunk.size()), chunk.data());
        const Shape sizes(chunk.begin(), chunk.begin() + std::clamp<int>(rank, 0, kRankLimit));
        if (rank < 1 || elements(sizes) == 0 || elements(sizes) > kChunkLimit / size) {
            fail(fmt::format("dataset '{}' has unreasonable chunks {}; rewrite it with chunks below 512 MiB",
                             name, shapeText(sizes)));
        }
        for (unsigned i = 0; i < static_cast<unsigned>(std::max(H5Pget_nfilters(plist.get()), 0)); ++i) {
            unsigned flags = 0;
            std::size_t values = 0;
            const H5Z_filter_t filter =
                H5Pget_filter2(plist.get(), i, &flags, &values, nullptr, 0, nullptr, nullptr);
            if (filter == H5Z_FILTER_DEFLATE) {
                ratio *= kDeflateRatio;
            } else if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) {
                fail(fmt::format("dataset '{}' uses compression filter {}; rewrite it with deflate or none",
                                 name, filter));
            }
        }
        ratio = std::min(ratio, kDeflateRatio);
    }
    const std::uint64_t count = elements(shape);
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset.id.get()), fileBytes_);
    const bool empty = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    if (!empty && (count == 0 || size == 0 || count > stored * ratio / size)) {
        fail(fmt::format(
            "dataset '{}' claims sizes {}, but the file holds only {} bytes of it; copy or make it again",
            name, shapeText(shape), stored));
    }
    const std::uint64_t each = std::max<std::uint64_t>(size, 4);
    if (count > physicalBytes() / each) {
        constexpr std::uint64_t kMebi = 1U << 20U;
        throw Unavailable(
            "{}: dataset '{}' with sizes {} needs {} MiB of memory, more than the {} MiB of this machine, "
            "or of a limit on it; use a machine with more",
            path_, name, shapeText(shape), count / kMebi * each, physicalBytes() / kMebi);
    }
}

Shape Reader::shape(const std::string& dataset) const {
    const Opened opened = openDataset(dataset);
    checkStorage(opened, dataset);
    return opened.shape();
}

bool Reader::isUnsigned(const std::string& dataset, std::size_t bytes) const {
    const Opened opened = openDataset(dataset);
    const hid_t type = opened.type.get();
    return H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE &&
           H5Tget_size(type) <= bytes;
}

template <class T>
std::vector<T> Reader::read(const std::string& dataset, const Shape& expected) const {
    const Shape actual = shape(dataset);
    if (actual != expected) {
        fail(fmt::format("dataset '{}' has sizes {}, expected {}; make the file again", dataset,
                         shapeText(actual), shapeText(expected)));
    }
    std::vector<T> values = largeArray<T>(elements(actual), pool());
    readRows(dataset, 0, actual.empty() ? 1 : actual[0], values.data());
    return values;
}

template <class T>
void Reader::readRows(const std::string& dataset, std::uint64_t first, std::uint64_t count, T* out) const {
    const Opened opened = openDataset(dataset);
    if (!opened.holdsNumbers()) {
        fail(fmt::format("dataset '{}' does not hold numbers; store it as docs/formats.md says", dataset));
    }
    const Shape sizes = opened.shape();
    if (sizes.empty() || first + count > sizes[0]) {
        fail(fmt::format("dataset '{}' has sizes {}, rows {} to {} are not there; make the file again",
                         dataset, shapeText(sizes), first, first + count));
    }
    if (count == 0 || opened.points() == 0) {
        return;
    }
    if (count > 1 &&
        unpackRows(opened, Native::of(out), first, count, sizeof(T), reinterpret_cast<std::uint8_t*>(out))) {
        return;
    }
    const std::uint64_t rowBytes = elements(sizes) / sizes[0] * sizeof(T);
    if (copyContiguous(file_.get(), opened.id.get(), opened.type.get(), Native::of(out), first * rowBytes,
                       count * rowBytes, pool(), reinterpret_cast<std::uint8_t*>(out))) {
        return;
    }
    const hid_t space = opened.space.get();
    const Handle memory = selectRows(space, sizes, first, count);
    if (!memory.valid() ||
        H5Dread(opened.id.get(), Native::of(out), memory.get(), space, H5P_DEFAULT, out) < 0) {
        fail(fmt::format("dataset '{}' cannot be read ({}); copy or make the file again", dataset,
                         complaint()));
    }
}

bool Reader::unpackRows(const Opened& dataset, hid_t native, std::uint64_t first, std::uint64_t count,
                        std::size_t width, std::uint8_t* out) const {
    const Shape shape = dataset.shape();
    const Handle plist(H5Dget_create_plist(dataset.id.get()), H5Pclose);
    if (shape.size() < 2 || H5Tequal(dataset.type.get(), native) <= 0 ||
        H5Pget_layout(plist.get()) != H5D_CHUNKED || H5Pget_nfilters(plist.get()) != 2) {
        return false;
    }
    std::array<H5Z_filter_t, 2> filters{};
    for (unsigned i = 0; i < 2; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        filters.at(i) = H5Pget_filter2(plist.get(), i, &flags, &values, nullptr, 0, nullptr, nullptr);
    }
    std::array<hsize_t, kRankLimit> chunk{};
    H5Pget_chunk(plist.get(), static_cast<int>(chunk.size()), chunk.data());
    const bool wholeSlices =
        shape.size() <= 2 || std::equal(shape.begin() + 2, shape.end(), chunk.begin() + 2);
    if (filters != std::array<H5Z_filter_t, 2>{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE} || chunk[0] != 1 ||
        chunk[1] == 0 || shape[1] % chunk[1] != 0 || !wholeSlices) {
        return false;
    }
    const Blocks blocks = blocksOf(shape, chunk[1]);
    const std::size_t bytes = blocks.elements * width;
    // The library looks for a block among all of them; a dataset of more is not one that writePacked made.
    constexpr std::uint64_t kMostBlocks = 4096;
    const std::uint64_t begin = first * blocks.perRow;
    const std::optional<int> from = descriptorOf(file_.get());
    if (shape[0] * blocks.perRow > kMostBlocks || !from) {
        return false;
    }
    struct Stream {
        haddr_t at = 0;
        hsize_t size = 0;
    };
    std::vector<Stream> streams(count * blocks.perRow);
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const std::vector<hsize_t> start = blocks.start(shape, begin + i);
        unsigned mask = 0;
        // One that was not worth deflating, or that claims more than the file, is the library's to read.
        if (H5Dget_chunk_info_by_coord(dataset.id.get(), start.data(), &mask, &streams[i].at,
                                       &streams[i].size) < 0 ||
            streams[i].at == HADDR_UNDEF || streams[i].size == 0 || streams[i].size > fileBytes_ ||
            mask != 0) {
            return false;
        }
    }
    std::atomic<bool> good = true;
    pool().forRange(streams.size(), 1, [&](std::size_t i, std::size_t) {
        std::vector<std::uint8_t> stream(streams[i].size);
        if (good && (readWhole(*from, streams[i].at, std::as_writable_bytes(std::span(stream))) != 0 ||
                     !unpack(stream, width, {out + i * bytes, bytes}))) {
            good = false;
        }
    });
    return good;
}

std::string Reader::readText(const std::string& what, const Opened& source) const {
    const hid_t type = source.type.get();
    const auto readInto = [&](void* out) {
        const hid_t id = source.id.get();
        const herr_t done = H5Iget_type(id) == H5I_ATTR
                                ? H5Aread(id, type, out)
                                : H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
        if (done < 0) {
            fail(fmt::format("{} cannot be read ({}); copy or make the file again", what, complaint()));
        }
    };
    if (H5Tget_class(type) != H5T_STRING || source.points() != 1) {
        fail(fmt::format("{} is not one text; store it as a string", what));
    }
    std::string result;
    if (H5Tis_variable_str(type) > 0) {
        probe();
        char* text = nullptr;
        readInto(static_cast<void*>(&text));
        if (text != nullptr) {
            result = text;
            H5free_memory(text);
        }
        return result;
    }
    const std::size_t size = H5Tget_size(type);
    if (size > std::min<std::uint64_t>(fileBytes_, kTextLimit)) {
        fail(fmt::format("{} claims {} bytes, more than the file holds; copy or make it again", what, size));
    }
    result.resize(size);
    readInto(result.data());
    result.resize(std::min(result.find('\0'), result.size()));
    return result;
}

std::string Reader::text(const std::string& dataset) const {
    const Opened opened = openDataset(dataset);
    checkStorage(opened, dataset);
    return readText(fmt::format("dataset '{}'", dataset), opened);
}

bool Reader::hasAttribute(const std::string& object, const std::string& name) const {
    return has(object) &&
           answered(H5Aexists_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT), path_, name);
}

Reader::Opened Reader::openAttribute(const std::string& object, const std::string& name) const {
    Handle handle(H5Aopen_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose);
    if (!handle.valid()) {
        fail(fmt::format("attribute '{}' of '{}' cannot be read ({}); make the file again", name, object,
                         complaint()));
    }
    const hid_t id = handle.get();
    return {std::move(handle), {H5Aget_type(id), H5Tclose}, {H5Aget_space(id), H5Sclose}};
}

std::optional<std::vector<double>> Reader::numbers(const std::string& object, const std::string& name,
                                                   std::size_t count) const {
    if (!hasAttribute(object, name)) {
        return std::nullopt;
    }
    const Opened attribute = openAttribute(object, name);
    std::vector<double> values(count);
    if (!attribute.holdsNumbers() || attribute.points() != static_cast<hssize_t>(count) ||
        H5Aread(attribute.id.get(), H5T_NATIVE_DOUBLE, values.data()) < 0 ||
        !std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
        fail(fmt::format("attribute '{}' of '{}' must hold {} finite number(s); correct it", name, object,
                         count));
    }
    return values;
}

double Reader::number(const std::string& object, const std::string& name, double fallback) const {
    const auto found = numbers(object, name, 1);
    return found ? found->front() : fallback;
}

std::optional<std::uint64_t> Reader::whole(const std::string& object, const std::string& name) const {
    if (!hasAttribute(object, name)) {
        return std::nullopt;
    }
    const Opened attribute = openAttribute(object, name);
    std::uint64_t value = 0;
    if (H5Tget_class(attribute.type.get()) != H5T_INTEGER || attribute.points() != 1 ||
        H5Aread(attribute.id.get(), H5T_NATIVE_UINT64, &value) < 0) {
        fail(fmt::format("attribute '{}' of '{}' must be one whole number; correct it", name, object));
    }
    return value;
}

std::optional<std::string> Reader::textAttribute(const std::string& object, const std::string& name) const {
    if (!hasAttribute(object, name)) {
        return std::nullopt;
    }
    return readText(fmt::format("attribute '{}' of '{}'", name, object), openAttribute(object, name));
}

Writer::Writer(const std::string& temporary, const Destination& to) : path_(to.path), heed_(to.heed) {
    errno = 0;
    silence();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    // The format of 1.10: headers and chunk indices carry checksums, so that the library notices damage.
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    driver_ = Handle(useFaultKeepingDriver(access.get(), fault_.get()), H5FDunregister);
    if (!driver_.valid()) {
        fail("cannot be created");
    }
    const Handle content = timeless(H5P_FILE_CREATE);
    file_ = Handle(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, content.get(), access.get()), H5Fclose);
    if (!file_.valid()) {
        fail("cannot be created");
    }
}

void Writer::fail(const std::string& what) const {
    if (*fault_ == 0 && errno == ENOMEM) {
        throw std::bad_alloc();
    }
    const std::string why = *fault_ != 0 ? std::generic_category().message(*fault_) : complaint();
    throw CannotWrite("{}: {} ({}); check the folder, its permissions and the space left", path_, what, why);
}

void Writer::check() const {
    if (*fault_ != 0) {
        fail("cannot be written");
    }
}

void Writer::group(const std::string& name) {
    makeGroups(name);
    const Handle plist = timeless(H5P_GROUP_CREATE);
    const Handle id(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, plist.get(), H5P_DEFAULT), H5Gclose);
    if (!id.valid()) {
        fail("cannot be written");
    }
}

/// The library would give groups that it makes by itself a time.
void Writer::makeGroups(const std::string& name) {
    for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1)) {
        const std::string parent = name.substr(0, end);
        if (H5Lexists(file_.get(), parent.c_str(), H5P_DEFAULT) <= 0) {
            group(parent);
        }
    }
}

template <class T>
void Writer::create(const std::string& name, const Shape& shape, const Layout& layout) {
    makeGroups(name);
    const Handle plist = timeless(H5P_DATASET_CREATE);
    H5Pset_fill_time(plist.get(), H5D_FILL_TIME_NEVER);
    if (!layout.chunk.empty()) {
        const std::vector<hsize_t> chunk(layout.chunk.begin(), layout.chunk.end());
        H5Pset_chunk(plist.get(), static_cast<int>(chunk.size()), chunk.data());
        if (layout.deflate) {
            H5Pset_shuffle(plist.get());
            H5Pset_deflate(plist.get(), 1);
        }
    }
    const Handle space = simpleSpace(shape);
    const hid_t type = Native::of(static_cast<const T*>(nullptr));
    const Handle id(
        H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, plist.get(), H5P_DEFAULT),
        H5Dclose);
    if (!id.valid()) {
        fail("cannot be written");
    }
}

template <class T>
void Writer::writeRows(const std::string& name, std::uint64_t first, std::uint64_t count, const T* values) {
    if (count == 0) {
        return;
    }
    constexpr std::uint64_t kBytesAtATime = 64U << 20U;
    const Handle id(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space = given({H5Dget_space(id.get()), H5Sclose});
    const Shape sizes = sizesOf(space.get());
    const std::uint64_t row =
        std::accumulate(sizes.begin() + 1, sizes.end(), std::uint64_t{1}, std::multiplies<>());
    const std::uint64_t most =
        heed_ && row > 0 ? std::max<std::uint64_t>(kBytesAtATime / (row * sizeof(T)), 1) : count;
    for (std::uint64_t done = 0; done < count; done += most) {
        if (heed_) {
            heed_();
        }
        const std::uint64_t rows = std::min(most, count - done);
        const Handle memory = selectRows(space.get(), sizes, first + done, rows);
        if (!memory.valid() || H5Dwrite(id.get(), Native::of(values), memory.get(), space.get(), H5P_DEFAULT,
                                        values + done * row) < 0) {
            fail("cannot be written");
        }
        check();
    }
}

template <class T>
void Writer::write(const std::string& name, const Shape& shape, const T* values, const Layout& layout) {
    create<T>(name, shape, layout);
    writeRows(name, 0, elements(shape) == 0 ? 0 : shape[0], values);
}

template <class T>
void Writer::writePacked(const std::string& name, const Shape& shape, const T* values) {
    if (elements(shape) == 0) {
        write(name, shape, values);
        return;
    }
    writeBlocks<T>(name, shape,
                   [values](std::uint64_t first, std::vector<T>& /*room*/) { return values + first; });
}

template <class T>
void Writer::writePacked(const std::string& name, const Shape& shape,
                         const std::function<void(std::uint64_t, std::span<T>)>& fill) {
    const std::uint64_t size = smallBlocks(shape, sizeof(T)).elements;
    writeBlocks<T>(name, shape, [&](std::uint64_t first, std::vector<T>& room) -> const T* {
        room.resize(size);
        fill(first, room);
        return room.data();
    });
}

template <class T>
void Writer::writeBlocks(const std::string& name, const Shape& shape, const BlockAt<T>& blockAt) {
    const Blocks blocks = smallBlocks(shape, sizeof(T));
    Shape chunk = shape;
    chunk[0] = 1;
    chunk[1] = blocks.slices;
    create<T>(name, shape, {chunk, true});
    const Handle id(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    struct Block {
        std::vector<T> room;
        const T* values = nullptr;
    };
    struct Batch {
        std::vector<PackedBlock>& packed;
        std::vector<Block> blocks;
    };
    const ThreadPool pool = this->pool();
    const auto atATime = 4 * static_cast<std::uint64_t>(pool.threads());
    const std::uint64_t end = shape[0] * blocks.perRow;
    const std::uint64_t bytes = blocks.elements * sizeof(T);
    const auto pack = [&](std::uint64_t first, Batch& into) {
        into.blocks.resize(std::min(atATime, end - first));
        into.packed.resize(std::max(into.packed.size(), into.blocks.size()));
        pool.forRange(into.blocks.size(), 1, [&](std::size_t i, std::size_t) {
            Block& block = into.blocks[i];
            block.values = blockAt((first + i) * blocks.elements, block.room);
            into.packed[i].pack({reinterpret_cast<const std::uint8_t*>(block.values), bytes}, sizeof(T));
        });
    };
    const auto writeAll = [&](std::uint64_t first, const Batch& from) {
        for (std::size_t i = 0; i < from.blocks.size(); ++i) {
            pool.heed();
            const std::vector<hsize_t> start = blocks.start(shape, first + i);
            const std::span<const std::uint8_t> stream = from.packed[i].stream();
            constexpr std::uint32_t kNoFilter = 3;  // bits of both
            const herr_t done = stream.empty() ? H5Dwrite_chunk(id.get(), H5P_DEFAULT, kNoFilter,
                                                                start.data(), bytes, from.blocks[i].values)
                                               : H5Dwrite_chunk(id.get(), H5P_DEFAULT, 0, start.data(),
                                                                stream.size(), stream.data());
            if (done < 0) {
                fail("cannot be written");
            }
        }
        check();
    };
    // While this thread writes what is packed, another one has the next blocks packed.
    Batch now{packed_[0], {}};
    Batch next{packed_[1], {}};
    Batch* written = &now;
    Batch* made = &next;
    pack(0, *written);
    for (std::uint64_t block = 0; block < end; block += atATime) {
        std::future<void> packing;
        if (block + atATime < end) {
            packing = std::async(std::launch::async, pack, block + atATime, std::ref(*made));
        }
        writeAll(block, *written);
        if (packing.valid()) {
            packing.get();
        }
        std::swap(written, made);
    }
}

void Writer::text(const std::string& name, const std::string& value) {
    const Handle type = textType(value.size());
    const Handle space = given({H5Screate(H5S_SCALAR), H5Sclose});
    const Handle plist = timeless(H5P_DATASET_CREATE);
    const Handle id(
        H5Dcreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, plist.get(), H5P_DEFAULT),
        H5Dclose);
    if (!id.valid() || H5Dwrite(id.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) < 0) {
        fail("cannot be written");
    }
    check();
}

void Writer::link(const std::string& existing, const std::string& name) {
    if (H5Lcreate_hard(file_.get(), existing.c_str(), file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) <
        0) {
        fail("cannot be written");
    }
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
    attributeOf(object, name, textType(value.size()), {}, value.c_str());
}

void Writer::attribute(const std::string& object, const std::string& name,
                       const std::vector<std::string>& values) {
    std::size_t longest = 1;
    for (const std::string& value : values) {
        longest = std::max(longest, value.size());
    }
    std::string padded;
    for (const std::string& value : values) {
        padded += value + std::string(longest - value.size(), '\0');
    }
    attributeOf(object, name, textType(longest), {values.size()}, padded.data());
}

void Writer::attributeOf(const std::string& object, const std::string& name, const Handle& type,
                         const Shape& shape, const void* values) {
    const Handle space = shape.empty() ? given({H5Screate(H5S_SCALAR), H5Sclose}) : simpleSpace(shape);
    const Handle owner(H5Oopen(file_.get(), object.c_str(), H5P_DEFAULT), H5Oclose);
    const Handle id(H5Acreate2(owner.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
    if (!id.valid() || H5Awrite(id.get(), type.get(), values) < 0) {
        fail("cannot be written");
    }
}

void Writer::attribute(const std::string& object, const std::string& name, double value) {
    attributeOf(object, name, {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose}, {}, &value);
}

void Writer::attribute(const std::string& object, const std::string& name, std::uint64_t value) {
    attributeOf(object, name, {H5Tcopy(H5T_NATIVE_UINT64), H5Tclose}, {}, &value);
}

void Writer::attribute(const std::string& object, const std::string& name,
                       const std::vector<double>& values) {
    attributeOf(object, name, {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose}, {values.size()}, values.data());
}

void Writer::close() {
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) {
        fail("cannot be written");
    }
    if (!file_.release()) {
        fail("cannot be closed");
    }
    check();
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define TOF_READ(T)                                                                  \
    template std::vector<T> Reader::read<T>(const std::string&, const Shape&) const; \
    template void Reader::readRows<T>(const std::string&, std::uint64_t, std::uint64_t, T*) const;
#define TOF_WRITE(T)                                                                                \
    template void Writer::create<T>(const std::string&, const Shape&, const Layout&);               \
    template void Writer::writeRows<T>(const std::string&, std::uint64_t, std::uint64_t, const T*); \
    template void Writer::write<T>(const std::string&, const Shape&, const T*, const Layout&);      \
    template void Writer::writePacked<T>(const std::string&, const Shape&, const T*);               \
    template void Writer::writePacked<T>(const std::string&, const Shape&,                          \
                                         const std::function<void(std::uint64_t, std::span<T>)>&);
// NOLINTEND(bugprone-macro-parentheses)
#define TOF_BOTH(T) TOF_READ(T) TOF_WRITE(T)
TOF_BOTH(float)
TOF_BOTH(double)
TOF_BOTH(std::uint8_t)
TOF_BOTH(std::uint16_t)
TOF_BOTH(std::uint32_t)
TOF_BOTH(std::uint64_t)
TOF_BOTH(std::int32_t)
#undef TOF_BOTH
#undef TOF_WRITE
#undef TOF_READ

void writeFile(const Destination& to, const std::function<void(Writer&)>& fill) {
    writeAside(to.path, [&](const std::string& temporary) {
        Writer file(temporary, to);
        fill(file);
        file.close();
    });
}

}  // namespace tof::h5
