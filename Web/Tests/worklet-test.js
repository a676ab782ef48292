// SPDX-License-Identifier: Apache-2.0

// An encoder on the audio thread.

import { Linnet } from '/linnet.js';

registerProcessor('linnet-encoder', class extends AudioWorkletProcessor {
    constructor({ processorOptions: { module, sampleRate } }) {
        super();
        this.encoder = Linnet.instantiate(module).createEncoder({ sampleRate, channels: 2, bitRate: 96000, effort: 'fast' });
        this.port.onmessage = () => {
            this.send(this.encoder.finish());
            this.port.postMessage('done');
        };
    }

    process([input]) {
        if (input.length === 2) this.send(this.encoder.write(input));
        return true;
    }

    send(units) {
        for (const { bytes } of units) this.port.postMessage(bytes);
    }
});
