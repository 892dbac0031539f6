// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/hdf5_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tof::h5 {

namespace {

constexpr std::uint64_t kMostBytes = 1U << 30U;

}  // namespace

// Called by the C library: must not throw.
void* Records::Lists::take(std::size_t bytes) noexcept {
    constexpr std::size_t kPiece = (std::size_t{1} << 20U) / sizeof(std::max_align_t);
    const std::size_t wanted = bytes / sizeof(std::max_align_t) + 1;
    full_ = full_ || bytes > kMostBytes - bytes_;
    if (full_) {
        return nullptr;
    }
    bytes_ += bytes;
    try {
        while (piece_ < pieces_.size() && wanted > pieces_[piece_].size() - used_) {
            ++piece_;
            used_ = 0;
        }
        if (piece_ == pieces_.size()) {
            pieces_.emplace_back(std::max(wanted, kPiece));
        }
    } catch (const std::bad_alloc&) {
        full_ = true;
        return nullptr;
    }
    return &pieces_[piece_][std::exchange(used_, used_ + wanted)];
}

void Records::Lists::reset() {
    piece_ = 0;
    used_ = 0;
    bytes_ = 0;
    full_ = false;
}

Records::Records(const Reader& reader, std::string dataset) : reader_(&reader), name_(std::move(dataset)) {
    reader.probe();
    dataset_ = reader.openDataset(name_);
    reader.checkStorage(dataset_, name_);
    native_ = Handle(H5Tget_native_type(dataset_.type.get(), H5T_DIR_ASCEND), H5Tclose);
    const Shape shape = dataset_.shape();
    if (!native_.valid() || shape.size() > 1) {
        reader.fail(fmt::format("dataset '{}' is not of one dimension; make the file again", name_));
    }
    size_ = shape.empty() ? 1 : shape.front();
    bytes_ = H5Tget_size(native_.get());
    transfer_ = Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    H5Pset_vlen_mem_manager(
        transfer_.get(),
        [](std::size_t bytes, void* lists) { return static_cast<Lists*>(lists)->take(bytes); }, lists_.get(),
        [](void* /*list*/, void* /*lists*/) {}, lists_.get());
}

const std::byte* Records::read(std::uint64_t first, std::uint64_t count) {
    if (first > size_ || count > size_ - first) {
        reader_->fail(fmt::format("dataset '{}' has {} records, and others are named; make the file again",
                                  name_, size_));
    }
    if (bytes_ == 0 || count > kMostBytes / bytes_) {
        reader_->fail(
            fmt::format("records of '{}' have {} bytes, of which {} are too many; make the file again", name_,
                        bytes_, count));
    }
    lists_->reset();
    buffer_.assign(count * bytes_, std::byte{0});
    const hsize_t from = first;
    const hsize_t rows = count;
    const bool scalar = dataset_.shape().empty();
    const Handle memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const hid_t space = scalar ? H5S_ALL : dataset_.space.get();
    const bool selected =
        scalar || H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &rows, nullptr) >= 0;
    if (!selected || H5Dread(dataset_.id.get(), native_.get(), scalar ? H5S_ALL : memory.get(), space,
                             transfer_.get(), buffer_.data()) < 0) {
        reader_->fail(fmt::format("record {} of '{}' cannot be read{}; copy or make the file again", first,
                                  name_, lists_->full() ? ", as it fills more than 1 GiB" : ""));
    }
    return buffer_.data();
}

}  // namespace tof::h5
