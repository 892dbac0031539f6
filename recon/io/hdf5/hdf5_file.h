// SPDX-License-Identifier: Apache-2.0
// The HDF5 C library behind two classes: a reader that believes no number of a file before it has compared it
// with the file's size, and a writer whose errors all surface. Own code because no wrapper that Debian 12
// packages does either. Internal to recon/io.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/io/bytes/destination.h"
#include "recon/io/bytes/packing.h"

namespace tof::h5 {

/// Owns one HDF5 identifier; move-only. Closing never throws.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { (void)release(); }

    [[nodiscard]] hid_t get() const { return id_; }
    [[nodiscard]] bool valid() const { return id_ >= 0; }
    /// Closes now; false when the library reports a failure.
    [[nodiscard]] bool release() noexcept;

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// Sizes of a dataset, slowest dimension first.
using Shape = std::vector<std::uint64_t>;

/// True when the start of a file has the HDF5 signature (at 0, 512, 1024 or 2048).
[[nodiscard]] bool isHdf5(std::string_view start);

/// A file open for reading. Every failure throws BadInput naming the file, the object and the remedy.
///
/// Only objects of the file itself are read: external files, virtual datasets, external or soft links and
/// filters other than deflate, shuffle and checksum are refused. Not thread-safe; several readers may live in
/// several threads.
class Reader {
  public:
    /// `heed` is called while much is read, by any thread; what it throws (Cancelled) ends the reading.
    explicit Reader(std::string path, std::function<void()> heed = {});

    [[nodiscard]] const std::string& path() const { return path_; }
    /// Threads for what is read, whose loops heed.
    [[nodiscard]] ThreadPool pool() const { return ThreadPool(0, Priority::Normal, heed_); }
    [[nodiscard]] bool has(const std::string& object) const;
    [[nodiscard]] bool isGroup(const std::string& object) const;
    /// Names in a group, in the order of the names; at most `limit`, else BadInput.
    [[nodiscard]] std::vector<std::string> children(const std::string& group, std::size_t limit) const;
    /// Sizes of a dataset after checking that the file can hold them.
    [[nodiscard]] Shape shape(const std::string& dataset) const;
    /// True when elements are whole numbers without sign of at most `bytes` bytes.
    [[nodiscard]] bool isUnsigned(const std::string& dataset, std::size_t bytes) const;

    /// The whole dataset, which must have `expected` sizes and numbers as elements.
    template <class T>
    [[nodiscard]] std::vector<T> read(const std::string& dataset, const Shape& expected) const;
    /// Rows [first, first + count) along the slowest dimension, into `out`. Several rows that
    /// Writer::writePacked has written are unpacked by all cores.
    template <class T>
    void readRows(const std::string& dataset, std::uint64_t first, std::uint64_t count, T* out) const;
    /// A dataset that holds one text.
    [[nodiscard]] std::string text(const std::string& dataset) const;

    [[nodiscard]] bool hasAttribute(const std::string& object, const std::string& name) const;
    /// `count` finite numbers; nothing when the attribute is absent.
    [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string& object,
                                                             const std::string& name,
                                                             std::size_t count) const;
    /// One finite number, or the fallback when the attribute is absent.
    [[nodiscard]] double number(const std::string& object, const std::string& name, double fallback) const;
    [[nodiscard]] std::optional<std::uint64_t> whole(const std::string& object,
                                                     const std::string& name) const;
    [[nodiscard]] std::optional<std::string> textAttribute(const std::string& object,
                                                           const std::string& name) const;

  private:
    friend class Records;
    /// A dataset or an attribute.
    struct Opened {
        Handle id;
        Handle type;
        Handle space;
        [[nodiscard]] Shape shape() const;
        [[nodiscard]] hssize_t points() const { return H5Sget_simple_extent_npoints(space.get()); }
        [[nodiscard]] bool holdsNumbers() const;
    };

