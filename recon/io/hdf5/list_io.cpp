// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/data_io.h"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/base/large_array.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"

namespace tof {

namespace {

constexpr const char* kEventCrystal = "/events/crystal";
constexpr const char* kEventTime = "/events/dt_ps";
constexpr const char* kEventKind = "/events/kind";
constexpr const char* kScatters = "/events/scatters";
constexpr const char* kEnergy = "/events/energy_kev";
constexpr const char* kMoment = "/events/time_ms";
constexpr const char* kEventMult = "/events/mult";
constexpr const char* kEventAdd = "/events/add";

/// Throws BadInput unless all are finite; the first of them is that of event number `first`.
void checkTimes(const h5::Reader& file, const std::vector<float>& times, std::uint64_t first) {
    const std::size_t fault = firstWhere(file.pool(), times.size(), [&](std::size_t i) {
        return !(std::abs(times[i]) <= std::numeric_limits<float>::max());
    });
    if (fault < times.size()) {
        throw BadInput("{}: '{}' of event {} is not a finite number; remove that event", file.path(),
                       kEventTime, first + fault);
    }
}

/// Events of the file, after checking that they are pairs.
std::uint64_t eventsOf(const h5::Reader& file) {
    const h5::Shape shape = file.shape(kEventCrystal);
    if (shape.size() != 2 || shape[1] != 2 || !file.isUnsigned(kEventCrystal, sizeof(std::uint32_t))) {
        throw BadInput("{}: '{}' must be uint32 [events][2]; store crystal pairs so", file.path(),
                       kEventCrystal);
    }
    return shape[0];
}

/// What a file says of the scan as a whole.
void readScan(const h5::Reader& file, EventList& events) {
    const std::string owner = file.hasAttribute("/", "scanner") ? "/" : "/events";
    events.scannerJson = file.textAttribute(owner, "scanner").value_or("");
    events.seed = file.whole(owner, "seed").value_or(0);
    events.sphereShare = file.number(owner, "sphere_share", 0);
    if (!(events.sphereShare >= 0 && events.sphereShare <= 1)) {
        throw BadInput("{}: attribute 'sphere_share' is {:g}, not between 0 and 1; correct it", file.path(),
                       events.sphereShare);
    }
    readOrigin(file, owner, events);
}

/// Whether a photon may have left so much, keV.
bool isEnergy(float energy_keV) {
    return energy_keV >= 0 && energy_keV <= 1e6F;
}

void checkValues(const h5::Reader& file, const EventList& events) {
    const std::string& path = file.path();
    checkTimes(file, events.dt_ps, 0);
    const ThreadPool pool = file.pool();
    for (const auto& [name, column] :
         {std::pair{kEventMult, &events.mult}, std::pair{kEventAdd, &events.add}}) {
        const std::vector<float>& values = *column;
        const std::size_t wrong = firstWhere(pool, values.size(), [&](std::size_t i) {
            return !(values[i] >= 0.0F && values[i] <= std::numeric_limits<float>::max());
        });
        if (wrong < values.size()) {
            throw BadInput("{}: '{}' of event {} is negative or not finite; correct it", path, name, wrong);
        }
    }
    const std::size_t energy = firstWhere(pool, events.energy_keV.size(), [&](std::size_t i) {
        return !isEnergy(events.energy_keV[i][0]) || !isEnergy(events.energy_keV[i][1]);
    });
    if (energy < events.energy_keV.size()) {
        throw BadInput("{}: '{}' of event {} is not between 0 and 1e6; give keV", path, kEnergy, energy);
    }
    const std::size_t unknown = firstWhere(pool, events.kind.size(), [&](std::size_t i) {
        return static_cast<std::uint8_t>(events.kind[i]) > static_cast<std::uint8_t>(EventKind::Random);
    });
    if (unknown < events.kind.size()) {
        throw BadInput("{}: '{}' of event {} is {}, not 0, 1 or 2; correct it", path, kEventKind, unknown,
                       static_cast<int>(events.kind[unknown]));
    }
}

/// A column of whole numbers of T, where there is one.
template <typename T, typename Value>
void readColumn(const h5::Reader& file, const char* dataset, std::uint64_t n, const char* type,
                const char* what, std::vector<Value>& values) {
    if (!file.has(dataset)) {
        return;
    }
    const bool fits = std::is_enum_v<Value> || file.isUnsigned(dataset, sizeof(T));
    if (file.shape(dataset) != h5::Shape{n} || !fits) {
        throw BadInput("{}: '{}' must be {} [{}]; store one {} per event", file.path(), dataset, type, n,
                       what);
    }
    values = largeArray<Value>(n, file.pool());
    file.readRows(dataset, 0, n, reinterpret_cast<T*>(values.data()));
}

}  // namespace

ListReadResult readEvents(const h5::Reader& file) {
    const std::uint64_t n = eventsOf(file);
    ListReadResult result;
    EventList& events = result.events;
    for (const auto& [name, column] :
         {std::pair{kEventTime, &events.dt_ps}, std::pair{kEventMult, &events.mult},
          std::pair{kEventAdd, &events.add}}) {
        if (file.has(name)) {
            *column = file.read<float>(name, {n});
        }
    }
    events.crystals = largeArray<std::array<std::uint32_t, 2>>(n, file.pool());
    if (n > 0) {
        file.readRows(kEventCrystal, 0, n, events.crystals.front().data());
    }
    static_assert(sizeof(EventKind) == sizeof(std::uint8_t));
    readColumn<std::uint8_t>(file, kEventKind, n, "uint8", "kind", events.kind);
    readColumn<std::uint8_t>(file, kScatters, n, "uint8", "number", events.scatters);
    if (file.has(kEnergy)) {
        if (file.shape(kEnergy) != h5::Shape{n, 2}) {
            throw BadInput("{}: '{}' must be float32 [{}][2]; store what both photons have left", file.path(),
                           kEnergy, n);
        }
        events.energy_keV = largeArray<std::array<float, 2>>(n, file.pool());
        if (n > 0) {
            file.readRows(kEnergy, 0, n, events.energy_keV.front().data());
        }
    }
    readColumn<std::uint32_t>(file, kMoment, n, "uint32", "time", events.time_ms);
    checkValues(file, events);
    readScan(file, events);
    result.announced = n;
    return result;
}

EventBlocks::EventBlocks(const h5::Reader& file)
    : file_(file), size_(eventsOf(file)), timed_(file.has(kEventTime)) {
    if (timed_ && file.shape(kEventTime) != h5::Shape{size_}) {
        throw BadInput("{}: '{}' must be float32 [{}]; store one time per event", file.path(), kEventTime,
                       size_);
    }
    readScan(file, scan_);
}

bool EventBlocks::hasFactors() const {
    return file_.has(kEventMult) || file_.has(kEventAdd);
}

void EventBlocks::read(std::uint64_t first, std::uint64_t count, EventList& block) const {
    block.crystals.resize(count);
    if (count > 0) {
        file_.readRows(kEventCrystal, first, count, block.crystals.front().data());
    }
    block.dt_ps.resize(timed_ ? count : 0);
    if (timed_) {
        file_.readRows(kEventTime, first, count, block.dt_ps.data());
        checkTimes(file_, block.dt_ps, first);
    }
}

void EventBlocks::readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const {
    if (!file_.has(kMoment) || file_.shape(kMoment) != h5::Shape{size_} ||
        !file_.isUnsigned(kMoment, sizeof(std::uint32_t))) {
        throw BadInput(
            "{}: frames need '{}', uint32 [{}]: the time of every event; add it, or bin without "
            "--frames",
            file_.path(), kMoment, size_);
    }
    block.time_ms.resize(count);
    if (count > 0) {
        file_.readRows(kMoment, first, count, block.time_ms.data());
    }
}

void writeEvents(const Destination& to, const EventList& events) {
    const std::uint64_t n = events.size();
    const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
    if (!fits(events.dt_ps) || !fits(events.kind) || !fits(events.mult) || !fits(events.add) ||
        !fits(events.time_ms) || !fits(events.scatters) || !fits(events.energy_keV)) {
        throw InternalError("the columns of an event list differ in length");
    }
    h5::writeFile(to, [&](h5::Writer& file) {
        // Crystal numbers and times are noise to a compressor: plain columns, as fast as the disk.
        file.write(kEventCrystal, {n, 2}, n > 0 ? events.crystals.front().data() : nullptr);
        writeArrays(file, {n},
                    {{kEventTime, &events.dt_ps}, {kEventMult, &events.mult}, {kEventAdd, &events.add}});
        if (!events.kind.empty()) {
            file.write(kEventKind, {n}, reinterpret_cast<const std::uint8_t*>(events.kind.data()));
        }
        if (!events.scatters.empty()) {
            file.write(kScatters, {n}, events.scatters.data());
        }
        if (!events.energy_keV.empty()) {
            file.write(kEnergy, {n, 2}, events.energy_keV.front().data());
        }
        if (!events.time_ms.empty()) {
            file.write(kMoment, {n}, events.time_ms.data());
        }
        file.attribute("/", "scanner", events.scannerJson);
        file.attribute("/", "seed", events.seed);
        if (events.sphereShare > 0) {
            file.attribute("/", "sphere_share", events.sphereShare);
        }
        writeOrigin(file, events);
    });
}

}  // namespace tof
