/* SPDX-License-Identifier: Apache-2.0

   AAC-LC, HE-AAC and HE-AAC v2: encoder, decoder, and readers and writers of ADTS, LOAS, M4A, CAF and MPEG-TS; a converter of sample rates.

   Handles are independent of each other. A handle may be used from any thread, but only from one at a time. The library has no other
   state, never writes to the terminal and ignores the locale.

   A function that can fail returns LINNET_OK or a negative code, for which linnet_error_text has a sentence. Null for a required
   argument gives LINNET_ERROR_ARGUMENT; null for a handle that is destroyed is allowed. Memory that a function points to belongs to
   the handle and is valid until the next call with that handle. */

#ifndef LINNET_H
#define LINNET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Library ------------------------------------------------------------------------------------------------------------------- */

#define LINNET_VERSION_MAJOR 0
#define LINNET_VERSION_MINOR 4
#define LINNET_VERSION_PATCH 0

/* Returns the version of the library that is loaded: major * 65536 + minor * 256 + patch. */
uint32_t linnet_version(void);

/* Results of functions. */
enum {
    LINNET_OK = 0,
    LINNET_ERROR_ARGUMENT = -1,       /* null, a size or a number that no setting has */
    LINNET_ERROR_UNSUPPORTED = -2,    /* settings, or a stream, that the library does not support */
    LINNET_ERROR_DAMAGED = -3,        /* bytes that are not what they should be */
    LINNET_ERROR_STATE = -4,          /* a call out of order, such as input after the end */
    LINNET_ERROR_SAMPLE = -5,         /* a sample that is infinite or not a number */
    LINNET_ERROR_FILE = -6,           /* a file that can't be opened, read or written; errno has the reason */
    LINNET_ERROR_TOO_LARGE = -7,      /* an access unit or a file that exceeds a limit of its container */
    LINNET_ERROR_NO_AUDIO = -8        /* a file or stream without AAC */
};

/* Returns a sentence for a result, in English; never null. */
const char *linnet_error_text(int error);

/* Samples of audio, interleaved, from -1 to 1. */
typedef struct linnet_audio {
    const float *samples;             /* frames * channels values, in the order of WAV files */
    uint32_t frames;                  /* sample frames, one sample of each channel */
    uint32_t channels;
    uint32_t sample_rate;             /* hertz */
    uint32_t damaged;                 /* 1 if the unit was damaged or lost, and the samples conceal it */
    size_t used;                      /* bytes of the unit that were read; see linnet_unit.blocks */
} linnet_audio;

/* An access unit: the coded audio of unit_length sample frames. */
typedef struct linnet_unit {
    const uint8_t *bytes;
    size_t size;
    int64_t time;                     /* sample frames before the unit's first: an encoder's from the first valid one, so that it is
                                         negative in the priming, a reader's from the first one of the first unit */
    uint32_t duration;                /* sample frames */
    uint32_t sample_rate;             /* hertz: the unit of time and duration */
    uint32_t blocks;                  /* 1, or more in rare ADTS streams: decode so often, each time from where the last ended */
} linnet_unit;

/* Sample frames of a decoded stream, at its output rate. */
typedef struct linnet_trim {
    int64_t priming;                  /* before the first valid frame */
    int64_t valid;
    int64_t padding;                  /* after the last valid frame */
} linnet_trim;

/* ---- Encoder ------------------------------------------------------------------------------------------------------------------- */

enum { LINNET_PROFILE_LC = 0, LINNET_PROFILE_HE = 1, LINNET_PROFILE_HE_V2 = 2, LINNET_PROFILE_AUTOMATIC = 3, LINNET_PROFILE_LD = 4,
       LINNET_PROFILE_ELD = 5 };
enum { LINNET_RATE_AVERAGE = 0, LINNET_RATE_CONSTANT = 1, LINNET_RATE_VARIABLE = 2 };
enum { LINNET_EFFORT_FAST = 0, LINNET_EFFORT_BALANCED = 1, LINNET_EFFORT_BEST = 2 };
enum { LINNET_SBR_AUTOMATIC = 0, LINNET_SBR_OFF = 1, LINNET_SBR_SINGLE_RATE = 2, LINNET_SBR_DUAL_RATE = 3 };
enum { LINNET_SIGNALING_IMPLICIT = 0, LINNET_SIGNALING_COMPATIBLE = 1, LINNET_SIGNALING_EXPLICIT = 2 };

