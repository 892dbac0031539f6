// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

/// The numbers of a file one after the other, a piece at a time in memory.
class NumberStream {
  public:
    /// Throws BadInput when the file cannot hold `count` numbers.
    NumberStream(const StoredValues& stored, std::size_t count)
        : stored_(stored), left_(count), reader_(stored.file) {
        reader_.skip(stored.offset, "key 'data offset in bytes'");
        const std::uint64_t room = reader_.most() - std::min(reader_.most(), stored.offset);
        if (count > room / numberBytes(stored.type)) {
            throw BadInput(
                "{}: {} values of {} bytes are announced, more than the file holds; correct the sizes or "
                "copy the "
                "file again",
                stored.file, count, numberBytes(stored.type));
        }
    }
    [[nodiscard]] float next() {
        if (at_ == piece_.size()) {
            refill();
        }
        return piece_[at_++];
    }

  private:
    void refill() {
        constexpr std::size_t kPiece = std::size_t{1} << 18U;
        piece_.resize(std::min(left_, kPiece));
        left_ -= piece_.size();
        bytes_.resize(piece_.size() * numberBytes(stored_.type));
        reader_.read(bytes_.data(), bytes_.size(), "the values");
        decodeNumbers(bytes_.data(), stored_.type, stored_.order, stored_.slopes.front(), stored_.intercept,
                      piece_);
        at_ = 0;
    }

    const StoredValues& stored_;
    std::size_t left_;
    ByteReader reader_;
    std::vector<std::byte> bytes_;
    std::vector<float> piece_;
    std::size_t at_ = 0;
};

/// What is seen of counts while they pass, and what becomes of each of them.
class Passing {
  public:
    Passing(const std::string& file, bool values) : file_(file), values_(values) {}
    [[nodiscard]] float take(float count) {
        if (!std::isfinite(count)) {
            throw BadInput("{}: has bins that are not finite; make the data again", file_);
        }
        whole_ = whole_ && count == std::floor(count);
        if (count < 0 && !values_) {  // no Poisson model can use it
            ++negativeBins_;
            negativeSum_ += static_cast<double>(count);
            return 0;
        }
        narrow_ = narrow_ && count <= 65535 && count == std::floor(count);
        total_ += static_cast<double>(count);
        return count;
    }
    /// Whether what is taken are whole numbers of 16 bits.
    [[nodiscard]] bool narrow() const { return narrow_; }
    void tell(InterfileSinograms& result) const {
        result.whole = whole_;
        result.negativeBins = negativeBins_;
        result.negativeSum = negativeSum_;
        result.data.kept = total_ > 0 ? static_cast<std::uint64_t>(std::llround(total_)) : 0;
        if (negativeBins_ > 0) {
            result.note = joinedNotes(
                result.note,
                fmt::format("{} bins below zero, {:g} in all, became zero: data that randoms or scatter were "
                            "taken from give a biased image, so give the prompts, and the background with "
                            "--add",
                            negativeBins_, negativeSum_));
        }
    }

  private:
    const std::string& file_;
    bool values_;
    bool whole_ = true;
    bool narrow_ = true;
    double total_ = 0;
    std::size_t negativeBins_ = 0;
    double negativeSum_ = 0;
};

}  // namespace

OpenSinograms::OpenSinograms(const std::string& path, const SinogramReadOptions& options) {
    const InterfileHeader header(path);
    layout = readSinogramLayout(header);
    const int frame = chosenFrame(header, options.frame, options.choiceBy);
    result.note = layout.note;
    SinogramData& data = result.data;
    madeOfFile(path, [&] {
        data.michelogram = std::make_shared<const Michelogram>(layout.spec);
        data.lattice = defaultLattice(*data.michelogram);
    });
    missing = missingPlanes(path, *data.michelogram, layout);
    stored = storedValues(header, frame, 1, storedBins(), options.factor);
    result.note = joinedNotes(result.note, quantificationNote(header, "counts", options.factor));
    data.duration_s =
        header.number("image duration (sec)", frame, header.number("image duration (sec)", 0, 0.0));
}

std::size_t OpenSinograms::storedBins() const {
    const Michelogram& m = michelogram();
    std::size_t planes = m.sinograms().size();
    for (const int skipped : missing) {
        planes -= 2 * static_cast<std::size_t>(skipped);
    }
    return m.bins() / m.sinograms().size() * planes;
}

void OpenSinograms::scan(const SinogramReadOptions& options, std::span<float> counts) {
    NumberStream numbers(stored, storedBins());
    Passing passing(stored.file, options.values);
    if (counts.empty()) {
        for (std::size_t left = storedBins(); left > 0; --left) {
            static_cast<void>(passing.take(numbers.next()));
        }
    } else {
        forEachBin(michelogram(), layout, missing,
                   [&](std::size_t ours) { counts[ours] = passing.take(numbers.next()); });
    }
    passing.tell(result);
    narrow_ = passing.narrow();
    weighs_ = tellWeights(options);
    if (const int most = *std::max_element(missing.begin(), missing.end()); most > 0) {
        result.note = joinedNotes(
            result.note,
            fmt::format("up to {} planes at either end of a segment are not in the data, and count as not "
                        "measured",
                        most));
    }
}

bool OpenSinograms::hasSums() const {
    const Michelogram& m = michelogram();
    return m.spec().mashing > 1 || std::any_of(m.sinograms().begin(), m.sinograms().end(),
                                               [](const Sinogram& plane) { return plane.pairs > 1; });
}

bool OpenSinograms::tellWeights(const SinogramReadOptions& options) {
    const bool arcCorrected = michelogram().spec().binSize_mm > 0;
    const bool raw = result.whole && !arcCorrected && !options.normalised;
    const bool taken =
        options.multiplicity == Multiplicity::Yes || (options.multiplicity == Multiplicity::Auto && raw);
    if (!hasSums()) {
        return false;  // one pair each
    }
    if (options.multiplicity == Multiplicity::Auto && !options.values) {
        const char* const why = arcCorrected         ? "the data are arc-corrected"
                                : options.normalised ? "a normalisation is given, which holds it"
                                : result.whole       ? "all counts are whole numbers"
                                               : "counts are not whole numbers (corrected or simulated)";
        result.note = joinedNotes(
            result.note, fmt::format("the number of crystal pairs that span and mashing add up is {} the "
                                     "efficiency of a bin, because "
                                     "{}; --multiplicity {} does otherwise",
                                     taken ? "part of" : "left out of", why, taken ? "no" : "yes"));
    }
    return taken;
}

}  // namespace tof
