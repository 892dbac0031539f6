// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace tof {

/// Calls write(temporary path beside `path`), then flushes that file to disk and renames it over `path`. When
/// anything fails the temporary is removed, `path` is untouched, and CannotWrite says why; std::system_error
/// from `write` becomes CannotWrite, other exceptions pass.
void writeAside(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// A whole text as a file, written aside. Throws CannotWrite.
void writeTextAside(const std::string& path, const std::string& text);

/// The temporary of writeAside, for files that stay open for long: an empty file `path`.part, removed again
/// unless it is renamed into place. One left there by a crash is replaced.
class TemporaryFile {
  public:
    /// Throws CannotWrite when the file cannot be created or `path` cannot be replaced by a file.
    explicit TemporaryFile(std::string path);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Flushes the file to disk and renames it over `path`. Throws CannotWrite.
    void renameIntoPlace() { renameTo(target_); }
    /// Renames the file to another name of the same folder.
    void renameTo(const std::string& target);

  private:
    std::string path_;    // as named by the caller, for messages
    std::string target_;  // what it stands for: links are followed
    std::string name_;
    int lock_ = -1;
    bool renamed_ = false;
};

}  // namespace tof
