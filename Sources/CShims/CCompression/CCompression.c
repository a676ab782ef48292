// SPDX-License-Identifier: Apache-2.0

#include "CCompression.h"

#if defined(__linux__) && !defined(__ANDROID__)

LINNET_LOADER(LinnetCompressionFunctions, LINNET_COMPRESSION_FUNCTIONS, linnet_compression_functions, true, "libz.so.1")

#endif
