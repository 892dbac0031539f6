// SPDX-License-Identifier: Apache-2.0
#include "recon/register/transform_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/motion/motion_file.h"
#include "recon/register/rigid_place.h"

namespace tof {

namespace {

constexpr double kRotationFault = 1e-3;
constexpr const char* kEndings = "'{}': a transform is written and read as .tfm, .txt, .tsv or .json";

std::string endingOf(const std::string& path) {
    return std::filesystem::path(path).extension().string();
}
bool isItk(const std::string& path) {
    return endingOf(path) == ".tfm" || endingOf(path) == ".txt";
}

std::string itkText(const Pose& place) {
    const Pose back = place.inverse();
    std::string numbers;
    for (const double v : back.turn) {
        numbers += fmt::format(" {:.17g}", v);
    }
    return fmt::format(
        "#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\nParameters:{} "
        "{:.17g} {:.17g} {:.17g}\nFixedParameters: 0 0 0\n",
        numbers, back.shift.x, back.shift.y, back.shift.z);
}

std::string tableText(const Pose& place) {
    const auto& m = place.turn;
    const Vec3 t = place.shift;
    return fmt::format(
        "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: 1\n"
        "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n"
        "0 {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n",
        m[0], m[1], m[2], t.x, m[3], m[4], m[5], t.y, m[6], m[7], m[8], t.z);
}

std::string jsonText(const Pose& place) {
    const auto& m = place.turn;
    const Vec3 t = place.shift;
    const auto row = [&](std::size_t i, double shift) {
        return fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}]", m[i], m[i + 1], m[i + 2], shift);
    };
    return fmt::format(
        "{{\"frame\": \"scanner\", \"units\": \"mm\", \"reference\": \"identity\", \"end_ms\": 1,\n"
        " \"poses\": [{{\"time_ms\": 0, \"matrix\": [{}, {}, {}, [0, 0, 0, 1]]}}]}}\n",
        row(0, t.x), row(3, t.y), row(6, t.z));
}

// ---- what ITK writes ----

/// The lines of a transform that count.
struct ItkText {
    std::string kind;  ///< "Euler3DTransform"
    std::vector<double> parameters;
    std::vector<double> fixed;
};

std::vector<double> numbersOf(const std::string& words, const std::string& path, const std::string& field) {
    std::vector<double> numbers;
    std::istringstream in(words);
    for (std::string word; in >> word;) {
        const std::optional<double> number = numberFrom<double>(word);
        if (!number) {
            throw BadInput("{}: field '{}' has '{}', which is no number; correct it", path, field,
                           word.substr(0, 40));
        }
        numbers.push_back(*number);
    }
    return numbers;
}

ItkText itkFields(const std::string& path) {
    ItkText text;
    std::istringstream in(readTextFile(path));
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with('#') || colon == std::string::npos) {
            continue;
        }
        const std::string field = line.substr(0, colon);
        const std::string value = line.substr(colon + 1);
        if (field == "Transform" && !text.kind.empty()) {
            throw BadInput("{}: holds several transforms; give a file with one", path);
        }
        if (field == "Transform") {
            std::istringstream(value) >> text.kind;
            text.kind = text.kind.substr(0, text.kind.find('_'));
        } else if (field == "Parameters") {
            text.parameters = numbersOf(value, path, field);
        } else if (field == "FixedParameters") {
            text.fixed = numbersOf(value, path, field);
        }
    }
    if (text.kind.empty()) {
        throw BadInput("{}: has no line 'Transform: ...'; give a text file of ITK", path);
    }
    return text;
}

/// The nine numbers of a versor: the vector part of a unit quaternion.
std::array<double, 9> versorMatrix(double x, double y, double z) {
    const double w = std::sqrt(std::max(0.0, 1 - x * x - y * y - z * z));
    return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

/// ITK turns by Euler's angles about y, then x, then z, unless the file says z, y, x.
std::array<double, 9> eulerMatrix(const ItkText& text) {
    constexpr std::size_t kOrder = 3;  ///< place in FixedParameters; not 0 where the order is z, y, x
    const bool zyx = text.fixed.size() > kOrder && text.fixed[kOrder] != 0;
    const auto turn = [&](Vec3 angles) { return poseOf({{}, (1 / kRadPerDeg) * angles}, {}); };
    const Pose x = turn({text.parameters[0], 0, 0});
    const Pose y = turn({0, text.parameters[1], 0});
    const Pose z = turn({0, 0, text.parameters[2]});
    return zyx ? z.after(y).after(x).turn : z.after(x).after(y).turn;
}

Pose itkPose(const std::string& path) {
    const ItkText text = itkFields(path);
    const bool matrix = text.kind == "AffineTransform" || text.kind == "MatrixOffsetTransformBase";
    const bool euler = text.kind == "Euler3DTransform";
    if (!matrix && !euler && text.kind != "VersorRigid3DTransform") {
        throw BadInput(
            "{}: is a transform of kind '{}'; rigid ones are read: AffineTransform, Euler3DTransform, "
            "VersorRigid3DTransform",
            path, text.kind.substr(0, 60));
    }
    const std::size_t turns = matrix ? 9 : 3;
    if (text.parameters.size() != turns + 3 || text.fixed.size() < 3) {
        throw BadInput("{}: has {} 'Parameters' and {} 'FixedParameters'; {} and 3 belong to this kind", path,
                       text.parameters.size(), text.fixed.size(), turns + 3);
    }
    const auto& v = text.parameters;
    std::array<double, 9> turn{};
    if (matrix) {
        std::copy_n(v.begin(), turn.size(), turn.begin());
    } else {
        turn = euler ? eulerMatrix(text) : versorMatrix(v[0], v[1], v[2]);
    }
    if (const double fault = rotationFault(turn); !(fault <= kRotationFault)) {
        throw BadInput("{}: its matrix is no rotation but for {:.2g}, and {:g} is allowed; give a rigid one",
                       path, fault, kRotationFault);
    }
    const Vec3 centre{text.fixed[0], text.fixed[1], text.fixed[2]};
    Pose toMoving{nearestRotation(turn), {}};
    toMoving.shift = centre + Vec3{v[turns], v[turns + 1], v[turns + 2]} - toMoving.turned(centre);
    return toMoving.inverse();
}

}  // namespace

bool isTransformName(const std::string& path) {
    return isItk(path) || endingOf(path) == ".tsv" || endingOf(path) == ".json";
}

void writeTransform(const std::string& path, const Pose& place) {
    if (!isTransformName(path)) {
        throw WrongUse(kEndings, path);
    }
    writeTextAside(path, isItk(path)                 ? itkText(place)
                         : endingOf(path) == ".json" ? jsonText(place)
                                                     : tableText(place));
}

Pose readTransform(const std::string& path) {
    if (!isTransformName(path)) {
        throw WrongUse(kEndings, path);
    }
    if (isItk(path)) {
        return itkPose(path);
    }
    const RigidMotion motion = motionFrom({path});
    if (motion.poses().size() != 1) {
        throw BadInput("{}: has {} poses; give a file with one", path, motion.poses().size());
    }
    return motion.poses().front().pose;
}

}  // namespace tof
