/* SPDX-License-Identifier: Apache-2.0

   Readers and writers of liblinnet: every function, in and out of order, with invalid arguments and damaged bytes. */

#include "check.h"

#include <linnet.h>

#include <stdlib.h>
#include <string.h>

enum { rate = 48000, frames = 30000, channels = 2 };
static int16_t input[frames * channels];

/* A file in memory. */
typedef struct {
    uint8_t bytes[1 << 17];
    size_t size;
    int units;
} file;

/* Appends the bytes that the writer completed. */
static void collect(linnet_writer *writer, file *result) {
    const uint8_t *bytes;
    size_t size;
    EQUAL(linnet_writer_bytes(writer, &bytes, &size), LINNET_OK);
    memcpy(result->bytes + result->size, bytes, size);
    result->size += size;
}

/* Writes the signal in a format. */
static void write_file(uint32_t format, file *result) {
    memset(result, 0, sizeof *result);
    linnet_encoder_settings settings;
    linnet_encoder_settings_init(&settings, rate, channels);
    linnet_encoder *encoder;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    linnet_encoder_information information = {.size = sizeof information};
    EQUAL(linnet_encoder_information_get(encoder, &information), LINNET_OK);
    const uint8_t *configuration;
    size_t size, taken;
    EQUAL(linnet_encoder_configuration(encoder, &configuration, &size), LINNET_OK);
    linnet_writer *writer;
    EQUAL(linnet_writer_create(format, configuration, size, information.delay, &writer), LINNET_OK);
    linnet_unit unit;
    for (size_t done = 0; done < frames || unit.size > 0;) {
        if (done < frames) {
            EQUAL(linnet_encoder_write_int16(encoder, input + done * channels, frames - done, &taken), LINNET_OK);
            done += taken;
            if (done == frames) EQUAL(linnet_encoder_finish(encoder), LINNET_OK);
        }
        EQUAL(linnet_encoder_next(encoder, &unit), LINNET_OK);
        if (unit.size == 0) continue;
        EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
        result->units++;
        collect(writer, result);
        if (format == LINNET_FORMAT_M4A || format == LINNET_FORMAT_CAF) EQUAL(result->size, 0);
    }
    linnet_trim trim;
    EQUAL(linnet_encoder_trim(encoder, &trim), LINNET_OK);
    linnet_trim wrong = {.priming = -1, .valid = 0, .padding = 0};
    EQUAL(linnet_writer_finish(writer, &wrong), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_finish(writer, &trim), LINNET_OK);
    EQUAL(linnet_writer_finish(writer, NULL), LINNET_OK);
    collect(writer, result);
    unit.bytes = configuration;
    unit.size = 2;
    EQUAL(linnet_writer_append(writer, &unit), LINNET_ERROR_STATE);
    linnet_writer_destroy(writer);
    linnet_encoder_destroy(encoder);
}

/* Reads and decodes all access units. Returns their number. */
static int read_units(linnet_reader *reader) {
    linnet_decoder *decoder = NULL;
    linnet_unit unit;
    int count = 0;
    for (;;) {
        EQUAL(linnet_reader_next(reader, &unit), LINNET_OK);
        if (unit.size == 0) break;
        /* The duration of the last access unit may be its valid part. */
        CHECK(unit.duration > 0 && unit.duration <= 1024);
        const uint8_t *bytes;
        size_t size;
        EQUAL(linnet_reader_configuration(reader, &bytes, &size), LINNET_OK);
        if (!decoder) EQUAL(linnet_decoder_create(bytes, size, LINNET_MIX_NONE, &decoder), LINNET_OK);
        linnet_audio audio;
        EQUAL(linnet_decoder_decode(decoder, unit.bytes, unit.size, &audio), LINNET_OK);
        EQUAL(audio.damaged, 0);
        count++;
    }
    linnet_decoder_destroy(decoder);
    return count;
}

