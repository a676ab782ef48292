// SPDX-License-Identifier: Apache-2.0

// The base class of the WebCodecs-like encoder and decoder.

/** The state machine and input queue that encoder and decoder share. */
export class Codec extends EventTarget {
    #state = 'unconfigured';
    #output;
    #error;
    #queue = [];
    #size = 0;
    #isRunning = false;
    #generation = 0;

    /** Called when the queue becomes shorter. */
    ondequeue = null;

    constructor({ output, error }) {
        super();
        if (typeof output !== 'function' || typeof error !== 'function') throw new TypeError('output and error must be functions');
        this.#output = output;
        this.#error = error;
    }

    get state() {
        return this.#state;
    }

    /** The number of queued inputs. */
    get queueSize() {
        return this.#size;
    }

    // For subclasses, in addition to the WebCodecs interface: `drain` ends the stream, `release` frees its memory.

    /** Passes a result to the caller. */
    emit(...results) {
        this.#output(...results);
    }

    setConfigured() {
        this.checkOpen();
        this.#state = 'configured';
    }

    checkOpen() {
        if (this.#state === 'closed') throw new DOMException('the codec is closed', 'InvalidStateError');
    }

    checkConfigured() {
        if (this.#state !== 'configured') throw new DOMException(`the codec is ${this.#state}`, 'InvalidStateError');
    }

    /** Appends a task. `isInput` marks tasks that count towards the queue size. The promise settles with the task. */
    enqueue(task, isInput = false) {
        if (isInput) this.#size += 1;
        return new Promise((resolve, reject) => {
            this.#queue.push({ task, isInput, resolve, reject });
            if (!this.#isRunning) this.#run(this.#generation);
        });
    }

    /** Runs tasks in order, each in its own task of the event loop. */
    async #run(generation) {
        this.#isRunning = true;
        while (this.#queue.length > 0) {
            await nextTask();
            if (generation !== this.#generation) return;
            // The entry remains in the queue until its task is done, so that #end settles its promise.
            const { task, isInput, resolve } = this.#queue[0];
            if (isInput) {
                this.#size -= 1;
                this.#announceDequeue();
                if (generation !== this.#generation) return;
            }
            try {
                const pending = task();
                if (pending) await pending;
                if (generation !== this.#generation) return;
                this.#queue.shift();
                resolve();
            } catch (error) {
                if (generation !== this.#generation) return;
                this.#end('closed', error);
                this.#error(error instanceof DOMException ? error : new DOMException(error.message, 'EncodingError'));
                return;
            }
        }
        this.#isRunning = false;
    }

    #announceDequeue() {
        this.dispatchEvent(new Event('dequeue'));
        this.ondequeue?.call(this, new Event('dequeue'));
    }

    /** Discards the queue. */
    #end(state, error) {
        this.#generation += 1;
        if (this.#size > 0) nextTask().then(() => this.#announceDequeue());
        this.#isRunning = false;
        const waiting = this.#queue;
        this.#queue = [];
        this.#size = 0;
        this.#state = state;
        this.release();
        for (const { reject } of waiting) reject(error);
    }

    flush() {
        if (this.#state !== 'configured') return Promise.reject(new DOMException(`the codec is ${this.#state}`, 'InvalidStateError'));
        return this.enqueue(() => this.drain());
    }

    reset() {
        this.checkOpen();
        this.#end('unconfigured', new DOMException('the codec was reset', 'AbortError'));
    }

    close() {
        this.checkOpen();
        this.#end('closed', new DOMException('the codec was closed', 'AbortError'));
    }
}

/** Waits for the next event loop task. */
function nextTask() {
    return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(null);
    });
}
