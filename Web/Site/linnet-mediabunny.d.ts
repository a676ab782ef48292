// SPDX-License-Identifier: Apache-2.0

import type { EncoderOptions } from './linnet.js';

/**
 * Registers Linnet's AAC encoder and decoder with mediabunny.
 *
 * @param mediabunny The module: `import * as mediabunny from 'mediabunny'`.
 * @param options Additional encoder settings.
 */
export function registerLinnet(mediabunny: object, options?: { linnet?: Partial<EncoderOptions> }): void;
