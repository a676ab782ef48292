/* SPDX-License-Identifier: Apache-2.0

   Encoder and decoder for AAC-LC, HE-AAC, HE-AAC v2, AAC-LD, AAC-ELD and xHE-AAC; readers and writers for ADTS, LOAS, M4A, CAF and
   MPEG-TS; sample rate converter; decoded files, also of Matroska and Apple Lossless, and tags.

   Handles are independent of each other. A handle may be used from any thread, but only from one at a time. The library has no other
   state, never writes to the terminal and ignores the locale.

   A function that can fail returns LINNET_OK or a negative code, which linnet_error_text describes. Null for a required argument
   returns LINNET_ERROR_ARGUMENT; functions that destroy a handle accept null. Memory that a function returns belongs to the handle and
   is valid until the next call with that handle. */

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

/* Returns the version of the loaded library: major * 65536 + minor * 256 + patch. */
uint32_t linnet_version(void);

/* Function results. */
enum {
    LINNET_OK = 0,
    LINNET_ERROR_ARGUMENT = -1,       /* null, or a size or value out of range */
    LINNET_ERROR_UNSUPPORTED = -2,    /* unsupported settings or stream */
    LINNET_ERROR_DAMAGED = -3,        /* invalid bytes */
    LINNET_ERROR_STATE = -4,          /* a call out of order, such as input after the end */
    LINNET_ERROR_SAMPLE = -5,         /* an infinite or NaN sample */
    LINNET_ERROR_FILE = -6,           /* a file cannot be opened, read or written; see errno */
    LINNET_ERROR_TOO_LARGE = -7,      /* an access unit or a file that exceeds a limit of its container */
    LINNET_ERROR_NO_AUDIO = -8        /* a file or stream without a track of a supported codec */
};

/* Returns an English description of a result; never null. */
const char *linnet_error_text(int error);

/* Interleaved samples from -1 to 1. */
typedef struct linnet_audio {
    const float *samples;             /* frames * channels values, in WAV channel order */
    uint32_t frames;                  /* sample frames, one sample of each channel */
    uint32_t channels;
    uint32_t sample_rate;             /* hertz */
    uint32_t damaged;                 /* 1 if the access unit was damaged or lost and these samples conceal it */
    size_t used;                      /* bytes read from the access unit; see linnet_unit.blocks */
} linnet_audio;

/* An access unit: unit_length encoded sample frames. */
typedef struct linnet_unit {
    const uint8_t *bytes;
    size_t size;
    int64_t time;                     /* position of the first sample frame. An encoder counts from the first valid frame, so that the
                                         priming is negative; a reader counts from the start of the first access unit. */
    uint32_t duration;                /* sample frames */
    uint32_t sample_rate;             /* hertz; the clock of time and duration */
    uint32_t blocks;                  /* usually 1; rare ADTS streams have more: decode each from the end of the previous one */
} linnet_unit;

/* Sample frame counts of a decoded stream, at its output rate. */
typedef struct linnet_trim {
    int64_t priming;                  /* before the first valid frame */
    int64_t valid;
    int64_t padding;                  /* after the last valid frame */
} linnet_trim;

/* ---- Encoder ------------------------------------------------------------------------------------------------------------------- */

enum { LINNET_PROFILE_LC = 0, LINNET_PROFILE_HE = 1, LINNET_PROFILE_HE_V2 = 2, LINNET_PROFILE_AUTOMATIC = 3, LINNET_PROFILE_LD = 4,
       LINNET_PROFILE_ELD = 5, LINNET_PROFILE_XHE = 6 };
enum { LINNET_RATE_AVERAGE = 0, LINNET_RATE_CONSTANT = 1, LINNET_RATE_VARIABLE = 2 };
enum { LINNET_EFFORT_FAST = 0, LINNET_EFFORT_BALANCED = 1, LINNET_EFFORT_BEST = 2 };
enum { LINNET_SBR_AUTOMATIC = 0, LINNET_SBR_OFF = 1, LINNET_SBR_SINGLE_RATE = 2, LINNET_SBR_DUAL_RATE = 3 };
enum { LINNET_SIGNALING_IMPLICIT = 0, LINNET_SIGNALING_COMPATIBLE = 1, LINNET_SIGNALING_EXPLICIT = 2 };

