// SPDX-License-Identifier: Apache-2.0
// A list of events made longer by repeating it, for measurements where what the events are does not matter
// (tests/bench/measure-binning); its times go on.
// usage: long_list IN OUT EVENTS
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace {

/// The first `total` of the values, over and over.
template <typename T>
void repeat(std::vector<T>& values, std::uint64_t total) {
    const std::size_t period = values.size();
    if (period == 0) {
        return;
    }
    values.resize(total);
    for (std::size_t first = period; first < total; first += period) {
        std::copy_n(values.begin(), std::min(period, total - first),
                    values.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

/// Times and duration go on from one repetition to the next.
void goOn(tof::EventList& events, std::uint64_t total) {
    std::vector<std::uint32_t>& times = events.time_ms;
    const std::size_t period = times.size();
    if (period == 0) {
        return;
    }
    const auto scan_ms = static_cast<std::uint32_t>(1000 * events.duration_s);
    repeat(times, total);
    for (std::size_t i = 0; i < times.size(); ++i) {
        times[i] += static_cast<std::uint32_t>(i / period) * scan_ms;
    }
    events.duration_s *= static_cast<double>((total + period - 1) / period);
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t total = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0;
    if (total == 0) {
        std::fputs("usage: long_list IN OUT EVENTS\n", stderr);
        return 2;
    }
    try {
        tof::EventList events = tof::readEvents(tof::h5::Reader(argv[1])).events;
        if (events.size() == 0) {
            std::fputs("the list is empty\n", stderr);
            return 4;
        }
        repeat(events.crystals, total);
        repeat(events.dt_ps, total);
        for (auto* column : {&events.mult, &events.add}) {
            column->clear();
        }
        events.kind.clear();
        events.scatters.clear();
        events.energy_keV.clear();
        goOn(events, total);
        tof::writeEvents(argv[2], events);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
    return 0;
}
