// SPDX-License-Identifier: Apache-2.0
// A matrix that is being made: kernels in a file as they come, so that a program that ends, or is ended, at
// any moment loses the kernel it was at and no more.
//
// A line of JSON, the origin of the matrix, and a record per kernel: its number and how many entries it has
// (uint32), sum and kept (double), places (uint32), values (float), and the FNV-1a of all these (uint64), in
// the machine's own byte order. The first record that is not whole ends the file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// One process has the file; for another one, or where it cannot be written, there is none and nothing is
/// kept.
class HalfMadePanelMatrix {
  public:
    /// Opens the file, or begins it where it is not there or of another origin. Throws nothing.
    HalfMadePanelMatrix(const std::string& path, const PanelMatrix& plan, const std::string& origin);
    ~HalfMadePanelMatrix();
    HalfMadePanelMatrix(const HalfMadePanelMatrix&) = delete;
    HalfMadePanelMatrix& operator=(const HalfMadePanelMatrix&) = delete;

    /// The kernels that it holds, once.
    [[nodiscard]] std::vector<std::pair<int, PanelEntries>> take() { return std::move(found_); }
    /// It keeps nothing more where the disk is full.
    void add(int kernel, const PanelEntries& entries);
    /// The matrix is whole, and written.
    void remove();

  private:
    void read(const PanelMatrix& plan, const std::string& header);
    void close();

    std::string path_;
    int file_ = -1;
    std::uint64_t end_ = 0;  ///< where the next kernel goes
    std::vector<std::pair<int, PanelEntries>> found_;
};

}  // namespace tof
