/* SPDX-License-Identifier: Apache-2.0

   Encoder and decoder of liblinnet: every function, in and out of order, with invalid arguments. */

#include "check.h"

#include <linnet.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { rate = 44100, frames = 9000, channels = 2 };
static int16_t input[frames * channels];

/* An encoded stream. */
typedef struct {
    uint8_t bytes[1 << 17];
    size_t sizes[64];
    int count;
    size_t total;
    uint8_t configuration[64];
    size_t configuration_size;
    linnet_trim trim;
} stream;

/* Stores all completed access units. */
static void drain(linnet_encoder *encoder, stream *result) {
    linnet_unit unit;
    for (;;) {
        EQUAL(linnet_encoder_next(encoder, &unit), LINNET_OK);
        EQUAL(unit.sample_rate, rate);
        if (unit.size == 0) break;
        EQUAL(unit.blocks, 1);
        memcpy(result->bytes + result->total, unit.bytes, unit.size);
        result->total += unit.size;
        result->sizes[result->count++] = unit.size;
    }
}

/* Encodes the signal; kind is 'i' for integers, 'f' for floats, 'p' for planar floats. */
static void encode(linnet_encoder *encoder, char kind, stream *result) {
    static float samples[frames * channels], planes[channels][frames];
    for (int i = 0; i < frames * channels; i++) samples[i] = planes[i % channels][i / channels] = (float)input[i] / 32768;
    memset(result, 0, sizeof *result);
    const uint8_t *bytes;
    EQUAL(linnet_encoder_configuration(encoder, &bytes, &result->configuration_size), LINNET_OK);
    memcpy(result->configuration, bytes, result->configuration_size);
    size_t taken;
    for (size_t done = 0; done < frames; done += taken) {
        /* Blocks of odd sizes. */
        size_t count = frames - done < 777 ? frames - done : 777;
        const float *pointers[channels] = {planes[0] + done, planes[1] + done};
        int code = kind == 'i'   ? linnet_encoder_write_int16(encoder, input + done * channels, count, &taken)
                   : kind == 'f' ? linnet_encoder_write_float(encoder, samples + done * channels, count, &taken)
                                 : linnet_encoder_write_planar(encoder, pointers, count, &taken);
        EQUAL(code, LINNET_OK);
        drain(encoder, result);
    }
    EQUAL(linnet_encoder_finish(encoder), LINNET_OK);
    drain(encoder, result);
    drain(encoder, result);
    EQUAL(linnet_encoder_trim(encoder, &result->trim), LINNET_OK);
    EQUAL(result->trim.valid, frames);
}

static linnet_encoder *create(uint32_t profile, uint32_t bit_rate) {
    linnet_encoder_settings settings;
    EQUAL(linnet_encoder_settings_init(&settings, rate, channels), LINNET_OK);
    settings.profile = profile;
    settings.bit_rate = bit_rate;
    linnet_encoder *encoder = NULL;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    return encoder;
}

