// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/low_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kMostTerms = 96;
constexpr std::size_t kMostSamples = 4096;

/// Rows of numbers, all of one length.
struct Matrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> at;

    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), at(r * c, 0.0) {}
    [[nodiscard]] std::span<double> row(std::size_t r) { return std::span(at).subspan(r * columns, columns); }
    [[nodiscard]] std::span<const double> row(std::size_t r) const {
        return std::span(at).subspan(r * columns, columns);
    }
};

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void addScaled(std::span<double> to, double factor, std::span<const double> from) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(),
                   [factor](double f, double t) { return t + factor * f; });
}

double largestOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double most, double v) { return std::max(most, std::abs(v)); });
}

/// Left singular vectors with their singular values, the largest first.
struct Singular {
    std::vector<double> value;
    std::vector<std::vector<double>> vector;  ///< [term][row of the matrix]
};

/// Eigenvectors of a small symmetric matrix by Jacobi's rotations: the columns of `vectors`; its diagonal is
/// left in `a`.
Matrix diagonalise(Matrix& a) {
    const std::size_t n = a.rows;
    Matrix vectors(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        vectors.row(i)[i] = 1;
    }
    const auto turn = [](double& x, double& y, double c, double s) {
        const double before = x;
        x = c * before - s * y;
        y = s * before + c * y;
    };
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0;
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                const double apq = a.row(p)[q];
                const double scale = std::sqrt(std::abs(a.row(p)[p] * a.row(q)[q]));
                if (std::abs(apq) <= 1e-15 * scale || apq == 0) {
                    continue;
                }
                off = 1;
                const double theta = (a.row(q)[q] - a.row(p)[p]) / (2 * apq);
                const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1);
                const double s = t * c;
                for (std::size_t i = 0; i < n; ++i) {
                    turn(a.row(i)[p], a.row(i)[q], c, s);
                    turn(vectors.row(i)[p], vectors.row(i)[q], c, s);
                }
                for (std::size_t i = 0; i < n; ++i) {
                    turn(a.row(p)[i], a.row(q)[i], c, s);
                }
            }
        }
        if (off == 0) {
            break;
        }
    }
    return vectors;
}

/// The singular vectors of `m` that matter: rows are taken in the order of what is left of them until less
/// than `floor` is left of any; the few coefficients that remain are decomposed exactly.
Singular decompose(const Matrix& m, double floor) {
    Matrix rest = m;
    std::vector<std::vector<double>> basis;
    while (basis.size() < std::min({m.rows, m.columns, 2 * kMostTerms})) {
        std::size_t pivot = 0;
        double most = 0;
        for (std::size_t r = 0; r < rest.rows; ++r) {
            const double left = largestOf(rest.row(r));
            if (left > most) {
                most = left;
                pivot = r;
            }
        }
        if (most <= floor) {
            break;
        }
        std::vector<double> q(rest.row(pivot).begin(), rest.row(pivot).end());
        for (const auto& earlier : basis) {  // again: rounding has left something
            addScaled(q, -dot(q, earlier), earlier);
        }
        const double norm = std::sqrt(dot(q, q));
        std::transform(q.begin(), q.end(), q.begin(), [norm](double v) { return v / norm; });
        for (std::size_t r = 0; r < rest.rows; ++r) {
            addScaled(rest.row(r), -dot(rest.row(r), q), q);
        }
        basis.push_back(std::move(q));
    }
    const std::size_t n = basis.size();
    Matrix coefficients(m.rows, n);
    Matrix gram(n, n);
    for (std::size_t r = 0; r < m.rows; ++r) {
        const auto c = coefficients.row(r);
        for (std::size_t k = 0; k < n; ++k) {
            c[k] = dot(m.row(r), basis[k]);
        }
        for (std::size_t k = 0; k < n; ++k) {
            addScaled(gram.row(k), c[k], c);
        }
    }
    const Matrix vectors = diagonalise(gram);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return gram.row(a)[a] > gram.row(b)[b]; });
    Singular result;
    for (const std::size_t k : order) {
        const double value = std::sqrt(std::max(0.0, gram.row(k)[k]));
        if (!(value > 1e-12)) {
            break;
        }
        std::vector<double> left(m.rows);
        for (std::size_t r = 0; r < m.rows; ++r) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                sum += coefficients.row(r)[i] * vectors.row(i)[k];
            }
            left[r] = sum / value;
        }
        result.value.push_back(value);
        result.vector.push_back(std::move(left));
    }
    return result;
}

