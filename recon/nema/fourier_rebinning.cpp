// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/fourier_rebinning.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

using Pair = std::complex<float>;

std::size_t size(int n) {
    return static_cast<std::size_t>(n);
}

/// Frequencies of sinograms whose rows are windows that follow the sources: [wave of s][wave of phi].
class WindowTransform {
  public:
    explicit WindowTransform(const RebinningField& field)
        : bins_(field.windowBins()), angles_(2 * field.grid.angles) {
        const int first = field.grid.bins / 2 - bins_ / 2;
        for (int angle = 0; angle < angles_; ++angle) {
            moved_.push_back(field.windowAt(angle) - first);
        }
        for (int k = 0; k < bins_; ++k) {
            turns_.push_back(std::polar(1.0F, static_cast<float>(-2 * kPi * k / bins_)));
        }
    }

    /// Waves of s, from the constant to the shortest, and of phi, in the order of transforms.
    [[nodiscard]] int waves() const { return bins_ / 2 + 1; }
    [[nodiscard]] int angles() const { return angles_; }
    [[nodiscard]] int bins() const { return bins_; }
    [[nodiscard]] std::size_t pairs() const { return size(waves()) * size(angles_); }

    /// `rows` is [angle][bin of the window], `spectrum` has pairs() and is overwritten.
    void forward(const std::vector<float>& rows, Pair* spectrum) const {
        Eigen::FFT<float> fft({}, Eigen::FFT<float>::HalfSpectrum);
        std::vector<Pair> row(size(waves()));
        for (int angle = 0; angle < angles_; ++angle) {
            fft.fwd(row.data(), rows.data() + size(angle) * size(bins_), bins_);
            for (int wave = 0; wave < waves(); ++wave) {
                spectrum[size(wave) * size(angles_) + size(angle)] = row[size(wave)] * turn(angle, wave);
            }
        }
        std::vector<Pair> line(size(angles_));
        for (int wave = 0; wave < waves(); ++wave) {
            Pair* const waveOfS = spectrum + size(wave) * size(angles_);
            std::copy_n(waveOfS, angles_, line.begin());
            fft.fwd(waveOfS, line.data(), angles_);
        }
    }

    /// The inverse of forward(); leaves `spectrum` undefined.
    [[nodiscard]] std::vector<float> backward(Pair* spectrum) const {
        Eigen::FFT<float> fft({}, Eigen::FFT<float>::HalfSpectrum);
        std::vector<Pair> line(size(angles_));
        for (int wave = 0; wave < waves(); ++wave) {
            Pair* const waveOfS = spectrum + size(wave) * size(angles_);
            std::copy_n(waveOfS, angles_, line.begin());
            fft.inv(waveOfS, line.data(), angles_);
        }
        std::vector<float> rows(size(angles_) * size(bins_));
        std::vector<Pair> row(size(waves()));
        for (int angle = 0; angle < angles_; ++angle) {
            for (int wave = 0; wave < waves(); ++wave) {
                row[size(wave)] =
                    spectrum[size(wave) * size(angles_) + size(angle)] * std::conj(turn(angle, wave));
            }
            fft.inv(rows.data() + size(angle) * size(bins_), row.data(), bins_);
        }
        return rows;
    }

  private:
    /// What a wave of s has turned by from the middle of the grid to that of the window.
    [[nodiscard]] const Pair& turn(int angle, int wave) const {
        const int turned = moved_[size(angle)] * wave % bins_;
        return turns_[size(turned < 0 ? turned + bins_ : turned)];
    }

    int bins_;
    int angles_;
    std::vector<int> moved_;   ///< [angle] bins from the middle of the grid to that of the window
    std::vector<Pair> turns_;  ///< [bins of one wave]
};

/// The spectra of one group, slice by slice.
struct GroupStack {
    double tilt = 0;
    double weight = 0;          ///< share of directions
    int complete = 0;           ///< the first slice in which all lines of the group can be recorded
    int lastComplete = -1;      ///< and the last; numbers of slices are those of the grid
    bool flat = false;          ///< rebinning moves no source by more than a slice
    std::vector<Pair> spectra;  ///< [slice from slicesBeyond() below the grid on][wave of s][wave of phi]
};

