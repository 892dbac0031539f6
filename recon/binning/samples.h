// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/samples.h"  // where they are