    /// Throws BadInput when the library would crash on this file; see hdf5_probe.h.
    void probe() const;
    [[nodiscard]] Opened openDataset(const std::string& name) const;
    [[nodiscard]] Opened openAttribute(const std::string& object, const std::string& name) const;
    void checkStorage(const Opened& dataset, const std::string& name) const;
    /// False, with anything in `out`, where rows are not blocks as writePacked makes them; `width` of an
    /// element in bytes.
    [[nodiscard]] bool unpackRows(const Opened& dataset, hid_t native, std::uint64_t first,
                                  std::uint64_t count, std::size_t width, std::uint8_t* out) const;
    [[nodiscard]] std::string readText(const std::string& what, const Opened& source) const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string path_;
    std::function<void()> heed_;
    std::uint64_t fileBytes_ = 0;
    mutable bool probed_ = false;
    Handle file_;
};

/// How a dataset is laid out in the file.
struct Layout {
    Shape chunk;           ///< empty: contiguous
    bool deflate = false;  ///< shuffle + deflate level 1; needs a chunk
};

/// A file being written; used inside writeAside. Its objects keep no times of their own. Every failure throws
/// CannotWrite naming the final file.
class Writer {
  public:
    /// Creates `temporary`; messages speak of the destination's path.
    Writer(const std::string& temporary, const Destination& to);

    /// Threads for what is written, whose loops heed.
    [[nodiscard]] ThreadPool pool() const { return ThreadPool(0, Priority::Normal, heed_); }

    void group(const std::string& name);
    /// A new dataset of T; intermediate groups are made.
    template <class T>
    void create(const std::string& name, const Shape& shape, const Layout& layout = {});
    template <class T>
    void writeRows(const std::string& name, std::uint64_t first, std::uint64_t count, const T* values);
    template <class T>
    void write(const std::string& name, const Shape& shape, const T* values, const Layout& layout = {});
    /// A whole dataset of rows, [row][...], in blocks of their parts, shuffled and deflated by
    /// all cores.
    template <class T>
    void writePacked(const std::string& name, const Shape& shape, const T* values);
    /// Writes values that are made a block at a time: fill(first, out) writes the elements of a block
    /// from the element `first` on; called by any thread.
    template <class T>
    void writePacked(const std::string& name, const Shape& shape,
                     const std::function<void(std::uint64_t first, std::span<T> out)>& fill);
    void text(const std::string& name, const std::string& value);
    /// A second name for an object.
    void link(const std::string& existing, const std::string& name);

    void attribute(const std::string& object, const std::string& name, const std::string& value);
    void attribute(const std::string& object, const std::string& name,
                   const std::vector<std::string>& values);
    void attribute(const std::string& object, const std::string& name, double value);
    void attribute(const std::string& object, const std::string& name, std::uint64_t value);
    void attribute(const std::string& object, const std::string& name, const std::vector<double>& values);

    /// Flushes and closes. Without it the file is closed, but failures are lost.
    void close();

  private:
    /// Elements from the place `first` on, a block of them, which may lie in `room`; called by any thread.
    template <class T>
    using BlockAt = std::function<const T*(std::uint64_t first, std::vector<T>& room)>;
    template <class T>
    void writeBlocks(const std::string& name, const Shape& shape, const BlockAt<T>& blockAt);
    /// The groups on the way to an object.
    void makeGroups(const std::string& name);
    void attributeOf(const std::string& object, const std::string& name, const Handle& type,
                     const Shape& shape, const void* values);
    [[noreturn]] void fail(const std::string& what) const;
    /// Throws when a write has failed.
    void check() const;

    std::string path_;
    std::function<void()> heed_;
    /// Blocks that are written, and those that are packed beside them; kept for the next dataset.
    std::array<std::vector<PackedBlock>, 2> packed_{};
    /// errno of the first failed write; outlives file_.
    std::unique_ptr<int> fault_ = std::make_unique<int>(0);
    Handle driver_;  ///< outlives file_, too (hdf5_driver.h)
    Handle file_;
};

/// Writes a file aside, by fill(), flushes, closes and renames it to `path`. Throws CannotWrite.
void writeFile(const Destination& to, const std::function<void(Writer&)>& fill);

}  // namespace tof::h5