/// The profiles of all radial ids at distances 0, step, 2 step, ... to both sides, as their even and odd
/// halves, each over the profile's maximum.
struct Profiles {
    Matrix even;
    Matrix odd;
    std::vector<double> scale;  ///< [id]: 1 / maximum
};

/// Steps that no profile changes much within, mm.
double sampleStep(const KernelSpec& spec, int radialIds, double reach) {
    double step = reach / 64;
    for (const MeasuredProfile& profile : spec.measured) {
        for (std::size_t i = 1; i < profile.q_mm.size(); ++i) {
            step = std::min(step, (profile.q_mm[i] - profile.q_mm[i - 1]) / 4);
        }
    }
    for (int id = 0; spec.measured.empty() && id < radialIds; ++id) {
        const double s = (id + 0.5) * spec.id_step_mm;
        const double second = spec.asymmetry ? std::min(1.0, spec.asymmetry->ratioAt(s)) : 1.0;
        step = std::min(step, radialFwhm(spec, id) / kFwhmPerSigma * second / 6);
    }
    return std::max(step, reach / static_cast<double>(kMostSamples));
}

Profiles sampleProfiles(const KernelSpec& spec, int radialIds, double reach, const ThreadPool& pool) {
    const RadialArrays arrays(spec, radialIds);
    const RadialModel model = arrays.model();
    const double step = sampleStep(spec, radialIds, reach);
    const auto samples = static_cast<std::size_t>(std::ceil(reach / step)) + 1;
    const auto ids = static_cast<std::size_t>(radialIds);
    Profiles made{Matrix(ids, samples), Matrix(ids, samples), std::vector<double>(ids)};
    pool.forRange(ids, 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t id = begin; id < end; ++id) {
            double most = 0;
            for (std::size_t i = 0; i < samples; ++i) {
                const double q = static_cast<double>(i) * step;
                const double there = radialShape(model, static_cast<int>(id), q);
                const double opposite = radialShape(model, static_cast<int>(id), -q);
                made.even.row(id)[i] = 0.5 * (there + opposite);
                made.odd.row(id)[i] = 0.5 * (there - opposite);
                most = std::max({most, std::abs(there), std::abs(opposite)});
            }
            made.scale[id] = most > 0 ? 1 / most : 0;
            for (std::size_t i = 0; i < samples; ++i) {
                made.even.row(id)[i] *= made.scale[id];
                made.odd.row(id)[i] *= made.scale[id];
            }
        }
    });
    return made;
}

/// Singular vectors of both halves in one order, the largest first.
struct Basis {
    struct Term {
        bool odd;
        std::vector<double> vector;  ///< [id]
    };
    std::vector<Term> terms;
    std::vector<double> scale;  ///< the scale of Profiles
    std::size_t enough = 0;     ///< terms that leave at most the error asked for at the samples
};

void subtract(Matrix& from, const std::vector<double>& vector) {
    std::vector<double> profile(from.columns, 0.0);
    for (std::size_t r = 0; r < from.rows; ++r) {
        addScaled(profile, vector[r], from.row(r));
    }
    for (std::size_t r = 0; r < from.rows; ++r) {
        addScaled(from.row(r), -vector[r], profile);
    }
}

