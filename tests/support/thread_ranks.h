// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one test: the same Communicator as over MPI.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "recon/ranks/communicator.h"

namespace tof::test {

/// What the transports of one test share.
class ThreadExchange {
  public:
    explicit ThreadExchange(int size) : size_(size), given_(static_cast<std::size_t>(size)) {}
    [[nodiscard]] int size() const { return size_; }

    void gatherAll(int rank, const void* mine, void* all, std::size_t bytes) {
        std::unique_lock lock(mutex_);
        auto& slot = given_[static_cast<std::size_t>(rank)];
        slot.assign(static_cast<const char*>(mine), static_cast<const char*>(mine) + bytes);
        meet(lock);
        for (int r = 0; r < size_; ++r) {
            std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes,
                        given_[static_cast<std::size_t>(r)].data(), bytes);
        }
        meet(lock);
    }
    void send(int from, const Sent& sent) {
        const std::lock_guard lock(mutex_);
        const char* const data = static_cast<const char*>(sent.data);
        mail_[{from, sent.to}].emplace_back(data, data + sent.bytes);
        bytesSent += sent.bytes;
        changed_.notify_all();
    }
    void receive(int rank, const Received& received) {
        std::unique_lock lock(mutex_);
        auto& box = mail_[{received.from, rank}];
        changed_.wait(lock, [&] { return !box.empty(); });
        std::copy_n(box.front().data(), received.bytes, static_cast<char*>(received.data));
        box.pop_front();
    }

    std::size_t bytesSent = 0;

  private:
    void meet(std::unique_lock<std::mutex>& lock) {
        const int round = round_;
        if (++waiting_ == size_) {
            waiting_ = 0;
            ++round_;
            changed_.notify_all();
            return;
        }
        changed_.wait(lock, [&] { return round_ != round; });
    }

    int size_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::vector<char>> given_;
    std::map<std::pair<int, int>, std::deque<std::vector<char>>> mail_;
    int waiting_ = 0;
    int round_ = 0;
};

class ThreadTransport : public Transport {
  public:
    ThreadTransport(std::shared_ptr<ThreadExchange> exchange, int rank)
        : exchange_(std::move(exchange)), rank_(rank) {}
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return exchange_->size(); }
    [[nodiscard]] int localRank() const override { return rank_; }
    [[nodiscard]] int localSize() const override { return exchange_->size(); }
    void gatherAll(const void* mine, void* all, std::size_t bytes) override {
        exchange_->gatherAll(rank_, mine, all, bytes);
    }
    void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
        for (const Sent& one : sent) {
            exchange_->send(rank_, one);
        }
        for (const Received& one : received) {
            exchange_->receive(rank_, one);
        }
    }

  private:
    std::shared_ptr<ThreadExchange> exchange_;
    int rank_;
};

/// How a rank has ended.
struct RankEnd {
    bool spoke = false;  ///< it is the one that tells the user
    std::string said;    ///< what() of what it threw; empty: it ended well
    ErrorKind kind = ErrorKind::Internal;
};

/// Runs `work` on every rank, as a program does: a rank that fails leaves, one that does not waits for all.
inline std::vector<RankEnd> onRanks(int size, const std::function<void(std::shared_ptr<Communicator>)>& work,
                                    std::size_t* bytesSent = nullptr) {
    const auto exchange = std::make_shared<ThreadExchange>(size);
    std::vector<RankEnd> ends(static_cast<std::size_t>(size));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank) {
        threads.emplace_back([&, rank] {
            const auto ranks =
                std::make_shared<Communicator>(std::make_unique<ThreadTransport>(exchange, rank));
            RankEnd& end = ends[static_cast<std::size_t>(rank)];
            try {
                work(ranks);
                ranks->barrier();
            } catch (const Error& fault) {
                end = {ranks->leave(fault.kind()), fault.what(), fault.kind()};
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    if (bytesSent != nullptr) {
        *bytesSent = exchange->bytesSent;
    }
    return ends;
}

}  // namespace tof::test
