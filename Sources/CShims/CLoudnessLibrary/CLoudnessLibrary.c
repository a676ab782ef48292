// SPDX-License-Identifier: Apache-2.0

#include "CLoudnessLibrary.h"

#if defined(__linux__) && !defined(__ANDROID__)

LINNET_LOADER(LinnetLoudnessFunctions, LINNET_LOUDNESS_FUNCTIONS, linnet_loudness_functions, true, "libebur128.so.1")

#endif
