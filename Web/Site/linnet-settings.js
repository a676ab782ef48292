// SPDX-License-Identifier: Apache-2.0

// The names of settings and their values in linnet.h.

import { LinnetError } from './linnet-memory.js';

// Generated from linnet.h by Scripts/Make/bindings
/** The names of each setting's values. */
export const names = {
    profile: ['lc', 'he', 'he-v2', 'auto', 'ld', 'eld', 'xhe'],
    rateControl: ['average', 'constant', 'variable'],
    effort: ['fast', 'balanced', 'best'],
    signaling: ['implicit', 'compatible', 'explicit'],
    lowDelaySbr: ['auto', 'off', 'single', 'dual'],
};
export const mixes = ['none', 'mono', 'stereo'];
export const formats = ['unknown', 'adts', 'loas', 'm4a', 'fragmented-m4a', 'caf', 'ts', 'other', 'matroska'];
export const resamplerQualities = ['minimum', 'low', 'medium', 'high', 'maximum'];
// The fields of linnet_encoder_settings, 32 bits each, in order.
const fields = [
    'size', 'sampleRate', 'channels', 'profile', 'rateControl', 'bitRate', 'quality', 'peakBitRate', 'effort', 'bandwidth', 'signaling',
    'silencesInvalid', 'lowDelay', 'frameLength', 'noNoiseSubstitution', 'dabBitRate', 'dabPad', 'lowDelaySbr', 'statedLoudness',
    'accessPointInterval',
];
// End of the generated part
export const windowSequences = ['only-long', 'long-start', 'eight-short', 'long-stop'];

/** Returns the value of a name, or `fallback` without a name. */
export function numberOf(names, name, fallback, option) {
    if (name === undefined) return fallback;
    const number = names.indexOf(name);
    if (number < 0) throw new LinnetError(-1, `invalid ${option} '${name}'; use one of ${names.join(', ')}`);
    return number;
}

/** Returns the value of a setting, which is a name, a Boolean or a number. */
function settingNumber(field, value) {
    return names[field] ? numberOf(names[field], value, undefined, field) : Number(value);
}

/** Writes encoder settings to memory and returns their address. */
export function writeSettings(scope, options) {
    const byteCount = 4 * fields.length;
    const address = scope.reserve(byteCount);
    const { memory } = scope;
    memory.call('encoder_settings_init_sized', address, byteCount, options.sampleRate, options.channels);
    const settings = { ...options };
    if (settings.quality !== undefined) settings.rateControl ??= 'variable';
    for (const [index, field] of fields.entries()) {
        if (index > 2 && settings[field] !== undefined) memory.setU32(address + 4 * index, settingNumber(field, settings[field]));
    }
    return address;
}