/* Encoder settings; linnet_encoder_settings_init fills in the defaults. */
typedef struct linnet_encoder_settings {
    uint32_t size;                    /* sizeof (linnet_encoder_settings) when the program was compiled */
    uint32_t sample_rate;             /* hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000 */
    uint32_t channels;                /* 1 to 6, or 8, in WAV channel order */
    uint32_t profile;                 /* default LINNET_PROFILE_LC; LINNET_PROFILE_AUTOMATIC chooses by bit rate */
    uint32_t rate_control;            /* default LINNET_RATE_AVERAGE */
    uint32_t bit_rate;                /* bits per second; 0: about 64 kbit/s per channel at 48 kHz */
    uint32_t quality;                 /* 0 to 100, for LINNET_RATE_VARIABLE */
    uint32_t peak_bit_rate;           /* bits per second; the maximum rate of any access unit; 0: the standard's limit */
    uint32_t effort;                  /* CPU time spent on quality; default LINNET_EFFORT_BALANCED */
    uint32_t bandwidth;               /* hertz, for AAC-LC only; 0: from the bit rate */
    uint32_t signaling;               /* SBR signaling in the AudioSpecificConfig; default LINNET_SIGNALING_COMPATIBLE */
    uint32_t silences_invalid;        /* 1: infinite and NaN samples become zero; 0: they are an error */
    /* since 0.3 */
    uint32_t low_delay;               /* 1: AAC-LC without look-ahead, with a delay of frame_length sample frames; 0: with look-ahead */
    uint32_t frame_length;            /* core sample frames per access unit: 1024 or 960 */
    uint32_t no_noise_substitution;   /* 1: no noise substitution (PNS), as MPEG-2 AAC requires, and no noise filling; 0: where it is better */
    uint32_t dab_bit_rate;            /* bits per second of a DAB+ sub-channel, 8000 to 192000; 0: not for DAB+ */
    uint32_t dab_pad;                 /* bytes reserved for PAD in each DAB+ access unit: 0, 2 to 198 */
    uint32_t low_delay_sbr;           /* SBR of AAC-ELD; default LINNET_SBR_AUTOMATIC, which chooses by bit rate */
    /* since 0.4 */
    uint32_t stated_loudness;         /* xHE-AAC: integrated loudness to state, 1 to 577 tenths of LUFS below 0, as 160 for -16 LUFS; 0: none */
    uint32_t access_point_interval;   /* xHE-AAC: longest time between units where decoding can start, in milliseconds; 0: 2000 */
} linnet_encoder_settings;

/* Encoder properties. */
typedef struct linnet_encoder_information {
    uint32_t size;                    /* sizeof (linnet_encoder_information), set by the caller */
    uint32_t profile;                 /* never LINNET_PROFILE_AUTOMATIC */
    uint32_t unit_length;             /* sample frames per access unit at the input rate: frame_length, twice that with SBR */
    uint32_t delay;                   /* decoded sample frames before the first input frame */
    uint32_t bandwidth;               /* hertz */
    uint32_t bit_rate;                /* bits per second; 0 for a variable bit rate */
} linnet_encoder_information;

typedef struct linnet_encoder linnet_encoder;

/* Fills in the default settings for a sample rate and channel count. */
int linnet_encoder_settings_init(linnet_encoder_settings *settings, uint32_t sample_rate, uint32_t channels);

/*
 * Does the same for a struct of `size` bytes, the size in the program's header. The function above is for programs compiled with version
 * 0.2 and writes the 48 bytes of that version; the macro below replaces it by this one.
 */
