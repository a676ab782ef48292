/* Encodes raw 16-bit samples in native byte order to an M4A or ADTS file:

       encode 44100 2 128000 song.raw song.m4a

   cc encode.c $(pkg-config --cflags --libs linnet) -o encode */

#include <linnet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exits after an error. */
static void check(int result, const char *step) {
    if (result == LINNET_OK) return;
    fprintf(stderr, "encode: %s: %s\n", step, linnet_error_text(result));
    exit(1);
}

/* Saves the bytes that the writer has completed. */
static void save(linnet_writer *writer, FILE *output) {
    const uint8_t *bytes;
    size_t size;
    check(linnet_writer_bytes(writer, &bytes, &size), "writing");
    if (fwrite(bytes, 1, size, output) != size) {
        perror("encode");
        exit(1);
    }
}

/* Passes all completed access units to the writer. */
static void drain(linnet_encoder *encoder, linnet_writer *writer, FILE *output) {
    linnet_unit unit;
    for (;;) {
        check(linnet_encoder_next(encoder, &unit), "encoding");
        if (unit.size == 0) break;
        check(linnet_writer_append(writer, &unit), "writing");
        save(writer, output);
    }
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: encode RATE CHANNELS BIT-RATE INPUT OUTPUT\n");
        return 2;
    }
    linnet_encoder_settings settings;
    linnet_encoder_settings_init(&settings, (uint32_t)atoi(arguments[1]), (uint32_t)atoi(arguments[2]));
    settings.bit_rate = (uint32_t)atoi(arguments[3]);
    settings.profile = LINNET_PROFILE_AUTOMATIC;
    linnet_encoder *encoder;
    check(linnet_encoder_create(&settings, &encoder), "creating the encoder");

    const uint8_t *configuration;
    size_t size;
    check(linnet_encoder_configuration(encoder, &configuration, &size), "configuration");
    linnet_encoder_information information = {.size = sizeof information};
    check(linnet_encoder_information_get(encoder, &information), "information");
    const char *suffix = strrchr(arguments[5], '.');
    uint32_t format = suffix && strcmp(suffix, ".m4a") == 0 ? LINNET_FORMAT_M4A : LINNET_FORMAT_ADTS;
    linnet_writer *writer;
    check(linnet_writer_create(format, configuration, size, information.delay, &writer), "creating the writer");

    FILE *input = fopen(arguments[4], "rb"), *output = fopen(arguments[5], "wb");
    if (!input || !output) {
        perror("encode");
        return 1;
    }
    int16_t samples[8 * 1024];
    size_t frames, taken;
    while ((frames = fread(samples, 2 * settings.channels, 1024, input)) > 0) {
        for (size_t done = 0; done < frames; done += taken) {
            check(linnet_encoder_write_int16(encoder, samples + done * settings.channels, frames - done, &taken), "encoding");
            drain(encoder, writer, output);
        }
    }
    check(linnet_encoder_finish(encoder), "encoding");
    drain(encoder, writer, output);
    linnet_trim trim;
    check(linnet_encoder_trim(encoder, &trim), "encoding");
    check(linnet_writer_finish(writer, &trim), "writing");
    save(writer, output);
    linnet_writer_destroy(writer);
    linnet_encoder_destroy(encoder);
    fclose(input);
    return fclose(output) == 0 ? 0 : 1;
}
