// SPDX-License-Identifier: Apache-2.0
// Prints every dataset and attribute of an HDF5 file, one a line: name, type, shape, value (text, or the
// bytes' hash). With the name of a dataset: writes its numbers as doubles to the standard output.
#include <hdf5.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

std::uint64_t hashOf(const std::vector<char>& bytes) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    return hash;
}

/// The text without line ends and tabs.
std::string oneLine(const std::vector<char>& bytes) {
    std::string text;
    for (const char c : bytes) {
        text += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\0' ? "" : std::string(1, c);
    }
    return text;
}

void print(const std::string& name, hid_t type, hid_t space, const std::vector<char>& bytes) {
    std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    const H5T_class_t kind = H5Tget_class(type);
    const char* called = kind == H5T_INTEGER  ? "int"
                         : kind == H5T_FLOAT  ? "float"
                         : kind == H5T_STRING ? "text"
                                              : "other";
    std::printf("%s\t%s%zu\t", name.c_str(), called, kind == H5T_STRING ? 0 : 8 * H5Tget_size(type));
    for (const hsize_t n : shape) {
        std::printf("[%llu]", static_cast<unsigned long long>(n));
    }
    if (kind == H5T_STRING) {
        std::printf("\t%s\n", oneLine(bytes).c_str());
    } else {
        std::printf("\t%016llx\n", static_cast<unsigned long long>(hashOf(bytes)));
    }
}

std::size_t bytesOf(hid_t type, hid_t space) {
    return H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
}

herr_t printAttribute(hid_t object, const char* name, const H5A_info_t*, void* owner) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    std::vector<char> bytes(bytesOf(type, space));
    const herr_t done = H5Aread(attribute, type, bytes.data());
    print(*static_cast<std::string*>(owner) + "@" + name, type, space, bytes);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return done;
}

herr_t printObject(hid_t file, const char* name, const H5L_info_t*, void*) {
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    std::string path = std::string("/") + name;
    if (H5Iget_type(object) == H5I_DATASET) {
        const hid_t type = H5Dget_type(object);
        const hid_t space = H5Dget_space(object);
        std::vector<char> bytes(bytesOf(type, space));
        H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
        print(path, type, space, bytes);
        H5Sclose(space);
        H5Tclose(type);
    } else {
        std::printf("%s\tgroup\n", path.c_str());
    }
    const herr_t done = H5Aiterate(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, printAttribute, &path);
    H5Oclose(object);
    return done;
}

int writeValues(hid_t file, const char* name) {
    const hid_t set = H5Dopen(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    const herr_t done = H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    std::fwrite(values.data(), sizeof(double), values.size(), stdout);
    return done < 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
    const hid_t file = count < 2 ? -1 : H5Fopen(words[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        return 1;
    }
    if (count > 2) {
        return writeValues(file, words[2]);
    }
    std::string root = "/";
    return H5Aiterate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, printAttribute, &root) < 0 ||
                   H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, printObject, nullptr) < 0
               ? 1
               : 0;
}