static void test_files(const char *path) {
    static file written;
    for (uint32_t format = LINNET_FORMAT_ADTS; format <= LINNET_FORMAT_TRANSPORT_STREAM; format++) {
        write_file(format, &written);
        uint32_t found = 99, expected = format == LINNET_FORMAT_FRAGMENTED_M4A ? LINNET_FORMAT_M4A : format;
        EQUAL(linnet_probe(written.bytes, written.size, &found), LINNET_OK);
        EQUAL(found, expected);
        linnet_reader *reader;
        EQUAL(linnet_reader_open_memory(written.bytes, written.size, &reader), LINNET_OK);
        linnet_reader_information information = {.size = sizeof information};
        EQUAL(linnet_reader_information_get(reader, &information), LINNET_OK);
        EQUAL(information.format, expected);
        EQUAL(information.sample_rate, rate);
        EQUAL(information.channels, channels);
        int is_indexed = expected == LINNET_FORMAT_M4A || expected == LINNET_FORMAT_CAF;
        EQUAL(information.units, is_indexed ? written.units : -1);
        EQUAL(information.trim.valid, is_indexed ? frames : -1);
        EQUAL(information.trim.priming, is_indexed ? 2112 : 0);
        EQUAL(linnet_reader_append(reader, written.bytes, 1), LINNET_ERROR_STATE);
        EQUAL(read_units(reader), written.units);
        EQUAL(read_units(reader), 0);
        uint32_t drop;
        EQUAL(linnet_reader_seek(reader, 10000, &drop), is_indexed ? LINNET_OK : LINNET_ERROR_STATE);
        if (is_indexed) {
            /* The target frame is in access unit 9; the previous one fills the overlap. */
            EQUAL(drop, 10000 - 8 * 1024);
            EQUAL(read_units(reader), written.units - 8);
            EQUAL(linnet_reader_seek(reader, -1, &drop), LINNET_ERROR_ARGUMENT);
            EQUAL(linnet_reader_seek(reader, 0, NULL), LINNET_ERROR_ARGUMENT);
        }
        linnet_reader_close(reader);

        FILE *output = fopen(path, "wb");
        CHECK(output && fwrite(written.bytes, 1, written.size, output) == written.size && fclose(output) == 0);
        EQUAL(linnet_reader_open_file(path, &reader), LINNET_OK);
        EQUAL(read_units(reader), written.units);
        linnet_reader_close(reader);
    }
    EQUAL(remove(path), 0);
}

static void test_streams(void) {
    static file written;
    uint32_t formats[] = {LINNET_FORMAT_ADTS, LINNET_FORMAT_LOAS, LINNET_FORMAT_TRANSPORT_STREAM};
    for (int i = 0; i < 3; i++) {
        write_file(formats[i], &written);
        linnet_reader *reader;
        const uint8_t *bytes;
        size_t size;
        linnet_reader_information information = {.size = sizeof information};
        EQUAL(linnet_reader_open_stream(formats[i], &reader), LINNET_OK);
        EQUAL(linnet_reader_configuration(reader, &bytes, &size), LINNET_ERROR_STATE);
        EQUAL(linnet_reader_information_get(reader, &information), LINNET_ERROR_STATE);
        EQUAL(read_units(reader), 0);
        int count = 0;
        for (size_t sent = 0; sent < written.size; sent += 333) {
            size_t length = written.size - sent < 333 ? written.size - sent : 333;
            EQUAL(linnet_reader_append(reader, written.bytes + sent, length), LINNET_OK);
            count += read_units(reader);
        }
        EQUAL(linnet_reader_append(reader, NULL, 0), LINNET_OK);
        EQUAL(linnet_reader_append(reader, written.bytes, 1), LINNET_ERROR_STATE);
        EQUAL(count + read_units(reader), written.units);
        uint32_t drop;
        EQUAL(linnet_reader_seek(reader, 0, &drop), LINNET_ERROR_STATE);
        linnet_reader_close(reader);
    }
    linnet_reader *reader;
    EQUAL(linnet_reader_open_stream(LINNET_FORMAT_M4A, &reader), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_open_stream(99, &reader), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_open_stream(LINNET_FORMAT_ADTS, NULL), LINNET_ERROR_ARGUMENT);
}

