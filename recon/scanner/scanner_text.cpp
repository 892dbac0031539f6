// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/scanner_text.h"

#include <mutex>
#include <utility>

#include "recon/scanner/scanner.h"

namespace tof {

struct ScannerText::Shared {
    explicit Shared(std::string text) : json(std::move(text)) {}

    std::string json;
    std::mutex mutex;
    std::shared_ptr<const Scanner> scanner;
};

ScannerText::ScannerText(std::string json) : shared_(std::make_shared<Shared>(std::move(json))) {}

const std::string& ScannerText::json() const {
    static const std::string none;
    return shared_ != nullptr ? shared_->json : none;
}

std::shared_ptr<const Scanner> ScannerText::scanner(const std::string& source) const {
    if (shared_ == nullptr) {
        return std::make_shared<const Scanner>(Scanner::fromJson(json(), source));
    }
    const std::lock_guard lock(shared_->mutex);
    if (shared_->scanner == nullptr) {
        shared_->scanner = std::make_shared<const Scanner>(Scanner::fromJson(shared_->json, source));
    }
    return shared_->scanner;
}

}  // namespace tof
