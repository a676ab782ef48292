// SPDX-License-Identifier: Apache-2.0

// Readers and writers for files and streams.

import { Handle } from './linnet-handles.js';
import { formats } from './linnet-settings.js';

export class Reader extends Handle {
    constructor(memory, open) {
        super(memory, 'reader', open);
    }

    /** The AudioSpecificConfig of the current access unit, for files also before the first one. */
    get configuration() {
        return this.lentBytes('configuration');
    }

    /** The properties of the file or stream. */
    get information() {
        const { memory } = this;
        return memory.scope((scope) => {
            const information = scope.reserve(48);
            memory.setU32(information, 48);
            this.call('information_get', information);
            const units = memory.i64(information + 16);
            return {
                format: formats[memory.u32(information + 4)],
                sampleRate: memory.u32(information + 8),
                channelCount: memory.u32(information + 12),
                unitCount: units < 0 ? null : units,
                trim: memory.trim(information + 24),
            };
        });
    }

    /** Appends bytes to a stream. An empty array ends it. */
    append(bytes) {
        this.memory.scope((scope) => this.call('append', scope.bytes(bytes), bytes.length));
    }

    /** Reads the next access unit; null at the end, or if a stream needs more bytes. */
    next() {
        return this.unit('next');
    }

    /** Seeks to a decoded sample frame. Returns the number of decoded frames to discard after it. */
    seek(frame) {
        return this.memory.scope((scope) => {
            const drop = scope.reserve(4);
            this.call('seek', BigInt(frame), drop);
            return this.memory.u32(drop);
        });
    }
}

/** A writer to a file in memory. */
export class Writer extends Handle {
    constructor(memory, format, configuration, priming) {
        super(memory, 'writer', (scope, target) =>
            memory.call('writer_create', format, scope.bytes(configuration), configuration.length, priming, target));
    }

    /** Appends an access unit. */
    append(unit) {
        const { memory } = this;
        memory.scope((scope) => {
            const address = scope.reserve(32);
            memory.setU32(address, scope.bytes(unit.bytes));
            memory.setU32(address + 4, unit.bytes.length);
            memory.setI64(address + 8, unit.time);
            memory.setU32(address + 16, unit.duration);
            memory.setU32(address + 20, unit.sampleRate);
            memory.setU32(address + 24, unit.blockCount ?? 1);
            this.call('append', address);
        });
    }

    /** Finishes the file. */
    finish(trim) {
        const { memory } = this;
        memory.scope((scope) => {
            const address = trim ? scope.reserve(24) : 0;
            if (trim) [trim.priming, trim.valid, trim.padding].forEach((value, index) => memory.setI64(address + 8 * index, value));
            this.call('finish', address);
        });
    }

    /** Returns the bytes written since the last call. M4A and CAF have none before `finish`. */
    takeBytes() {
        return this.lentBytes('bytes');
    }
}
