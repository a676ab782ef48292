/* SPDX-License-Identifier: Apache-2.0

   Decoded files, tags and sample formats of liblinnet: every function, with invalid arguments and damaged bytes. */

#include "check.h"

#include <linnet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rate = 48000, frames = 30000, long_frames = 120000, channels = 2 };
static const char *path = "linnet-files.tmp";
static int16_t input[long_frames * channels];
static float whole[(long_frames + 4096) * channels], part[(long_frames + 4096) * channels];
/* The number of frames of the signal that are encoded. */
static size_t length = frames;
static uint8_t bytes[1 << 17];
static uint32_t profile = LINNET_PROFILE_LC, signaling = LINNET_SIGNALING_COMPATIBLE;

/* Encodes the signal to a file and to `bytes`. Returns the size of both, which are equal. */
static size_t write_file(uint32_t format) {
    linnet_encoder_settings settings;
    linnet_encoder_settings_init(&settings, rate, channels);
    settings.profile = profile;
    settings.signaling = signaling;
    linnet_encoder *encoder;
    EQUAL(linnet_encoder_create(&settings, &encoder), LINNET_OK);
    const uint8_t *data;
    size_t size, taken, total = 0;
    linnet_trim trim;
    EQUAL(linnet_encoder_trim(encoder, &trim), LINNET_OK);
    EQUAL(linnet_encoder_configuration(encoder, &data, &size), LINNET_OK);
    linnet_writer *memory, *file;
    EQUAL(linnet_writer_create(format, data, size, (uint32_t)trim.priming, &memory), LINNET_OK);
    EQUAL(linnet_writer_open_file(path, format, data, size, (uint32_t)trim.priming, &file), LINNET_OK);
    linnet_unit unit = {0};
    for (size_t done = 0; done < length || unit.size > 0;) {
        if (done < length) {
            EQUAL(linnet_encoder_write_int16(encoder, input + done * channels, length - done, &taken), LINNET_OK);
            done += taken;
            if (done == length) EQUAL(linnet_encoder_finish(encoder), LINNET_OK);
        }
        EQUAL(linnet_encoder_next(encoder, &unit), LINNET_OK);
        if (unit.size == 0) continue;
        EQUAL(linnet_writer_append(memory, &unit), LINNET_OK);
        EQUAL(linnet_writer_append(file, &unit), LINNET_OK);
    }
    EQUAL(linnet_encoder_trim(encoder, &trim), LINNET_OK);
    EQUAL(linnet_writer_finish(memory, &trim), LINNET_OK);
    EQUAL(linnet_writer_finish(file, &trim), LINNET_OK);
    EQUAL(linnet_writer_bytes(memory, &data, &total), LINNET_OK);
    memcpy(bytes, data, total);
    EQUAL(linnet_writer_bytes(file, &data, &size), LINNET_OK);
    EQUAL(size, 0);
    linnet_writer_destroy(memory);
    linnet_writer_destroy(file);
    linnet_encoder_destroy(encoder);
    static uint8_t stored[sizeof bytes];
    FILE *written = fopen(path, "rb");
    CHECK(written != NULL);
    EQUAL(fread(stored, 1, sizeof stored, written), total);
    fclose(written);
    EQUAL(memcmp(stored, bytes, total), 0);
    return total;
}

/* Reads a file by blocks of changing size. Returns the number of frames. */
static size_t read_all(linnet_file *file, float *samples) {
    size_t total = 0, written;
    for (size_t block = 1; total < length + 4096; block = block * 3 % 4001 + 1) {
        size_t room = block < length + 4096 - total ? block : length + 4096 - total;
        EQUAL(linnet_file_read(file, samples + total * channels, room, &written), LINNET_OK);
        total += written;
        if (written < room) break;
    }
    return total;
}

