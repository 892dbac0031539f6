// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io.
#pragma once

#include <string>

namespace tof::h5 {

/// True for the older layout (superblock 0 or 1), whose headers carry no checksums.
[[nodiscard]] bool hasOldSuperblock(const std::string& path);

/// True when the library can read all of an HDF5 file without crashing or going round in circles.
///
/// The library trusts the numbers of the older layout and of texts of variable size: one changed byte can end
/// the program. Such files, which other programs write, are first read by a program of its own
/// (app/hdf5_probe), which may crash in peace. Ours have neither; damage to them fails a checksum. Throws
/// Unavailable when that program cannot be started.
[[nodiscard]] bool survivesReading(const std::string& path);

}  // namespace tof::h5
