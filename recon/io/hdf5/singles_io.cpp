// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/singles_io.h"

#include "recon/base/error.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

namespace {

constexpr const char* kRecorded = "/singles/recorded";
constexpr const char* kBusy = "/singles/busy";
constexpr const char* kDeposits = "/singles/deposits";
constexpr const char* kPartners = "/singles/partners";
constexpr const char* kBin = "bin_kev";

std::vector<double> counts(const h5::Reader& file, const char* dataset) {
    const h5::Shape shape = file.shape(dataset);
    if (shape.size() != 1) {
        throw BadInput("{}: '{}' must be a row of numbers; make the file again", file.path(), dataset);
    }
    std::vector<double> values = file.read<double>(dataset, shape);
    for (const double value : values) {
        if (!(value >= 0 && value < 1e18)) {
            throw BadInput("{}: '{}' has negative or infinite numbers; correct them", file.path(), dataset);
        }
    }
    return values;
}

BlockSpectra spectra(const h5::Reader& file) {
    if (!file.has(kDeposits)) {
        return {};
    }
    BlockSpectra found{file.number("/singles", kBin, 0), counts(file, kDeposits), counts(file, kPartners)};
    constexpr double kWidest_keV = 1000;
    if (!(found.bin_keV > 0 && found.bin_keV <= kWidest_keV)) {
        throw BadInput("{}: '{}' of '/singles' is missing or not between 0 and {:g}; correct it", file.path(),
                       kBin, kWidest_keV);
    }
    constexpr std::size_t kMostBins = 4096;
    if (found.deposits.size() != found.partners.size() || found.deposits.size() > kMostBins) {
        throw BadInput("{}: '{}' has {} bins and '{}' {}; make them as many, {} at most", file.path(),
                       kDeposits, found.deposits.size(), kPartners, found.partners.size(), kMostBins);
    }
    return found;
}

}  // namespace

CrystalSingles readSingles(const std::string& path) {
    const h5::Reader file(path);
    CrystalSingles singles;
    singles.recorded = counts(file, kRecorded);
    if (file.has(kBusy)) {
        singles.busy = counts(file, kBusy);
    }
    singles.spectra = spectra(file);
    singles.duration_s = file.number("/singles", "duration_s", 0);
    singles.scannerJson = file.textAttribute("/", "scanner").value_or("");
    constexpr double kLongest_s = 1e9;  // 30 years
    if (!(singles.duration_s > 0 && singles.duration_s <= kLongest_s)) {
        throw BadInput("{}: 'duration_s' of '/singles' is missing or not between 0 and {:g}; correct it",
                       path, kLongest_s);
    }
    return singles;
}

void writeSingles(const std::string& path, const CrystalSingles& singles) {
    h5::writeFile(path, [&](h5::Writer& file) {
        file.write(kRecorded, {singles.recorded.size()}, singles.recorded.data());
        if (!singles.busy.empty()) {
            file.write(kBusy, {singles.busy.size()}, singles.busy.data());
        }
        if (singles.spectra.known()) {
            file.write(kDeposits, {singles.spectra.deposits.size()}, singles.spectra.deposits.data());
            file.write(kPartners, {singles.spectra.partners.size()}, singles.spectra.partners.data());
            file.attribute("/singles", kBin, singles.spectra.bin_keV);
        }
        file.attribute("/singles", "duration_s", singles.duration_s);
        file.attribute("/", "scanner", singles.scannerJson);
    });
}

}  // namespace tof
