// SPDX-License-Identifier: Apache-2.0

// What the pages load besides: the worker, the worklet of the recorder, and the codec. The static site has another file in its place, with all
// of it within, since pages that are opened as files may load neither modules nor data.

import { Linnet } from '../linnet.js';

/** Starts the worker of the codec. */
export const startWorker = () => new Worker(new URL('worker.js', import.meta.url), { type: 'module' });

/** The address of the recorder's worklet. */
export const recorderWorklet = () => new URL('recorder-worklet.js', import.meta.url);

/** Loads the codec, in the worker. */
export const loadCodec = () => Linnet.load();
