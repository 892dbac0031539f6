// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tof {

/// A text and numbers that belong together.
struct Record {
    std::string text;
    std::vector<float> values;
};

/// One that is written; both belong to somebody else.
struct RecordView {
    std::string_view text;
    std::span<const float> values;
};

/// A file that only grows, record by record. What a program that is killed leaves of the last one is told by
/// its length and its hash, and the records before it are whole. Numbers are in the order of bytes of the
/// machine: the file is for the program that goes on there. Not thread-safe.
class RecordFile {
  public:
    explicit RecordFile(std::string path) : path_(std::move(path)) {}

    /// Hands over the whole records in their order, each with the place at which read() finds it again;
    /// returns the place behind the last one that was taken. Ends where `take` says false, at what is no
    /// record, and at once where there is no plain file.
    std::uint64_t each(const std::function<bool(std::uint64_t at, const Record& record)>& take) const;
    /// The record at a place of each(). Throws BadInput where it is damaged.
    [[nodiscard]] Record read(std::uint64_t at) const;
    /// Writes records behind `end`, where the file ends from now on, to the disk; returns the new end. A link
    /// of either kind is refused. Throws CannotWrite.
    [[nodiscard]] std::uint64_t append(std::uint64_t end, std::span<const RecordView> records) const;
    /// One record, unless `wanted`, which is asked every few MB, says no: then it is left unfinished, and
    /// `end` stays the end. Throws CannotWrite.
    [[nodiscard]] std::uint64_t append(std::uint64_t end, const RecordView& record,
                                       const std::function<bool()>& wanted) const;

  private:
    std::string path_;
};

}  // namespace tof