int linnet_encoder_settings_init_sized(linnet_encoder_settings *settings, uint32_t size, uint32_t sample_rate, uint32_t channels);
#define linnet_encoder_settings_init(settings, sample_rate, channels) \
    linnet_encoder_settings_init_sized(settings, (uint32_t)sizeof(linnet_encoder_settings), sample_rate, channels)

/* Returns the range of bit rates for the sample rate, channel count and profile of the settings. */
int linnet_encoder_bit_rates(const linnet_encoder_settings *settings, uint32_t *lowest, uint32_t *highest);

/* Creates an encoder. Returns LINNET_ERROR_UNSUPPORTED for an unsupported setting or combination. */
int linnet_encoder_create(const linnet_encoder_settings *settings, linnet_encoder **encoder);

/* Destroys an encoder. Accepts null. */
void linnet_encoder_destroy(linnet_encoder *encoder);

/* Passes samples to the encoder, which reads up to the end of an access unit. Then call linnet_encoder_next and pass the remaining
   samples. */
int linnet_encoder_write_float(linnet_encoder *encoder, const float *samples, size_t frames, size_t *taken);
int linnet_encoder_write_int16(linnet_encoder *encoder, const int16_t *samples, size_t frames, size_t *taken);

/* Does the same with one array of samples per channel. */
int linnet_encoder_write_planar(linnet_encoder *encoder, const float *const *channels, size_t frames, size_t *taken);

/* Ends the input. linnet_encoder_next then returns the remaining access units. */
int linnet_encoder_finish(linnet_encoder *encoder);

/* Returns the next access unit. Its size is 0 if more samples are needed or, after linnet_encoder_finish, at the end. */
int linnet_encoder_next(linnet_encoder *encoder, linnet_unit *unit);

/* Returns the AudioSpecificConfig, which a decoder needs before the first access unit. */
int linnet_encoder_configuration(linnet_encoder *encoder, const uint8_t **bytes, size_t *size);

/* Returns the encoder's properties. */
int linnet_encoder_information_get(linnet_encoder *encoder, linnet_encoder_information *information);

/* Returns the priming and padding that a player must skip, assuming that the input ends here. */
int linnet_encoder_trim(linnet_encoder *encoder, linnet_trim *trim);

/* Changes the bit rate from the next access unit. Returns LINNET_ERROR_UNSUPPORTED outside the range of linnet_encoder_bit_rates and for a
   variable bit rate. */
int linnet_encoder_set_bit_rate(linnet_encoder *encoder, uint32_t bit_rate);

/* Discards all samples and returns to the start of a stream. */
int linnet_encoder_reset(linnet_encoder *encoder);

/* ---- Decoder ------------------------------------------------------------------------------------------------------------------- */

enum { LINNET_MIX_NONE = 0, LINNET_MIX_MONO = 1, LINNET_MIX_STEREO = 2 };

typedef struct linnet_decoder linnet_decoder;

/* Creates a decoder from an AudioSpecificConfig. mix selects a downmix. */
int linnet_decoder_create(const uint8_t *configuration, size_t size, uint32_t mix, linnet_decoder **decoder);

/* Destroys a decoder. Accepts null. */
void linnet_decoder_destroy(linnet_decoder *decoder);

/* Decodes an access unit. Conceals a damaged one and sets audio->damaged, which is not an error. */
int linnet_decoder_decode(linnet_decoder *decoder, const uint8_t *bytes, size_t size, linnet_audio *audio);

/* Conceals a lost access unit. */
int linnet_decoder_conceal(linnet_decoder *decoder, linnet_audio *audio);

/* Returns the samples of the last access unit as 16-bit integers: frames * channels values, at most capacity. */
int linnet_decoder_int16(linnet_decoder *decoder, int16_t *samples, size_t capacity);

/* Returns the output sample rate and channel count before the first access unit. Unknown values are 0; the samples are null. */
int linnet_decoder_format(linnet_decoder *decoder, linnet_audio *audio);

