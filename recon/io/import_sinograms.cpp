// SPDX-License-Identifier: Apache-2.0
#include "recon/io/import_sinograms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/format/notes.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/interfile/norm_ecat8.h"

namespace tof {

namespace {

/// True when `other` has the same bins but for time bins, where it may have none.
bool fits(const Michelogram& data, const Michelogram& other) {
    const MichelogramSpec& a = data.spec();
    const MichelogramSpec& b = other.spec();
    return a.scanner.rings == b.scanner.rings && a.scanner.crystalsPerRing == b.scanner.crystalsPerRing &&
           a.scanner.clockwise == b.scanner.clockwise && a.segments == b.segments &&
           a.radialBins == b.radialBins && a.mashing == b.mashing && a.anglesPerPart == b.anglesPerPart &&
           (a.binSize_mm > 0) == (b.binSize_mm > 0) && (b.tof.count == 0 || a.tof.count == b.tof.count);
}

void requireFit(const Michelogram& data, const Michelogram& other, const std::string& file,
                const std::string& path) {
    if (!fits(data, other)) {
        throw BadInput(
            "{}: has other rings, bins, segments or another position of the patient than '{}'; give "
            "sinograms made "
            "on the same template",
            file, path);
    }
}

/// The values of a file of the same bins as the data.
class Factors {
  public:
    Factors(const std::string& file, const Michelogram& data, const std::string& path) {
        SinogramReadOptions options;
        options.multiplicity = Multiplicity::No;
        options.values = true;
        SinogramData read =
            file.ends_with(".h5") ? readSinogramData(file) : readInterfileSinograms(file, options).data;
        requireFit(data, *read.michelogram, file, path);
        perLine_ = static_cast<std::size_t>(data.timeBins() / read.michelogram->timeBins());
        values_ = std::move(read.counts);
        dropUndershoots(file);
    }
    /// What was done to the values, or empty.
    [[nodiscard]] const std::string& note() const { return note_; }
    [[nodiscard]] float operator[](std::size_t bin) const { return values_[bin / perLine_]; }
    [[nodiscard]] bool isPerLine() const { return perLine_ > 1; }
    [[nodiscard]] const std::vector<float>& values() const { return values_; }

  private:
    /// Estimates that were interpolated lie below zero by a little, here and there: those values become zero.
    void dropUndershoots(const std::string& file) {
        constexpr float kLittle = 0.01F;
        const float most = *std::max_element(values_.begin(), values_.end());
        float least = 0;
        std::size_t count = 0;
        for (float& value : values_) {
            if (!std::isfinite(value) || value < -kLittle * most) {
                throw BadInput(
                    "{}: holds {:g}; factors and expected counts are finite and not below zero, make them "
                    "again",
                    file, value);
            }
            least = std::min(least, value);
            count += value < 0 ? 1 : 0;
            value = std::max(value, 0.0F);
        }
        if (count > 0) {
            note_ = fmt::format("{}: {} values below zero, down to {:g} beside {:g} at most, became zero",
                                file, count, least, most);
        }
    }