Basis makeBasis(const KernelSpec& spec, int radialIds, double reach, double error, const ThreadPool& pool) {
    Profiles profiles = sampleProfiles(spec, radialIds, reach, pool);
    const Singular even = decompose(profiles.even, 0.02 * error);
    const Singular odd = decompose(profiles.odd, 0.02 * error);
    Basis basis;
    basis.scale = std::move(profiles.scale);
    for (std::size_t e = 0, o = 0; e < even.value.size() || o < odd.value.size();) {
        const bool takeOdd = e == even.value.size() || (o < odd.value.size() && odd.value[o] > even.value[e]);
        basis.terms.push_back({takeOdd, takeOdd ? odd.vector[o++] : even.vector[e++]});
    }
    const auto left = [&] {
        double most = 0;
        for (std::size_t i = 0; i < profiles.even.at.size(); ++i) {
            most = std::max(most, std::abs(profiles.even.at[i]) + std::abs(profiles.odd.at[i]));
        }
        return most;
    };
    while (basis.enough < basis.terms.size() && left() > error) {
        const Basis::Term& term = basis.terms[basis.enough++];
        subtract(term.odd ? profiles.odd : profiles.even, term.vector);
    }
    return basis;
}

/// The terms of one view from the factors of its rows.
class ViewTerms {
  public:
    ViewTerms(const KernelOutline& outline, const Basis& basis, const KernelSpec& spec,
              const ThreadPool& pool)
        : outline_(outline),
          basis_(basis),
          sided_(spec.sided()),
          ids_(static_cast<std::size_t>(outline.radialIds())),
          factors_(basis.scale.size()),
          sums_(basis.scale.size()),
          pool_(pool) {
        // Every id of the basis counts, also those that this view has not got: the profiles of the terms are
        // projections of them all.
        const RadialArrays arrays(spec, static_cast<int>(factors_.size()));
        const RadialModel model = arrays.model();
        pool_.forRange(factors_.size(), 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t id = begin; id < end; ++id) {
                factors_[id] = outline_.plainFactorsOf(model, static_cast<int>(id));
                sums_[id] = outline_.sumOf(factors_[id]);
                if (id < ids_ && !(sums_[id] > 0)) {
                    static_cast<void>(outline_.factorsOf(static_cast<int>(id)));  // refuses it by name
                }
            }
        });
    }

    /// The terms named, in that order.
    [[nodiscard]] LowRankView make(const std::vector<std::size_t>& terms) const {
        LowRankView view;
        view.taps = outline_.taps();
        view.ids = outline_.ids();
        view.rows = static_cast<std::size_t>(outline_.rows());
        view.values.resize(terms.size() * view.taps.size());
        view.shares.resize(terms.size() * view.rows);
        std::vector<std::vector<double>> profiles(terms.size());
        pool_.forRange(terms.size(), 1, [&](std::size_t k, std::size_t) {
            profiles[k] = profileOf(basis_.terms[terms[k]]);
            float* const out = view.values.data() + k * view.taps.size();
            for (std::size_t i = 0; i < view.taps.size(); ++i) {
                out[i] = static_cast<float>(outline_.tap(profiles[k], i));
            }
            fillShares(basis_.terms[terms[k]], std::span(view.shares).subspan(k * view.rows, view.rows));
        });
        view.error = errorOf(terms, profiles);
        return view;
    }

  private:
    /// What the rows share, on the factors of this view.
    [[nodiscard]] std::vector<double> profileOf(const Basis::Term& term) const {
        std::vector<double> sum(factors_.front().size(), 0.0);
        for (std::size_t id = 0; id < factors_.size(); ++id) {
            addScaled(sum, term.vector[id] * basis_.scale[id], factors_[id]);
        }
        std::vector<double> half(sum.size());
        const double sign = term.odd ? -1 : 1;
        std::transform(sum.begin(), sum.end(), sum.rbegin(), half.begin(),
                       [sign](double there, double opposite) { return 0.5 * (there + sign * opposite); });
        return half;
    }
    void fillShares(const Basis::Term& term, std::span<float> out) const {
        for (std::size_t id = 0; id < ids_; ++id) {
            const double share = term.vector[id] / (basis_.scale[id] * sums_[id]);
            out[id] = static_cast<float>(share);
            if (sided_) {  // rows of s < 0 are those of s > 0 in reverse
                out[ids_ + id] = static_cast<float>(term.odd ? -share : share);
            }
        }
        if (sided_) {  // on the centre line: the mean of both
            out[2 * ids_] = term.odd ? 0.0F : out[0];
        }
    }
    [[nodiscard]] double errorOf(const std::vector<std::size_t>& terms,
                                 const std::vector<std::vector<double>>& profiles) const {
        const std::vector<double> along =
            outline_.terms() == 1 ? outline_.largestAlong() : std::vector<double>();
        std::vector<double> errors(ids_);
        pool_.forRange(ids_, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t id = begin; id < end; ++id) {
                std::vector<double> rest = factors_[id];
                for (std::size_t k = 0; k < terms.size(); ++k) {
                    addScaled(rest, -basis_.terms[terms[k]].vector[id] / basis_.scale[id], profiles[k]);
                }
                errors[id] = largestTap(rest, along) / largestTap(factors_[id], along);
            }
        });
        return largestOf(errors);
    }
    [[nodiscard]] double largestTap(const std::vector<double>& factors,
                                    const std::vector<double>& along) const {
        double most = 0;
        for (std::size_t d = 0; d < along.size(); ++d) {
            most = std::max(most, along[d] * std::abs(factors[d]));
        }
        for (std::size_t i = 0; along.empty() && i < outline_.taps().size(); ++i) {
            most = std::max(most, std::abs(outline_.tap(factors, i)));
        }
        return most;
    }

    const KernelOutline& outline_;
    const Basis& basis_;
    bool sided_;
    std::size_t ids_;                           ///< ids of this view
    std::vector<std::vector<double>> factors_;  ///< [id of the basis], not normalised
    std::vector<double> sums_;
    const ThreadPool& pool_;
};

