// SPDX-License-Identifier: Apache-2.0
// Cylindrical scanners and the sinograms they fill: which pair of crystals is which bin, and where its line
// lies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/vec3.h"

namespace tof {

/// Equal rings of crystals on a cylinder. Crystal index = ring x crystalsPerRing + place in the ring.
///
/// Crystal k of a ring lies at angle psi = firstAngle + 2 pi k / crystalsPerRing, where psi = 0 is -y
/// (anterior) and psi grows towards +x; ring 0 has the smallest z. (The angles of STIR's page on geometry.)
/// Places of a clockwise scanner grow the other way, psi = firstAngle - 2 pi k / crystalsPerRing: what a
/// patient who lies feet first looks like from his own axes.
struct RingScanner {
    std::string name;
    int rings = 0;            ///< 1..1024
    int crystalsPerRing = 0;  ///< even, 4..16384
    double radius_mm = 0;     ///< radius of the reference points: inner radius + mean depth of interaction
    double ringSpacing_mm = 0;
    double firstAngle_rad = 0;
    std::vector<int> gapPlaces = {};  ///< places of every ring without a crystal, ascending
    bool clockwise = false;           ///< places grow towards -x at psi = 0

    [[nodiscard]] bool operator==(const RingScanner&) const = default;
    [[nodiscard]] double ringZ(double ring) const { return (ring - 0.5 * (rings - 1)) * ringSpacing_mm; }
    /// The angle psi of a place in the ring, fractions of places included.
    [[nodiscard]] double angleOf(double place) const;
    /// The place at an angle psi, not brought into 0..crystalsPerRing.
    [[nodiscard]] double placeAt(double psi_rad) const;
    /// Reference point of a crystal, mm.
    [[nodiscard]] Vec3 reference(std::uint32_t crystal) const;
};

/// Ring differences (ring 2 - ring 1) that share the planes of one segment, both ends included.
struct RingSegment {
    int minDifference = 0;
    int maxDifference = 0;
    [[nodiscard]] bool operator==(const RingSegment&) const = default;
};

/// Bins of the arrival-time difference dt = t1 - t2. Bin k reaches from (k - count/2) to (k + 1 - count/2) x
/// width; an edge belongs to the bin farther from 0, so that exchanging the crystals mirrors the bins. Events
/// beyond the first or last edge count in the outermost bins.
struct TofBins {
    int count = 0;  ///< 0: no time of flight
    double width_ps = 0;
    double fwhm_ps = 0;   ///< coincidence time resolution
    double cutoff = 4.5;  ///< the Gaussian is taken as zero this many sigma beyond a bin's edges
    [[nodiscard]] bool operator==(const TofBins&) const = default;
    /// Bin of a time difference; 0 without time of flight.
    [[nodiscard]] int bin(double dt_ps) const;
};

/// What a michelogram is made of; plain data, with a JSON form.
struct MichelogramSpec {
    RingScanner scanner;
    std::vector<RingSegment> segments;  ///< in data order; no ring difference twice
    int radialBins = 0;                 ///< 1..crystalsPerRing
    int mashing = 1;                    ///< neighbouring azimuths added; divides crystalsPerRing/2
    double binSize_mm = 0;              ///< radial step of arc-corrected data; 0: bins are crystal pairs
    TofBins tof;
    int anglesPerPart = 1;  ///< azimuths in one part of the data; divides the number of azimuths

    [[nodiscard]] bool operator==(const MichelogramSpec&) const = default;
    /// `ge-ste` (GE Discovery STE, paper 003), or a JSON file of resources/scanners' ring schema. Throws
    /// WrongUse listing the names, or BadInput naming file and field.
    [[nodiscard]] static MichelogramSpec find(const std::string& nameOrFile);
    /// True when find() would take it: the built-in name, or a JSON file of kind `rings`.
    [[nodiscard]] static bool describes(const std::string& nameOrFile);
    [[nodiscard]] static MichelogramSpec fromJson(const std::string& text, const std::string& source);
    [[nodiscard]] std::string toJson() const;
};

/// Segments of an odd span, in the order 0, +1, -1, ...; the outermost are cut at `maxDifference`.
/// Throws WrongUse for an even span or a difference out of range.
[[nodiscard]] std::vector<RingSegment> segmentsOfSpan(int rings, int span, int maxDifference);
/// GE's: differences -1..+1 share segment 0, all others stand alone: 0, +2, -2, +3, ...
[[nodiscard]] std::vector<RingSegment> segmentsOfGe(int rings);

/// One plane of a michelogram: the ring pairs of one segment with the same sum of rings.
struct Sinogram {
    int segment = 0;   ///< index into MichelogramSpec::segments
    int ringSum = 0;   ///< ring 1 + ring 2
    int pairs = 0;     ///< ring pairs added together
    double z1_mm = 0;  ///< mean z of the first ends
    double z2_mm = 0;  ///< mean z of the second ends
};

/// Ends of a line in the transverse plane, mm; the second end is where positive dt points to.
struct TransverseLine {
    double x1 = 0;
    double y1 = 0;
    double x2 = 0;
    double y2 = 0;
};

/// The bins of a michelogram and their lines. Immutable value; share between threads.
///
/// Data order: [slot][sinogram][radial][time bin], time bin fastest. Slot i holds azimuth
/// (i % anglesPerPart) * parts + i / anglesPerPart, so that a part is anglesPerPart azimuths evenly spread
/// over 180 degrees.
class Michelogram {
  public:
    /// Throws WrongUse naming what is out of range.
    explicit Michelogram(MichelogramSpec spec);