/* Returns the decoder's own delay, in output sample frames. */
int linnet_decoder_delay(linnet_decoder *decoder, uint32_t *delay);

/* Resets the decoding history, for example after a seek. */
int linnet_decoder_reset(linnet_decoder *decoder);

/* ---- Readers ------------------------------------------------------------------------------------------------------------------- */

/* Containers. Readers detect them from the content. */
enum {
    LINNET_FORMAT_UNKNOWN = 0,
    LINNET_FORMAT_ADTS = 1,
    LINNET_FORMAT_LOAS = 2,
    LINNET_FORMAT_M4A = 3,            /* also MP4, 3GP and QuickTime when reading */
    LINNET_FORMAT_FRAGMENTED_M4A = 4, /* for writing; detected as LINNET_FORMAT_M4A */
    LINNET_FORMAT_CAF = 5,
    LINNET_FORMAT_TRANSPORT_STREAM = 6,
    LINNET_FORMAT_OTHER = 7,          /* detected but not supported: WAV, FLAC and others */
    LINNET_FORMAT_MATROSKA = 8        /* also WebM; only for reading, and only in the shared library. Since 0.4 */
};

/* Properties of a file or stream. */
typedef struct linnet_reader_information {
    uint32_t size;                    /* sizeof (linnet_reader_information), set by the caller */
    uint32_t format;
    uint32_t sample_rate;             /* hertz; the clock of trim and linnet_reader_seek. The output sample rate, or half of it if the
                                         configuration does not signal SBR: compare with linnet_audio.sample_rate. */
    uint32_t channels;                /* 0 if unknown */
    int64_t units;                    /* -1 if unknown */
    linnet_trim trim;                 /* at sample_rate; valid is -1 if unknown */
} linnet_reader_information;

typedef struct linnet_reader linnet_reader;

/* Detects the format from the first bytes of a file. 32768 bytes are enough. */
int linnet_probe(const uint8_t *bytes, size_t size, uint32_t *format);

/* Opens a file, or a file in memory, which is copied. */
int linnet_reader_open_file(const char *path, linnet_reader **reader);
int linnet_reader_open_memory(const uint8_t *bytes, size_t size, linnet_reader **reader);

/* Opens an ADTS, LOAS or MPEG-TS stream. linnet_reader_append adds its bytes. */
int linnet_reader_open_stream(uint32_t format, linnet_reader **reader);

/* Closes a reader. Accepts null. */
void linnet_reader_close(linnet_reader *reader);

/* Appends any number of bytes to a stream; 0 bytes end it. Returns LINNET_ERROR_STATE for files and after the end. */
int linnet_reader_append(linnet_reader *reader, const uint8_t *bytes, size_t size);

/* Returns the next access unit. Its size is 0 at the end of the file, or if the stream needs more bytes. */
int linnet_reader_next(linnet_reader *reader, linnet_unit *unit);

/* Returns the AudioSpecificConfig of the current access unit, for files also before the first one. Returns LINNET_ERROR_STATE while it is
   unknown. */
int linnet_reader_configuration(linnet_reader *reader, const uint8_t **bytes, size_t *size);

/* Returns the properties of the file or stream. Returns LINNET_ERROR_STATE for a stream before its first access unit. */
int linnet_reader_information_get(linnet_reader *reader, linnet_reader_information *information);

/* Seeks to a decoded sample frame, counted from the start of the first access unit. Reset the decoder afterwards and discard the first
   `drop` decoded frames. Returns LINNET_ERROR_STATE for formats without an index: ADTS, LOAS and MPEG-TS. */
int linnet_reader_seek(linnet_reader *reader, int64_t frame, uint32_t *drop);

/* ---- Writers ------------------------------------------------------------------------------------------------------------------- */

typedef struct linnet_writer linnet_writer;

/* Creates a writer to memory for a stream with an AudioSpecificConfig. priming is the encoder delay, which fragmented M4A stores. */
int linnet_writer_create(
    uint32_t format, const uint8_t *configuration, size_t size, uint32_t priming, linnet_writer **writer);

