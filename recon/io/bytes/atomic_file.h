// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tof {

/// Calls write(temporary path beside `path`), then flushes that file to disk and renames it over `path`. When
/// anything fails the temporary is removed, `path` is untouched, and CannotWrite says why; std::system_error
/// from `write` becomes CannotWrite, other exceptions pass.
void writeAside(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// A file of several that belong together.
struct FileOfSeveral {
    std::string path;
    /// It is called as writeAside() calls its own. It is empty where no file is to stand there, which cannot
    /// be the first of all.
    std::function<void(const std::string& temporary)> write;
};

/// Writes files that mean something together only, as data and the header that names them, the header last.
/// All are written aside and flushed, in their order; then those that stand there go, the header first, and
/// the new ones take their places, the header last. Whenever the program ends, a header stands beside its own
/// data or there is none. Throws as writeAside(); what fails before the old ones go leaves them as they are.
void writeTogether(const std::vector<FileOfSeveral>& files);

/// A whole text as a file, written aside. Throws CannotWrite.
void writeTextAside(const std::string& path, const std::string& text);

/// Flushes the folder of a file to disk, so that its name is there; a file system that cannot do that does
/// not make this a failure.
void flushFolderOf(const std::string& path);

/// True while `path` itself, not a link of that name, is the file that is open as `descriptor`.
[[nodiscard]] bool isStillAt(const std::string& path, int descriptor);

/// Removes the temporaries of a file that nobody writes any more: those of programs that were killed. None
/// goes where the file system knows no locks.
void removeLeftTemporaries(const std::string& path);

/// The temporary of writeAside, for files that stay open for long: an empty file `path`.PID-NUMBER.part,
/// which no other program has, removed again unless it is renamed into place. Those left by a crash go when
/// the next is made.
class TemporaryFile {
  public:
    /// Throws CannotWrite when the file cannot be created, `path` cannot be replaced by a file, or another
    /// program is writing it.
    explicit TemporaryFile(std::string path);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Flushes the file to disk and renames it over `path`. Throws CannotWrite, also where the name is no
    /// longer that of this file.
    void renameIntoPlace() { renameTo(target_); }
    /// Renames the file to another name of the same folder.
    void renameTo(const std::string& target);
    /// Flushes the file to disk. Throws CannotWrite.
    void flush() const;
    /// Removes what renameIntoPlace() would replace. Throws CannotWrite.
    void removeReplaced() const;

  private:
    std::string path_;    // as named by the caller, for messages
    std::string target_;  // what it stands for: links are followed
    std::string name_;
    int lock_ = -1;
    bool renamed_ = false;
};

}  // namespace tof
