// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/root_tree.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tof {

namespace {

constexpr std::size_t kFour = sizeof(std::uint32_t);
constexpr std::size_t kEight = sizeof(std::uint64_t);

/// The class that a tag names: by name behind it, or by the place of an earlier tag that does.
std::string classOf(RootCursor& cursor, std::uint32_t tag) {
    constexpr std::uint32_t kNewClass = 0xFFFFFFFF;
    constexpr std::uint32_t kClass = 0x80000000;
    constexpr std::size_t kFirstPlace = 2;
    if (tag == kNewClass) {
        return cursor.zeroEnded();
    }
    const std::size_t place = tag & ~kClass;
    if ((tag & kClass) == 0 || place < kFirstPlace) {
        return {};
    }
    RootCursor earlier = cursor;
    earlier.moveTo(place - kFirstPlace);
    return earlier.number<std::uint32_t>() == kNewClass ? earlier.zeroEnded() : std::string();
}

/// The elements of a TObjArray: visit(class name) stands at the first byte of each, and may stop anywhere.
template <typename Visit>
void forEachElement(RootCursor& cursor, const Visit& visit) {
    constexpr std::uint32_t kByteCount = RootCursor::kByteCount;
    constexpr std::uint32_t kNewClass = 0xFFFFFFFF;
    const RootCursor::Object array = cursor.object();
    cursor.skipBase();
    static_cast<void>(cursor.text());
    const auto count = cursor.number<std::uint32_t>();
    cursor.skip(kFour);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto bytes = cursor.number<std::uint32_t>();
        if ((bytes & kByteCount) == 0 || bytes == kNewClass) {
            continue;  // nothing, or an object that is elsewhere
        }
        const std::size_t end = cursor.at() + (bytes & ~kByteCount);
        visit(classOf(cursor, cursor.number<std::uint32_t>()));
        cursor.moveTo(end);
    }
    cursor.moveTo(array.end);
}

struct LeafKind {
    std::string_view name;
    NumberType withSign;
    NumberType withoutSign;
};

constexpr std::array kLeafKinds{
    LeafKind{"TLeafO", NumberType::UInt8, NumberType::UInt8},
    LeafKind{"TLeafB", NumberType::Int8, NumberType::UInt8},
    LeafKind{"TLeafS", NumberType::Int16, NumberType::UInt16},
    LeafKind{"TLeafI", NumberType::Int32, NumberType::UInt32},
    LeafKind{"TLeafL", NumberType::Int64, NumberType::UInt64},
    LeafKind{"TLeafG", NumberType::Int64, NumberType::UInt64},
    LeafKind{"TLeafF", NumberType::Float32, NumberType::Float32},
    LeafKind{"TLeafD", NumberType::Float64, NumberType::Float64},
};

/// The type of a leaf with one number an entry; nothing for texts, arrays and whatever else there is.
std::optional<NumberType> leafType(RootCursor& cursor, const std::string& className) {
    const auto* const kind = std::find_if(kLeafKinds.begin(), kLeafKinds.end(),
                                          [&](const LeafKind& one) { return one.name == className; });
    if (kind == kLeafKinds.end()) {
        return std::nullopt;
    }
    static_cast<void>(cursor.object());
    static_cast<void>(cursor.object());  // TLeaf
    static_cast<void>(cursor.named());
    const auto length = cursor.number<std::uint32_t>();
    cursor.skip(kFour + kFour + 1);  // bytes of the type, offset, whether it counts others
    const bool noSign = cursor.number<std::uint8_t>() != 0;
    const bool counted = cursor.number<std::uint32_t>() != 0;
    if (length != 1 || counted) {
        return std::nullopt;
    }
    return noSign ? kind->withoutSign : kind->withSign;
}

