// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/wings.h"

#ifdef TOFSCOPE_EXPERIMENTS
#include "app/experiment/report.h"
#include "ui/experiments/experiments_wing.h"
#endif
#ifdef TOFSCOPE_MEASURE
#include "ui/measure/measure_wing.h"
#endif

namespace tof {

std::vector<ui::Wing> desktopWings() {
    return {
#ifdef TOFSCOPE_EXPERIMENTS
        ui::experimentsWing(writeReport),
#endif
#ifdef TOFSCOPE_MEASURE
        ui::measureWing(),
#endif
    };
}

}  // namespace tof
