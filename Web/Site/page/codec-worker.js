// SPDX-License-Identifier: Apache-2.0

// The page's side of the worker.

import { startWorker } from './resources.js';

export class CodecWorker {
    #worker;
    #calls = new Map();
    #number = 0;

    /** Runs a task in the worker. The result is null if the task was cancelled. */
    call(task, input = {}, onprogress = () => {}) {
        this.#worker ??= this.#start();
        const id = (this.#number += 1);
        return new Promise((resolve, reject) => {
            this.#calls.set(id, { resolve, reject, onprogress });
            this.#worker.postMessage({ id, task, input });
        });
    }

    /** Cancels all tasks. */
    cancel() {
        this.#worker?.terminate();
        this.#worker = undefined;
        for (const { resolve } of this.#calls.values()) resolve(null);
        this.#calls.clear();
    }

    #start() {
        const worker = startWorker();
        worker.onmessage = ({ data: { id, progress, error, result } }) => {
            const call = this.#calls.get(id);
            if (!call) return;
            if (progress !== undefined) return call.onprogress(progress);
            this.#calls.delete(id);
            if (error === undefined) call.resolve(result);
            else call.reject(new Error(error));
        };
        worker.onerror = ({ message }) => {
            const calls = [...this.#calls.values()];
            this.#calls.clear();
            this.#worker = undefined;
            for (const { reject } of calls) reject(new Error(message ?? 'the codec could not be loaded'));
        };
        return worker;
    }
}
