/* SPDX-License-Identifier: Apache-2.0

   Encodes a generated signal with a matrix of settings, decodes it, and decodes the ADTS files in its arguments. Prints a line with
   checksums for each, which are equal on all processors:

       targets             the whole matrix
       targets file...     the files only

   Needs only the encoder and decoder functions, and no mathematics library. */

#include <linnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 16, LONGEST_SIGNAL = 24 * 2048 * 6 };

static int16_t signal_memory[LONGEST_SIGNAL];
static uint8_t file_memory[LARGEST_FILE];

/* Prints a failure and exits. */
static void fail(const char *call, int result) {
    printf("%s: %s\n", call, linnet_error_text(result));
    exit(1);
}

/* Exits if a library function failed. */
static void require(const char *call, int result) {
    if (result != LINNET_OK) fail(call, result);
}

/* Updates a 64-bit FNV-1a checksum. */
static uint64_t checksum(uint64_t sum, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    for (; count > 0; count--) sum = (sum ^ *next++) * 0x100000001B3;
    return sum;
}

static const uint64_t checksum_start = 0xCBF29CE484222325;

/* Adds the bits of a block's samples to a checksum. */
static uint64_t checksum_of_audio(uint64_t sum, const linnet_audio *audio) {
    return checksum(sum, audio->samples, sizeof(float) * audio->frames * audio->channels);
}

/* Prints a checksum. Some C libraries for small processors cannot print 64-bit integers. */
static void print_checksum(const char *name, uint64_t sum) {
    printf(" %s %08lx%08lx", name, (unsigned long)(sum >> 32), (unsigned long)(sum & 0xFFFFFFFF));
}

/* Generates gliding tones, pulsating noise and transients, in integers so that the signal is equal everywhere. */
static void make_signal(size_t frames, uint32_t channels) {
    uint32_t random = 12345;
    uint32_t phase[6] = {0};
    for (size_t frame = 0; frame < frames; frame++) {
        for (uint32_t channel = 0; channel < channels; channel++) {
            phase[channel] += 40000000u + 9000000u * channel + 3000u * (uint32_t)frame;
            /* Two parabolas per period approximate a sine. */
            int32_t x = (int32_t)phase[channel] >> 16;
            int32_t tone = x * (32768 - abs(x)) >> 15;
            random = random * 1664525u + 1013904223u;
            int32_t noise = (int32_t)random >> 18;
            int32_t level = (frame >> 11) % 3 == 1 ? 4 : 1;
            int32_t click = frame % 5003 < 12 ? 12000 - 1000 * (int32_t)(frame % 5003) : 0;
            signal_memory[frame * channels + channel] = (int16_t)(tone / 2 + noise * level / 4 + click);
        }
    }
}

/* Encodes and decodes the signal, and prints the checksums. */
static void run(const linnet_encoder_settings *settings) {
    static const char *const profiles[] = {"LC", "HE", "HEv2", "automatic", "LD", "ELD"}, *const efforts[] = {"fast", "balanced", "best"};
    static const char *const controls[] = {"average", "constant", "variable"};
    linnet_encoder *encoder;
    linnet_decoder *decoder;
    const uint8_t *configuration;
    size_t size, taken, offset = 0, units = 0, bytes = 0;
    uint64_t coded = checksum_start, decoded = checksum_start;
    uint32_t channels = settings->channels;
    size_t frames = settings->profile == LINNET_PROFILE_LC ? 6 * 1024 : settings->profile >= LINNET_PROFILE_LD ? 12 * 512 : 5 * 2048;
    linnet_unit unit;
    linnet_audio audio;

    make_signal(frames, channels);
    require("linnet_encoder_create", linnet_encoder_create(settings, &encoder));
    require("linnet_encoder_configuration", linnet_encoder_configuration(encoder, &configuration, &size));
    coded = checksum(coded, configuration, size);
    require("linnet_decoder_create", linnet_decoder_create(configuration, size, LINNET_MIX_NONE, &decoder));
    for (;;) {
        if (offset < frames) {
            require("linnet_encoder_write_int16",
                    linnet_encoder_write_int16(encoder, signal_memory + offset * channels, frames - offset, &taken));
            offset += taken;
            if (offset == frames) require("linnet_encoder_finish", linnet_encoder_finish(encoder));
        }
        require("linnet_encoder_next", linnet_encoder_next(encoder, &unit));
        if (unit.size == 0 && offset == frames) break;
        if (unit.size == 0) continue;
        units++;
        bytes += unit.size;
        coded = checksum(coded, unit.bytes, unit.size);
        require("linnet_decoder_decode", linnet_decoder_decode(decoder, unit.bytes, unit.size, &audio));
        if (audio.damaged) fail("damaged access unit", LINNET_ERROR_DAMAGED);
        decoded = checksum_of_audio(decoded, &audio);
    }
    printf("%s %s %s %u, %u Hz, %u channels: %u units, %u bytes", profiles[settings->profile], efforts[settings->effort],
           controls[settings->rate_control], (unsigned)(settings->rate_control == LINNET_RATE_VARIABLE ? settings->quality : settings->bit_rate), (unsigned)settings->sample_rate,
           (unsigned)channels, (unsigned)units, (unsigned)bytes);
    print_checksum("coded", coded);
    print_checksum("decoded", decoded);
    printf("\n");
    linnet_encoder_destroy(encoder);
    linnet_decoder_destroy(decoder);
}

