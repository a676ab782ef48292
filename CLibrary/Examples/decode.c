/* Decodes an AAC file to raw 16-bit samples, without priming and padding:

       decode song.m4a song.raw

   cc decode.c $(pkg-config --cflags --libs linnet) -o decode */

#include <linnet.h>

#include <stdio.h>
#include <stdlib.h>

/* Exits after an error. */
static void check(int result, const char *step) {
    if (result == LINNET_OK) return;
    fprintf(stderr, "decode: %s: %s\n", step, linnet_error_text(result));
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: decode INPUT OUTPUT\n");
        return 2;
    }
    linnet_reader *reader;
    check(linnet_reader_open_file(arguments[1], &reader), arguments[1]);
    linnet_reader_information information = {.size = sizeof information};
    check(linnet_reader_information_get(reader, &information), "information");
    const uint8_t *configuration;
    size_t size;
    check(linnet_reader_configuration(reader, &configuration, &size), "configuration");
    linnet_decoder *decoder;
    check(linnet_decoder_create(configuration, size, LINNET_MIX_NONE, &decoder), "creating the decoder");
    FILE *output = fopen(arguments[2], "wb");
    if (!output) {
        perror("decode");
        return 1;
    }

    static int16_t samples[2048 * 48];
    int64_t skip = information.trim.priming;
    int64_t left = information.trim.valid < 0 ? INT64_MAX : information.trim.valid;
    linnet_unit unit;
    for (;;) {
        check(linnet_reader_next(reader, &unit), "reading");
        if (unit.size == 0) break;
        linnet_audio audio = {.used = 0};
        for (size_t used = 0, block = 0; block < unit.blocks && used < unit.size; block++, used += audio.used) {
            check(linnet_decoder_decode(decoder, unit.bytes + used, unit.size - used, &audio), "decoding");
            if (audio.damaged) fprintf(stderr, "decode: the unit at %lld is damaged\n", (long long)unit.time);
            if (audio.sample_rate == 2 * information.sample_rate) {
                /* The configuration does not signal SBR. */
                information.sample_rate = audio.sample_rate;
                skip *= 2;
                if (left <= INT64_MAX / 2) left *= 2;
            }
            check(linnet_decoder_int16(decoder, samples, sizeof samples / sizeof *samples), "decoding");
            int64_t first = skip < (int64_t)audio.frames ? skip : (int64_t)audio.frames;
            int64_t frames = (int64_t)audio.frames - first < left ? (int64_t)audio.frames - first : left;
            skip -= first;
            left -= frames;
            size_t wanted = (size_t)frames * audio.channels;
            if (fwrite(samples + (size_t)first * audio.channels, sizeof *samples, wanted, output) != wanted) {
                perror("decode");
                return 1;
            }
        }
    }
    linnet_decoder_destroy(decoder);
    linnet_reader_close(reader);
    return fclose(output) == 0 ? 0 : 1;
}
