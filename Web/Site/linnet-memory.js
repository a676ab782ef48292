// SPDX-License-Identifier: Apache-2.0

// The memory of linnet.wasm and calls to its functions.

/** A library error. */
export class LinnetError extends Error {
    constructor(code, message) {
        super(message);
        this.name = 'LinnetError';
        /** The error code of linnet.h. */
        this.code = code;
        /** Whether the instance is unusable and must be loaded again. */
        this.isFatal = false;
    }
}

/** The memory of an instance. Its buffer moves when it grows, so views are created for each access. */
export class Memory {
    #view;

    constructor(instance) {
        this.exports = instance.exports;
        /** Whether a function trapped. */
        this.isDead = false;
        this.#view = new DataView(this.exports.memory.buffer);
    }

    /** Calls a function that returns 0 or an error code. */
    call(name, ...args) {
        if (this.isDead) throw this.#fatal('failed before');
        let result;
        try {
            result = this.exports[`linnet_${name}`](...args);
        } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
            this.isDead = true;
            throw this.#fatal(`has failed: ${error.message}`, error);
        }
        if (result !== 0) throw new LinnetError(result, this.#text(this.exports.linnet_error_text(result)));
    }

    /** Runs a function that reserves memory, and frees the memory afterwards. */
    scope(body) {
        const scope = new Scope(this);
        try {
            return body(scope);
        } finally {
            scope.free();
        }
    }

    /** Creates the error of an unusable instance. */
    #fatal(what, cause) {
        const error = new LinnetError(-100, `linnet.wasm ${what}; load it again`);
        error.isFatal = true;
        error.cause = cause;
        return error;
    }

    /** Reads an ASCII string; audio worklets have no TextDecoder. */
    #text(address) {
        let text = '';
        for (const byte of this.bytes(address, 200)) {
            if (byte === 0) break;
            text += String.fromCharCode(byte);
        }
        return text;
    }

    get view() {
        const { buffer } = this.exports.memory;
        if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
        return this.#view;
    }

    u32(address) {
        return this.view.getUint32(address, true);
    }

    setU32(address, value) {
        this.view.setUint32(address, value, true);
    }

    i64(address) {
        return Number(this.view.getBigInt64(address, true));
    }

    setI64(address, value) {
        this.view.setBigInt64(address, BigInt(Math.round(value)), true);
    }

    bytes(address, count) {
        const { buffer } = this.exports.memory;
        return new Uint8Array(buffer, address, Math.min(count, buffer.byteLength - address));
    }

    floats(address, count) {
        return new Float32Array(this.exports.memory.buffer, address, count);
    }

    doubles(address, count) {
        return Array.from(new Float64Array(this.exports.memory.buffer, address, count));
    }

    trim(address) {
        return { priming: this.i64(address), valid: this.i64(address + 8), padding: this.i64(address + 16) };
    }
}

/** Memory that is freed at the end of a call. */
class Scope {
    #addresses = [];

    constructor(memory) {
        this.memory = memory;
    }

    /** Reserves zero-filled memory. */
    reserve(byteCount) {
        const address = this.memory.exports.malloc(Math.max(byteCount, 1)) >>> 0;
        if (address === 0) throw new LinnetError(-7, 'out of memory');
        this.#addresses.push(address);
        this.memory.bytes(address, byteCount).fill(0);
        return address;
    }

    /** Copies bytes. */
    bytes(source) {
        const address = this.reserve(source.length);
        this.memory.bytes(address, source.length).set(source);
        return address;
    }

    free() {
        if (this.memory.isDead) return;
        for (const address of this.#addresses) this.memory.exports.free(address);
    }
}
