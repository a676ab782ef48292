// SPDX-License-Identifier: Apache-2.0

#include "CPCMLibraries.h"

#if defined(__linux__) && !defined(__ANDROID__)

LINNET_LOADER(LinnetSndfileFunctions, LINNET_SNDFILE_FUNCTIONS, linnet_sndfile_functions, true, "libsndfile.so.1")

// FLAC 1.4, 1.5 and 1.3 have the same functions.
LINNET_LOADER(LinnetFLACFunctions, LINNET_FLAC_FUNCTIONS, linnet_flac_functions, true, "libFLAC.so.12", "libFLAC.so.14", "libFLAC.so.8")

LINNET_LOADER(
    LinnetMpg123Functions, LINNET_MPG123_FUNCTIONS, linnet_mpg123_functions, functions->mpg123_init() == MPG123_OK, "libmpg123.so.0")

LINNET_LOADER(LinnetSoxrFunctions, LINNET_SOXR_FUNCTIONS, linnet_soxr_functions, true, "libsoxr.so.0")

#endif