static void test_format(uint32_t format) {
    size_t size = write_file(format), written;
    linnet_file *file;
    EQUAL(linnet_file_open(path, &file), LINNET_OK);
    linnet_file_information information = {.size = sizeof information};
    EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
    int has_length = format == LINNET_FORMAT_M4A || format == LINNET_FORMAT_FRAGMENTED_M4A || format == LINNET_FORMAT_CAF;
    EQUAL(information.format, format == LINNET_FORMAT_FRAGMENTED_M4A ? LINNET_FORMAT_M4A : format);
    EQUAL(information.sample_rate, rate);
    EQUAL(information.channels, channels);
    EQUAL(information.frames, has_length ? frames : -1);
    EQUAL(information.bit_depth, 0);
    const char *name;
    EQUAL(linnet_file_codec(file, &name), LINNET_OK);
    EQUAL(strcmp(name, "AAC LC"), 0);
    size_t total = read_all(file, whole);
    if (has_length) EQUAL(total, frames);
    else CHECK(total > frames);
    EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
    EQUAL(information.position, total);
    EQUAL(information.damaged, 0);
    EQUAL(information.skipped, 0);
    linnet_file_close(file);
    EQUAL(linnet_file_open_memory(bytes, size, &file), LINNET_OK);
    /* Forwards, backwards and beyond the end. */
    static const int64_t positions[] = {20000, 100, 29990, 0, 1 << 30};
    for (int i = 0; i < 5; i++) {
        EQUAL(linnet_file_seek(file, positions[i]), LINNET_OK);
        EQUAL(linnet_file_read(file, part, 10, &written), LINNET_OK);
        EQUAL(written, i < 4 ? 10 : 0);
        EQUAL(memcmp(part, whole + (i < 4 ? positions[i] : 0) * channels, written * channels * sizeof *part), 0);
    }
    linnet_file_close(file);
    linnet_tags *tags;
    EQUAL(linnet_tags_open_memory(bytes, size, &tags), LINNET_OK);
    const char *value;
    EQUAL(linnet_tags_text(tags, 0, &name, &value), LINNET_ERROR_ARGUMENT);
    linnet_tags_close(tags);
}

/* SBR that the configuration does not signal doubles the counts of the container. */
static void test_implicit(uint32_t format) {
    profile = LINNET_PROFILE_HE;
    signaling = LINNET_SIGNALING_COMPATIBLE;
    linnet_file *file;
    linnet_reader *reader;
    size_t size, written;
    for (int round = 0; round < 2; round++) {
        size = write_file(format);
        EQUAL(linnet_reader_open_memory(bytes, size, &reader), LINNET_OK);
        linnet_reader_information counts = {.size = sizeof counts};
        EQUAL(linnet_reader_information_get(reader, &counts), LINNET_OK);
        EQUAL(counts.sample_rate, rate >> round);
        EQUAL(counts.trim.valid, frames >> round);
        linnet_reader_close(reader);
        EQUAL(linnet_file_open_memory(bytes, size, &file), LINNET_OK);
        linnet_file_information information = {.size = sizeof information};
        EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
        EQUAL(information.sample_rate, rate);
        EQUAL(information.frames, frames);
        const char *name;
        EQUAL(linnet_file_codec(file, &name), LINNET_OK);
        EQUAL(strcmp(name, "HE-AAC"), 0);
        EQUAL(linnet_file_read(file, round == 0 ? whole : part, frames, &written), LINNET_OK);
        EQUAL(written, frames);
        linnet_file_close(file);
        signaling = LINNET_SIGNALING_IMPLICIT;
    }
    EQUAL(memcmp(whole, part, frames * channels * sizeof *part), 0);
    /* A damaged first access unit does not show its SBR, but the following ones do. */
    linnet_unit unit;
    EQUAL(linnet_reader_open_memory(bytes, size, &reader), LINNET_OK);
    EQUAL(linnet_reader_next(reader, &unit), LINNET_OK);
    size_t first = 0;
    while (first < size - unit.size && memcmp(bytes + first, unit.bytes, unit.size) != 0) first++;
    memset(bytes + first, 0x3F, unit.size);
    linnet_reader_close(reader);
    linnet_file_information damaged = {.size = sizeof damaged};
    EQUAL(linnet_file_open_memory(bytes, size, &file), LINNET_OK);
    EQUAL(linnet_file_read(file, part, frames, &written), LINNET_OK);
    EQUAL(written, frames);
    EQUAL(linnet_file_information_get(file, &damaged), LINNET_OK);
    EQUAL(damaged.sample_rate, rate);
    EQUAL(damaged.damaged, 1);
    linnet_file_close(file);
    /* The noise of SBR differs. */
    double signal = 0, error = 0;
    for (size_t i = 8192 * channels; i < frames * channels; i++) {
        signal += (double)whole[i] * whole[i];
        error += ((double)part[i] - whole[i]) * ((double)part[i] - whole[i]);
    }
    CHECK(error < signal / 100);
    profile = LINNET_PROFILE_LC;
    signaling = LINNET_SIGNALING_COMPATIBLE;
}

