// SPDX-License-Identifier: Apache-2.0

// Resources that the pages load: the codec worker, the recorder worklet, and the codec. The static site replaces this file with one that
// contains them, because pages opened as files cannot load modules or data.

import { Linnet } from '../linnet.js';

/** Starts the codec worker. */
export const startWorker = () => new Worker(new URL('worker.js', import.meta.url), { type: 'module' });

/** The address of the recorder worklet. */
export const recorderWorklet = () => new URL('recorder-worklet.js', import.meta.url);

/** Loads the codec, in the worker. */
export const loadCodec = () => Linnet.load();
