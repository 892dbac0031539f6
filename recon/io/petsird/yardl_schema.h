// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tof {

/// How a value lies in yardl's binary encoding.
enum class YardlKind {
    Byte,        ///< bool, uint8
    SignedByte,  ///< int8
    Unsigned,    ///< base 128, lowest first
    Signed,      ///< zigzag in base 128; dates and times, too
    Float32,
    Float64,
    Text,
    Record,  ///< its fields
    Vector,  ///< the number of its items, then these
    Fixed,   ///< so many items
    Array,   ///< its dimensions, then the items
    Union,   ///< the number of the case, then its value; the case called "" is none
};

/// A type; `parts` are types of fields, cases, or of the items.
struct YardlType {
    YardlKind kind = YardlKind::Byte;
    std::vector<std::string> names{};  ///< names of fields or cases
    std::vector<std::size_t> parts{};
    std::uint64_t count = 0;  ///< Fixed: items; Array: dimensions, 0: told with the data
};

/// The types that a file of yardl describes its steps by.
class YardlSchema {
  public:
    /// Throws BadInput naming `path` for what is no schema or has types that are not read.
    YardlSchema(std::string path, const std::string& text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::string& protocol() const { return protocol_; }
    /// Whether a type has a name that begins so.
    [[nodiscard]] bool hasType(const std::string& beginning) const;
    /// The type of a step, of a stream that of its items. Throws BadInput.
    [[nodiscard]] std::size_t step(const std::string& name) const;
    [[nodiscard]] const YardlType& type(std::size_t index) const { return types_[index]; }
    /// The type of a field or case of `index`; throws BadInput where there is none.
    [[nodiscard]] std::size_t part(std::size_t index, const std::string& name) const;

  private:
    using Json = nlohmann::json;
    using Arguments = std::map<std::string, std::size_t>;
    std::size_t add(YardlType type);
    std::size_t resolve(const Json& type, const Arguments& arguments, int depth);
    std::size_t named(const std::string& name, const Json& arguments, const Arguments& outer, int depth);
    std::size_t defined(const Json& type, const Arguments& arguments, int depth);
    std::size_t array(const Json& array, const Arguments& arguments, int depth);
    std::size_t cases(const Json& list, const Arguments& arguments, int depth);
    [[noreturn]] void fail(const std::string& fault) const;

    std::string path_;
    std::string text_;
    std::string protocol_;
    std::map<std::string, Json> definitions_;
    std::map<std::string, std::size_t> known_;
    std::map<std::string, std::size_t> steps_;
    std::vector<YardlType> types_;
};

}  // namespace tof
