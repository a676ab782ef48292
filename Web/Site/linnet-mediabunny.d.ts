// SPDX-License-Identifier: Apache-2.0

import type { EncoderOptions } from './linnet.js';

/**
 * Registers Linnet's encoder and decoder of AAC with mediabunny.
 *
 * @param mediabunny The module: `import * as mediabunny from 'mediabunny'`.
 * @param options Settings of the encoder besides those of mediabunny.
 */
export function registerLinnet(mediabunny: object, options?: { linnet?: Partial<EncoderOptions> }): void;
