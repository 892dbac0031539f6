// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/randoms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr int kIterations = 50;

/// Two emitters of singles and the measured or modelled cell that their product belongs to.
struct Product {
    std::size_t one;
    std::size_t two;
    std::size_t cell;
};

/// Rates whose products, summed over each cell, have the measured sums over fans. Multiplicative steps,
/// damped by a square root: a plain one would swing when both ends of a product are too low.
std::vector<double> fittedRates(const std::vector<Product>& products, const std::vector<double>& measured,
                                std::size_t emitters) {
    std::vector<double> rates(emitters, 1.0);
    std::vector<double> model(measured.size());
    std::vector<double> wanted(emitters);
    std::vector<double> given(emitters);
    for (int i = 0; i < kIterations; ++i) {
        std::fill(model.begin(), model.end(), 0.0);
        for (const Product& p : products) {
            model[p.cell] += rates[p.one] * rates[p.two];
        }
        std::fill(wanted.begin(), wanted.end(), 0.0);
        std::fill(given.begin(), given.end(), 0.0);
        for (const Product& p : products) {
            const double product = rates[p.one] * rates[p.two];
            const double share = model[p.cell] > 0 ? measured[p.cell] * product / model[p.cell] : 0.0;
            for (const std::size_t end : {p.one, p.two}) {
                wanted[end] += share;
                given[end] += product;
            }
        }
        for (std::size_t e = 0; e < emitters; ++e) {
            rates[e] *= given[e] > 0 ? std::sqrt(wanted[e] / given[e]) : 0.0;
        }
    }
    return rates;
}

/// Sums of products per cell, scaled to add up to 1.
std::vector<double> shares(const std::vector<Product>& products, const std::vector<double>& rates,
                           std::size_t cells) {
    std::vector<double> out(cells, 0.0);
    for (const Product& p : products) {
        out[p.cell] += rates[p.one] * rates[p.two];
    }
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& share : out) {
        share /= sum;
    }
    return out;
}

/// Places in the ring of the crystal pairs of every [angle][radial] cell.
std::vector<Product> placeProducts(const Michelogram& m) {
    const int mashing = m.spec().mashing;
    std::vector<Product> products;
    for (int angle = 0; angle < m.angles(); ++angle) {
        for (int radial = 0; radial < m.radialBins(); ++radial) {
            for (int i = 0; i < mashing; ++i) {
                const auto [one, two] = m.placesOf(angle * mashing + i, radial);
                products.push_back({static_cast<std::size_t>(one), static_cast<std::size_t>(two),
                                    static_cast<std::size_t>(angle * m.radialBins() + radial)});
            }
        }
    }
    return products;
}

std::vector<Product> ringProducts(const Michelogram& m) {
    std::vector<Product> products;
    for (int one = 0; one < m.scanner().rings; ++one) {
        for (int two = 0; two < m.scanner().rings; ++two) {
            const int plane = m.sinogramOf(one, two);
            if (plane >= 0) {
                products.push_back({static_cast<std::size_t>(one), static_cast<std::size_t>(two),
                                    static_cast<std::size_t>(plane)});
            }
        }
    }
    return products;
}

}  // namespace

DelayedSums::DelayedSums(const Michelogram& m)
    : m_(m),
      across_(static_cast<std::size_t>(m.angles()) * static_cast<std::size_t>(m.radialBins()), 0.0),
      along_(m.sinograms().size(), 0.0) {
    if (m.timeBins() != 1 || m.spec().binSize_mm > 0) {
        throw WrongUse("randoms are estimated for bins between crystals without time of flight");
    }
}

void DelayedSums::add(std::span<const std::uint32_t> bins) {
    total_ += static_cast<double>(bins.size());
    for (const std::uint32_t bin : bins) {
        ++across_[cellOf(m_, bin)];
        ++along_[planeOf(m_, bin)];
    }
}

std::size_t DelayedSums::planeOf(const Michelogram& m, std::size_t bin) {
    return bin / static_cast<std::size_t>(m.radialBins()) % m.sinograms().size();
}

std::size_t DelayedSums::cellOf(const Michelogram& m, std::size_t bin) {
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    const auto slot = static_cast<int>(bin / radialBins / m.sinograms().size());
    return static_cast<std::size_t>(m.angleOfSlot(slot)) * radialBins + bin % radialBins;
}

RandomsEstimate::RandomsEstimate(const DelayedSums& delayeds)
    : m_(delayeds.michelogram()),
      total_(delayeds.total()),
      across_(delayeds.across()),
      along_(delayeds.along()) {
    if (total_ == 0) {
        return;
    }
    const std::vector<Product> places = placeProducts(m_);
    const std::vector<Product> rings = ringProducts(m_);
    across_ =
        shares(places, fittedRates(places, across_, static_cast<std::size_t>(m_.scanner().crystalsPerRing)),
               across_.size());
    along_ = shares(rings, fittedRates(rings, along_, static_cast<std::size_t>(m_.scanner().rings)),
                    along_.size());
}

RandomsEstimate::RandomsEstimate(const Michelogram& m, std::span<const std::uint32_t> delayeds)
    : RandomsEstimate([&] {
          DelayedSums sums(m);
          sums.add(delayeds);
          return sums;
      }()) {}

float RandomsEstimate::at(std::size_t bin) const {
    return static_cast<float>(total_ * across_[DelayedSums::cellOf(m_, bin)] *
                              along_[DelayedSums::planeOf(m_, bin)]);
}

std::vector<float> RandomsEstimate::all() const {
    std::vector<float> randoms(m_.bins());
    for (std::size_t bin = 0; bin < randoms.size(); ++bin) {
        randoms[bin] = at(bin);
    }
    return randoms;
}

}  // namespace tof
