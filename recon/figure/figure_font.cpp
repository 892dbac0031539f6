// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/font.h"
#include "recon/figure/font_bytes.h"

namespace tof {

const Font& figureFont(Weight weight) {
    static const Font regular("LiberationSans", fontRegularBytes());
    static const Font bold("LiberationSans-Bold", fontBoldBytes());
    return weight == Weight::Bold ? bold : regular;
}

}  // namespace tof
