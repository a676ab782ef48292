/* Encodes one second of a tone to HE-AAC in ADTS, sends it in 100-byte packets, decodes the received packets and prints the level.

   c++ stream.cpp $(pkg-config --cflags --libs linnet) -o stream */

#include <linnet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

/* Throws after an error. */
void check(int result) {
    if (result != LINNET_OK) throw std::runtime_error(linnet_error_text(result));
}

/* Owns a handle. */
template <typename Handle, void (*destroy)(Handle *)> struct Destroyer {
    void operator()(Handle *handle) const { destroy(handle); }
};
using Encoder = std::unique_ptr<linnet_encoder, Destroyer<linnet_encoder, linnet_encoder_destroy>>;
using Decoder = std::unique_ptr<linnet_decoder, Destroyer<linnet_decoder, linnet_decoder_destroy>>;
using Reader = std::unique_ptr<linnet_reader, Destroyer<linnet_reader, linnet_reader_close>>;
using Writer = std::unique_ptr<linnet_writer, Destroyer<linnet_writer, linnet_writer_destroy>>;

/* Encodes a stereo tone and returns the stream. */
std::vector<uint8_t> encode(uint32_t rate) {
    linnet_encoder_settings settings;
    check(linnet_encoder_settings_init(&settings, rate, 2));
    settings.profile = LINNET_PROFILE_HE;
    settings.bit_rate = 48000;
    linnet_encoder *created;
    check(linnet_encoder_create(&settings, &created));
    Encoder encoder(created);
    const uint8_t *bytes;
    size_t size;
    check(linnet_encoder_configuration(encoder.get(), &bytes, &size));
    linnet_writer *made;
    check(linnet_writer_create(LINNET_FORMAT_ADTS, bytes, size, 0, &made));
    Writer writer(made);

    std::vector<float> left(rate), right(rate);
    for (uint32_t i = 0; i < rate; i++) left[i] = right[i] = 0.5F * std::sin(2 * 3.14159265F * 440 * float(i) / float(rate));
    auto drain = [&] {
        linnet_unit unit;
        for (check(linnet_encoder_next(encoder.get(), &unit)); unit.size > 0; check(linnet_encoder_next(encoder.get(), &unit)))
            check(linnet_writer_append(writer.get(), &unit));
    };
    size_t taken;
    for (size_t done = 0; done < rate; done += taken) {
        const float *channels[] = {left.data() + done, right.data() + done};
        check(linnet_encoder_write_planar(encoder.get(), channels, rate - done, &taken));
        drain();
    }
    check(linnet_encoder_finish(encoder.get()));
    drain();
    check(linnet_writer_finish(writer.get(), nullptr));
    check(linnet_writer_bytes(writer.get(), &bytes, &size));
    return {bytes, bytes + size};
}

}  // namespace

int main() try {
    const auto stream = encode(48000);
    linnet_reader *opened;
    check(linnet_reader_open_stream(LINNET_FORMAT_ADTS, &opened));
    Reader reader(opened);
    Decoder decoder;
    double energy = 0;
    size_t count = 0;
    auto receive = [&](const uint8_t *bytes, size_t size) {
        check(linnet_reader_append(reader.get(), bytes, size));
        linnet_unit unit;
        for (check(linnet_reader_next(reader.get(), &unit)); unit.size > 0; check(linnet_reader_next(reader.get(), &unit))) {
            if (!decoder) {
                const uint8_t *configuration;
                size_t length;
                check(linnet_reader_configuration(reader.get(), &configuration, &length));
                linnet_decoder *created;
                check(linnet_decoder_create(configuration, length, LINNET_MIX_MONO, &created));
                decoder.reset(created);
            }
            linnet_audio audio;
            check(linnet_decoder_decode(decoder.get(), unit.bytes, unit.size, &audio));
            for (uint32_t i = 0; i < audio.frames * audio.channels; i++) energy += audio.samples[i] * audio.samples[i];
            count += audio.frames;
        }
    };
    for (size_t sent = 0; sent < stream.size(); sent += 100) receive(stream.data() + sent, std::min<size_t>(100, stream.size() - sent));
    receive(nullptr, 0);
    std::printf("%zu bytes, %zu frames, %.1f dB\n", stream.size(), count, 10 * std::log10(energy / 48000));
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "stream: %s\n", error.what());
    return 1;
}