/* Settings of an encoder; linnet_encoder_settings_init fills in the defaults. */
typedef struct linnet_encoder_settings {
    uint32_t size;                    /* sizeof (linnet_encoder_settings) of the header that the program was compiled with */
    uint32_t sample_rate;             /* hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000 */
    uint32_t channels;                /* 1 to 6, or 8, in the order of WAV files */
    uint32_t profile;                 /* default LINNET_PROFILE_LC; LINNET_PROFILE_AUTOMATIC is the best one for the bit rate */
    uint32_t rate_control;            /* default LINNET_RATE_AVERAGE */
    uint32_t bit_rate;                /* bits per second; 0: about 64 kbit/s per channel at 48 kHz */
    uint32_t quality;                 /* 0 to 100, for LINNET_RATE_VARIABLE */
    uint32_t peak_bit_rate;           /* bits per second that no unit exceeds while it lasts; 0: the limit of the standard */
    uint32_t effort;                  /* the time spent for quality, default LINNET_EFFORT_BALANCED */
    uint32_t bandwidth;               /* the highest coded frequency in hertz, of AAC-LC only; 0: by bit rate */
    uint32_t signaling;               /* of SBR in the AudioSpecificConfig, default LINNET_SIGNALING_COMPATIBLE */
    uint32_t silences_invalid;        /* 1: samples that are infinite or not a number become zero; 0: they are an error */
    /* since 0.3 */
    uint32_t low_delay;               /* 1: AAC-LC without look-ahead, of frame_length sample frames of delay; 0: with it */
    uint32_t frame_length;            /* sample frames of the core in a unit: 1024 or 960 */
    uint32_t no_noise_substitution;   /* 1: noise is encoded as all else, as MPEG-2 AAC has to; 0: as its energy where that is better */
    uint32_t dab_bit_rate;            /* bits per second of a sub-channel of DAB+, 8000 to 192000, for which the units are; 0: for other uses */
    uint32_t dab_pad;                 /* bytes of programme-associated data that each of those units leaves room for: 0, 2 to 198 */
    uint32_t low_delay_sbr;           /* SBR of AAC-ELD, by the rate of its core; default LINNET_SBR_AUTOMATIC, the best for the bit rate */
} linnet_encoder_settings;

/* Properties of an encoder. */
typedef struct linnet_encoder_information {
    uint32_t size;                    /* sizeof (linnet_encoder_information), set by the caller */
    uint32_t profile;                 /* never LINNET_PROFILE_AUTOMATIC */
    uint32_t unit_length;             /* sample frames of a unit, at the input's rate: frame_length, twice that with SBR */
    uint32_t delay;                   /* decoded sample frames before the first one of the input */
    uint32_t bandwidth;               /* hertz */
    uint32_t bit_rate;                /* bits a second; 0 at a variable bit rate */
} linnet_encoder_information;

typedef struct linnet_encoder linnet_encoder;

/* Fills in the default settings for a sample rate and a number of channels. */
int linnet_encoder_settings_init(linnet_encoder_settings *settings, uint32_t sample_rate, uint32_t channels);

/*
 * The same for settings of a size in bytes, that of the program's header. The function above, which programs of version 0.2 call, writes the
 * 48 bytes of that version; calls that are compiled with this header are calls of this one.
 */
int linnet_encoder_settings_init_sized(linnet_encoder_settings *settings, uint32_t size, uint32_t sample_rate, uint32_t channels);
#define linnet_encoder_settings_init(settings, sample_rate, channels) \
    linnet_encoder_settings_init_sized(settings, (uint32_t)sizeof(linnet_encoder_settings), sample_rate, channels)

/* Gives the bit rates that the sample rate, the channels and the profile of some settings support. */
int linnet_encoder_bit_rates(const linnet_encoder_settings *settings, uint32_t *lowest, uint32_t *highest);

/* Creates an encoder. LINNET_ERROR_UNSUPPORTED if a setting, or the combination, is not supported. */
int linnet_encoder_create(const linnet_encoder_settings *settings, linnet_encoder **encoder);

/* Destroys an encoder; null is allowed. */
void linnet_encoder_destroy(linnet_encoder *encoder);

/* Passes samples to the encoder, which takes as many as it needs for a unit: call linnet_encoder_next, and pass the rest. */
int linnet_encoder_write_float(linnet_encoder *encoder, const float *samples, size_t frames, size_t *taken);
int linnet_encoder_write_int16(linnet_encoder *encoder, const int16_t *samples, size_t frames, size_t *taken);

