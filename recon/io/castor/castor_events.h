// SPDX-License-Identifier: Apache-2.0
// The events of CASToR data files: where each field lies. Internal to recon/io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "recon/io/castor/castor_header.h"
#include "recon/io/format/format.h"

namespace tof {

enum class CastorMode { List, Histogram, Normalization };

/// What the events of a file are made of. The order of the fields is that of CASToR's reader.
struct CastorLayout {
    CastorMode mode = CastorMode::List;
    bool attenuation = false;
    bool kind = false;  ///< list-mode only
    bool scatter = false;
    bool randoms = false;
    bool normalization = false;
    bool time = false;
    int timeBins = 1;            ///< a histogram's
    std::uint64_t maxLines = 1;  ///< crystal pairs of an event, at most

    [[nodiscard]] std::size_t bytes() const;
    /// True when events carry factors or rates.
    [[nodiscard]] bool corrections() const { return attenuation || scatter || randoms || normalization; }
    /// The header lines that say so.
    [[nodiscard]] std::string headerText() const;
};

[[nodiscard]] CastorMode castorMode(const CastorHeader& header);

/// Reads a header; throws BadInput naming what is not read: other modalities, positions of interaction.
[[nodiscard]] CastorLayout castorLayout(const CastorHeader& header);

/// One event as it stands in the file.
struct CastorEvent {
    std::uint32_t time_ms = 0;
    float attenuation = 1;  ///< correction factor: the inverse of what passes
    std::uint8_t kind = 0;
    float randoms = 0;  ///< 1/s, of the whole line
    float normalization = 1;
    float dt_ps = 0;
    std::vector<float> values;   ///< a histogram's, by time bin
    std::vector<float> scatter;  ///< 1/s, by time bin; of list-mode one
    std::vector<std::array<std::uint32_t, 2>> pairs;

    /// Probability that an emission is recorded: 1/(attenuation x normalization); 0 where a factor is not
    /// positive, as CASToR leaves such lines out.
    [[nodiscard]] float mult() const;
};

/// Decodes layout.bytes() bytes; keeps the vectors' memory. The number of pairs is cut at layout.maxLines.
void decodeCastor(const CastorLayout& layout, const std::byte* bytes, CastorEvent& event);
/// Appends layout.bytes() bytes.
void encodeCastor(const CastorLayout& layout, const CastorEvent& event, std::vector<std::byte>& out);

/// Throws BadInput when an event names a crystal beyond the scanner's.
void requireCastorCrystals(const std::string& path, const CastorEvent& event, std::uint64_t index,
                           std::size_t crystals);
/// Expected scatter and randoms of an event, or throws BadInput for what is no number of counts. Less than a
/// millionth of a count below zero, as interpolated estimates are, is zero.
[[nodiscard]] float castorAdditive(const std::string& path, std::uint64_t index, double counts);

/// The header's factor from images of counts per mm and second to Bq/ml, 1 where it states none.
[[nodiscard]] double castorCalibration(const CastorHeader& header);

/// A remark where rates are not over a time and where the header states a calibration, or empty.
[[nodiscard]] std::string castorHeaderNote(const CastorHeader& header, const CastorLayout& layout);

/// Path of the data file that a header names.
[[nodiscard]] std::string castorDataFile(const CastorHeader& header);

/// Events that are whole in the file; throws BadInput unless that is what the header promises, or there are
/// fewer and `options` take a part.
[[nodiscard]] std::uint64_t castorEventsPresent(const CastorHeader& header, const CastorLayout& layout,
                                                const ListReadOptions& options = {});

/// Calls visit(event, index) for the events [0, count) of a header's data file.
void forEachCastorEvent(const CastorHeader& header, const CastorLayout& layout, std::uint64_t count,
                        const std::function<void(const CastorEvent& event, std::uint64_t index)>& visit);

}  // namespace tof