/* Creates a writer to a hidden file in the folder of path. linnet_writer_finish renames it, which replaces an existing file;
   linnet_writer_destroy removes it if it is not finished. Devices are written directly. linnet_writer_bytes returns no bytes. Since 0.4. */
int linnet_writer_open_file(
    const char *path, uint32_t format, const uint8_t *configuration, size_t size, uint32_t priming, linnet_writer **writer);

/* Destroys a writer. Accepts null. */
void linnet_writer_destroy(linnet_writer *writer);

/* Appends an access unit. Returns LINNET_ERROR_UNSUPPORTED if it has several blocks; 0 blocks mean 1. */
int linnet_writer_append(linnet_writer *writer, const linnet_unit *unit);

/* Finishes the file; trim may be null. */
int linnet_writer_finish(linnet_writer *writer, const linnet_trim *trim);

/* Returns the bytes written since the last call. M4A and CAF have none before linnet_writer_finish. */
int linnet_writer_bytes(linnet_writer *writer, const uint8_t **bytes, size_t *size);

/* ---- Sample rate converter ----------------------------------------------------------------------------------------------------- */

/* Filters: the shortest, with aliasing; 16 bits with a wide transition band; 16, 20 and 28 bits. */
enum { LINNET_RESAMPLER_MINIMUM = 0, LINNET_RESAMPLER_LOW = 1, LINNET_RESAMPLER_MEDIUM = 2, LINNET_RESAMPLER_HIGH = 3,
       LINNET_RESAMPLER_MAXIMUM = 4 };

typedef struct linnet_resampler linnet_resampler;

/* Creates a sample rate converter for interleaved samples of 1 to 64 channels. Rates are in hertz; equal rates copy the samples.
   Returns LINNET_ERROR_UNSUPPORTED for an input rate below 1000 and for ratios of 257 or more, in either direction. */
int linnet_resampler_create(
    uint32_t input_rate, uint32_t output_rate, uint32_t channels, uint32_t quality, linnet_resampler **resampler);

/* Destroys a converter. Accepts null. */
void linnet_resampler_destroy(linnet_resampler *resampler);

/* Converts sample frames until `room` output frames are written or all input is read. If the output is full, call again with the remaining
   input, even if that is 0 frames. The output starts at the first input frame, without filter delay, and does not depend on how the input
   is split. Samples may exceed -1 to 1. Output near an infinite or NaN sample is not finite either. Input and output must not overlap. */
int linnet_resampler_process(
    linnet_resampler *resampler, const float *input, size_t frames, size_t *taken, float *output, size_t room, size_t *written);

/* Ends the input. linnet_resampler_process with 0 frames then returns the remaining output, until it writes fewer than `room` frames. The
   output length is the input length times output_rate / input_rate, rounded to nearest. Later input returns LINNET_ERROR_STATE. */
int linnet_resampler_finish(linnet_resampler *resampler);

/* ---- Decoded files, since 0.4 -------------------------------------------------------------------------------------------------- */

/* This section, the two below and linnet_writer_open_file are only in the shared library, not in WebAssembly and bare-metal builds. */

/* A file that is decoded without its priming and padding: AAC, xHE-AAC and Apple Lossless in all containers that readers detect. */
typedef struct linnet_file linnet_file;

/* Properties of a decoded file. */
typedef struct linnet_file_information {
    uint32_t size;                    /* sizeof (linnet_file_information), set by the caller */
    uint32_t format;
    uint32_t sample_rate;             /* output sample rate in hertz */
    uint32_t channels;                /* output channels, in WAV order */
    int64_t frames;                   /* sample frames of the whole file; -1 if unknown */
    int64_t position;                 /* the next sample frame that linnet_file_read returns */
    int64_t damaged;                  /* access units found damaged or missing so far; their audio is concealed */
    int64_t skipped;                  /* bytes without a readable access unit found so far, not counting tags */
    uint32_t bit_depth;               /* bits per sample of Apple Lossless; 0 for AAC */
    uint32_t reserved;
} linnet_file_information;

