// SPDX-License-Identifier: Apache-2.0
// Objects of DICOM that hold many images or none: enhanced PET, segmentations and structure sets, made from
// PS3.3 element by element.
#pragma once

#include <array>
#include <optional>

#include "tests/support/dicom_elements.h"

namespace tof::test {

inline Elements itemWith(quint32 tag, const char* vr, const QByteArray& value) {
    Elements item;
    item.text(tag, vr, value);
    return item;
}

/// Pixels of 1.5 mm along a row and 2.5 mm between rows, slices of 4 mm.
inline void putMeasures(Elements& groups) {
    Elements measures;
    measures.text(0x00280030, "DS", "2.5\\1.5");
    measures.text(0x00180050, "DS", "4");
    groups.sequence(0x00289110, measures);
    groups.sequence(0x00209116, itemWith(0x00200037, "DS", "1\\0\\0\\0\\1\\0"));
}

inline void putPlace(Elements& groups, double z) {
    groups.sequence(0x00209113, itemWith(0x00200032, "DS", "-10\\-20\\" + QByteArray::number(z)));
}

/// Enhanced PET of 3 x 2 pixels, two frames of time in two slices, out of order: image i has the pixels
/// 10 i + 0, 1, ... and the slope 0.5 + i.
struct EnhancedPet {
    Elements head;
    std::vector<Elements> images;
    QByteArray pixels;

    EnhancedPet() {
        for (const auto& [tag, value] : {std::pair{0x00080016U, kEnhancedPet},
                                         {0x00080021U, "20261122"},
                                         {0x00080031U, "100000"},
                                         {0x0020000EU, "1.2.3.30"},
                                         {0x00189758U, "YES"},
                                         {0x00189701U, "20261122100000"},
                                         {0x00280008U, "4"}}) {
            head.text(tag, tag == 0x00080016U || tag == 0x0020000EU ? "UI" : "LO", value);
        }
        head.text(0x00101030, "DS", "70");
        Elements drug;
        drug.text(0x00181078, "DT", "20261122090000");
        drug.text(0x00181074, "DS", "370000000");
        drug.text(0x00181075, "DS", "6586.2");
        head.sequence(0x00540016, drug);
        head.whole(0x00280010, 2);
        head.whole(0x00280011, 3);
        head.whole(0x00280100, 16);
        head.whole(0x00280101, 16);
        head.whole(0x00280102, 15);
        head.whole(0x00280103, 1);
        Elements shared;
        putMeasures(shared);
        head.sequence(0x52009229, shared);
        static constexpr std::array<std::pair<int, int>, 4> kPlaces{{{1, 9}, {0, 9}, {1, 5}, {0, 5}}};
        for (int i = 0; i < 4; ++i) {
            const auto [time, z] = kPlaces.at(static_cast<std::size_t>(i));
            Elements image;
            putPlace(image, z);
            Elements scale = itemWith(0x00281053, "DS", QByteArray::number(0.5 + i));
            scale.text(0x00281052, "DS", "0");
            image.sequence(0x00289145, scale);
            Elements content = itemWith(0x00189074, "DT", time == 0 ? "20261122100000" : "20261122100500");
            content.number(0x00189220, time == 0 ? 300000 : 600000);
            image.sequence(0x00209111, content);
            Elements real;
            real.number(0x00409225, 0.5 + i);
            real.number(0x00409224, 0);
            real.sequence(0x004008EA, itemWith(0x00080100, "SH", "Bq/ml"));
            image.sequence(0x00409096, real);
            images.push_back(image);
            for (int pixel = 0; pixel < 6; ++pixel) {
                pixels += raw(static_cast<qint16>(10 * i + pixel));
            }
        }
    }
    [[nodiscard]] QByteArray file() const {
        Elements whole = head;
        whole.sequence(0x52009230, images);
        whole.put(0x7FE00010, "OW", pixels);
        return whole.file(kEnhancedPet);
    }
};

/// Binary segmentation of 5 x 3 pixels, so that frames begin within bytes. Segment 1 'liver' is in the slices
/// at 5 and 13 mm, segment 2 'lesion' at 9 mm; a frame is the pixels that `inside` names, row by row.
struct Segmentation {
    Elements head;
    std::vector<Elements> images;
    std::vector<std::vector<int>> inside{{0, 1, 14}, {7}, {3, 4}};

