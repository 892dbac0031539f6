// SPDX-License-Identifier: Apache-2.0
// DICOM files made byte by byte from PS3.5 (explicit VR, little-endian).
#pragma once

#include <QByteArray>
#include <map>
#include <vector>

namespace tof::test {

inline constexpr const char* kCt = "1.2.840.10008.5.1.4.1.1.2";
inline constexpr const char* kPet = "1.2.840.10008.5.1.4.1.1.128";
inline constexpr const char* kEnhancedPet = "1.2.840.10008.5.1.4.1.1.130";
inline constexpr const char* kSegmentation = "1.2.840.10008.5.1.4.1.1.66.4";
inline constexpr const char* kStructures = "1.2.840.10008.5.1.4.1.1.481.3";

template <class T>
[[nodiscard]] QByteArray raw(T value) {
    return {reinterpret_cast<const char*>(&value), static_cast<qsizetype>(sizeof(T))};
}

/// The elements of a data set by tag, as bytes.
class Elements {
  public:
    void text(quint32 tag, const char* vr, QByteArray value) {
        if (value.size() % 2 != 0) {
            value.append(QByteArray(vr) == "UI" ? '\0' : ' ');
        }
        put(tag, vr, value);
    }
    void whole(quint32 tag, quint16 value) { put(tag, "US", raw(value)); }
    void put(quint32 tag, const char* vr, const QByteArray& value) {
        const QByteArray name(vr);
        QByteArray bytes =
            raw(static_cast<quint16>(tag >> 16U)) + raw(static_cast<quint16>(tag & 0xFFFFU)) + name;
        const bool isLong = name == "OW" || name == "OB" || name == "SQ" || name == "UN";
        bytes += isLong ? QByteArray(2, '\0') + raw(static_cast<quint32>(value.size()))
                        : raw(static_cast<quint16>(value.size()));
        elements_[tag] = bytes + value;
    }
    void remove(quint32 tag) { elements_.erase(tag); }
    /// A sequence of one item.
    void sequence(quint32 tag, const Elements& item) {
        const QByteArray bytes = item.bytes();
        put(tag, "SQ",
            raw(quint16{0xFFFE}) + raw(quint16{0xE000}) + raw(static_cast<quint32>(bytes.size())) + bytes);
    }
    void sequence(quint32 tag, const std::vector<Elements>& items) {
        QByteArray all;
        for (const Elements& item : items) {
            const QByteArray bytes = item.bytes();
            all +=
                raw(quint16{0xFFFE}) + raw(quint16{0xE000}) + raw(static_cast<quint32>(bytes.size())) + bytes;
        }
        put(tag, "SQ", all);
    }
    void number(quint32 tag, double value) { put(tag, "FD", raw(value)); }
    [[nodiscard]] QByteArray bytes() const {
        QByteArray all;
        for (const auto& [tag, bytes] : elements_) {
            all += bytes;
        }
        return all;
    }
    [[nodiscard]] QByteArray file(const char* kind) const {
        Elements meta;
        meta.put(0x00020001, "OB", QByteArray::fromHex("0001"));
        meta.text(0x00020002, "UI", kind);
        meta.text(0x00020003, "UI", "1.2.3.4");
        meta.text(0x00020010, "UI", "1.2.840.10008.1.2.1");
        meta.text(0x00020012, "UI", "1.2.3");
        const QByteArray rest = meta.bytes();
        Elements length;
        length.put(0x00020000, "UL", raw(static_cast<quint32>(rest.size())));
        return QByteArray(128, '\0') + "DICM" + length.bytes() + rest + bytes();
    }

  private:
    std::map<quint32, QByteArray> elements_;
};

}  // namespace tof::test