    [[nodiscard]] const MichelogramSpec& spec() const { return spec_; }
    [[nodiscard]] const RingScanner& scanner() const { return spec_.scanner; }
    [[nodiscard]] int angles() const { return angles_; }
    [[nodiscard]] int radialBins() const { return spec_.radialBins; }
    [[nodiscard]] int timeBins() const { return spec_.tof.count > 0 ? spec_.tof.count : 1; }
    [[nodiscard]] const std::vector<Sinogram>& sinograms() const { return sinograms_; }
    [[nodiscard]] std::size_t parts() const {
        return static_cast<std::size_t>(angles_ / spec_.anglesPerPart);
    }
    /// Lines of response of one azimuth, time bins not counted.
    [[nodiscard]] std::size_t linesPerSlot() const {
        return sinograms_.size() * static_cast<std::size_t>(spec_.radialBins);
    }
    /// Bins of one part, time bins counted.
    [[nodiscard]] std::size_t partSize() const {
        return static_cast<std::size_t>(spec_.anglesPerPart) * linesPerSlot() *
               static_cast<std::size_t>(timeBins());
    }
    [[nodiscard]] std::size_t bins() const { return parts() * partSize(); }

    [[nodiscard]] int angleOfSlot(int slot) const {
        return slot % spec_.anglesPerPart * (angles_ / spec_.anglesPerPart) + slot / spec_.anglesPerPart;
    }
    [[nodiscard]] int slotOfAngle(int angle) const {
        const int parts = angles_ / spec_.anglesPerPart;
        return angle % parts * spec_.anglesPerPart + angle / parts;
    }
    /// Index in data order.
    [[nodiscard]] std::size_t index(int slot, std::size_t sinogram, int radial, int timeBin = 0) const {
        const std::size_t line = (static_cast<std::size_t>(slot) * sinograms_.size() + sinogram) *
                                     static_cast<std::size_t>(spec_.radialBins) +
                                 static_cast<std::size_t>(radial);
        return line * static_cast<std::size_t>(timeBins()) + static_cast<std::size_t>(timeBin);
    }
    /// Plane of an ordered ring pair; -1 when it is not recorded.
    [[nodiscard]] int sinogramOf(int ring1, int ring2) const {
        return sinogramOf_[static_cast<std::size_t>(ring1) * static_cast<std::size_t>(spec_.scanner.rings) +
                           static_cast<std::size_t>(ring2)];
    }

    /// Places in the ring of the two crystals of a bin at an azimuth that is not mashed (`angle` from 0 to
    /// crystalsPerRing/2 - 1), for bins that are crystal pairs.
    [[nodiscard]] std::array<int, 2> placesOf(int angle, int radial) const;
    /// The line of a radial bin at an azimuth, moved sideways by `offset` radial bins.
    [[nodiscard]] TransverseLine line(int angle, int radial, double offset = 0) const;
    /// Data index of a coincidence; nothing when no bin holds it. Throws nothing: crystals must exist.
    [[nodiscard]] std::optional<std::size_t> binOf(std::uint32_t crystal1, std::uint32_t crystal2,
                                                   double dt_ps) const;

  private:
    MichelogramSpec spec_;
    int angles_ = 0;
    std::vector<Sinogram> sinograms_;
    std::vector<std::int32_t> sinogramOf_;
};

/// Number of crystal pairs of every bin, those with a gap left out, in data order.
[[nodiscard]] std::vector<float> pairMultiplicity(const Michelogram& michelogram);

/// The most azimuths per part, up to 8, that leave at least 16 parts; 1 when none does.
[[nodiscard]] int defaultAnglesPerPart(int angles);

/// The image that fits the sampling: voxels of the central bin's width and half a ring spacing.
[[nodiscard]] Lattice defaultLattice(const Michelogram& michelogram);

}  // namespace tof