static void test_tags(void) {
    /* An ID3v2.4 tag with a title, a chapter and a picture before an ADTS frame. */
    static const uint8_t tag[] = "ID3\4\0\0\0\0\0\x57"
                                 "TIT2\0\0\0\x05\0\0\3Song"
                                 "CHAP\0\0\0\x22\0\0one\0\0\0\x05\xDC\0\0\x0B\xB8\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
                                 "TIT2\0\0\0\x04\0\0\3One"
                                 "APIC\0\0\0\x12\0\0\0image/png\0\3x\0\x89PNG";
    size_t size = write_file(LINNET_FORMAT_ADTS);
    memmove(bytes + sizeof tag - 1, bytes, size);
    memcpy(bytes, tag, sizeof tag - 1);
    linnet_tags *tags;
    const char *name, *value;
    double start;
    linnet_picture picture;
    EQUAL(linnet_tags_open_memory(bytes, size + sizeof tag - 1, &tags), LINNET_OK);
    EQUAL(linnet_tags_text(tags, 0, &name, &value), LINNET_OK);
    CHECK(strcmp(name, "TITLE") == 0 && strcmp(value, "Song") == 0);
    EQUAL(linnet_tags_text(tags, 1, &name, &value), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_chapter(tags, 0, &start, &value), LINNET_OK);
    CHECK(start == 1.5 && strcmp(value, "One") == 0);
    EQUAL(linnet_tags_chapter(tags, 1, &start, &value), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_picture(tags, 0, &picture), LINNET_OK);
    EQUAL(picture.size, 4);
    EQUAL(picture.kind, 3);
    CHECK(strcmp(picture.media_type, "image/png") == 0 && strcmp(picture.description, "x") == 0 && picture.bytes[1] == 'P');
    EQUAL(linnet_tags_picture(tags, 1, &picture), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_text(tags, 0, NULL, &value), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_chapter(tags, 0, NULL, &value), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_picture(tags, 0, NULL), LINNET_ERROR_ARGUMENT);
    linnet_tags_close(tags);
    linnet_tags_close(NULL);
    EQUAL(linnet_tags_open("missing.m4a", &tags), LINNET_ERROR_FILE);
    EQUAL(linnet_tags_open(NULL, &tags), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_open_memory(NULL, 1, &tags), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_tags_open_memory(tag, 4, &tags), LINNET_ERROR_NO_AUDIO);
}

