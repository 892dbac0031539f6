// SPDX-License-Identifier: Apache-2.0
#include "recon/seam/host_space.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/memory.h"
#include "recon/seam/element_math.h"
#include "recon/seam/image_filter.h"

namespace tof {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 15U;  // 128 KiB of floats: fixed, so sums are reproducible
constexpr std::size_t kAlignment = 64;

void requireEqual(const char* what, std::initializer_list<std::size_t> sizes) {
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end()) {
        throw InternalError(fmt::format("{}: views of different sizes", what));
    }
}

class CopiedSnapshot : public Snapshot {
  public:
    explicit CopiedSnapshot(ConstView from) : data_(from.data, from.data + from.size) {}
    bool ready() override { return true; }
    void takeInto(std::vector<float>& image) override { image = std::move(data_); }

  private:
    std::vector<float> data_;
};

/// Sum of floats in double: eight running sums, added in a fixed order, that the compiler can keep in
/// vectors.
class WideSum {
  public:
    void add(const float* values, std::size_t count) {
        std::size_t i = 0;
        for (; i + kSums <= count; i += kSums) {
            for (std::size_t k = 0; k < kSums; ++k) {
                sums_[k] += static_cast<double>(values[i + k]);
            }
        }
        for (; i < count; ++i) {
            sums_[0] += static_cast<double>(values[i]);
        }
    }
    [[nodiscard]] double total() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

  private:
    static constexpr std::size_t kSums = 8;
    std::array<double, kSums> sums_{};
};

struct Discrepancies {
    const float* y;
    const float* mult;
    const float* add;
    float* p;
};

/// Space::expect with what is absent (mult 1, add 0) known to the compiler.
template <bool HasMult, bool HasAdd>
double expectations(const ThreadPool& pool, const Discrepancies& data, std::size_t size) {
    constexpr std::size_t kPiece = 1024;  // stays in the first-level cache between the two loops over it
    return pool.sumRange(size, kGrain, [&](std::size_t begin, std::size_t end) {
        WideSum sum;
        for (std::size_t from = begin; from < end; from += kPiece) {
            const std::size_t to = std::min(from + kPiece, end);
            for (std::size_t i = from; i < to; ++i) {
                data.p[i] =
                    expectedCounts(data.p[i], HasMult ? data.mult[i] : 1.0F, HasAdd ? data.add[i] : 0.0F);
            }
            sum.add(data.p + from, to - from);
        }
        return sum.total();
    });
}

/// Space::discrepancyAbove likewise.
template <bool HasMult>
void discrepancies(const ThreadPool& pool, const Discrepancies& data, std::size_t size, Discrepancy kind,
                   float floor) {
    const float offset = offsetOf(kind);
    pool.forRange(size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            data.p[i] =
                weightedDiscrepancy(data.y[i], data.p[i], HasMult ? data.mult[i] : 1.0F, floor, offset);
        }
    });
}

/// Memory aligned to a cache line; large arrays to the kernel's large pages, which it is asked for: loops
/// that visit many columns of a volume at once spend a sixth of their time on address translation without
/// them. It lies in plain memory, which the caller frees: what aligned_alloc gives is cut to size, and
/// glibc 2.36 never finds room for another array of that size in it.
struct AlignedMemory {
    explicit AlignedMemory(std::size_t bytes) {
        constexpr std::size_t kHugePage = std::size_t{2} << 20U;
        const bool large = bytes >= 2 * kHugePage;
        std::size_t room = bytes + (large ? kHugePage : kAlignment);
        plain = std::malloc(room);  // NOLINT: handed to the array's deleter
        start = plain;
        if (plain == nullptr || std::align(large ? kHugePage : kAlignment, bytes, start, room) == nullptr) {
            start = nullptr;
        } else if (large) {
            ::madvise(start, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // a wish
        }
    }
    void* plain = nullptr;
    void* start = nullptr;  ///< null where there is not enough
};

}  // namespace

std::unique_ptr<ImageFilter> Space::inverseFilter(const Blur& /*blur*/) {
    throw Unavailable("memory of kind '" + name() + "' has no filter in Fourier space; take engine cpu");
}

double Space::expect(const PartData& /*data*/, MutableView /*p*/) {
    throw Unavailable("memory of kind '" + name() +
                      "' cannot hold a piece of a view; give every rank whole views, or take engine cpu");
}

