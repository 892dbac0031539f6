// SPDX-License-Identifier: Apache-2.0
#include "recon/work/ranked_run.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace tof {

StartPoint sharedStart(StartPoint start, Communicator& ranks) {
    std::istringstream numbers(ranks.ofFirst(
        fmt::format("{} {} {}", start.iteration, start.image.size(), start.coefficients.size())));
    std::size_t voxels = 0;
    std::size_t coefficients = 0;
    numbers >> start.iteration >> voxels >> coefficients;
    start.image.resize(voxels);
    start.coefficients.resize(coefficients);
    for (std::vector<float>* each : {&start.image, &start.coefficients}) {
        if (!each->empty()) {
            ranks.ofFirst(*each);
        }
    }
    return start;
}

std::vector<float> planesOf(const std::vector<float>& whole, const std::optional<AxialSlab>& slab) {
    if (!slab || whole.empty()) {
        return whole;
    }
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(slab->offset());
    return {from, from + static_cast<std::ptrdiff_t>(slab->size())};
}

int threadsOfRank(const Communicator& ranks) {
    const auto cores = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    cpu_set_t set;
    CPU_ZERO(&set);
    const int bound = ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : cores;
    return bound < cores ? std::max(1, bound) : std::max(1, cores / ranks.localSize());
}

int threadsOfProcess(int asked, const Communicator& ranks) {
    return asked == 0 && !ranks.alone() ? threadsOfRank(ranks) : asked;
}

void RankedControl::checkpoint() {
    bool stop = projector_.left();
    try {
        control_.checkpoint();
    } catch (const Cancelled&) {
        stop = true;
    }
    if (ranks_.any(stop)) {
        throw Cancelled();
    }
}

void RankedControl::progress(const RunProgress& progress) {
    if (ranks_.first()) {
        control_.progress(progress);
    }
}

void RankedControl::notice(const std::string& sentence) {
    if (ranks_.first()) {
        control_.notice(sentence);
    }
}

Volume RankedControl::whole(Volume image) {
    if (!slab_) {
        return image;
    }
    std::vector<float> all = slab_->gather(ranks_, image.data);
    if (ranks_.first()) {
        image.lattice = slab_->whole();
        image.data = std::move(all);
    }
    return image;
}

ImagesAre RankedControl::images() const {
    if (gathers_) {
        return ImagesAre::HandedOverAtOnce;
    }
    return ranks_.first() ? ImagesAre::HandedOverBesideTheNext : ImagesAre::NotWanted;
}

void RankedControl::iterateDone(Iterate iterate) {
    if (gathers_) {
        iterate.image = std::make_shared<const Volume>(whole(*iterate.image));
    }
    if (gathers_ && iterate.coefficients != nullptr) {
        iterate.coefficients = std::make_shared<const Volume>(whole(*iterate.coefficients));
    }
    if (ranks_.first()) {
        control_.iterateDone(std::move(iterate));
    }
}

}  // namespace tof
