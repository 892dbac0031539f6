// SPDX-License-Identifier: Apache-2.0
// A file driver for HDF5 output. Internal to recon/io.
#pragma once

#include <hdf5.h>

namespace tof::h5 {

/// Registers the driver and sets it on a file access list; returns the driver's identifier, which is closed
/// by H5FDunregister after the file: the library gives its own reference up before it calls the driver's
/// close function, and would call it through freed memory.
///
/// The library cannot close a file whose last writes fail: the identifier stays behind and crashes the
/// program at its end. This driver therefore reports every write as done and keeps the first fault (an errno)
/// in `*fault`, which must outlive the file; whoever writes looks there.
[[nodiscard]] hid_t useFaultKeepingDriver(hid_t access, int* fault);

}  // namespace tof::h5
