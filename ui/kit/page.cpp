// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/page.h"

namespace tof::ui {

bool Page::isInFront() const {
    const auto* stack = qobject_cast<const PageStack*>(parentWidget());
    return stack != nullptr && stack->isInFront(*this);
}

void PageStack::turnTo(Page& page) {
    setCurrentWidget(&page);
    Q_EMIT chosen();
}

void PageStack::toggle(Page& wanted) {
    turnTo(isInFront(wanted) ? page(0) : wanted);
}

}  // namespace tof::ui