void Space::discrepancyAbove(const PartData& data, Discrepancy /*kind*/, float /*floor*/, MutableView p) {
    static_cast<void>(expect(data, p));
}

const char* stageName(Stage stage) {
    constexpr std::array<const char*, kStages> kNames{"upload", "forward", "discrepancy",
                                                      "back",   "update",  "download"};
    return kNames[static_cast<std::size_t>(stage)];
}

/// Bytes in use; shared with the arrays, which may be freed in any order.
struct HostSpace::Ledger {
    std::size_t limit;
    std::atomic<std::size_t> used{0};
};

HostSpace::HostSpace(int threads, Priority priority, std::size_t memoryLimitBytes)
    : pool_(threads, priority, [this] { heed(); }),
      ledger_(std::make_shared<Ledger>()),
      seconds_(kStages, 0.0) {
    ledger_->limit = memoryLimitBytes > 0 ? memoryLimitBytes : physicalBytes();
}

HostSpace::~HostSpace() = default;

Heed HostSpace::exchangeHeed(Heed heed) {
    heeder_ = heed.ask ? std::this_thread::get_id() : std::thread::id();
    return std::exchange(heed_, std::move(heed));
}

void HostSpace::heed() {
    if (std::this_thread::get_id() != heeder_) {
        return;
    }
    const Clock::time_point asked = Clock::now();
    if (asked - heeded_ < heed_.between) {
        return;
    }
    heed_.ask();
    heeded_ = Clock::now();
    since_ += heeded_ - asked;
}

Array HostSpace::allocate(std::size_t floats) {
    const std::size_t bytes = (floats * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > bytesFree()) {
        throw Unavailable(
            fmt::format("{} MiB of memory are needed and {} MiB are left of the limit of {} MiB",
                        bytes >> 20U, bytesFree() >> 20U, ledger_->limit >> 20U));
    }
    const AlignedMemory memory(std::max(bytes, kAlignment));
    if (memory.start == nullptr) {
        throw Unavailable(fmt::format("memory ran out: {:.1f} MiB more are needed",
                                      static_cast<double>(bytes) / (1U << 20U)));
    }
    ledger_->used += bytes;
    return {static_cast<float*>(memory.start), floats,
            [ledger = ledger_, bytes, plain = memory.plain](float*) {
                ledger->used -= bytes;
                std::free(plain);  // NOLINT: the counterpart of malloc
            }};
}

std::size_t HostSpace::bytesFree() const {
    const std::size_t used = ledger_->used;
    return used < ledger_->limit ? ledger_->limit - used : 0;
}

void HostSpace::upload(std::span<const float> from, MutableView to) {
    requireEqual("upload", {from.size(), to.size});
    std::copy(from.begin(), from.end(), to.data);
}

void HostSpace::download(ConstView from, std::span<float> to) {
    requireEqual("download", {from.size, to.size()});
    std::copy(from.data, from.data + from.size, to.begin());
}

std::unique_ptr<Snapshot> HostSpace::snapshot(ConstView from) {
    return std::make_unique<CopiedSnapshot>(from);
}

void HostSpace::fill(MutableView x, float value) {
    pool_.forRange(x.size, kGrain,
                   [&](std::size_t b, std::size_t e) { std::fill(x.data + b, x.data + e, value); });
}

void HostSpace::fillSeen(ConstView s, float floor, float value, MutableView x) {
    requireEqual("fillSeen", {s.size, x.size});
    pool_.forRange(x.size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            x.data[i] = seen(s.data[i], floor) ? value : 0.0F;
        }
    });
}

void HostSpace::copy(ConstView from, MutableView to) {
    requireEqual("copy", {from.size, to.size});
    pool_.forRange(to.size, kGrain, [&](std::size_t b, std::size_t e) {
        std::copy(from.data + b, from.data + e, to.data + b);
    });
}

void HostSpace::multiply(ConstView a, ConstView b, MutableView out) {
    requireEqual("multiply", {a.size, b.size, out.size});
    pool_.forRange(out.size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            out.data[i] = a.data[i] * b.data[i];
        }
    });
}

void HostSpace::addAt(std::span<const std::uint64_t> places, float value, MutableView x) {
    for (const std::uint64_t place : places) {
        x.data[place] += value;
    }
}

