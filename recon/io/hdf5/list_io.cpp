// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/data_io.h"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/base/large_array.h"
#include "recon/data/event_part.h"
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

/// The columns of a list's file, whose rows come part by part.
class ListColumns {
  public:
    /// Keeps a reference to `file`.
    explicit ListColumns(h5::Writer& file) : file_(file) {}

    /// The events that follow, of `all` in the whole list; columns are those of the first part that has any.
    void add(const EventList& part, std::uint64_t all) {
        if (part.size() == 0 && all > 0) {
            return;
        }
        // Crystal numbers and times are noise to a compressor: plain columns, as fast as the disk.
        rows_ = part.size();
        all_ = all;
        const std::size_t known = columns_;
        columns_ = 0;
        begun_ = known > 0;
        write(kEventCrystal, {all, 2}, rows_ > 0 ? part.crystals.front().data() : nullptr);
        write(kEventTime, part.dt_ps);
        write(kEventMult, part.mult);
        write(kEventAdd, part.add);
        write(kEventKind, part.kind);
        write(kScatters, part.scatters);
        write(kEnergy, part.energy_keV);
        write(kMoment, part.time_ms);
        if (begun_ && columns_ != known) {
            throw InternalError("the parts of an event list have other columns");
        }
        written_ += rows_;
    }

    /// What is known of the scan as a whole.
    void finish(const EventList& scan) {
        if (columns_ == 0) {
            add({}, 0);
        }
        if (written_ != all_) {
            throw InternalError("{} of {} events of a list have come", written_, all_);
        }
        file_.attribute("/", "scanner", scan.scannerJson);
        file_.attribute("/", "seed", scan.seed);
        if (scan.sphereShare > 0) {
            file_.attribute("/", "sphere_share", scan.sphereShare);
        }
        writeOrigin(file_, scan);
    }

  private:
    template <class T>
    void write(const char* name, const h5::Shape& shape, const T* values) {
        if (!begun_) {
            file_.create<T>(name, shape);
        }
        file_.writeRows(name, written_, rows_, values);
        ++columns_;
    }
    template <class Value>
    void write(const char* name, const std::vector<Value>& column) {
        if (column.empty()) {
            return;
        }
        if (column.size() != rows_) {
            throw InternalError("the columns of an event list differ in length");
        }
        if constexpr (std::is_same_v<Value, std::array<float, 2>>) {
            write(name, {all_, 2}, column.front().data());
        } else if constexpr (std::is_enum_v<Value>) {
            write(name, {all_}, reinterpret_cast<const std::underlying_type_t<Value>*>(column.data()));
        } else {
            write(name, {all_}, column.data());
        }
    }

    h5::Writer& file_;
    std::uint64_t rows_ = 0;  ///< rows of this part
    std::uint64_t all_ = 0;
    std::uint64_t written_ = 0;
    std::size_t columns_ = 0;  ///< columns of the last part
    bool begun_ = false;       ///< the columns are in the file
};

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
    h5::writeFile(to, [&](h5::Writer& file) {
        ListColumns columns(file);
        columns.add(events, events.size());
        columns.finish(events);
    });
}

void writeEventsAsTheyCome(const Destination& to,
                           const std::function<EventList(const TakeEvents& take)>& make) {
    h5::writeFile(to, [&](h5::Writer& file) {
        ListColumns columns(file);
        columns.finish(make([&columns](EventList& part, std::uint64_t all) {
            columns.add(part, all);
            clearEvents(part);
        }));
    });
}

}  // namespace tof
