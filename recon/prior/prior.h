// SPDX-License-Identifier: Apache-2.0
// What is known of an image before it is measured: rows of a table, each a penalty R on differences between
// neighbours. What a reconstruction makes larger is the log-likelihood minus beta R (docs/model.md section
// 3).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/seam/prior_math.h"

namespace tof {

/// Whether a prior is as strong everywhere, or as the data are (prior_math.h).
enum class Kappa { On, Off };

/// What a person can set of a prior; each uses what its row names. Numbers have no unit: they count in the
/// value of a uniform image with the counts of the data, so that they mean the same at any number of counts.
struct PriorParameters {
    double beta = 0.01;          ///< strength, >= 0; 0: none
    double priorGamma = 2;       ///< the relative difference's, >= 0: how far edges are let be
    double priorEpsilon = 0.01;  ///< the relative difference's, > 0: what is small beside it has no relation
    double priorDelta = 0.5;     ///< the difference from which on an edge is let be, > 0
    Kappa kappa = Kappa::On;
    int bowsher = 9;  ///< neighbours that count where there is an anatomy, 1..26
    [[nodiscard]] bool operator==(const PriorParameters&) const = default;
};

/// What an algorithm can do with a prior.
enum class PriorKind {
    Objective,   ///< is a function with a gradient, a curvature and a least value
    OneStepLate  ///< has what looks like a gradient, of nothing
};

/// A row of the table.
struct Prior {
    std::string name;                   ///< in settings, options and files: "relative-difference"
    std::string shortName{};            ///< where there is little room; empty: the name
    std::string about;                  ///< what it does, one line for its choice, marked by toTranslate()
    std::vector<std::string> settings;  ///< keys of the parameters it uses beside "beta" and "kappa"
    PriorKind kind = PriorKind::Objective;
    /// psi for images of which `unit` is the value of a uniform one: R has the image's unit whatever psi.
    std::function<Potential(const PriorParameters& parameters, double unit)> potential;
};

/// Every prior, in the order of help and settings.
[[nodiscard]] const std::vector<const Prior*>& priors();
[[nodiscard]] std::vector<std::string> priorNames();
/// Throws WrongUse for an unknown name.
[[nodiscard]] const Prior& priorNamed(const std::string& name);

/// The 26 voxels around each of a lattice, by the distances between their centres.
[[nodiscard]] Neighbourhood neighbourhoodOf(const Lattice& lattice);

/// Throws WrongUse naming the parameter that is out of range or no number.
void requireUsable(const PriorParameters& parameters);

}  // namespace tof
