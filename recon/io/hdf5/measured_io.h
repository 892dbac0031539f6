// SPDX-License-Identifier: Apache-2.0
// What measured data of all forms have in common in HDF5. Internal to recon/io.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/scan_totals.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/scanner/michelogram.h"

namespace tof {

/// The lattice of the image that a dataset is to be reconstructed on, from its attributes. Throws BadInput.
[[nodiscard]] Lattice readImageLattice(const h5::Reader& file, const char* dataset);
/// The attribute `michelogram`, or null.
[[nodiscard]] std::shared_ptr<const Michelogram> readMichelogram(const h5::Reader& file, const char* dataset);
/// Reads it as michelogram() does; throws BadInput when there is none.
[[nodiscard]] std::shared_ptr<const Michelogram> requireMichelogram(const h5::Reader& file,
                                                                    const char* dataset);
/// The attributes that say whose bins, unless null, and which image a dataset is about.
void writeModel(h5::Writer& file, const char* dataset, const Michelogram* michelogram,
                const Lattice& lattice);
/// Throws BadInput unless all values of a dataset are finite and not negative.
void requireWeights(const h5::Reader& file, const char* dataset, std::span<const float> values,
                    const char* remedy);
/// A dataset of weights or counts as floats, one row of the slowest dimension at a time. Throws BadInput,
/// with `remedy`, for values that are none. They replace those of `room` where it has their size.
[[nodiscard]] std::vector<float> readRowByRow(const h5::Reader& file, const char* dataset,
                                              const h5::Shape& shape, const char* remedy,
                                              std::vector<float> room = {});

/// readRowByRow() of a dataset that must have `shape`, the sizes of what `whose` names. Throws BadInput.
[[nodiscard]] std::vector<float> readArray(const h5::Reader& file, const char* dataset,
                                           const h5::Shape& shape, const std::string& whose,
                                           const char* remedy, std::vector<float> room = {});
/// counts, mult and add, where there are any, of data whose arrays have all one shape.
template <class Data>
void readArrays(const h5::Reader& file, const char* counts, const h5::Shape& shape, const std::string& whose,
                Data& data) {
    const auto read = [&](const char* dataset) {
        return readArray(file, dataset, shape, whose, "correct them");
    };
    data.counts = read(counts);
    data.mult = file.has(kMultPath) ? read(kMultPath) : std::vector<float>();
    data.add = file.has(kAddPath) ? read(kAddPath) : std::vector<float>();
}
/// Throws InternalError, with `why`, unless counts are of that size and the factors are empty or as long.
void requireSizes(const std::vector<float>& counts, std::initializer_list<const std::vector<float>*> factors,
                  std::size_t size, const char* why);

/// Writes counts of `shape`: where they are whole and fit as uint16, compressed by rows of the slowest
/// dimension, else as float32.
void writeCounts(h5::Writer& file, const char* dataset, const h5::Shape& shape,
                 const std::vector<float>& counts);
/// Writes those arrays that are not empty.
void writeArrays(h5::Writer& file, const h5::Shape& shape,
                 std::initializer_list<std::pair<const char*, const std::vector<float>*>> arrays);

/// The attributes duration_s, decays and singles of `owner`, each 0 where it is not there. Throws BadInput
/// for negative ones and those that no scan has (more than 1e9 s or 1e20 photons).
[[nodiscard]] ScanTotals readTotals(const h5::Reader& file, const std::string& owner);
/// Writes the totals of the root; decays and singles where they are known.
void writeTotals(h5::Writer& file, const ScanTotals& totals);

/// What was measured, the scan as a whole, and the factor to physical units that the measured file stated.
template <class Data>
void readOrigin(const h5::Reader& file, const std::string& owner, Data& data) {
    data.phantom = file.textAttribute(owner, "phantom").value_or("");
    copyScanTotals(readTotals(file, owner), data);
    if constexpr (requires { data.calibration; }) {
        data.calibration = file.number(owner, "calibration_factor", 1);
    }
}
/// Writes it as readOrigin() reads it, and then what else goes into the file.
template <class Data>
void writeOrigin(h5::Writer& file, const Data& data, const std::function<void(h5::Writer& file)>& more = {}) {
    file.attribute("/", "phantom", data.phantom);
    writeTotals(file, scanTotals(data));
    if constexpr (requires { data.calibration; }) {
        file.attribute("/", "calibration_factor", data.calibration);
    }
    if (more) {
        more(file);
    }
}

}  // namespace tof
