// SPDX-License-Identifier: Apache-2.0

// The part of mediabunny that registerLinnet uses, after its documentation (https://mediabunny.dev/api/CustomAudioEncoder and related pages).
// Undocumented calls fail.

export const registered = { encoders: [], decoders: [] };
export const registerEncoder = (encoder) => registered.encoders.push(encoder);
export const registerDecoder = (decoder) => registered.decoders.push(decoder);

export class CustomAudioEncoder {
    codec;
    config;
    onPacket;
}

export class CustomAudioDecoder {
    codec;
    config;
    onSample;
}

export class EncodedPacket {
    constructor(data, type, timestamp, duration) {
        if (!(data instanceof Uint8Array) || !['key', 'delta'].includes(type) || !(timestamp >= 0) || !(duration > 0)) {
            throw new TypeError('the packet is not as documented');
        }
        Object.assign(this, { data, type, timestamp, duration });
    }

    get microsecondTimestamp() {
        return Math.round(this.timestamp * 1e6);
    }
}

export class AudioSample {
    constructor(init) {
        if (!(init instanceof AudioData)) throw new TypeError('the sample is not as documented');
        this.init = init;
    }
}

/** Creates a coder as mediabunny does: sets its properties after the constructor, before init. */
export function create(Coder, codec, config, event, listener) {
    return Object.assign(new Coder(), { codec, config, [event]: listener });
}
