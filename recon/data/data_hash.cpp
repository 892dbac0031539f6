// SPDX-License-Identifier: Apache-2.0
#include "recon/data/data_hash.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace tof {

namespace {

/// Mixes 8-byte words in four independent lanes: as fast as memory, and any changed bit changes the result.
/// Own code rather than libxxhash because run files and checkpoints keep its values: another hash would
/// refuse them.
class ContentHash {
  public:
    void add(const void* bytes, std::size_t count) {
        const auto* at = static_cast<const unsigned char*>(bytes);
        mix(0, count);
        for (; count >= 32; count -= 32, at += 32) {
            std::array<std::uint64_t, 4> words{};
            std::memcpy(words.data(), at, 32);
            for (std::size_t lane = 0; lane < 4; ++lane) {
                mix(lane, words[lane]);
            }
        }
        for (; count > 0; --count, ++at) {
            mix(0, *at);
        }
    }
    [[nodiscard]] std::uint64_t result() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t lane : lanes_) {
            sum = (sum ^ lane) * 0x9E3779B97F4A7C15ULL;
            sum ^= sum >> 29U;
        }
        return sum;
    }

  private:
    void mix(std::size_t lane, std::uint64_t word) {
        std::uint64_t& state = lanes_[lane];
        state = (state ^ word) * 0xD6E8FEB86659FD93ULL;
        state ^= state >> 32U;
    }
    std::array<std::uint64_t, 4> lanes_{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL, 0xA4093822299F31D0ULL,
                                        0x082EFA98EC4E6C89ULL};
};

template <class T>
void addArray(ContentHash& hash, const std::vector<T>& values) {
    hash.add(values.data(), values.size() * sizeof(T));
}

/// Counts in the hash only where there is something.
template <class T>
void addFilled(ContentHash& hash, const std::vector<T>& values) {
    if (!values.empty()) {
        addArray(hash, values);
    }
}

void addLattice(ContentHash& hash, const Lattice& lattice) {
    hash.add(lattice.size.data(), sizeof(lattice.size));
    hash.add(lattice.spacing_mm.data(), sizeof(lattice.spacing_mm));
    hash.add(&lattice.origin_mm, sizeof(lattice.origin_mm));
}

/// Of the scanner's text and the image, to add values to.
ContentHash modelHash(const std::string& scanner, const Lattice& lattice) {
    ContentHash hash;
    hash.add(scanner.data(), scanner.size());
    addLattice(hash, lattice);
    return hash;
}

std::string digits(const ContentHash& hash) {
    return fmt::format("{:016x}", hash.result());
}

std::string hashOf(const SinogramData& data, std::initializer_list<const std::vector<float>*> arrays) {
    ContentHash hash = modelHash(data.michelogram->spec().toJson(), data.lattice);
    for (const std::vector<float>* values : arrays) {
        addArray(hash, *values);
    }
    return digits(hash);
}

}  // namespace

std::string dataHash(const HistoData& data) {
    ContentHash hash;
    addLattice(hash, data.lattice);
    addArray(hash, data.views);
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add}) {
        addArray(hash, *values);
    }
    addFilled(hash, data.att);
    return digits(hash);
}

std::string dataHash(const SinogramData& data) {
    return hashOf(data, {&data.counts, &data.mult, &data.add});
}

std::string multHash(const SinogramData& data) {
    return hashOf(data, {&data.mult});
}

std::string dataHash(const PanelData& data) {
    ContentHash hash = modelHash(data.scannerJson, data.lattice);
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add}) {
        addArray(hash, *values);
    }
    return digits(hash);
}

std::string multHash(const PanelData& data) {
    ContentHash hash = modelHash(data.scannerJson, data.lattice);
    addArray(hash, data.mult);
    return digits(hash);
}

std::string dataHash(const LineData& data) {
    ContentHash hash = modelHash(data.scannerJson(), data.lattice);
    addArray(hash, data.events->pairs);
    addArray(hash, data.events->dt_ps);
    if (data.attenuation) {
        addFilled(hash, data.attenuation->data);
    }
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add, &data.possible.mult}) {
        addFilled(hash, *values);
    }
    addFilled(hash, data.possible.pairs);
    if (!data.michelogram) {
        addFilled(hash, data.events->points);
        hash.add(&data.possible.radius_mm, sizeof(double));
    }
    if (data.possible.acceptance_rad < PossibleLines::kEveryTilt_rad) {
        hash.add(&data.possible.acceptance_rad, sizeof(double));
    }
    if (data.possible.scanner) {
        const std::string scanner = data.possible.scanner->toJson();
        hash.add(scanner.data(), scanner.size());
    }
    return digits(hash);
}

}  // namespace tof
