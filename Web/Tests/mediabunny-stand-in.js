// SPDX-License-Identifier: Apache-2.0

// What registerLinnet uses of mediabunny, after its documentation (https://mediabunny.dev/api/CustomAudioEncoder and the pages beside it), and no
// more: a call that is not documented fails.

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

/** Makes a coder as mediabunny does: its properties are set after its constructor, before init. */
export function create(Coder, codec, config, event, listener) {
    return Object.assign(new Coder(), { codec, config, [event]: listener });
}
