// SPDX-License-Identifier: Apache-2.0
// A system small enough to write its matrix down, and a Space that watches what an algorithm asks of it.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/seam/host_space.h"

namespace tof::test {

/// A dense matrix cut into parts of `rowsPerPart` rows: rows are data bins, columns are voxels.
class ToyProjector : public Projector {
  public:
    ToyProjector(std::vector<std::vector<double>> matrix, std::size_t rowsPerPart,
                 std::shared_ptr<Space> space)
        : matrix_(std::move(matrix)), rowsPerPart_(rowsPerPart), space_(std::move(space)) {}

    /// The voxels in a row.
    Lattice lattice() const { return Lattice::centred({static_cast<int>(imageSize()), 1, 1}, {1, 1, 1}); }
    Space& space() override { return *space_; }
    std::size_t imageSize() const override { return matrix_.front().size(); }
    std::size_t parts() const override { return matrix_.size() / rowsPerPart_; }
    std::size_t dataSize(std::size_t) const override { return rowsPerPart_; }
    std::size_t memoryBytes() const override { return 0; }
    void forward(std::size_t part, ConstView x, MutableView p) override {
        for (std::size_t r = 0; r < rowsPerPart_; ++r) {
            double sum = 0;
            for (std::size_t c = 0; c < imageSize(); ++c) {
                sum += matrix_[part * rowsPerPart_ + r][c] * static_cast<double>(x.data[c]);
            }
            p.data[r] = static_cast<float>(sum);
        }
    }
    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        for (std::size_t c = 0; c < imageSize(); ++c) {
            double sum = write == Write::Add ? static_cast<double>(x.data[c]) : 0.0;
            for (std::size_t r = 0; r < rowsPerPart_; ++r) {
                sum += matrix_[part * rowsPerPart_ + r][c] * static_cast<double>(p.data[r]);
            }
            x.data[c] = static_cast<float>(sum);
        }
    }

  private:
    std::vector<std::vector<double>> matrix_;
    std::size_t rowsPerPart_;
    std::shared_ptr<Space> space_;
};

/// y, mult and add of the toy system; empty mult and add mean 1 and 0.
class ToySource : public DataSource {
  public:
    ToySource(std::vector<float> y, std::vector<float> mult, std::vector<float> add, std::size_t rowsPerPart)
        : y_(std::move(y)), mult_(std::move(mult)), add_(std::move(add)), rows_(rowsPerPart) {}
    std::size_t parts() const override { return y_.size() / rows_; }
    bool resident() const override { return true; }
    bool listMode() const override { return listMode_; }
    void setListMode() { listMode_ = true; }
    PartData part(std::size_t index) override {
        return {slice(y_, index), slice(mult_, index), slice(add_, index)};
    }
    double totalCounts() const override { return total(y_); }
    double totalAdd() const override { return total(add_); }

  private:
    ConstView slice(const std::vector<float>& all, std::size_t index) const {
        return all.empty() ? ConstView{} : ConstView{all.data() + index * rows_, rows_};
    }
    static double total(const std::vector<float>& values) {
        double sum = 0;
        for (const float v : values) {
            sum += static_cast<double>(v);
        }
        return sum;
    }
    std::vector<float> y_;
    std::vector<float> mult_;
    std::vector<float> add_;
    std::size_t rows_;
    bool listMode_ = false;
};

/// Counts what an algorithm asks of its space, and fails on what it must not do inside a sequence.
class CountingSpace : public HostSpace {
  public:
    using HostSpace::HostSpace;

    int allocations = 0;
    std::size_t floats = 0;  ///< allocated so far
    int uploads = 0;
    int downloads = 0;
    int snapshots = 0;
    int sequences = 0;

    Array allocate(std::size_t count) override {
        forbidInside("allocate");
        ++allocations;
        floats += count;
        return HostSpace::allocate(count);
    }
    void upload(std::span<const float> from, MutableView to) override {
        forbidInside("upload");
        ++uploads;
        HostSpace::upload(from, to);
    }
    void download(ConstView from, std::span<float> to) override {
        forbidInside("download");
        ++downloads;
        HostSpace::download(from, to);
    }
    std::unique_ptr<Snapshot> snapshot(ConstView from) override {
        ++snapshots;
        return HostSpace::snapshot(from);
    }
    void sequence(const SequenceKey& key, std::size_t steps, const std::function<void(std::size_t)>& step,
                  const std::function<void(std::size_t)>& between) override {
        ++sequences;
        HostSpace::sequence(
            key, steps,
            [&](std::size_t i) {
                inside_ = true;
                step(i);
                inside_ = false;
            },
            between);
    }

  private:
    void forbidInside(const char* what) const {
        if (inside_) {
            throw std::logic_error(std::string(what) + " inside a block");
        }
    }
    bool inside_ = false;
};

/// Remembers everything; stops when told to.
class RecordingControl : public RunControl {
  public:
    std::vector<Iterate> iterates;
    std::vector<RunProgress> steps;
    int offered = 0;
    int cancelAtBlock = -1;  ///< total blocks done when checkpoint() throws
    int finishAtBlock = -1;
    bool viewer = false;

    void checkpoint() override {
        if (cancelAtBlock >= 0 && static_cast<int>(steps.size()) >= cancelAtBlock) {
            throw Cancelled();
        }
    }
    bool finishRequested() override {
        return finishAtBlock >= 0 && static_cast<int>(steps.size()) >= finishAtBlock;
    }
    void progress(const RunProgress& progress) override { steps.push_back(progress); }
    bool wantsSnapshot() override { return viewer; }
    void offer(const RunProgress&, std::unique_ptr<Snapshot>) override { ++offered; }
    void iterateDone(Iterate iterate) override { iterates.push_back(std::move(iterate)); }
};

}  // namespace tof::test