/* The same with an array of samples for each channel. */
int linnet_encoder_write_planar(linnet_encoder *encoder, const float *const *channels, size_t frames, size_t *taken);

/* Ends the input; linnet_encoder_next then gives the remaining units. */
int linnet_encoder_finish(linnet_encoder *encoder);

/* Gives the next unit. If there is none, its size is 0: more samples are needed or, after linnet_encoder_finish, all are encoded. */
int linnet_encoder_next(linnet_encoder *encoder, linnet_unit *unit);

/* Gives the AudioSpecificConfig, which a decoder needs before the first unit. */
int linnet_encoder_configuration(linnet_encoder *encoder, const uint8_t **bytes, size_t *size);

/* Gives the properties of the stream. */
int linnet_encoder_information_get(linnet_encoder *encoder, linnet_encoder_information *information);

/* Gives the priming and padding that a player has to skip, if the input ends here. */
int linnet_encoder_trim(linnet_encoder *encoder, linnet_trim *trim);

/* Changes the bit rate from the next unit on. LINNET_ERROR_UNSUPPORTED outside linnet_encoder_bit_rates and at a variable bit rate. */
int linnet_encoder_set_bit_rate(linnet_encoder *encoder, uint32_t bit_rate);

/* Discards all samples and returns to the start of a stream. */
int linnet_encoder_reset(linnet_encoder *encoder);

/* ---- Decoder ------------------------------------------------------------------------------------------------------------------- */

enum { LINNET_MIX_NONE = 0, LINNET_MIX_MONO = 1, LINNET_MIX_STEREO = 2 };

typedef struct linnet_decoder linnet_decoder;

/* Creates a decoder from an AudioSpecificConfig; mix tells whether the channels are mixed down. */
int linnet_decoder_create(const uint8_t *configuration, size_t size, uint32_t mix, linnet_decoder **decoder);

/* Destroys a decoder; null is allowed. */
void linnet_decoder_destroy(linnet_decoder *decoder);

/* Decodes a unit. A damaged one is concealed, and marked in the audio; that is no error. */
int linnet_decoder_decode(linnet_decoder *decoder, const uint8_t *bytes, size_t size, linnet_audio *audio);

/* Conceals a unit that did not arrive. */
int linnet_decoder_conceal(linnet_decoder *decoder, linnet_audio *audio);

/* Gives the samples of the last unit as integers of 16 bits: frames * channels of them, at most capacity. */
int linnet_decoder_int16(linnet_decoder *decoder, int16_t *samples, size_t capacity);

/* Gives the sample rate and the channels of the output before the first unit; the samples are null. Either is 0 while it is unknown. */
int linnet_decoder_format(linnet_decoder *decoder, linnet_audio *audio);

/* Gives the delay that the decoder adds to the stream's, in sample frames of the output. */
int linnet_decoder_delay(linnet_decoder *decoder, uint32_t *delay);

/* Forgets what was decoded, as after a seek. */
int linnet_decoder_reset(linnet_decoder *decoder);

/* ---- Readers ------------------------------------------------------------------------------------------------------------------- */

/* Containers. Readers recognise them by their bytes. */
enum {
    LINNET_FORMAT_UNKNOWN = 0,
    LINNET_FORMAT_ADTS = 1,
    LINNET_FORMAT_LOAS = 2,
    LINNET_FORMAT_M4A = 3,            /* also MP4, 3GP and QuickTime when reading */
    LINNET_FORMAT_FRAGMENTED_M4A = 4, /* writing; recognised as LINNET_FORMAT_M4A */
    LINNET_FORMAT_CAF = 5,
    LINNET_FORMAT_TRANSPORT_STREAM = 6,
    LINNET_FORMAT_OTHER = 7           /* recognised, but not read: WAV, FLAC and so on */
};

/* Properties of a file or stream. */
typedef struct linnet_reader_information {
    uint32_t size;                    /* sizeof (linnet_reader_information), set by the caller */
    uint32_t format;
    uint32_t sample_rate;             /* hertz, of the output, as far as the configuration tells */
    uint32_t channels;                /* 0 if unknown */
    int64_t units;                    /* -1 if the container does not tell */
    linnet_trim trim;                 /* valid is -1 if the container does not tell */
} linnet_reader_information;

typedef struct linnet_reader linnet_reader;

/* Identifies a format by the first bytes of a file, at most 32768 of which are needed. */
int linnet_probe(const uint8_t *bytes, size_t size, uint32_t *format);

