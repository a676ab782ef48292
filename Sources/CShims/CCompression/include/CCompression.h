// SPDX-License-Identifier: Apache-2.0

// libz.so.1, as in version 1.2.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#define LINNET_COMPRESSION_FUNCTIONS(FUNCTION) \
    FUNCTION(int, compress2, (unsigned char *result, unsigned long *size, const unsigned char *bytes, unsigned long count, int level)) \
    FUNCTION(unsigned long, compressBound, (unsigned long count))

LINNET_LIBRARY(LinnetCompressionFunctions, LINNET_COMPRESSION_FUNCTIONS, linnet_compression_functions)

#endif
#endif