static void test_wrong_settings(void) {
    linnet_encoder_settings settings, good;
    linnet_encoder *encoder = NULL;
    uint32_t low = 0, high = 0;
    EQUAL(linnet_encoder_settings_init(NULL, rate, 2), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_settings_init(&good, rate, 2), LINNET_OK);
    EQUAL(good.size, sizeof good);
    EQUAL(linnet_encoder_bit_rates(&good, &low, &high), LINNET_OK);
    CHECK(low > 1000 && low < 20000 && high == 529200);
    EQUAL(linnet_encoder_bit_rates(&good, NULL, &high), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_bit_rates(NULL, &low, &high), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_create(NULL, &encoder), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_create(&good, NULL), LINNET_ERROR_ARGUMENT);
#define REFUSED(field, value, code)                                       \
    settings = good;                                                      \
    settings.field = value;                                               \
    EQUAL(linnet_encoder_create(&settings, &encoder), code);              \
    CHECK(encoder == NULL);
    REFUSED(size, 8, LINNET_ERROR_ARGUMENT)
    REFUSED(frame_length, 512, LINNET_ERROR_UNSUPPORTED)
    REFUSED(profile, 7, LINNET_ERROR_ARGUMENT)
    REFUSED(rate_control, 3, LINNET_ERROR_ARGUMENT)
    REFUSED(effort, 3, LINNET_ERROR_ARGUMENT)
    REFUSED(signaling, 3, LINNET_ERROR_ARGUMENT)
    REFUSED(sample_rate, 44000, LINNET_ERROR_UNSUPPORTED)
    REFUSED(sample_rate, UINT32_MAX, LINNET_ERROR_UNSUPPORTED)
    REFUSED(channels, 0, LINNET_ERROR_UNSUPPORTED)
    REFUSED(channels, 7, LINNET_ERROR_UNSUPPORTED)
    REFUSED(channels, UINT32_MAX, LINNET_ERROR_UNSUPPORTED)
    REFUSED(bit_rate, 1, LINNET_ERROR_UNSUPPORTED)
    REFUSED(bit_rate, UINT32_MAX, LINNET_ERROR_UNSUPPORTED)
    REFUSED(bandwidth, 30000, LINNET_ERROR_UNSUPPORTED)
    REFUSED(peak_bit_rate, 1000, LINNET_ERROR_UNSUPPORTED)
    settings = good;
    settings.rate_control = LINNET_RATE_VARIABLE;
    REFUSED(channels, 9, LINNET_ERROR_UNSUPPORTED)
}