/* Opens a file, or a copy of a file in memory. */
int linnet_reader_open_file(const char *path, linnet_reader **reader);
int linnet_reader_open_memory(const uint8_t *bytes, size_t size, linnet_reader **reader);

/* Opens a stream of ADTS, LOAS or MPEG-TS whose bytes come later, through linnet_reader_append. */
int linnet_reader_open_stream(uint32_t format, linnet_reader **reader);

/* Closes a reader; null is allowed. */
void linnet_reader_close(linnet_reader *reader);

/* Passes the next bytes of a stream, any number; none end it. LINNET_ERROR_STATE for files, and after the end. */
int linnet_reader_append(linnet_reader *reader, const uint8_t *bytes, size_t size);

/* Gives the next unit. If there is none, its size is 0: at the end of the file, or if the stream needs more bytes. */
int linnet_reader_next(linnet_reader *reader, linnet_unit *unit);

/* Gives the AudioSpecificConfig of the latest unit; of files before the first unit too. LINNET_ERROR_STATE while it is unknown. */
int linnet_reader_configuration(linnet_reader *reader, const uint8_t **bytes, size_t *size);

/* Gives the properties of the file; LINNET_ERROR_STATE for a stream before its first unit. */
int linnet_reader_information_get(linnet_reader *reader, linnet_reader_information *information);

/* Goes to a decoded sample frame, counted from the first frame of the first unit. After it, drop so many decoded frames, and reset
   the decoder before. LINNET_ERROR_STATE for formats without an index: ADTS, LOAS and MPEG-TS. */
int linnet_reader_seek(linnet_reader *reader, int64_t frame, uint32_t *drop);

/* ---- Writers ------------------------------------------------------------------------------------------------------------------- */

typedef struct linnet_writer linnet_writer;

/* Creates a writer in memory for a stream with an AudioSpecificConfig. priming is the encoder's delay; fragmented M4A stores it. */
int linnet_writer_create(
    uint32_t format, const uint8_t *configuration, size_t size, uint32_t priming, linnet_writer **writer);

/* Destroys a writer; null is allowed. */
void linnet_writer_destroy(linnet_writer *writer);

/* Adds a unit. */
int linnet_writer_append(linnet_writer *writer, const linnet_unit *unit);

/* Writes the end; trim may be null. */
int linnet_writer_finish(linnet_writer *writer, const linnet_trim *trim);

/* Gives the bytes written since the last call. M4A and CAF have none before linnet_writer_finish. */
int linnet_writer_bytes(linnet_writer *writer, const uint8_t **bytes, size_t *size);

/* ---- Sample rates -------------------------------------------------------------------------------------------------------------- */

/* Filters of a conversion: the shortest one, which aliases; 16 bits with a wide transition band; 16, 20 and 28 bits. */
enum { LINNET_RESAMPLER_MINIMUM = 0, LINNET_RESAMPLER_LOW = 1, LINNET_RESAMPLER_MEDIUM = 2, LINNET_RESAMPLER_HIGH = 3,
       LINNET_RESAMPLER_MAXIMUM = 4 };

typedef struct linnet_resampler linnet_resampler;

/* Creates a converter of sample rates, in hertz, for interleaved samples of 1 to 64 channels. Equal rates copy the samples.
   LINNET_ERROR_UNSUPPORTED for an input rate below 1000, and for rates of which one is 257 times the other or more. */
int linnet_resampler_create(
    uint32_t input_rate, uint32_t output_rate, uint32_t channels, uint32_t quality, linnet_resampler **resampler);

/* Destroys a converter; null is allowed. */
void linnet_resampler_destroy(linnet_resampler *resampler);

/* Converts sample frames until there are room frames of output or all of the input is taken: if the output is full, call again with the rest,
   even of 0 frames. The output begins with the first frame of the input, without the delay of the filter, and does not depend on how the input
   is divided. Samples may exceed -1 to 1; those around one that is infinite or not a number are so too. Input and output must not overlap. */
int linnet_resampler_process(
    linnet_resampler *resampler, const float *input, size_t frames, size_t *taken, float *output, size_t room, size_t *written);

/* Ends the input; linnet_resampler_process, with 0 frames, then gives what the filter still holds, until less than room is written. All output
   has the length of the input times output_rate / input_rate, rounded to nearest. LINNET_ERROR_STATE for frames after it. */
int linnet_resampler_finish(linnet_resampler *resampler);

#ifdef __cplusplus
}
#endif

#endif
