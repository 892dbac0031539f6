// SPDX-License-Identifier: Apache-2.0
// Normalisation: how well every crystal records, from a scan of something known.
#pragma once

#include <memory>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Efficiency of every crystal over their mean, from the events of a normalisation scan of `source`: the
/// maximum of likelihood of fan sums (Hogg et al., Phys. Med. Biol. 46 (2001) 145). A crystal's events are
/// compared with what groups of 3 x 4 neighbours expect with all their partners, by activity and survival
/// along the lines between and both ends' geometry; `source` may be a measured object as well as a simulated
/// one, but without scatter and randoms in the events. Crystals without an expectation have 1. Throws
/// WrongUse where the scan says nothing.
[[nodiscard]] std::vector<double> crystalEfficiencies(const EventList& events, const Scanner& scanner,
                                                      const Phantom& source, const ThreadPool& pool);

/// The mean products of both crystals' efficiencies over views' cells, of one scan and of its frames.
/// Immutable when made; share between threads.
class ViewEfficiencies {
  public:
    /// Takes the data's views and poses; keeps references to data and scanner. Throws WrongUse where data,
    /// scanner and efficiencies do not belong together.
    ViewEfficiencies(const HistoData& data, const Scanner& scanner, std::vector<double> efficiencies,
                     const ThreadPool& pool);
    ~ViewEfficiencies();
    ViewEfficiencies(const ViewEfficiencies&) = delete;
    ViewEfficiencies& operator=(const ViewEfficiencies&) = delete;

    /// In the order of data.counts; the mean over the data's poses.
    [[nodiscard]] std::vector<float> ofData(const ThreadPool& pool) const;
    /// Multiplies `mult`, in the order of data.counts, by the mean over `poses`, whose weights add up to 1.
    /// Throws WrongUse where the data have no poses.
    void multiply(std::vector<float>& mult, const std::vector<WeighedPose>& poses,
                  const ThreadPool& pool) const;

  private:
    struct Impl;
    std::unique_ptr<const Impl> impl_;
};

/// What efficiencies make of mult, in the order of data.counts: the mean product of both crystals' over each
/// view's cell. Throws WrongUse where data and scanner do not belong together.
[[nodiscard]] std::vector<float> efficienciesOfViews(const HistoData& data, const Scanner& scanner,
                                                     const std::vector<double>& efficiencies,
                                                     const ThreadPool& pool);
/// Multiplies data.mult by the mean product of both crystals' efficiencies over each view's cell.
void applyEfficiencies(HistoData& data, const Scanner& scanner, const std::vector<double>& efficiencies,
                       const ThreadPool& pool);

}  // namespace tof