/* Opens a file, or a file in memory, which is copied. Returns LINNET_ERROR_NO_AUDIO without a track of a supported codec, and
   LINNET_ERROR_UNSUPPORTED if an edit list plays parts repeatedly or in another order. */
int linnet_file_open(const char *path, linnet_file **file);
int linnet_file_open_memory(const uint8_t *bytes, size_t size, linnet_file **file);

/* Closes a file. Accepts null. */
void linnet_file_close(linnet_file *file);

/* Returns the properties of the file. */
int linnet_file_information_get(linnet_file *file, linnet_file_information *information);

/* Returns the name of the codec or AAC profile, such as "HE-AAC v2". */
int linnet_file_codec(linnet_file *file, const char **name);

/* Decodes the next sample frames to interleaved samples from -1 to 1. Writes fewer than `frames` only at the end and before an error.
   Returns LINNET_ERROR_UNSUPPORTED if the sample rate or channel count changes. */
int linnet_file_read(linnet_file *file, float *samples, size_t frames, size_t *written);

/* Seeks to a sample frame. Formats without an index (ADTS, LOAS, MPEG-TS) are decoded up to it. */
int linnet_file_seek(linnet_file *file, int64_t frame);

/* ---- Tags, since 0.4 ----------------------------------------------------------------------------------------------------------- */

typedef struct linnet_tags linnet_tags;

/* A picture. */
typedef struct linnet_picture {
    const uint8_t *bytes;
    size_t size;
    const char *media_type;           /* such as "image/jpeg" */
    const char *description;
    uint32_t kind;                    /* as in ID3v2 and FLAC: 3 is the front cover, 4 the back cover */
    uint32_t reserved;
} linnet_picture;

/* Reads the tags of a file, or of a file in memory, which is copied: the readers' formats, and WAV, AIFF, FLAC, MPEG audio and Ogg. A file
   without tags has none. */
int linnet_tags_open(const char *path, linnet_tags **tags);
int linnet_tags_open_memory(const uint8_t *bytes, size_t size, linnet_tags **tags);

/* Closes tags. Accepts null. */
void linnet_tags_close(linnet_tags *tags);

/* Returns a text in UTF-8 with its name, as in Vorbis comments. A name can occur several times. These three functions count from 0 and
   return LINNET_ERROR_ARGUMENT after the last one. */
int linnet_tags_text(linnet_tags *tags, size_t index, const char **name, const char **value);

/* Returns a chapter with its start in seconds. */
int linnet_tags_chapter(linnet_tags *tags, size_t index, double *start, const char **title);

/* Returns a picture. */
int linnet_tags_picture(linnet_tags *tags, size_t index, linnet_picture *picture);

/* ---- Sample formats, since 0.4 ------------------------------------------------------------------------------------------------- */

/* Encodings of samples, least significant byte first. */
enum { LINNET_SAMPLES_UINT8 = 0, LINNET_SAMPLES_INT16 = 1, LINNET_SAMPLES_INT24 = 2, LINNET_SAMPLES_INT32 = 3,
       LINNET_SAMPLES_FLOAT32 = 4, LINNET_SAMPLES_FLOAT64 = 5 };

/* Converts `count` samples to floating point from -1 to 1. */
int linnet_samples_decode(uint32_t encoding, const uint8_t *bytes, size_t count, float *samples);

/* Converts `count` samples from floating point. Integers are rounded to nearest and limited. Not for LINNET_SAMPLES_UINT8. */
int linnet_samples_encode(uint32_t encoding, const float *samples, size_t count, uint8_t *bytes);

/* Writes the mean of the channels of each frame. `mono` may be `samples`. */
int linnet_samples_mono(const float *samples, size_t frames, uint32_t channels, float *mono);

#ifdef __cplusplus
}
#endif

#endif
