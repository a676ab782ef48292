// SPDX-License-Identifier: Apache-2.0

// AAC for mediabunny, as a custom encoder and decoder. https://mediabunny.dev/api/CustomAudioEncoder, CustomAudioDecoder

import { LinnetAudioDecoder, LinnetAudioEncoder, supportedCodecs } from './linnet-webcodecs.js';

/** The queue length from which callers wait. */
const longestQueue = 8;

/**
 * Registers Linnet's encoder and decoder. `mediabunny` is the module of that name; `linnet` are additional encoder settings, such as `{
 * effort: 'best' }`. Registered codecs take precedence over the browser's. To prefer those, check `canEncodeAudio('aac')` first.
 */
export function registerLinnet(mediabunny, { linnet } = {}) {
    const { AudioSample, CustomAudioDecoder, CustomAudioEncoder, EncodedPacket, registerDecoder, registerEncoder } = mediabunny;
    const supports = (codec, config) => codec === 'aac' && supportedCodecs.includes(config.codec);

    registerEncoder(
        class extends CustomAudioEncoder {
            #coder;

            static supports(codec, config) {
                return supports(codec, config);
            }

            init() {
                this.#coder = new Waiting(LinnetAudioEncoder, { ...this.config, linnet }, (chunk, metadata) => {
                    const data = new Uint8Array(chunk.byteLength);
                    chunk.copyTo(data);
                    this.onPacket(new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, chunk.duration / 1e6), metadata);
                });
            }

            encode(sample) {
                const { numberOfChannels, numberOfFrames, sampleRate, microsecondTimestamp: timestamp } = sample;
                const copyTo = (target, options) => sample.copyTo(target, options);
                return this.#coder.put((codec) => codec.encode({ numberOfChannels, numberOfFrames, sampleRate, timestamp, copyTo }));
            }

            flush() {
                return this.#coder.flush();
            }

            close() {
                this.#coder.close();
            }
        },
    );

    registerDecoder(
        class extends CustomAudioDecoder {
            #coder;

            static supports(codec, config) {
                return supports(codec, config);
            }

            init() {
                this.#coder = new Waiting(LinnetAudioDecoder, this.config, (data) => this.onSample(new AudioSample(data)));
            }

            decode({ data, microsecondTimestamp: timestamp }) {
                const chunk = { byteLength: data.byteLength, copyTo: (target) => target.set(data), timestamp };
                return this.#coder.put((codec) => codec.decode(chunk));
            }

            flush() {
                return this.#coder.flush();
            }

            close() {
                this.#coder.close();
            }
        },
    );
}

/** A WebCodecs-like codec with backpressure: callers wait for a long queue, and get its errors. */
class Waiting {
    #codec;
    #error;

    constructor(Codec, config, output) {
        this.#codec = new Codec({ output, error: (error) => (this.#error ??= error) });
        this.#codec.configure(config);
    }

    /** Passes an input. The promise resolves when the queue is short. */
    async put(input) {
        this.#check();
        input(this.#codec);
        while (this.#codec.queueSize > longestQueue) {
            await new Promise((resolve) => this.#codec.addEventListener('dequeue', resolve, { once: true }));
        }
        this.#check();
    }

    async flush() {
        this.#check();
        await this.#codec.flush();
    }

    close() {
        if (this.#codec.state !== 'closed') this.#codec.close();
    }

    #check() {
        if (this.#error) throw this.#error;
    }
}
