// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/simulation.h"

namespace tof {

void SimulationReport::add(const SimulationReport& part) {
    for (const auto member :
         {&SimulationReport::started, &SimulationReport::attenuated, &SimulationReport::missed,
          &SimulationReport::outsideWindow, &SimulationReport::dead, &SimulationReport::piledUp,
          &SimulationReport::multiple, &SimulationReport::throttled, &SimulationReport::late,
          &SimulationReport::beyond, &SimulationReport::surplus, &SimulationReport::trues,
          &SimulationReport::scattered, &SimulationReport::randoms, &SimulationReport::delayeds,
          &SimulationReport::singles}) {
        this->*member += part.*member;
    }
}

}  // namespace tof
