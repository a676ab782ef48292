/* SPDX-License-Identifier: Apache-2.0

   Integer types of fdk-aac's interface. Written for Linnet from the values of the binary interface. */

#ifndef LINNET_FDK_MACHINE_TYPE_H
#define LINNET_FDK_MACHINE_TYPE_H

#include <stddef.h>
#include <stdint.h>

#define SCHAR int8_t
#define UCHAR uint8_t
#define SHORT int16_t
#define USHORT uint16_t
#define INT int32_t
#define UINT uint32_t
#define INT64 int64_t
#define UINT64 uint64_t
#define INT_PCM int16_t
#define SAMPLE_BITS 16

#ifndef LINKSPEC_H
#define LINKSPEC_H
#define LINKSPEC_CPP
#endif

#endif
