// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/picture_models.h"

#include "ui/desk/desk.h"
#include "ui/kit/page.h"

namespace tof::ui {

PictureModels PictureModels::of(Desk& desk) {
    return {desk.runs(),        desk.view(),         desk.rois(), desk.layers(),
            desk.annotations(), desk.placeHandles(), desk.study()};
}

void PictureModels::bind(Page& page) const {
    QObject::connect(&view, &ViewModel::changed, &page, &Page::refresh);
    QObject::connect(&runs, &RunList::settled, &page, &Page::refresh);
    QObject::connect(&study, &OpenStudy::changed, &page, &Page::refresh);
}

}  // namespace tof::ui