/// Sums of one slice over groups.
struct SliceSum {
    std::vector<Pair> value;    ///< [wave of s][wave of phi]
    std::vector<float> weight;  ///< what value was summed with, alike
};

/// One rebinning, group after group.
class Rebinning {
  public:
    Rebinning(const ObliqueLines& lines, const ThreadPool& pool)
        : lines_(lines),
          field_(lines.field()),
          pool_(pool),
          transform_(field_),
          beyond_(field_.slicesBeyond()),
          sums_(size(field_.grid.slices)) {
        for (SliceSum& sum : sums_) {
            sum.value.resize(transform_.pairs());
            sum.weight.resize(transform_.pairs());
        }
        group_.spectra.resize(size(field_.grid.slices + 2 * beyond_) * transform_.pairs());
    }

    void run(SliceSinograms& into) {
        for (int group = 0; group < field_.groups(); ++group) {
            load(group);
            pool_.forRange(sums_.size(), 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t slice = begin; slice < end; ++slice) {
                    add(static_cast<int>(slice));
                }
            });
        }
        for (int slice = 0; slice < field_.grid.slices; ++slice) {
            pool_.heed();
            count(slice, into);
        }
    }

  private:
    void load(int group);
    void loadSpectra(int group);
    void add(int slice);
    void addAtPlace(int slice, int wave);
    void addRebinned(int slice, int wave);
    void count(int slice, SliceSinograms& into);
    [[nodiscard]] bool single(int wave) const;

    [[nodiscard]] double frequency(int wave) const {
        return 2 * kPi * wave / (transform_.bins() * field_.grid.bin_mm);
    }
    [[nodiscard]] const Pair* spectrum(int slice, int wave) const {
        return group_.spectra.data() + size(slice + beyond_) * transform_.pairs() +
               size(wave) * size(transform_.angles());
    }

    const ObliqueLines& lines_;
    const RebinningField& field_;
    const ThreadPool& pool_;
    WindowTransform transform_;
    int beyond_;
    std::vector<SliceSum> sums_;  ///< [slice]
    GroupStack group_;            ///< the one that is added now
    double weights_ = 0;          ///< sum over groups so far
};

/// Solid angle, over 2 pi, of directions that rise by less than a tangent.
double share(double tangent) {
    return tangent / std::hypot(1, tangent);
}

/// Prepares a group for add().
void Rebinning::load(int group) {
    const SinogramGrid& grid = field_.grid;
    const double steep = field_.edge(group + 1);
    group_.tilt = 0.5 * (field_.edge(group) + steep);
    group_.weight = share(steep) - share(field_.edge(group));
    weights_ += group_.weight;
    // The first group is flat, whatever the field: something must say what long waves are.
    group_.flat = group == 0 || steep * field_.farthest_mm() <= grid.slice_mm;
    const double room = field_.halfLength_mm - steep * field_.radius_mm;
    // Middles of crystals that are as high as the room are within rounding.
    const double first = (-room - grid.z_mm(0)) / grid.slice_mm - 1e-6;
    const double last = (room - grid.z_mm(0)) / grid.slice_mm + 1e-6;
    group_.complete = std::max(-beyond_, static_cast<int>(std::ceil(first)));
    group_.lastComplete = std::min(grid.slices + beyond_ - 1, static_cast<int>(std::floor(last)));
    loadSpectra(group);
}

void Rebinning::loadSpectra(int group) {
    std::vector<std::vector<ObliqueLines::Bin>> slices(size(field_.grid.slices + 2 * beyond_));
    for (const ObliqueLines::Bin& bin : lines_.group(group)) {
        slices[size(bin.slice + beyond_)].push_back(bin);
    }
    pool_.forRange(slices.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t slice = begin; slice < end; ++slice) {
            Pair* const spectrum = group_.spectra.data() + slice * transform_.pairs();
            if (slices[slice].empty()) {
                std::fill_n(spectrum, transform_.pairs(), Pair());
                continue;
            }
            std::vector<float> rows(size(transform_.angles()) * size(transform_.bins()));
            for (const ObliqueLines::Bin& bin : slices[slice]) {
                rows[size(bin.angle) * size(transform_.bins()) + bin.window] += bin.events;
            }
            transform_.forward(rows, spectrum);
        }
    });
}