/// Baskets from the three arrays that end a branch.
void readBaskets(RootCursor& cursor, RootBranch& branch, std::uint32_t written, std::uint32_t most,
                 std::uint64_t entries) {
    if (written > most) {
        cursor.fail("counts more baskets than it has room for");
    }
    const auto values = [&](PlaceSize size) {
        std::vector<std::uint64_t> found;
        if (cursor.number<std::uint8_t>() != 0) {
            for (std::uint32_t i = 0; i < most; ++i) {
                found.push_back(cursor.place(size));
            }
        }
        return found;
    };
    static_cast<void>(values(PlaceSize::Narrow));
    const std::vector<std::uint64_t> firsts = values(PlaceSize::Wide);
    const std::vector<std::uint64_t> places = values(PlaceSize::Wide);
    if (firsts.size() < written || places.size() < written) {
        cursor.fail("lacks the places of its baskets");
    }
    std::uint64_t next = 0;
    for (std::uint32_t i = 0; i < written; ++i) {
        const std::uint64_t end = i + 1 < firsts.size() ? firsts[i + 1] : entries;
        if (firsts[i] != next || end < next || end > entries) {
            cursor.fail("has baskets that overlap or leave gaps");
        }
        if (end > next) {
            branch.baskets.push_back({next, end - next, places[i]});
        }
        next = end;
    }
}

void readBranch(RootCursor& cursor, RootTree& tree) {
    constexpr unsigned kOldest = 10;
    constexpr unsigned kWithFirstEntry = 11;
    constexpr unsigned kWithFeatures = 13;
    const RootCursor::Object head = cursor.object();
    if (head.version < kOldest || head.version > kWithFeatures) {
        cursor.fail("has branches of a version that is not read (TBranch 10 to 13 are)");
    }
    RootBranch branch;
    branch.name = cursor.named();
    cursor.skipObject();  // TAttFill
    cursor.skip(3 * kFour);
    const auto written = cursor.number<std::uint32_t>();
    cursor.skip(kEight);
    if (head.version >= kWithFeatures) {
        cursor.skipObject();
    }
    cursor.skip(kFour);
    const auto most = cursor.number<std::uint32_t>();
    cursor.skip(kFour);
    const auto entries = cursor.number<std::uint64_t>();
    cursor.skip((head.version >= kWithFirstEntry ? 3 : 2) * kEight);
    cursor.skipObject();  // branches of its own
    std::optional<NumberType> type;
    int leaves = 0;
    forEachElement(cursor, [&](const std::string& className) {
        type = leafType(cursor, className);
        ++leaves;
    });
    if (!type || leaves != 1) {
        return;
    }
    branch.type = *type;
    forEachElement(cursor, [](const std::string& /*className*/) {});  // baskets that are not written yet
    readBaskets(cursor, branch, written, most, entries);
    tree.branches.push_back(std::move(branch));
}

}  // namespace

const RootBranch* RootTree::find(const std::string& branch) const {
    const auto found = std::find_if(branches.begin(), branches.end(),
                                    [&](const RootBranch& one) { return one.name == branch; });
    return found == branches.end() ? nullptr : &*found;
}

RootTree readRootTree(RootCursor& cursor) {
    constexpr unsigned kOldest = 16;
    constexpr unsigned kWithOffsetLength = 17;
    constexpr unsigned kWithFlushes = 18;
    constexpr unsigned kWithClusters = 19;
    constexpr unsigned kWithFeatures = 20;
    RootTree tree;
    const RootCursor::Object head = cursor.object();
    const unsigned version = head.version;
    if (version < kOldest || version > kWithFeatures) {
        cursor.fail("is of a version that is not read (TTree 16 to 20 are)");
    }
    tree.name = cursor.named();
    for (int attributes = 0; attributes < 3; ++attributes) {  // of lines, fills and markers
        cursor.skipObject();
    }
    tree.entries = cursor.number<std::uint64_t>();
    cursor.skip((version >= kWithFlushes ? 4 : 3) * kEight + kEight);  // bytes written so far, weight
    cursor.skip(3 * kFour + (version >= kWithOffsetLength ? kFour : 0));
    const std::uint32_t clusters = version >= kWithClusters ? cursor.number<std::uint32_t>() : 0;
    cursor.skip((version >= kWithFlushes ? 6 : 5) * kEight);
    for (int array = 0; version >= kWithClusters && array < 2; ++array) {
        cursor.skip(cursor.number<std::uint8_t>() != 0 ? clusters * kEight : 0);
    }
    if (version >= kWithFeatures) {
        cursor.skipObject();
    }
    forEachElement(cursor, [&](const std::string& className) {
        if (className == "TBranch") {
            readBranch(cursor, tree);
        }
    });
    return tree;
}

}  // namespace tof
