// SPDX-License-Identifier: Apache-2.0
// What scanners measured, in HDF5 (docs/formats.md).
#pragma once

#include <array>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>

#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/data/panel_data.h"
#include "recon/io/bytes/destination.h"
#include "recon/io/format/format.h"

namespace tof {

namespace h5 {
class Reader;
class Writer;
}  // namespace h5
/// What goes into a file beside its data; nothing: no more.
using MoreOfFile = std::function<void(h5::Writer& file)>;

/// Reads histo-images. Throws BadInput.
[[nodiscard]] HistoData readData(const std::string& path);
[[nodiscard]] HistoData readData(const h5::Reader& file);

/// Histo-images of a file, and their hash, which another thread may still be taking: their arrays have to
/// stay as they are until it is there. `data->hash` is empty.
struct HistoReading {
    std::shared_ptr<HistoData> data;
    std::shared_future<std::string> hash;
};
/// Reads data without waiting for the hash. Throws BadInput.
[[nodiscard]] HistoReading readDataAhead(const h5::Reader& file);

/// The arrays of histo-images, in the order of their hash.
enum class HistoArray { Counts, Mult, Add, Att };
inline constexpr std::array<HistoArray, 4> kHistoArrays{HistoArray::Counts, HistoArray::Mult, HistoArray::Add,
                                                        HistoArray::Att};

/// A file of histo-images that is read one view at a time, by those who keep a share of it.
class HistoViews {
  public:
    /// Throws BadInput.
    explicit HistoViews(const std::string& path);
    ~HistoViews();
    /// All but the arrays and the hash.
    [[nodiscard]] const HistoData& outline() const;
    [[nodiscard]] bool has(HistoArray array) const;
    /// A view of an array that is there. Throws BadInput.
    void read(HistoArray array, std::size_t view, std::span<float> out) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Writes it aside, flushed and renamed; counts as uint16 where they are whole and fit. Throws CannotWrite.
void writeData(const Destination& to, const HistoData& data, const MoreOfFile& more = {});

/// Reads sinograms as writeSinogramData() wrote them. Throws BadInput.
[[nodiscard]] SinogramData readSinogramData(const std::string& path);
[[nodiscard]] SinogramData readSinogramData(const h5::Reader& file);

/// HDF5: `/sinogram/counts` [slot][sinogram][radial][time bin] with the attributes `michelogram` (JSON) and
/// `image_size`, `spacing_mm`, `origin_mm` of the image; `/corrections/mult`, `/corrections/add` of the same
/// sizes. Written aside, flushed and renamed; whole counts that fit as uint16. Throws CannotWrite.
void writeSinogramData(const Destination& to, const SinogramData& data, const MoreOfFile& more = {});

/// Reads lines of two panels as writePanelData() wrote them. Throws BadInput.
[[nodiscard]] PanelData readPanelData(const h5::Reader& file);
/// Throws CannotWrite.
void writePanelData(const Destination& to, const PanelData& data, const MoreOfFile& more = {});

/// Lines of response as writeLineData() wrote them. Throws BadInput.
[[nodiscard]] LineData readLineData(const std::string& path);
[[nodiscard]] LineData readLineData(const h5::Reader& file);

/// HDF5 as docs/formats.md has it: `/lors/crystal` uint32 [line][2], `/lors/dt_ps` with time of flight,
/// `/lors/counts` where lines have counts, `/lors/points` where they do not end in the crystals of rings;
/// `/corrections/mult`, `/corrections/add` per line, the attenuation as volume `/corrections/attenuation` in
/// 1/mm; `/possible` for what list-mode could have recorded. Written aside, flushed and renamed. Throws
/// CannotWrite.
void writeLineData(const Destination& to, const LineData& data, const MoreOfFile& more = {});

/// Writes data of any form. Throws CannotWrite.
void writeMeasured(const Destination& to, const MeasuredData& data);

/// List-mode. Throws BadInput.
[[nodiscard]] ListReadResult readEvents(const h5::Reader& file);

class EventBlocks : public EventStream {
  public:
    /// Keeps `file`. Throws BadInput.
    explicit EventBlocks(const h5::Reader& file);
    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] bool hasFactors() const override;
    void read(std::uint64_t first, std::uint64_t count, EventList& block) const override;
    [[nodiscard]] bool tellsMoments() const override { return true; }
    void readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const override;

  private:
    const h5::Reader& file_;
    EventList scan_;
    std::uint64_t size_ = 0;
    bool timed_ = false;
};

/// Writes the HDF5 form, aside, flushed and renamed. Throws CannotWrite.
void writeEvents(const Destination& to, const EventList& events);

/// Takes the events of a list part by part, in their order, and empties each part. `all` is how many the
/// whole list has, the same in every call.
using TakeEvents = std::function<void(EventList& part, std::uint64_t all)>;

/// Writes a list while it is made, so that it is never in memory: make() hands over its parts, which have the
/// same columns, and returns what is known of the scan as a whole. The file is the one of writeEvents(), byte
/// by byte. Throws CannotWrite and what make() throws; the file is not there then.
void writeEventsAsTheyCome(const Destination& to,
                           const std::function<EventList(const TakeEvents& take)>& make);

}  // namespace tof
