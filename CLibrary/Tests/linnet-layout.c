/* Linnet: audio capture and AAC coding
   SPDX-License-Identifier: Apache-2.0
   Copyright the Linnet authors

   What programs that were compiled with linnet.h rely on, and Scripts/Check/interface doesn't compare: the offsets of structures that grow, and
   the values of constants. Compiled for several systems, never run. */

#include <linnet.h>
#include <stddef.h>

#define FIELD(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field);
#define VALUE(name, value) _Static_assert((name) == (value), #name);

FIELD(linnet_encoder_settings, size, 0)
FIELD(linnet_encoder_settings, sample_rate, 4)
FIELD(linnet_encoder_settings, channels, 8)
FIELD(linnet_encoder_settings, profile, 12)
FIELD(linnet_encoder_settings, rate_control, 16)
FIELD(linnet_encoder_settings, bit_rate, 20)
FIELD(linnet_encoder_settings, quality, 24)
FIELD(linnet_encoder_settings, peak_bit_rate, 28)
FIELD(linnet_encoder_settings, effort, 32)
FIELD(linnet_encoder_settings, bandwidth, 36)
FIELD(linnet_encoder_settings, signaling, 40)
FIELD(linnet_encoder_settings, silences_invalid, 44)
FIELD(linnet_encoder_information, size, 0)
FIELD(linnet_encoder_information, profile, 4)
FIELD(linnet_encoder_information, unit_length, 8)
FIELD(linnet_encoder_information, delay, 12)
FIELD(linnet_encoder_information, bandwidth, 16)
FIELD(linnet_encoder_information, bit_rate, 20)
FIELD(linnet_reader_information, size, 0)
FIELD(linnet_reader_information, format, 4)
FIELD(linnet_reader_information, sample_rate, 8)
FIELD(linnet_reader_information, channels, 12)
FIELD(linnet_reader_information, units, 16)
FIELD(linnet_reader_information, trim, 24)

VALUE(LINNET_OK, 0)
VALUE(LINNET_ERROR_ARGUMENT, -1)
VALUE(LINNET_ERROR_UNSUPPORTED, -2)
VALUE(LINNET_ERROR_DAMAGED, -3)
VALUE(LINNET_ERROR_STATE, -4)
VALUE(LINNET_ERROR_SAMPLE, -5)
VALUE(LINNET_ERROR_FILE, -6)
VALUE(LINNET_ERROR_TOO_LARGE, -7)
VALUE(LINNET_ERROR_NO_AUDIO, -8)
VALUE(LINNET_PROFILE_LC, 0)
VALUE(LINNET_PROFILE_HE, 1)
VALUE(LINNET_PROFILE_HE_V2, 2)
VALUE(LINNET_PROFILE_AUTOMATIC, 3)
VALUE(LINNET_RATE_AVERAGE, 0)
VALUE(LINNET_RATE_CONSTANT, 1)
VALUE(LINNET_RATE_VARIABLE, 2)
VALUE(LINNET_EFFORT_FAST, 0)
VALUE(LINNET_EFFORT_BALANCED, 1)
VALUE(LINNET_EFFORT_BEST, 2)
VALUE(LINNET_SIGNALING_IMPLICIT, 0)
VALUE(LINNET_SIGNALING_COMPATIBLE, 1)
VALUE(LINNET_SIGNALING_EXPLICIT, 2)
VALUE(LINNET_MIX_NONE, 0)
VALUE(LINNET_MIX_MONO, 1)
VALUE(LINNET_MIX_STEREO, 2)
VALUE(LINNET_FORMAT_UNKNOWN, 0)
VALUE(LINNET_FORMAT_ADTS, 1)
VALUE(LINNET_FORMAT_LOAS, 2)
VALUE(LINNET_FORMAT_M4A, 3)
VALUE(LINNET_FORMAT_FRAGMENTED_M4A, 4)
VALUE(LINNET_FORMAT_CAF, 5)
VALUE(LINNET_FORMAT_TRANSPORT_STREAM, 6)
VALUE(LINNET_FORMAT_OTHER, 7)
