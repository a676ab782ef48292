// SPDX-License-Identifier: Apache-2.0

/** AAC-LC, HE-AAC, HE-AAC v2, or the best one for the bit rate. */
export type Profile = 'lc' | 'he' | 'he-v2' | 'auto' | 'ld' | 'eld';
export type Effort = 'fast' | 'balanced' | 'best';
export type RateControl = 'average' | 'constant' | 'variable';
/** Of SBR in the AudioSpecificConfig. */
export type Signaling = 'implicit' | 'compatible' | 'explicit';
export type Mix = 'none' | 'mono' | 'stereo';
export type StreamFormat = 'adts' | 'loas' | 'ts';
export type WritableFormat = StreamFormat | 'm4a' | 'fragmented-m4a' | 'caf';
export type Format = WritableFormat | 'unknown' | 'other';
export type WindowSequence = 'only-long' | 'long-start' | 'eight-short' | 'long-stop';

export interface EncoderOptions {
    /** Hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200 or 96000. */
    sampleRate: number;
    /** 1 to 6, or 8, in the order of WAV files. */
    channels: number;
    /** Default: lc. */
    profile?: Profile;
    /** Default: average, or variable if there is a quality. */
    rateControl?: RateControl;
    /** Bits a second; default: about 64 000 a channel at 48 kHz. */
    bitRate?: number;
    /** 0 to 100, of a variable bit rate. */
    quality?: number;
    /** Bits a second that no unit exceeds while it lasts. */
    peakBitRate?: number;
    /** Default: balanced. */
    effort?: Effort;
    /** The highest coded frequency in hertz, of AAC-LC. */
    bandwidth?: number;
    signaling?: Signaling;
    /** Whether samples that are infinite or not a number become silence; else they are an error. */
    silencesInvalid?: boolean;
    /** AAC-LC without look-ahead, of `frameLength` sample frames of delay. */
    lowDelay?: boolean;
    /** Sample frames of the core in a unit: 1024 or 960. */
    frameLength?: number;
    /** Whether noise is encoded as all else, as MPEG-2 AAC has to. */
    noNoiseSubstitution?: boolean;
    /** Bits a second of a sub-channel of DAB+, for which the units are. */
    dabBitRate?: number;
    /** Bytes of programme-associated data that each of those units leaves room for. */
    dabPad?: number;
    /** SBR in AAC-ELD: the best for the bit rate (default), none, or with a core of the same or of half the sample rate. */
    lowDelaySbr?: 'auto' | 'off' | 'single' | 'dual';
}

/** An access unit: the coded audio of `unitLength` sample frames. */
export interface Unit {
    bytes: Uint8Array;
    /** Sample frames from the first valid one to the unit's first; negative in the priming. */
    time: number;
    duration: number;
    sampleRate: number;
    blockCount: number;
}

/** Sample frames of a decoded stream; `valid` is -1 where it is unknown. */
export interface Trim {
    priming: number;
    valid: number;
    padding: number;
}

export interface DecodedAudio {
    channels: Float32Array[];
    frameCount: number;
    sampleRate: number;
    /** Whether the unit was damaged or lost, and the samples conceal it. */
    isDamaged: boolean;
    usedByteCount: number;
}

export interface CodingTools {
    channelCount: number;
    windowSequence: WindowSequence;
    shortChannelCount: number;
    bitCount: number;
    sbrBitCount: number;
    bandCount: number;
    midSideBandCount: number;
    noiseBandCount: number;
}

export interface ReaderInformation {
    format: Format;
    sampleRate: number;
    channelCount: number;
    unitCount: number | null;
    trim: Trim;
}

export interface Comparison {
    /** Noise-to-mask ratio over the frames, in decibels: its mean, and the value that 5 % of the frames exceed. */
    mean: number;
    percentile95: number;
    /** The share of frames above 0 dB. */
    audibleShare: number;
    /** Hertz. */
    referenceBandwidth: number;
    testBandwidth: number;
    /** Seconds from one frame to the next. */
    interval: number;
    frames: number;
    bands: number;
    /** `frames * bands` ratios in decibels, frame by frame. */
    ratios: Float32Array;
    /** The edges of the bands in hertz. */
    edges: number[];
}

/** An error of the library; `code` is that of linnet.h. */
export class LinnetError extends Error {
    readonly code: number;
    /** Whether the instance can't be used any more, and has to be loaded again. */
    readonly isFatal: boolean;
}

interface Closable {
    /** Frees the memory; the object can't be used any more. */
    close(): void;
}

export interface Encoder extends Closable {
    readonly sampleRate: number;
    readonly profile: Exclude<Profile, 'auto'>;
    readonly unitLength: number;
    /** Decoded sample frames before the first one of the input. */
    readonly delay: number;
    readonly bandwidth: number;
    readonly bitRate: number;
    readonly configuration: Uint8Array;
    readonly trim: Trim;
    write(channels: readonly Float32Array[]): Unit[];
    finish(): Unit[];
    setBitRate(bitRate: number): void;
    reset(): void;
}

export interface Decoder extends Closable {
    readonly delay: number;
    readonly tools: CodingTools;
    decode(bytes: Uint8Array): DecodedAudio;
    decodeBlocks(unit: { bytes: Uint8Array; blockCount?: number }): DecodedAudio[];
    conceal(): DecodedAudio;
    int16(sampleCount: number): Int16Array;
    reset(): void;
}

export interface Reader extends Closable {
    readonly configuration: Uint8Array;
    readonly information: ReaderInformation;
    append(bytes: Uint8Array): void;
    next(): Unit | null;
    seek(frame: number): number;
}

export interface Writer extends Closable {
    append(unit: Omit<Unit, 'blockCount'>): void;
    finish(trim?: Trim): void;
    takeBytes(): Uint8Array;
}

/** The library: one instance of linnet.wasm. */
export class Linnet {
    /** Loads linnet.wasm: from beside the module, or from what is given. */
    static load(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<Linnet>;
    /** Makes an instance at once, as audio worklets need it. */
    static instantiate(module: WebAssembly.Module): Linnet;
    readonly version: string;
    readonly memoryByteCount: number;
    /** Whether a function has trapped, so that the library has to be loaded again. */
    readonly hasFailed: boolean;
    bitRates(options: EncoderOptions): { lowest: number; highest: number };
    createEncoder(options: EncoderOptions): Encoder;
    createDecoder(configuration: Uint8Array, options?: { mix?: Mix }): Decoder;
    openReader(bytes: Uint8Array): Reader;
    openStream(format: StreamFormat): Reader;
    createWriter(format: WritableFormat, configuration: Uint8Array, options?: { priming?: number }): Writer;
    /** Encodes a whole signal into a file; the default format is m4a. */
    encode(channels: readonly Float32Array[], options: Omit<EncoderOptions, 'channels'> & { format?: WritableFormat }): Uint8Array;
    /** Decodes a whole file, without priming and padding where its container tells them. */
    decode(bytes: Uint8Array, options?: { mix?: Mix }): {
        format: Format;
        sampleRate: number;
        channels: Float32Array[];
        damagedUnitCount: number;
    };
    /** Tells what a file is; the information is null unless it holds AAC. */
    probe(bytes: Uint8Array): { format: Format; information: ReaderInformation | null; configuration: Uint8Array | null };
    /** Compares a signal with its reference, sample by sample. */
    compare(reference: readonly Float32Array[], test: readonly Float32Array[], sampleRate: number): Comparison;
}
