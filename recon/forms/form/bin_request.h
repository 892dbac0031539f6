// SPDX-License-Identifier: Apache-2.0
// What is asked for when events are binned, and what comes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "recon/base/lattice.h"
#include "recon/binning/binning.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/frames/gates.h"
#include "recon/io/format/format.h"
#include "recon/io/import_sinograms.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/motion/rigid_motion.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/communicator_of_one.h"

namespace tof {

enum class Times { AsStated, Reversed, Left };
enum class Randoms { Estimate, None };

/// The image that events are binned for where nobody says another: 144 x 144 x 48 voxels of 4 mm.
[[nodiscard]] Lattice usualLattice();

struct BinRequest {
    std::string input;           ///< list-mode of any format, or a histogram of CASToR
    std::string form = "histo";  ///< Form::name of what is to be made
    int azimuths = 40;           ///< azimuths of histo-images
    int tilts = 3;
    bool trilinear = false;  ///< spread events over eight voxels
    EndPoints endPoints = EndPoints::Face;
    std::uint64_t seed = 1;  ///< seed of the end points' places on the crystals' faces
    /// None: usualLattice(), or for lines what fits the sampling where the list says it.
    std::optional<Lattice> lattice;
    /// The list's scanner where it only names one, or the rings whose sinograms or lines these are; or empty.
    std::string scanner;
    std::string mu;  ///< attenuation volume, "none", or empty: the phantom the list names
    MuUnits muUnits = MuUnits::AsStated;
    std::string corrections;   ///< lines take mult and add from this file, or empty
    SinogramImport sinograms;  ///< how sinograms of STIR are read: frame, multiplicity, corrections, image
    Times times = Times::AsStated;
    Randoms randoms = Randoms::Estimate;  ///< how randoms of ECAT8 list-mode are found, from its delayeds
    int segments = 0;                     ///< the first so many of ECAT8 list-mode; 0: all
    std::string frames;                   ///< cut the list by time (recon/frames/frame_list.h), or empty
    GateRequest gates;                    ///< cut it, or each of the frames, into gates
    MotionRequest motion;                 ///< move events of histo-images back into one pose
    std::string nuclide;   ///< one of petNuclides() that decays meanwhile, or empty: not stated
    bool partial = false;  ///< read truncated list-mode as far as it goes
    /// PETSIRD states one as calibrationFactor, sinograms as 'quantification units'.
    StatedFactor factor = StatedFactor::Applied;
    /// Leave mult and att of histo-images at the points they are computed at: for data that go to a file.
    bool atPoints = false;
    /// Cells of frames wait in a file in the folder of this one until they are written; for data that go to a
    /// file. Empty: they stay in memory.
    std::string spillBeside;
    /// So many events are in memory at a time where list-mode whose format can be read in parts is made into
    /// histo-images or cut, twice over as the next ones are read meanwhile. Results do not depend on it.
    std::size_t eventsAtATime = std::size_t{1} << 21U;
    /// Who bins the same list together with this process. HDF5 list-mode is divided among them for forms that
    /// say so (ListUse); all else the first bins alone. It has the data in the end, those of others are not
    /// filled.
    std::shared_ptr<Communicator> ranks = communicatorOfOne();

    /// Whether the list is cut by time.
    [[nodiscard]] bool cut() const { return !frames.empty() || !gates.file.empty(); }
    /// Whether events are moved by their time.
    [[nodiscard]] bool moves() const { return !motion.file.empty(); }
    /// Whether it matters when events happened.
    [[nodiscard]] bool timed() const { return cut() || moves(); }
};

struct BinResult {
    MeasuredData data;
    std::optional<Ecat8Words> words{};  ///< the words of ECAT8 list-mode
    double randoms = 0;                 ///< estimated, of all bins
};

}  // namespace tof