    std::vector<float> values_;
    std::string note_;
    std::size_t perLine_ = 1;
};

enum class Sense { Factor, Correction };

/// A remark where factors seem to have been given the wrong way round.
std::string doubtOf(const Factors& factors, Sense sense, const std::string& file) {
    constexpr float kClearly = 1.5F;
    float low = std::numeric_limits<float>::infinity();
    float high = 0;
    for (const float value : factors.values()) {
        if (value > 0) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (sense == Sense::Factor && low >= 1 && high > kClearly) {
        return fmt::format("{}: no factor is below 1; if these are correction factors give --acf or --norm",
                           file);
    }
    if (sense == Sense::Correction && high <= 1 && low < 1 / kClearly) {
        return fmt::format(
            "{}: no correction factor is above 1; if these are survival or efficiency give --mult", file);
    }
    return "";
}

void multiply(SinogramData& data, const Factors& factors, Sense sense) {
    data.mult.resize(data.counts.size(), 1.0F);
    for (std::size_t bin = 0; bin < data.mult.size(); ++bin) {
        const float value = factors[bin];
        data.mult[bin] *= sense == Sense::Factor ? value : value > 0 ? 1 / value : 0.0F;
    }
}

void addBackground(SinogramData& data, const Factors& background, const std::string& file) {
    if (background.isPerLine()) {
        throw BadInput(
            "{}: has no time bins, so it does not say in which of them its counts are; give it with the time "
            "bins of the data",
            file);
    }
    data.add.resize(data.counts.size(), 0.0F);
    for (std::size_t bin = 0; bin < data.add.size(); ++bin) {
        data.add[bin] += background[bin];
    }
}

void takeCorrections(SinogramData& data, const std::string& file, const std::string& path) {
    SinogramData other = readSinogramData(file);
    requireFit(*data.michelogram, *other.michelogram, file, path);
    if (other.counts.size() != data.counts.size()) {
        throw BadInput("{}: has no time bins, the data have; give corrections of the same bins", file);
    }
    if (!other.mult.empty()) {
        data.mult = std::move(other.mult);
        data.normalisation = std::move(other.normalisation);
    }
    data.add = std::move(other.add);
}

}  // namespace

Lattice importLattice(const SinogramImport& import, const Lattice& fitting) {
    if (!import.size && !import.spacing_mm) {
        return fitting;
    }
    std::array<int, 3> size = import.size.value_or(fitting.size);
    std::array<double, 3> spacing = import.spacing_mm.value_or(fitting.spacing_mm);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double extent = fitting.size[axis] * fitting.spacing_mm[axis];
        if (!import.size) {
            constexpr double kMost = 65535;
            size[axis] = static_cast<int>(std::clamp(std::ceil(extent / spacing[axis] - 1e-9), 1.0, kMost));
        } else if (!import.spacing_mm) {
            spacing[axis] = extent / size[axis];
        }
    }
    return Lattice::centred(size, spacing);
}

DataReadResult importSinograms(const std::string& path, const SinogramImport& import) {
    SinogramReadOptions options = import.read;
    options.choiceBy = ChoiceBy::Options;
    // A normalisation holds what span and mashing add up, and corrections of this program, too.
    options.normalised = !import.norm.empty() || !import.corrections.empty();
    const std::size_t held =
        (import.corrects() ? 1 : 0) + (import.add.empty() && import.corrections.empty() ? 0 : 1);
    options.moreBytesPerBin = (held + (import.corrects() ? 1 : 0)) * sizeof(float);
    InterfileSinograms file = readInterfileSinograms(path, options);
    SinogramData& data = file.data;
    std::string note = file.note;
    if (!import.corrections.empty()) {
        takeCorrections(data, import.corrections, path);
    }
    const auto apply = [&](const std::vector<std::string>& files, Sense sense) {
        for (const std::string& name : files) {
            const Factors factors(name, *data.michelogram, path);
            note = joinedNotes(joinedNotes(note, factors.note()), doubtOf(factors, sense, name));
            multiply(data, factors, sense);
        }
    };
    apply(import.mult, Sense::Factor);
    apply(import.acf, Sense::Correction);
    for (const std::string& name : import.norm) {
        data.normalisation = name;
        if (holdsEcat8Norm(name)) {
            note = joinedNotes(note, multiplyEcat8(data, name, path, ecat8Singles(path)));
        } else {
            apply({name}, Sense::Correction);
        }
    }
    for (const std::string& name : import.add) {
        const Factors background(name, *data.michelogram, path);
        note = joinedNotes(note, background.note());
        addBackground(data, background, name);
    }
    const bool placed = !file.crystals.empty();
    if (!placed) {
        data.lattice = importLattice(import, data.lattice);
        data.hash = dataHash(data);
        return {std::move(data), note};
    }
    LineData lines = linesOf(std::move(file));
    lines.lattice = importLattice(import, lines.lattice);
    lines.hash = dataHash(lines);
    return {std::move(lines), note};
}

}  // namespace tof
