// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/communicator.h"

#include <algorithm>
#include <utility>

#include "recon/ranks/rank_range.h"

namespace tof {

namespace {

constexpr int kGoesOn = 0;
constexpr int kAsks = -1;  ///< any(): yes

/// Code of a failure; positive.
int codeOf(ErrorKind kind) {
    return 1 + static_cast<int>(kind);
}
ErrorKind kindOf(int code) {
    return static_cast<ErrorKind>(code - 1);
}

}  // namespace

Communicator::Communicator(std::unique_ptr<Transport> transport) : transport_(std::move(transport)) {}

std::vector<int> Communicator::codes(int mine) {
    std::vector<int> all(static_cast<std::size_t>(size()), kGoesOn);
    transport_->gatherAll(&mine, all.data(), sizeof(int));
    return all;
}

void Communicator::agree() {
    static_cast<void>(any(false));
}

bool Communicator::any(bool mine) {
    if (ended_) {
        throw RankFailed(ErrorKind::Internal);
    }
    const std::vector<int> all = codes(mine ? kAsks : kGoesOn);
    const auto failed = std::find_if(all.begin(), all.end(), [](int code) { return code > 0; });
    if (failed != all.end()) {
        ended_ = true;
        throw RankFailed(kindOf(*failed));
    }
    return std::find(all.begin(), all.end(), kAsks) != all.end();
}

bool Communicator::leave(ErrorKind kind) {
    if (std::exchange(ended_, true)) {
        return false;
    }
    const std::vector<int> all = codes(codeOf(kind));
    return std::find_if(all.begin(), all.end(), [](int code) { return code > 0; }) - all.begin() == rank();
}

void Communicator::barrier() {
    agree();
}

void Communicator::exchange(std::span<const Sent> sent, std::span<const Received> received) {
    agree();
    transport_->exchange(sent, received);
}

template <typename T>
void Communicator::sumOf(std::span<T> values, std::vector<T>& staged) {
    agree();
    if (alone()) {
        return;
    }
    const int ranks = size();
    const auto [first, last] = rangeOf(values.size(), rank(), ranks);
    const std::size_t mine = last - first;
    staged.resize(mine * static_cast<std::size_t>(ranks));
    std::vector<Sent> sent;
    std::vector<Received> received;
    for (int other = 0; other < ranks; ++other) {
        const auto [begin, end] = rangeOf(values.size(), other, ranks);
        if (other != rank()) {
            sent.push_back({other, values.data() + begin, (end - begin) * sizeof(T)});
            received.push_back(
                {other, staged.data() + mine * static_cast<std::size_t>(other), mine * sizeof(T)});
        }
    }
    transport_->exchange(sent, received);
    std::copy_n(values.data() + first, mine, staged.data() + mine * static_cast<std::size_t>(rank()));
    for (std::size_t i = 0; i < mine; ++i) {
        double total = 0;
        for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r) {
            total += static_cast<double>(staged[r * mine + i]);
        }
        values[first + i] = static_cast<T>(total);
    }
    sent.clear();
    received.clear();
    for (int other = 0; other < ranks; ++other) {
        const auto [begin, end] = rangeOf(values.size(), other, ranks);
        if (other != rank()) {
            sent.push_back({other, values.data() + first, mine * sizeof(T)});
            received.push_back({other, values.data() + begin, (end - begin) * sizeof(T)});
        }
    }
    transport_->exchange(sent, received);
}

void Communicator::sum(std::span<float> values) {
    sumOf(values, staged_);
}

void Communicator::sum(std::span<double> values) {
    std::vector<double> staged;
    sumOf(values, staged);
}

double Communicator::sum(double value) {
    agree();
    std::vector<double> all(static_cast<std::size_t>(size()));
    transport_->gatherAll(&value, all.data(), sizeof(double));
    double total = 0;
    for (const double one : all) {
        total += one;
    }
    return total;
}

double Communicator::maximum(double value) {
    agree();
    std::vector<double> all(static_cast<std::size_t>(size()));
    transport_->gatherAll(&value, all.data(), sizeof(double));
    return *std::max_element(all.begin(), all.end());
}

std::string Communicator::ofFirst(const std::string& text) {
    agree();
    const std::size_t mine = text.size();
    std::vector<std::size_t> sizes(static_cast<std::size_t>(size()));
    transport_->gatherAll(&mine, sizes.data(), sizeof(std::size_t));
    if (first()) {
        std::vector<Sent> sent;
        for (int other = 1; other < size(); ++other) {
            sent.push_back({other, text.data(), text.size()});
        }
        transport_->exchange(sent, {});
        return text;
    }
    std::string theirs(sizes.front(), '\0');
    const Received received{0, theirs.data(), theirs.size()};
    transport_->exchange({}, {&received, 1});
    return theirs;
}

std::vector<std::string> Communicator::ofAll(const std::string& text) {
    agree();
    const std::size_t mine = text.size();
    std::vector<std::size_t> sizes(static_cast<std::size_t>(size()));
    transport_->gatherAll(&mine, sizes.data(), sizeof(std::size_t));
    const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
    std::string padded = text;
    padded.resize(longest);
    std::string all(longest * sizes.size(), '\0');
    transport_->gatherAll(padded.data(), all.data(), longest);
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
        texts.push_back(all.substr(r * longest, sizes[r]));
    }
    return texts;
}

std::vector<std::uint64_t> Communicator::numbersOfAll(std::uint64_t mine) {
    agree();
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size()));
    transport_->gatherAll(&mine, all.data(), sizeof(mine));
    return all;
}

std::vector<std::uint32_t> Communicator::numbersOfAll(std::span<const std::uint32_t> mine) {
    agree();
    std::vector<std::uint32_t> all(static_cast<std::size_t>(size()) * mine.size());
    transport_->gatherAll(mine.data(), all.data(), mine.size_bytes());
    return all;
}

void Communicator::ofFirst(std::span<float> values) {
    agree();
    if (first()) {
        std::vector<Sent> sent;
        for (int other = 1; other < size(); ++other) {
            sent.push_back({other, values.data(), values.size_bytes()});
        }
        transport_->exchange(sent, {});
        return;
    }
    const Received received{0, values.data(), values.size_bytes()};
    transport_->exchange({}, {&received, 1});
}

void Communicator::requireSame(const std::string& what, const std::string& text) {
    const std::string theirs = ofFirst(text);
    if (theirs != text) {
        throw BadInput("rank {} has another {} than rank 0 ({} and {}); start the same on every machine",
                       rank(), what, text, theirs);
    }
}

}  // namespace tof