static void test_samples(void) {
    static const float expected[] = {-1, -0.5f, 0, 0.5f};
    static const size_t sizes[] = {1, 2, 3, 4, 4, 8};
    uint8_t encoded[64];
    float decoded[4], mono[2];
    for (uint32_t encoding = LINNET_SAMPLES_INT16; encoding <= LINNET_SAMPLES_FLOAT64; encoding++) {
        memset(encoded, 0xA5, sizeof encoded);
        EQUAL(linnet_samples_encode(encoding, expected, 4, encoded), LINNET_OK);
        EQUAL(encoded[4 * sizes[encoding]], 0xA5);
        EQUAL(linnet_samples_decode(encoding, encoded, 4, decoded), LINNET_OK);
        EQUAL(memcmp(decoded, expected, sizeof expected), 0);
    }
    EQUAL(linnet_samples_decode(LINNET_SAMPLES_UINT8, (const uint8_t *)"\0\x40\x80\xC0", 4, decoded), LINNET_OK);
    EQUAL(memcmp(decoded, expected, sizeof expected), 0);
    EQUAL(linnet_samples_mono(expected, 2, 2, mono), LINNET_OK);
    CHECK(mono[0] == -0.75f && mono[1] == 0.25f);
    EQUAL(linnet_samples_mono(expected, 2, 0, mono), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_mono(expected, SIZE_MAX, 2, mono), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_mono(NULL, 2, 2, mono), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_encode(LINNET_SAMPLES_UINT8, expected, 4, encoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_encode(6, expected, 4, encoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_encode(LINNET_SAMPLES_INT16, expected, SIZE_MAX / 2, encoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_encode(LINNET_SAMPLES_INT16, NULL, 4, encoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_decode(6, encoded, 4, decoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_decode(LINNET_SAMPLES_INT16, encoded, SIZE_MAX, decoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_decode(LINNET_SAMPLES_INT16, NULL, 4, decoded), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_samples_decode(LINNET_SAMPLES_INT16, NULL, 0, NULL), LINNET_OK);
}

static void test_wrong_arguments(void) {
    static const uint8_t configuration[] = {0x11, 0x90};
    linnet_file *file;
    linnet_writer *writer;
    linnet_file_information information = {.size = 8};
    const char *name;
    size_t written;
    EQUAL(linnet_file_open("missing.m4a", &file), LINNET_ERROR_FILE);
    CHECK(file == NULL);
    EQUAL(linnet_file_open(NULL, &file), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_open(path, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_open_memory(NULL, 4, &file), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_open_memory((const uint8_t *)"no audio", 8, &file), LINNET_ERROR_NO_AUDIO);
    EQUAL(linnet_file_read(NULL, part, 1, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_seek(NULL, 0), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_codec(NULL, &name), LINNET_ERROR_ARGUMENT);
    linnet_file_close(NULL);
    EQUAL(linnet_file_open(path, &file), LINNET_OK);
    EQUAL(linnet_file_information_get(file, &information), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_read(file, NULL, 1, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_read(file, NULL, 0, &written), LINNET_OK);
    EQUAL(linnet_file_read(file, part, SIZE_MAX, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_file_seek(file, -1), LINNET_ERROR_ARGUMENT);
    linnet_file_close(file);
    EQUAL(linnet_writer_open_file(NULL, LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_writer_open_file("missing/a.aac", LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_ERROR_FILE);
    CHECK(writer == NULL);
    EQUAL(linnet_writer_open_file(path, LINNET_FORMAT_MATROSKA, configuration, 2, 0, &writer), LINNET_ERROR_ARGUMENT);
    /* A configuration that ADTS lacks replaces no file. */
    const uint8_t unusual[] = {0x17, 0x80, 0x55, 0xf0, 0x10};
    EQUAL(linnet_writer_open_file(path, LINNET_FORMAT_ADTS, unusual, sizeof unusual, 0, &writer), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_file_open(path, &file), LINNET_OK);
    linnet_file_close(file);
    /* No space is left. */
    EQUAL(linnet_writer_open_file("/dev/full", LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_OK);
    linnet_unit unit = {configuration, 2, 0, 1024, 48000, 1};
    EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
    EQUAL(linnet_writer_finish(writer, NULL), LINNET_ERROR_FILE);
    EQUAL(linnet_writer_finish(writer, NULL), LINNET_ERROR_FILE);
    linnet_writer_destroy(writer);
}

/* A file is replaced when the new one is complete. */
static void test_unfinished(void) {
    static const uint8_t configuration[] = {0x11, 0x90};
    size_t size = write_file(LINNET_FORMAT_ADTS);
    static uint8_t stored[sizeof bytes];
    linnet_unit unit = {configuration, 2, 0, 1024, 48000, 1};
    for (int round = 0; round < 2; round++) {
        linnet_writer *writer;
        EQUAL(linnet_writer_open_file(path, LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_OK);
        EQUAL(linnet_writer_append(writer, &unit), LINNET_OK);
        if (round == 1) EQUAL(linnet_writer_finish(writer, NULL), LINNET_OK);
        linnet_writer_destroy(writer);
        FILE *file = fopen(path, "rb");
        CHECK(file != NULL);
        size_t count = fread(stored, 1, sizeof stored, file);
        fclose(file);
        EQUAL(count, round == 0 ? size : 9);
        if (round == 0) EQUAL(memcmp(stored, bytes, size), 0);
    }
    /* A writer that is not finished leaves no file. */
    linnet_writer *writer;
    remove(path);
    EQUAL(linnet_writer_open_file(path, LINNET_FORMAT_ADTS, configuration, 2, 0, &writer), LINNET_OK);
    linnet_writer_destroy(writer);
    CHECK(fopen(path, "rb") == NULL);
    char hidden[64];
    for (int i = 1; i < 4; i++) {
        snprintf(hidden, sizeof hidden, ".linnet-%ld-%d", (long)getpid(), i);
        CHECK(fopen(hidden, "rb") == NULL);
    }
}

static void test_damage(void) {
    uint32_t random = 7;
    for (uint32_t format = LINNET_FORMAT_ADTS; format <= LINNET_FORMAT_TRANSPORT_STREAM; format++) {
        size_t size = write_file(format), written;
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 3; i++) {
                random = random * 1664525 + 1013904223;
                bytes[(random >> 8) % (round % 2 ? size : 600)] = (uint8_t)random;
            }
            linnet_tags *tags;
            if (linnet_tags_open_memory(bytes, size, &tags) == LINNET_OK) linnet_tags_close(tags);
            linnet_file *file;
            if (linnet_file_open_memory(bytes, size, &file) != LINNET_OK) continue;
            linnet_file_information information = {.size = sizeof information};
            EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
            linnet_file_seek(file, 25000);
            if (information.channels <= channels) {
                linnet_file_read(file, part, frames + 4096, &written);
                /* Damage that is read again counts once. */
                int64_t damaged[2], skipped[2];
                for (int pass = 0; pass < 2; pass++) {
                    linnet_file_seek(file, 0);
                    linnet_file_read(file, part, frames + 4096, &written);
                    EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
                    damaged[pass] = information.damaged;
                    skipped[pass] = information.skipped;
                }
                EQUAL(damaged[1], damaged[0]);
                EQUAL(skipped[1], skipped[0]);
            }
            linnet_file_close(file);
        }
    }
}

/* Returns whether frames of both decoded signals are equal, apart from the noise of the codec. */
static int is_close(size_t first, size_t count) {
    for (size_t i = first * channels; i < (first + count) * channels; i++) {
        if (part[i] > whole[i] + 0.001f || part[i] < whole[i] - 0.001f) return 0;
    }
    return 1;
}

/* Access units in a missing fragment are concealed, and the following ones keep their times. */
static void test_missing(void) {
    enum { fragment = 43 * 1024 };
    length = long_frames;
    size_t size = write_file(LINNET_FORMAT_FRAGMENTED_M4A), parts[4], count = 0, written;
    for (size_t i = 4; i < size - 4 && count < 4; i++) {
        if (memcmp(bytes + i, "moof", 4) == 0) parts[count++] = i - 4;
    }
    EQUAL(count, 3);
    linnet_file *file;
    EQUAL(linnet_file_open_memory(bytes, size, &file), LINNET_OK);
    EQUAL(read_all(file, whole), length);
    linnet_file_close(file);
    memmove(bytes + parts[1], bytes + parts[2], size - parts[2]);
    EQUAL(linnet_file_open_memory(bytes, size - (parts[2] - parts[1]), &file), LINNET_OK);
    EQUAL(read_all(file, part), length);
    linnet_file_information information = {.size = sizeof information};
    EQUAL(linnet_file_information_get(file, &information), LINNET_OK);
    EQUAL(information.frames, length);
    EQUAL(information.damaged, 43);
    EQUAL(information.skipped, 0);
    CHECK(is_close(0, fragment - 4096));
    CHECK(!is_close(fragment, fragment - 4096));
    CHECK(is_close(2 * fragment + 2048, length - 2 * fragment - 2048));
    /* Seeking to a missing access unit returns silence up to the next fragment. */
    EQUAL(linnet_file_seek(file, 60000), LINNET_OK);
    EQUAL(linnet_file_read(file, part + 60000 * channels, length - 60000, &written), LINNET_OK);
    EQUAL(written, length - 60000);
    for (size_t i = 60000 * channels; i < (2 * fragment - 4096) * channels; i++) failures += part[i] != 0;
    CHECK(is_close(2 * fragment + 2048, length - 2 * fragment - 2048));
    linnet_file_close(file);
    length = frames;
}

int main(void) {
    make_signal(input, long_frames, channels);
    for (uint32_t format = LINNET_FORMAT_ADTS; format <= LINNET_FORMAT_TRANSPORT_STREAM; format++) test_format(format);
    test_implicit(LINNET_FORMAT_M4A);
    test_implicit(LINNET_FORMAT_CAF);
    test_tags();
    test_samples();
    test_wrong_arguments();
    test_unfinished();
    test_missing();
    test_damage();
    remove(path);
    return finish_checks("liblinnet, files");
}
