// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/measured_io.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

namespace {

bool fitsUint16(const std::vector<float>& counts, const ThreadPool& pool) {
    constexpr float kMost = 65535.0F;
    std::atomic<bool> fits = true;
    pool.forRange(counts.size(), std::size_t{1} << 20U, [&](std::size_t begin, std::size_t end) {
        bool good = true;
        for (std::size_t i = begin; i < end; ++i) {
            const float count = counts[i];
            good = good && count >= 0.0F && count <= kMost &&
                   count == static_cast<float>(static_cast<int>(count));
        }
        if (!good) {
            fits = false;
        }
    });
    return fits;
}

}  // namespace

Lattice readImageLattice(const h5::Reader& file, const char* dataset) {
    const auto size = file.numbers(dataset, "image_size", 3);
    const auto spacing = file.numbers(dataset, "spacing_mm", 3);
    const auto origin = file.numbers(dataset, "origin_mm", 3);
    if (!size || !spacing || !origin) {
        throw BadInput(
            "{}: '{}' lacks 'image_size', 'spacing_mm' or 'origin_mm' of the image; make the file again",
            file.path(), dataset);
    }
    std::array<std::uint64_t, 3> sides{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double side = (*size)[k];
        sides[k] =
            side >= 0 && side <= 65535 && side == std::floor(side) ? static_cast<std::uint64_t>(side) : 0;
    }
    return checkedLattice(file.path(), sides, {(*spacing)[0], (*spacing)[1], (*spacing)[2]},
                          Vec3{(*origin)[0], (*origin)[1], (*origin)[2]});
}

std::shared_ptr<const Michelogram> readMichelogram(const h5::Reader& file, const char* dataset) {
    const auto json = file.textAttribute(dataset, "michelogram");
    return json ? std::make_shared<const Michelogram>(MichelogramSpec::fromJson(*json, file.path()))
                : nullptr;
}

std::shared_ptr<const Michelogram> requireMichelogram(const h5::Reader& file, const char* dataset) {
    auto michelogram = readMichelogram(file, dataset);
    if (!michelogram) {
        throw BadInput("{}: '{}' lacks the attribute 'michelogram'; make the file again", file.path(),
                       dataset);
    }
    return michelogram;
}

void writeModel(h5::Writer& file, const char* dataset, const Michelogram* michelogram,
                const Lattice& lattice) {
    if (michelogram != nullptr) {
        file.attribute(dataset, "michelogram", michelogram->spec().toJson());
    }
    file.attribute(dataset, "image_size", std::vector<double>(lattice.size.begin(), lattice.size.end()));
    writeLattice(file, dataset, lattice);
}

void requireWeights(const h5::Reader& file, const char* dataset, std::span<const float> values,
                    const char* remedy) {
    bool good = true;  // without a way out: a loop over a vector register at a time
    for (const float v : values) {
        good = good && v >= 0.0F && v <= std::numeric_limits<float>::max();
    }
    if (!good) {
        throw BadInput("{}: '{}' has values that are negative or not finite; {}", file.path(), dataset,
                       remedy);
    }
}

std::vector<float> readRowByRow(const h5::Reader& file, const char* dataset, const h5::Shape& shape,
                                const char* remedy, std::vector<float> room) {
    const std::size_t row =
        std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
    const ThreadPool pool = file.pool();
    std::vector<float> values =
        room.size() == shape[0] * row ? std::move(room) : largeArray<float>(shape[0] * row, pool);
    const bool narrow = file.isUnsigned(dataset, sizeof(std::uint16_t));
    // Enough rows at a time for all cores to have some, few enough not to hold the counts twice.
    const std::size_t atATime = std::clamp<std::size_t>((256U << 20U) / (row * sizeof(float) + 1), 1, 64);
    std::vector<std::uint16_t> buffer =
        largeArray<std::uint16_t>(narrow ? std::min<std::size_t>(atATime, shape[0]) * row : 0, pool);
    constexpr std::size_t kGrain = std::size_t{1} << 18U;
    for (std::size_t i = 0; i < shape[0]; i += atATime) {
        const std::size_t rows = std::min<std::size_t>(atATime, shape[0] - i);
        const std::span<float> out(values.data() + i * row, rows * row);
        if (narrow) {
            file.readRows(dataset, i, rows, buffer.data());
            pool.forRange(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
                std::copy(buffer.data() + begin, buffer.data() + end, out.data() + begin);
            });
        } else {
            file.readRows(dataset, i, rows, out.data());
            pool.forRange(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
                requireWeights(file, dataset, out.subspan(begin, end - begin), remedy);
            });
        }
    }
    return values;
}

std::vector<float> readArray(const h5::Reader& file, const char* dataset, const h5::Shape& shape,
                             const std::string& whose, const char* remedy, std::vector<float> room) {
    if (file.shape(dataset) != shape) {
        throw BadInput("{}: '{}' does not have the sizes of {}; make the file again", file.path(), dataset,
                       whose);
    }
    return readRowByRow(file, dataset, shape, remedy, std::move(room));
}

void requireSizes(const std::vector<float>& counts, std::initializer_list<const std::vector<float>*> factors,
                  std::size_t size, const char* why) {
    const auto misfits = [&](const auto* array) { return !array->empty() && array->size() != size; };
    if (counts.size() != size || std::any_of(factors.begin(), factors.end(), misfits)) {
        throw InternalError(why);
    }
}

void writeCounts(h5::Writer& file, const char* dataset, const h5::Shape& shape,
                 const std::vector<float>& counts) {
    if (counts.empty() || !fitsUint16(counts, file.pool())) {
        file.write(dataset, shape, counts.data());
        return;
    }
    const std::function<void(std::uint64_t, std::span<std::uint16_t>)> narrow =
        [&counts](std::uint64_t first, std::span<std::uint16_t> out) {
            const float* const from = counts.data() + first;
            std::transform(from, from + out.size(), out.begin(),
                           [](float count) { return static_cast<std::uint16_t>(count); });
        };
    file.writePacked(dataset, shape, narrow);
}

ScanTotals readTotals(const h5::Reader& file, const std::string& owner) {
    constexpr double kLongest_s = 1e9;  // 30 years
    constexpr double kMost = 1e20;
    const auto total = [&](const char* name, double most) {
        const double value = file.number(owner, name, 0);
        if (!(value >= 0 && value <= most)) {
            throw BadInput("{}: attribute '{}' is {:g}, not between 0 and {:g}; correct it", file.path(),
                           name, value, most);
        }
        return value;
    };
    return {total("duration_s", kLongest_s), total("decays", kMost), total("singles", kMost)};
}

void writeTotals(h5::Writer& file, const ScanTotals& totals) {
    file.attribute("/", "duration_s", totals.duration_s);
    for (const auto& [name, value] : {std::pair{"decays", totals.decays}, {"singles", totals.singles}}) {
        if (value > 0) {
            file.attribute("/", name, value);
        }
    }
}

void writeArrays(h5::Writer& file, const h5::Shape& shape,
                 std::initializer_list<std::pair<const char*, const std::vector<float>*>> arrays) {
    for (const auto& [name, values] : arrays) {
        if (!values->empty() && shape.size() > 1) {
            file.writePacked(name, shape, values->data());
        } else if (!values->empty()) {  // columns of a list are noise to a compressor
            file.write(name, shape, values->data());
        }
    }
}

}  // namespace tof