/* Runs a profile with each effort at a sample rate, from a low to a high bit rate. */
static void run_efforts(uint32_t profile, uint32_t sample_rate, uint32_t channels, uint32_t low, uint32_t high) {
    linnet_encoder_settings settings;
    for (uint32_t effort = LINNET_EFFORT_FAST; effort <= (channels > 2 ? LINNET_EFFORT_BALANCED : LINNET_EFFORT_BEST); effort++) {
        require("linnet_encoder_settings_init", linnet_encoder_settings_init(&settings, sample_rate, channels));
        settings.profile = profile;
        settings.effort = effort;
        settings.bit_rate = low;
        run(&settings);
        settings.rate_control = LINNET_RATE_CONSTANT;
        settings.bit_rate = high;
        run(&settings);
        if (profile != LINNET_PROFILE_LC) continue;
        settings.rate_control = LINNET_RATE_VARIABLE;
        settings.bit_rate = 0;
        settings.quality = 40;
        run(&settings);
    }
}

/* Runs the matrix. */
static void run_matrix(void) {
    run_efforts(LINNET_PROFILE_LC, 8000, 1, 12000, 24000);
    run_efforts(LINNET_PROFILE_LC, 22050, 2, 32000, 64000);
    run_efforts(LINNET_PROFILE_LC, 44100, 1, 48000, 96000);
    run_efforts(LINNET_PROFILE_LC, 48000, 2, 64000, 192000);
    run_efforts(LINNET_PROFILE_LC, 96000, 2, 96000, 256000);
    run_efforts(LINNET_PROFILE_LC, 48000, 6, 192000, 384000);
    run_efforts(LINNET_PROFILE_HE, 32000, 1, 20000, 32000);
    run_efforts(LINNET_PROFILE_HE, 44100, 2, 40000, 64000);
    run_efforts(LINNET_PROFILE_HE, 48000, 6, 128000, 160000);
    run_efforts(LINNET_PROFILE_HE_V2, 44100, 2, 24000, 32000);
    run_efforts(LINNET_PROFILE_HE_V2, 48000, 2, 20000, 48000);
    run_efforts(LINNET_PROFILE_LD, 16000, 1, 24000, 32000);
    run_efforts(LINNET_PROFILE_LD, 48000, 2, 64000, 128000);
    run_efforts(LINNET_PROFILE_ELD, 16000, 1, 24000, 32000);
    run_efforts(LINNET_PROFILE_ELD, 48000, 2, 48000, 128000);
}

/* Creates a decoder from an ADTS header, with a two-byte AudioSpecificConfig. */
static linnet_decoder *decoder_of_adts(const uint8_t *header) {
    unsigned type = (header[2] >> 6) + 1, rate = header[2] >> 2 & 15, channels = (header[2] & 1) << 2 | header[3] >> 6;
    uint8_t configuration[2] = {(uint8_t)(type << 3 | rate >> 1), (uint8_t)(rate << 7 | channels << 3)};
    linnet_decoder *decoder;
    require("linnet_decoder_create", linnet_decoder_create(configuration, sizeof configuration, LINNET_MIX_NONE, &decoder));
    return decoder;
}

/* Decodes an ADTS file with one block per frame and prints the checksum of the samples. */
static void decode_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(file_memory, 1, sizeof file_memory, file) : 0, units = 0;
    const char *name = strrchr(path, '/');
    uint64_t decoded = checksum_start;
    if (file == NULL || fclose(file) != 0 || size < 7) fail(path, LINNET_ERROR_FILE);
    linnet_decoder *decoder = decoder_of_adts(file_memory);
    for (size_t offset = 0; offset + 7 <= size; units++) {
        const uint8_t *header = file_memory + offset;
        size_t length = (size_t)(header[3] & 3) << 11 | (size_t)header[4] << 3 | header[5] >> 5, skip = header[1] & 1 ? 7 : 9;
        linnet_audio audio;
        if (header[0] != 0xFF || length < skip || length > size - offset) fail(path, LINNET_ERROR_DAMAGED);
        require("linnet_decoder_decode", linnet_decoder_decode(decoder, header + skip, length - skip, &audio));
        decoded = checksum_of_audio(decoded, &audio);
        offset += length;
    }
    printf("%s: %u units", name ? name + 1 : path, (unsigned)units);
    print_checksum("decoded", decoded);
    printf("\n");
    linnet_decoder_destroy(decoder);
}

int main(int count, char **arguments) {
    /* Shows output that precedes a trap. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (count < 2) run_matrix();
    for (int index = 1; index < count; index++) decode_file(arguments[index]);
    return 0;
}