void HostSpace::addScaled(ConstView a, float factor, MutableView out) {
    requireEqual("addScaled", {a.size, out.size});
    pool_.forRange(out.size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            out.data[i] += factor * a.data[i];
        }
    });
}

double HostSpace::sum(ConstView x) {
    return pool_.sumRange(x.size, kGrain, [&](std::size_t begin, std::size_t end) {
        WideSum sum;
        sum.add(x.data + begin, end - begin);
        return sum.total();
    });
}

float HostSpace::maximum(ConstView x) {
    return x.size == 0 ? 0.0F : *std::max_element(x.data, x.data + x.size);
}

void HostSpace::discrepancy(const PartData& data, Discrepancy kind, MutableView p) {
    const double total = expect(data, p);
    discrepancyAbove(data, kind, expectedFloor(total, static_cast<double>(p.size)), p);
}

double HostSpace::expect(const PartData& data, MutableView p) {
    requireEqual("discrepancy", {data.y.size, p.size});
    requireEqual("discrepancy (mult)", {data.mult.empty() ? p.size : data.mult.size, p.size});
    requireEqual("discrepancy (add)", {data.add.empty() ? p.size : data.add.size, p.size});
    const Discrepancies parts{data.y.data, data.mult.data, data.add.data, p.data};
    if (data.mult.empty()) {
        return data.add.empty() ? expectations<false, false>(pool_, parts, p.size)
                                : expectations<false, true>(pool_, parts, p.size);
    }
    return data.add.empty() ? expectations<true, false>(pool_, parts, p.size)
                            : expectations<true, true>(pool_, parts, p.size);
}

void HostSpace::discrepancyAbove(const PartData& data, Discrepancy kind, float floor, MutableView p) {
    const Discrepancies parts{data.y.data, data.mult.data, data.add.data, p.data};
    data.mult.empty() ? discrepancies<false>(pool_, parts, p.size, kind, floor)
                      : discrepancies<true>(pool_, parts, p.size, kind, floor);
}

double HostSpace::logLikelihood(const PartData& data, MutableView p) {
    static_cast<void>(expect(data, p));
    return pool_.sumRange(p.size, kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum += logLikelihoodOf(data.y.data[i], p.data[i]);
        }
        return sum;
    });
}

void HostSpace::update(const VoxelUpdate& how, const UpdateTerms& terms, MutableView x) {
    requireEqual("update", {terms.correction.size, terms.sensitivity.size, x.size});
    requireEqual("update (next)", {terms.next.att.empty() ? x.size : terms.next.att.size,
                                   terms.next.att.empty() ? x.size : terms.next.image.size, x.size});
    const float step = terms.lambda.empty() ? 0.0F : terms.lambda.data[0];
    std::visit(
        [&](const auto& formula) {
            pool_.forRange(x.size, kGrain, [&](std::size_t begin, std::size_t end) {
                const auto voxel = formula;  // copies that no store into x can change
                const float shared = step;
                const float* const c = terms.correction.data;
                const float* const s = terms.sensitivity.data;
                for (std::size_t i = begin; i < end; ++i) {
                    x.data[i] = voxel(x.data[i], c[i], s[i], shared);
                }
                const Attenuated next = terms.next;
                for (std::size_t i = begin; !next.att.empty() && i < end; ++i) {
                    next.image.data[i] = next.att.data[i] * x.data[i];
                }
            });
        },
        how);
}

void HostSpace::sequence(const SequenceKey& /*key*/, std::size_t steps,
                         const std::function<void(std::size_t)>& step,
                         const std::function<void(std::size_t)>& between) {
    for (std::size_t i = 0; i < steps; ++i) {
        step(i);
        between(i + 1);
    }
}

void HostSpace::stage(Stage stage) {
    stageEnd();
    current_ = stage;
    since_ = Clock::now();
}

void HostSpace::stageEnd() {
    if (current_) {
        seconds_[static_cast<std::size_t>(*current_)] +=
            std::chrono::duration<double>(Clock::now() - since_).count();
        current_.reset();
    }
}

std::vector<double> HostSpace::takeStageSeconds() {
    stageEnd();
    return std::exchange(seconds_, std::vector<double>(kStages, 0.0));
}

}  // namespace tof
