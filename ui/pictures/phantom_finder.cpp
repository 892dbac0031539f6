// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/phantom_finder.h"

#include "recon/io/format_table.h"

namespace tof::ui {

PhantomFinder::PhantomFinder(Threading threading, QObject* parent) : QObject(parent), worker_(threading) {}

PhantomFinder::~PhantomFinder() {
    wish_.end();
}

void PhantomFinder::forget() {
    wish_.end();
    next_.reset();
    outline_.reset();
    fault_.clear();
}

void PhantomFinder::find(const std::string& nameOrText, const std::string& source) {
    forget();
    if (Phantom::isOfVolumes(nameOrText)) {
        if (worker_.busy()) {
            next_ = {nameOrText, source};
        } else {
            readAway({nameOrText, source});
        }
        return;
    }
    try {
        finish(viz::PhantomOutline(Phantom::fromNameOrText(nameOrText, source)), nullptr);
    } catch (...) {
        finish({}, std::current_exception());
    }
}

void PhantomFinder::readAway(const Wanted& wanted) {
    wish_ = Wish();
    const auto outline = std::make_shared<viz::PhantomOutline>();
    worker_.start(
        [wanted, outline, wish = wish_] {
            *outline = viz::PhantomOutline(
                Phantom::fromNameOrText(wanted.nameOrText, wanted.source, volumeReader(wish)), wish);
        },
        [this, outline, wish = wish_](const std::exception_ptr& fault) {
            if (next_) {
                readAway(*std::exchange(next_, std::nullopt));
            } else if (!wish.ended()) {
                finish(std::move(*outline), fault);
            }
        });
}

void PhantomFinder::finish(viz::PhantomOutline outline, const std::exception_ptr& fault) {
    fault_ = sentence(fault);
    if (fault == nullptr) {
        outline_ = std::move(outline);
    }
    Q_EMIT found();
}

}  // namespace tof::ui