/// Whether a wave of s takes flat lines where they are.
bool Rebinning::single(int wave) const {
    return frequency(wave) * field_.farthest_mm() < kPi || wave + 1 == transform_.waves();
}

void Rebinning::add(int slice) {
    for (int wave = 0; wave < transform_.waves(); ++wave) {
        if (!single(wave)) {
            addRebinned(slice, wave);
        } else if (group_.flat && slice >= group_.complete && slice <= group_.lastComplete) {
            addAtPlace(slice, wave);
        }
    }
}

void Rebinning::addAtPlace(int slice, int wave) {
    const Pair* const from = spectrum(slice, wave);
    SliceSum& sum = sums_[size(slice)];
    const std::size_t first = size(wave) * size(transform_.angles());
    for (std::size_t k = 0; k < size(transform_.angles()); ++k) {
        sum.value[first + k] += from[k];
        sum.weight[first + k] += static_cast<float>(group_.weight);
    }
}

void Rebinning::addRebinned(int slice, int wave) {
    const double omega = frequency(wave);
    const int angles = transform_.angles();
    // A source's Bessel functions end where k is their argument, over some three of its cubic roots.
    const double ends = omega * field_.farthest_mm() + 3 * std::cbrt(omega * field_.farthest_mm());
    const int most = std::min(static_cast<int>(ends), angles / 2);
    SliceSum& sum = sums_[size(slice)];
    for (int k = -most; k <= most && k < angles / 2; ++k) {
        const double place = slice - group_.tilt * k / omega / field_.grid.slice_mm;
        if (place < group_.complete || place > group_.lastComplete) {
            continue;
        }
        const auto below = static_cast<int>(std::floor(place));
        const int above = std::min(below + 1, group_.lastComplete);
        const auto part = static_cast<float>(place - below);
        const std::size_t at = size(k < 0 ? k + angles : k);
        const std::size_t to = size(wave) * size(angles) + at;
        sum.value[to] += (1 - part) * spectrum(below, wave)[at] + part * spectrum(above, wave)[at];
        sum.weight[to] += static_cast<float>(group_.weight);
    }
}

/// Divides a slice by its weights and adds it, both directions of a line to one bin.
void Rebinning::count(int slice, SliceSinograms& into) {
    const SinogramGrid& grid = field_.grid;
    SliceSum& sum = sums_[size(slice)];
    for (std::size_t i = 0; i < sum.value.size(); ++i) {
        sum.value[i] *= sum.weight[i] > 0 ? static_cast<float>(weights_) / sum.weight[i] : 0.0F;
    }
    const std::vector<float> rows = transform_.backward(sum.value.data());
    for (int angle = 0; angle < transform_.angles(); ++angle) {
        const bool turned = angle >= grid.angles;
        const int first = field_.windowAt(angle);
        for (int k = 0; k < transform_.bins(); ++k) {
            if (first + k >= 0 && first + k < grid.bins) {
                const int bin = turned ? grid.bins - 1 - first - k : first + k;
                into.count(slice, turned ? angle - grid.angles : angle, bin,
                           static_cast<double>(rows[size(angle) * size(transform_.bins()) + size(k)]));
            }
        }
    }
}

}  // namespace

void rebinFourier(const ObliqueLines& lines, const ThreadPool& pool, SliceSinograms& into) {
    const SinogramGrid& grid = lines.field().grid;
    if (grid.slices != into.grid().slices || grid.angles != into.grid().angles ||
        grid.bins != into.grid().bins) {
        throw WrongUse("lines of {} x {} x {} bins cannot be rebinned into {} x {} x {}", grid.slices,
                       grid.angles, grid.bins, into.grid().slices, into.grid().angles, into.grid().bins);
    }
    Rebinning(lines, pool).run(into);
}

}  // namespace tof
