// SPDX-License-Identifier: Apache-2.0
// What the kernels of the `stream` strategy are given (stream_plan.h says how it works).
#pragma once

#include <cstdint>

#include "gpu/histo/gather.h"
#include "gpu/histo/stream_plan.h"
#include "gpu/space/device_span.h"

namespace tof::device {

/// Lines of octets beyond those that meet the lattice whose rows may be asked for.
inline constexpr int kStreamEdge = 16;

/// What one view needs, apart from the data. Numbers as in StreamPlan.
struct StreamView {
    DeviceSpan<const StreamStage> stages;
    DeviceSpan<const StreamEntry> entries;
    DeviceSpan<const std::uint16_t> support;
    DeviceSpan<const float> radial;  ///< [row][place]
    /// Mirror rows of the sources, [octet along][line][pixel], kStreamEdge lines more at either end.
    DeviceSpan<const std::uint16_t> sourceRows;
    DeviceSpan<const std::int32_t> ids;  ///< LORmap, rows idPitch apart
    int idPitch = 0;
    int sidedIds = 0;  ///< ids of one side of a sided kernel; 0: rows are their own mirror images
    bool alongY = false;
    int climb = 0;
    StreamForm form = StreamForm::Tilted;
    int reach = 0;
    int margin = 0;
    int windowStep = 0;
    int pitch = 0;
    int centre = 0;
    int box = 0;
    int rowStride = 0;
    float gradient[2] = {0, 0};
    float root = 0;
    float bend = 0;
    float gain[kStreamWord + 1] = {};  ///< flat: of the shifts by d
    int firstLine = 0;
    int lines = 0;
    int octets = 0;
    int columns = 0;
    int groupsPerColumn = 0;
    int tilesPerColumn = 0;
    int octetBytes = 0;
    int stageLines = 0;
    int stageBytes = 0;
    int depth = 0;
    int rise[kStreamAlong] = {};
    int lowest = 0;   ///< the least of rise, within an octet
    int highest = 0;  ///< likewise
    int highestOfGroup = 0;
    int lowestAcross = 0;  ///< the least of the entries' octets
    int highestAcross = 0;
};

struct StreamWork {
    StreamView view;
    int size[3] = {0, 0, 0};
    DeviceSpan<const float> from;
    DeviceSpan<unsigned char> image;       ///< [window][octet along][line], octets as in stream_plan.h
    DeviceSpan<const unsigned char> zero;  ///< an octet of zeros
    DeviceSpan<float> out;
    bool add = false;                          ///< to what is there
    DeviceSpan<const std::int32_t> tileBegin;  ///< where every block's begins, and the end
    int windowBegin = 0;
    int windows = 1;  ///< in this launch
    int allWindows = 1;
};

}  // namespace tof::device