    Segmentation() {
        head.text(0x00080016, "UI", kSegmentation);
        head.text(0x00620001, "CS", "BINARY");
        head.text(0x00280008, "IS", "3");
        head.whole(0x00280010, 3);
        head.whole(0x00280011, 5);
        head.whole(0x00280100, 1);
        head.whole(0x00280101, 1);
        head.whole(0x00280102, 0);
        head.whole(0x00280103, 0);
        Elements shared;
        putMeasures(shared);
        head.sequence(0x52009229, shared);
        std::vector<Elements> segments(2);
        segments[0].whole(0x00620004, 1);
        segments[0].text(0x00620005, "LO", "liver");
        segments[1].whole(0x00620004, 2);
        segments[1].text(0x00620005, "LO", "lesion");
        head.sequence(0x00620002, segments);
        addImage(1, 5);
        addImage(2, 9);
        addImage(1, 13);
    }
    void addImage(quint16 segment, double z) {
        Elements image;
        putPlace(image, z);
        Elements which;
        which.whole(0x0062000B, segment);
        image.sequence(0x0062000A, which);
        images.push_back(image);
    }
    [[nodiscard]] QByteArray bits() const {
        QByteArray bytes((static_cast<qsizetype>(15 * inside.size()) + 7) / 8, '\0');
        for (std::size_t frame = 0; frame < inside.size(); ++frame) {
            for (const int pixel : inside[frame]) {
                const auto bit = static_cast<qsizetype>(15 * frame) + pixel;
                bytes[bit / 8] = static_cast<char>(bytes[bit / 8] | (1 << (bit % 8)));
            }
        }
        return bytes.size() % 2 == 0 ? bytes : bytes + '\0';
    }
    [[nodiscard]] QByteArray file() const {
        Elements whole = head;
        whole.sequence(0x52009230, images);
        whole.put(0x7FE00010, "OB", bits());
        return whole.file(kSegmentation);
    }
};

/// Closed lines of two structures, drawn on series 1.2.3.10.
struct Structures {
    struct Line {
        int roi = 1;
        QByteArray points;
        QByteArray type = "CLOSED_PLANAR";
        std::optional<QByteArray> stated{};  ///< number of points that is said; else the true one
    };
    std::optional<QByteArray> number{};  ///< what the list says of the first structure; else its number
    std::vector<std::pair<int, QByteArray>> names{{1, "gland"}, {4, "node"}};
    std::vector<Line> lines;

    [[nodiscard]] QByteArray file() const {
        Elements head;
        head.text(0x00080016, "UI", kStructures);
        Elements study;
        study.sequence(0x30060014, itemWith(0x0020000E, "UI", "1.2.3.10"));
        Elements frame;
        frame.sequence(0x30060012, study);
        head.sequence(0x30060010, frame);
        std::vector<Elements> rois;
        std::vector<Elements> drawn;
        for (const auto& [own, name] : names) {
            const QByteArray listed = rois.empty() && number ? *number : QByteArray::number(own);
            Elements roi = itemWith(0x30060022, "IS", listed);
            roi.text(0x30060026, "LO", name);
            rois.push_back(roi);
            std::vector<Elements> contours;
            for (const Line& line : lines) {
                if (line.roi == own) {
                    Elements contour = itemWith(0x30060042, "CS", line.type);
                    const QByteArray points = QByteArray::number((line.points.count('\\') + 1) / 3);
                    contour.text(0x30060046, "IS", line.stated.value_or(points));
                    contour.text(0x30060050, "DS", line.points);
                    contours.push_back(contour);
                }
            }
            Elements of = itemWith(0x30060084, "IS", QByteArray::number(own));
            of.text(0x3006002A, "IS", "255\\128\\0");
            of.sequence(0x30060040, contours);
            drawn.push_back(of);
        }
        head.sequence(0x30060020, rois);
        head.sequence(0x30060039, drawn);
        return head.file(kStructures);
    }
    /// The corners of a rectangle.
    [[nodiscard]] static QByteArray rectangle(double x0, double x1, double y0, double y1, double z) {
        QByteArray text;
        for (const auto& [x, y] : {std::pair{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}) {
            text += (text.isEmpty() ? "" : "\\") + QByteArray::number(x) + "\\" + QByteArray::number(y) +
                    "\\" + QByteArray::number(z);
        }
        return text;
    }
};

}  // namespace tof::test