static void test_wrong_arguments(void) {
    linnet_reader *reader;
    linnet_writer *writer;
    linnet_unit unit;
    linnet_trim trim;
    const uint8_t *bytes;
    size_t size;
    uint32_t number;
    uint8_t configuration[2] = {0x11, 0x90};
    linnet_reader_information information = {.size = sizeof information};
    EQUAL(linnet_probe(NULL, 1, &number), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_probe(configuration, 2, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_probe(NULL, 0, &number), LINNET_OK);
    EQUAL(number, LINNET_FORMAT_UNKNOWN);
    EQUAL(linnet_probe((const uint8_t *)"fLaC", 4, &number), LINNET_OK);
    EQUAL(number, LINNET_FORMAT_OTHER);
    EQUAL(linnet_reader_open_memory((const uint8_t *)"fLaC", 4, &reader), LINNET_ERROR_NO_AUDIO);
    EQUAL(linnet_reader_open_memory(NULL, 0, &reader), LINNET_ERROR_NO_AUDIO);
    EQUAL(linnet_reader_open_memory(NULL, 1, &reader), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_open_memory(configuration, 2, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_open_file("/nonexistent/file", &reader), LINNET_ERROR_FILE);
    EQUAL(linnet_reader_open_file(NULL, &reader), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_open_file("/", &reader), LINNET_ERROR_FILE);
    CHECK(reader == NULL);
    EQUAL(linnet_reader_append(NULL, NULL, 0), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_next(NULL, &unit), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_configuration(NULL, &bytes, &size), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_information_get(NULL, &information), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_reader_seek(NULL, 0, &number), LINNET_ERROR_ARGUMENT);
    linnet_reader_close(NULL);
    EQUAL(linnet_writer_create(LINNET_FORMAT_OTHER, configuration, 2, 0, &writer), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_create(LINNET_FORMAT_ADTS, NULL, 2, 0, &writer), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_create(LINNET_FORMAT_ADTS, configuration, 1, 0, &writer), LINNET_ERROR_DAMAGED);
    /* ADTS has no 44,000 Hz. */
    const uint8_t unusual[] = {0x17, 0x80, 0x55, 0xf0, 0x10};
    EQUAL(linnet_writer_create(LINNET_FORMAT_ADTS, unusual, sizeof unusual, 0, &writer), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_writer_create(LINNET_FORMAT_ADTS, configuration, 2, 0, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_append(NULL, &unit), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_finish(NULL, &trim), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_bytes(NULL, &bytes, &size), LINNET_ERROR_ARGUMENT);
    linnet_writer_destroy(NULL);
    EQUAL(linnet_writer_create(LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_OK);
    EQUAL(linnet_writer_append(writer, NULL), LINNET_ERROR_ARGUMENT);
    unit = (linnet_unit){.bytes = NULL, .size = 0};
    EQUAL(linnet_writer_append(writer, &unit), LINNET_ERROR_ARGUMENT);
    unit = (linnet_unit){.bytes = configuration, .size = 2, .blocks = 2};
    EQUAL(linnet_writer_append(writer, &unit), LINNET_ERROR_UNSUPPORTED);
    unit.blocks = 1;
    unit.bytes = calloc(1, 10000);
    unit.size = 10000;
    EQUAL(linnet_writer_append(writer, &unit), LINNET_ERROR_TOO_LARGE);
    free((void *)unit.bytes);
    linnet_writer_destroy(writer);
}

/* An access unit's time counts at its own rate, possibly the core rate, half the output rate. No value traps. */
static void test_times(void) {
    static const uint8_t configuration[] = {0x2B, 0x8A, 0x08, 0x00}, silence[] = {0x21, 0x10, 0x04, 0x60, 0x8C, 0x1C};
    static const int64_t limits[] = {INT64_MAX, INT64_MIN, INT64_MAX / 2, -1};
    const uint8_t *bytes;
    size_t sizes[2], size;
    for (uint32_t format = LINNET_FORMAT_ADTS; format <= LINNET_FORMAT_TRANSPORT_STREAM; format++) {
        for (uint32_t half = 0; half < 2; half++) {
            linnet_writer *writer;
            linnet_unit unit = {silence, sizeof silence, 0, 2048 >> half, 44100 >> half, 1};
            EQUAL(linnet_writer_create(format, configuration, sizeof configuration, 0, &writer), LINNET_OK);
            for (; unit.time < 100 * unit.duration; unit.time += unit.duration) EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
            EQUAL(linnet_writer_finish(writer, NULL), LINNET_OK);
            EQUAL(linnet_writer_bytes(writer, &bytes, &sizes[half]), LINNET_OK);
            if (format == LINNET_FORMAT_TRANSPORT_STREAM) {
                /* Packets and clocks have the same bytes. */
                static uint8_t first[1 << 16];
                if (half == 0) memcpy(first, bytes, sizes[0]);
                else CHECK(sizes[0] == sizes[1] && memcmp(first, bytes, sizes[0]) == 0);
            }
            linnet_writer_destroy(writer);
        }
        for (int i = 0; i < 4; i++) {
            linnet_writer *writer;
            linnet_unit unit = {silence, sizeof silence, 0, UINT32_MAX, i == 3 ? UINT32_MAX : (uint32_t)i, 1};
            EQUAL(linnet_writer_create(format, configuration, sizeof configuration, 0, &writer), LINNET_OK);
            EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
            unit.time = limits[i];
            EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
            EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
            linnet_writer_finish(writer, NULL);
            EQUAL(linnet_writer_bytes(writer, &bytes, &size), LINNET_OK);
            linnet_writer_destroy(writer);
        }
    }
}

static void test_damage(void) {
    static file written;
    uint32_t random = 7;
    for (uint32_t format = LINNET_FORMAT_ADTS; format <= LINNET_FORMAT_TRANSPORT_STREAM; format++) {
        write_file(format, &written);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 3; i++) {
                random = random * 1664525 + 1013904223;
                written.bytes[(random >> 8) % (round % 2 ? written.size : 600)] = (uint8_t)random;
            }
            linnet_reader *reader;
            if (linnet_reader_open_memory(written.bytes, written.size, &reader) != LINNET_OK) continue;
            linnet_unit unit;
            while (linnet_reader_next(reader, &unit) == LINNET_OK && unit.size > 0) checks++;
            linnet_reader_close(reader);
        }
    }
}

int main(int count, char **arguments) {
    make_signal(input, frames, channels);
    test_files(count > 1 ? arguments[1] : "linnet-containers.tmp");
    test_streams();
    test_times();
    test_wrong_arguments();
    test_damage();
    return finish_checks("liblinnet, readers and writers");
}