static void test_null_handles(void) {
    size_t taken;
    linnet_unit unit;
    linnet_trim trim;
    const uint8_t *bytes;
    linnet_encoder_information information = {.size = sizeof information};
    linnet_audio audio;
    uint32_t number;
    EQUAL(linnet_encoder_write_float(NULL, NULL, 0, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_write_int16(NULL, input, 1, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_write_planar(NULL, NULL, 0, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_finish(NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_next(NULL, &unit), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_configuration(NULL, &bytes, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_information_get(NULL, &information), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_trim(NULL, &trim), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_set_bit_rate(NULL, 1), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_reset(NULL), LINNET_ERROR_ARGUMENT);
    linnet_encoder_destroy(NULL);
    EQUAL(linnet_decoder_decode(NULL, NULL, 0, &audio), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_conceal(NULL, &audio), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_int16(NULL, input, 1), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_format(NULL, &audio), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_delay(NULL, &number), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_reset(NULL), LINNET_ERROR_ARGUMENT);
    linnet_decoder_destroy(NULL);

    linnet_encoder *encoder = create(LINNET_PROFILE_LC, 0);
    EQUAL(linnet_encoder_write_int16(encoder, input, 1, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_write_int16(encoder, NULL, 1, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_write_int16(encoder, NULL, 0, &taken), LINNET_OK);
    EQUAL(linnet_encoder_write_int16(encoder, input, SIZE_MAX / 2, &taken), LINNET_ERROR_ARGUMENT);
    const float *planes[channels] = {NULL, NULL};
    EQUAL(linnet_encoder_write_planar(encoder, planes, 1, &taken), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_next(encoder, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_encoder_configuration(encoder, NULL, &taken), LINNET_ERROR_ARGUMENT);
    information.size = 4;
    EQUAL(linnet_encoder_information_get(encoder, &information), LINNET_ERROR_ARGUMENT);
    linnet_encoder_destroy(encoder);
}

static void test_encoder_orders(void) {
    linnet_encoder *encoder = create(LINNET_PROFILE_LC, 96000);
    linnet_unit unit;
    size_t taken;
    /* Reading without samples; the end without samples; samples after the end; a new stream. */
    EQUAL(linnet_encoder_next(encoder, &unit), LINNET_OK);
    EQUAL(unit.size, 0);
    EQUAL(linnet_encoder_finish(encoder), LINNET_OK);
    EQUAL(linnet_encoder_finish(encoder), LINNET_OK);
    EQUAL(linnet_encoder_write_int16(encoder, input, 1, &taken), LINNET_ERROR_STATE);
    EQUAL(taken, 0);
    EQUAL(linnet_encoder_reset(encoder), LINNET_OK);
    /* A full encoder accepts no samples until its access unit is read. */
    EQUAL(linnet_encoder_write_int16(encoder, input, frames, &taken), LINNET_OK);
    CHECK(taken > 0 && taken <= 1024);
    EQUAL(linnet_encoder_write_int16(encoder, input, frames, &taken), LINNET_OK);
    EQUAL(taken, 0);
    EQUAL(linnet_encoder_set_bit_rate(encoder, 64000), LINNET_OK);
    EQUAL(linnet_encoder_set_bit_rate(encoder, 1), LINNET_ERROR_UNSUPPORTED);
    linnet_encoder_information information = {.size = sizeof information};
    EQUAL(linnet_encoder_information_get(encoder, &information), LINNET_OK);
    EQUAL(information.bit_rate, 64000);
    EQUAL(information.unit_length, 1024);
    EQUAL(information.delay, 2112);
    EQUAL(information.profile, LINNET_PROFILE_LC);

    float invalid[channels] = {0, NAN};
    EQUAL(linnet_encoder_reset(encoder), LINNET_OK);
    EQUAL(linnet_encoder_write_float(encoder, invalid, 1, &taken), LINNET_ERROR_SAMPLE);
    linnet_encoder_destroy(encoder);
    linnet_encoder_settings settings;
    linnet_encoder_settings_init(&settings, rate, channels);
    settings.silences_invalid = 1;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    EQUAL(linnet_encoder_write_float(encoder, invalid, 1, &taken), LINNET_OK);
    linnet_encoder_destroy(encoder);
}

static void test_settings_of_0_2(void) {
    linnet_encoder_settings settings;
    memset(&settings, 0xFF, sizeof settings);
    EQUAL((linnet_encoder_settings_init)(&settings, rate, channels), LINNET_OK);
    EQUAL(settings.size, 48);
    EQUAL(settings.low_delay, UINT32_MAX);
    linnet_encoder *encoder = NULL;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    linnet_encoder_destroy(encoder);
}

static void test_settings_of_0_3(void) {
    linnet_encoder_settings settings;
    linnet_encoder *encoder = NULL;
    linnet_encoder_information information = {.size = sizeof information};
    linnet_encoder_settings_init(&settings, rate, channels);
    EQUAL(settings.frame_length, 1024);
    settings.low_delay = 1;
    settings.no_noise_substitution = 1;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    EQUAL(linnet_encoder_information_get(encoder, &information), LINNET_OK);
    EQUAL(information.delay, 1024);
    linnet_encoder_destroy(encoder);
}

/* At the rates of these tests, all except AAC-LC have SBR. */
static const uint32_t profiles[] = {LINNET_PROFILE_LC, LINNET_PROFILE_HE, LINNET_PROFILE_HE_V2, LINNET_PROFILE_XHE};

static void test_same_bytes(void) {
    static stream integers, others, again;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        uint32_t profile = profiles[i];
        linnet_encoder *encoder = create(profile, 40000);
        encode(encoder, 'i', &integers);
        EQUAL(linnet_encoder_reset(encoder), LINNET_OK);
        encode(encoder, 'f', &others);
        EQUAL(linnet_encoder_reset(encoder), LINNET_OK);
        encode(encoder, 'p', &again);
        CHECK(integers.total > 200 && integers.count * (profile ? 2048 : 1024) >= frames);
        CHECK(memcmp(&integers, &others, sizeof integers) == 0);
        CHECK(memcmp(&integers, &again, sizeof integers) == 0);
        linnet_encoder_destroy(encoder);
    }
}

static void test_decoding(void) {
    static stream coded;
    static int16_t output[2048 * channels];
    for (size_t p = 0; p < sizeof profiles / sizeof *profiles; p++) {
        uint32_t profile = profiles[p];
        linnet_encoder *encoder = create(profile, 48000);
        encode(encoder, 'i', &coded);
        linnet_encoder_destroy(encoder);
        for (uint32_t mix = LINNET_MIX_NONE; mix <= LINNET_MIX_STEREO; mix++) {
            linnet_decoder *decoder;
            linnet_audio audio;
            uint32_t delay, wanted = mix == LINNET_MIX_MONO ? 1 : 2;
            /* xHE-AAC has no downmix. */
            int refused = profile == LINNET_PROFILE_XHE && mix == LINNET_MIX_MONO;
            EQUAL(linnet_decoder_create(coded.configuration, coded.configuration_size, mix, &decoder),
                  refused ? LINNET_ERROR_UNSUPPORTED : LINNET_OK);
            if (refused) continue;
            EQUAL(linnet_decoder_format(decoder, &audio), LINNET_OK);
            EQUAL(linnet_decoder_conceal(decoder, &audio), LINNET_OK);
            EQUAL(linnet_decoder_reset(decoder), LINNET_OK);
            double energy = 0;
            const uint8_t *unit = coded.bytes;
            for (int i = 0; i < coded.count; unit += coded.sizes[i++]) {
                EQUAL(linnet_decoder_decode(decoder, unit, coded.sizes[i], &audio), LINNET_OK);
                EQUAL(audio.damaged, 0);
                EQUAL(audio.used, coded.sizes[i]);
                EQUAL(audio.sample_rate, rate);
                if (!(profile == LINNET_PROFILE_HE_V2 && mix == LINNET_MIX_MONO)) EQUAL(audio.channels, wanted);
                EQUAL(audio.frames, profile ? 2048 : 1024);
                EQUAL(linnet_decoder_int16(decoder, output, 1), LINNET_ERROR_ARGUMENT);
                EQUAL(linnet_decoder_int16(decoder, output, sizeof output / 2), LINNET_OK);
                for (uint32_t k = 0; k < audio.frames * audio.channels; k++) {
                    energy += audio.samples[k] * audio.samples[k] / audio.channels;
                    if (fabsf(audio.samples[k]) < 0.99F) CHECK(fabsf(audio.samples[k] * 32768 - output[k]) <= 0.501F);
                }
            }
            CHECK(energy > 50 && energy < 300);
            EQUAL(linnet_decoder_delay(decoder, &delay), LINNET_OK);
            /* xHE-AAC counts the delay of SBR as the encoder's. */
            EQUAL(delay, profile == LINNET_PROFILE_HE || profile == LINNET_PROFILE_HE_V2 ? 962 : 0);
            /* Any damage is concealed and reported. */
            uint8_t damaged[64];
            memset(damaged, 0xA5, sizeof damaged);
            EQUAL(linnet_decoder_decode(decoder, damaged, sizeof damaged, &audio), LINNET_OK);
            EQUAL(audio.damaged, 1);
            EQUAL(linnet_decoder_decode(decoder, NULL, 0, &audio), LINNET_OK);
            EQUAL(audio.damaged, 1);
            EQUAL(linnet_decoder_decode(decoder, NULL, 3, &audio), LINNET_ERROR_ARGUMENT);
            EQUAL(linnet_decoder_decode(decoder, damaged, 3, NULL), LINNET_ERROR_ARGUMENT);
            linnet_decoder_destroy(decoder);
        }
    }
    linnet_decoder *decoder;
    uint8_t scalable_rate[2] = {0x1A, 0x10}, nothing[1] = {0};
    EQUAL(linnet_decoder_create(scalable_rate, 2, 0, &decoder), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_decoder_create(nothing, 1, 0, &decoder), LINNET_ERROR_DAMAGED);
    EQUAL(linnet_decoder_create(nothing, 0, 0, &decoder), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_create(NULL, 2, 0, &decoder), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_create(scalable_rate, 2, 9, &decoder), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_decoder_create(scalable_rate, 2, 0, NULL), LINNET_ERROR_ARGUMENT);
}

int main(void) {
    make_signal(input, frames, channels);
    EQUAL(linnet_version(), LINNET_VERSION_MAJOR << 16 | LINNET_VERSION_MINOR << 8 | LINNET_VERSION_PATCH);
    for (int code = -20; code <= 1; code++) CHECK(strlen(linnet_error_text(code)) > 5);
    test_wrong_settings();
    test_null_handles();
    test_encoder_orders();
    test_settings_of_0_2();
    test_settings_of_0_3();
    test_same_bytes();
    test_decoding();
    return finish_checks("liblinnet, encoder and decoder");
}
