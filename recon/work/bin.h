// SPDX-License-Identifier: Apache-2.0
// Binning: from list-mode, or another program's bins, to data that can be reconstructed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/binning/binning.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/io/format_table.h"
#include "recon/io/import_sinograms.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/ranks/communicator.h"

namespace tof {

enum class Times { AsStated, Reversed, Left };
enum class Randoms { Estimate, None };

/// The image that events are binned for where nobody says another: 144 x 144 x 48 voxels of 4 mm.
[[nodiscard]] Lattice usualLattice();

struct BinRequest {
    std::string input;                      ///< list-mode of any format, or a histogram of CASToR
    DataForm form = DataForm::HistoImages;  ///< or Sinograms or Lines
    int azimuths = 40;                      ///< of histo-images
    int tilts = 3;
    bool trilinear = false;  ///< spread events over eight voxels
    EndPoints endPoints = EndPoints::Face;
    std::uint64_t seed = 1;  ///< of the end points' places on the crystals' faces
    /// None: usualLattice(), or for lines what fits the sampling where the list says it.
    std::optional<Lattice> lattice;
    /// The list's scanner where it only names one, or the rings whose sinograms or lines these are; or empty.
    std::string scanner;
    std::string mu;  ///< attenuation volume, "none", or empty: the phantom the list names
    MuUnits muUnits = MuUnits::AsStated;
    std::string corrections;   ///< lines take mult and add from this file, or empty
    SinogramImport sinograms;  ///< of sinograms of STIR: frame, multiplicity, corrections, image
    Times times = Times::AsStated;
    Randoms randoms = Randoms::Estimate;  ///< of ECAT8 list-mode, from its delayeds
    int segments = 0;                     ///< of ECAT8 list-mode: only the first; 0: all
    bool partial = false;                 ///< read truncated list-mode as far as it goes
    /// Leave mult and att of histo-images at the points they are computed at: for data that go to a file.
    bool atPoints = false;
    /// Of list-mode that histo-images are made of, where its format can be read in parts: events that are in
    /// memory at a time, twice over as the next ones are read meanwhile. Results do not depend on it.
    std::size_t eventsAtATime = std::size_t{1} << 21U;
    /// Who bins the same list together with this process, not null where there are any. HDF5 list-mode is
    /// divided among them for histo-images, sinograms and panels; all else the first bins alone. It has the
    /// data in the end, those of others are not filled.
    std::shared_ptr<Communicator> ranks{};
};

struct BinResult {
    MeasuredData data;
    std::optional<Ecat8Words> words;  ///< of ECAT8 list-mode
    double randoms = 0;               ///< estimated, of all bins
};

/// Reads and bins. Throws BadInput, WrongUse when what is asked for does not go together, and Cancelled from
/// `progress`.
[[nodiscard]] BinResult binEvents(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress);
/// The same of a file that is open.
[[nodiscard]] BinResult binEvents(const BinRequest& request, const RecognisedFile& file,
                                  const ThreadPool& pool, WorkProgress& progress);

/// Events to histo-images with corrections. `events` go as soon as they are counted: a large list and its
/// corrections need not be in memory together.
[[nodiscard]] HistoData binHistoImages(EventList events, const Scanner& scanner, const BinRequest& request,
                                       const ThreadPool& pool, WorkProgress& progress);

/// Events that come in parts to histo-images with corrections: what binHistoImages() makes of one list of
/// all.
class PartwiseHistoImages {
  public:
    /// Of the request the views, the lattice, the deposit and `mu` count. Keeps references.
    PartwiseHistoImages(const Scanner& scanner, const BinRequest& request, const ThreadPool& pool,
                        WorkProgress& progress);
    PartwiseHistoImages(const PartwiseHistoImages&) = delete;
    PartwiseHistoImages& operator=(const PartwiseHistoImages&) = delete;
    ~PartwiseHistoImages();
    void add(const EventList& part);
    /// `scan` says what is known of the whole scan.
    [[nodiscard]] HistoData finish(const EventList& scan);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The lines of a scanner of two panels, attenuated as `request` says.
[[nodiscard]] PanelData binPanelLines(const EventList& events, const Scanner& scanner,
                                      const BinRequest& request, const ThreadPool& pool,
                                      WorkProgress& progress);

}  // namespace tof