/// The first `count` terms, even ones first.
std::vector<std::size_t> evenFirst(const Basis& basis, std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return !basis.terms[k].odd; });
    return order;
}

}  // namespace

LowRankKernel::LowRankKernel(const KernelSpec& spec, const Lattice& lattice, const std::vector<View>& views,
                             double error, const ThreadPool& pool) {
    std::vector<std::unique_ptr<KernelOutline>> outlines(views.size());
    pool.forRange(views.size(), 1, [&](std::size_t v, std::size_t) {
        outlines[v] = std::make_unique<KernelOutline>(spec, lattice, views[v]);
    });
    int radialIds = 1;
    double reach = 0;
    for (const auto& outline : outlines) {
        radialIds = std::max(radialIds, outline->radialIds());
        reach = std::max(reach, outline->support().radial);
    }
    if (spec.sampling == KernelSampling::Voxel) {  // the average looks a voxel beyond
        reach += lattice.spacing_mm[0] + lattice.spacing_mm[1];
    }
    const Basis basis = makeBasis(spec, radialIds, reach, error, pool);
    // Samples between voxels have larger errors than those on them: one term less may do.
    for (rank_ = std::max<std::size_t>(basis.enough, 2) - 1;; ++rank_) {
        if (rank_ > std::min(basis.terms.size(), kMostTerms)) {
            throw BadInput(
                fmt::format("kernel '{}' is no sum of {} invariant ones to {:g} of its peak; allow a larger "
                            "kernel-error, or "
                            "take engine cpu or cuda",
                            spec.name, std::min(basis.terms.size(), kMostTerms), error));
        }
        const std::vector<std::size_t> terms = evenFirst(basis, rank_);
        evenTerms_ = static_cast<std::size_t>(
            std::count_if(terms.begin(), terms.end(), [&](std::size_t k) { return !basis.terms[k].odd; }));
        views_.clear();
        error_ = 0;
        for (std::size_t v = 0; v < views.size() && error_ <= error; ++v) {
            views_.push_back(ViewTerms(*outlines[v], basis, spec, pool).make(terms));
            error_ = std::max(error_, views_.back().error);
        }
        if (error_ <= error) {
            return;
        }
    }
}

std::string LowRankKernel::text() const {
    return fmt::format("rank {}, error {:.1e}", rank_, error_);
}

}  // namespace tof
