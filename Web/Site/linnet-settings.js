// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// The names of settings, and their numbers in linnet.h.

import { LinnetError } from './linnet-memory.js';

export const profiles = ['lc', 'he', 'he-v2', 'auto'];
const rateControls = ['average', 'constant', 'variable'];
const efforts = ['fast', 'balanced', 'best'];
const signalings = ['implicit', 'compatible', 'explicit'];
export const mixes = ['none', 'mono', 'stereo'];
export const formats = ['unknown', 'adts', 'loas', 'm4a', 'fragmented-m4a', 'caf', 'ts', 'other'];
export const windowSequences = ['only-long', 'long-start', 'eight-short', 'long-stop'];

/** Returns the number of a name, or `fallback` if there is none. */
export function numberOf(names, name, fallback, option) {
    if (name === undefined) return fallback;
    const number = names.indexOf(name);
    if (number < 0) throw new LinnetError(-1, `${option} is one of ${names.join(', ')}, not ${name}`);
    return number;
}

/** Writes the settings of an encoder into memory, and returns their address. */
export function writeSettings(scope, options) {
    const address = scope.reserve(48);
    const { memory } = scope;
    memory.call('encoder_settings_init', address, options.sampleRate, options.channels);
    const set = (index, value) => value === undefined || memory.setU32(address + 4 * index, value);
    set(3, numberOf(profiles, options.profile, undefined, 'profile'));
    set(4, numberOf(rateControls, options.rateControl, options.quality === undefined ? undefined : 2, 'rateControl'));
    set(5, options.bitRate);
    set(6, options.quality);
    set(7, options.peakBitRate);
    set(8, numberOf(efforts, options.effort, undefined, 'effort'));
    set(9, options.bandwidth);
    set(10, numberOf(signalings, options.signaling, undefined, 'signaling'));
    set(11, options.silencesInvalid === undefined ? undefined : Number(options.silencesInvalid));
    return address;
}
