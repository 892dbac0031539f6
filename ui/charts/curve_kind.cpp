// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_kind.h"

#include "ui/kit/text.h"

namespace tof::ui {

QString CurveKind::id() const {
    switch (of) {
        case Of::CrcNoise: return "crc-noise";
        case Of::Crc: return "crc";
        case Of::Noise: return "noise";
        case Of::Nsr: return "nsr";
        case Of::Objective: return "objective";
        case Of::AucNoise: return "auc-noise";
        case Of::Auc: return "auc";
        case Of::Roi: break;
    }
    return QString("roi-") + roiQuantities()[static_cast<std::size_t>(quantity)].id;
}

QString CurveKind::text() const {
    switch (of) {
        case Of::CrcNoise: return Text::tr("CRC against noise");
        case Of::Crc: return Text::tr("CRC against iterate");
        case Of::Noise: return Text::tr("noise against iterate");
        case Of::Nsr: return Text::tr("NSR against iterate");
        case Of::Objective: return Text::tr("objective against iterate");
        case Of::AucNoise: return Text::tr("AUC of an observer against noise");
        case Of::Auc: return Text::tr("AUC of an observer against iterate");
        case Of::Roi: break;
    }
    return Text::tr("ROI: %1").arg(Text::tr(roiQuantities()[static_cast<std::size_t>(quantity)].title));
}

const std::vector<CurveKind>& curveKinds() {
    static const std::vector<CurveKind> kinds = [] {
        using Of = CurveKind::Of;
        std::vector<CurveKind> all{{Of::CrcNoise, {}},  {Of::Crc, {}},      {Of::Noise, {}}, {Of::Nsr, {}},
                                   {Of::Objective, {}}, {Of::AucNoise, {}}, {Of::Auc, {}}};
        for (const RoiQuantity& quantity : roiQuantities()) {
            all.push_back({Of::Roi, quantity.kind});
        }
        return all;
    }();
    return kinds;
}

}  // namespace tof::ui
