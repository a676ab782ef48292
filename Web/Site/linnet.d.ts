// SPDX-License-Identifier: Apache-2.0

// Generated from linnet.h by Scripts/Make/bindings
export type Profile = 'lc' | 'he' | 'he-v2' | 'auto' | 'ld' | 'eld' | 'xhe';
export type RateControl = 'average' | 'constant' | 'variable';
export type Effort = 'fast' | 'balanced' | 'best';
export type Signaling = 'implicit' | 'compatible' | 'explicit';
export type LowDelaySbr = 'auto' | 'off' | 'single' | 'dual';
export type Mix = 'none' | 'mono' | 'stereo';
export type Format = 'unknown' | 'adts' | 'loas' | 'm4a' | 'fragmented-m4a' | 'caf' | 'ts' | 'other' | 'matroska';
export type ResamplerQuality = 'minimum' | 'low' | 'medium' | 'high' | 'maximum';

export interface EncoderOptions {
    /** Hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000. */
    sampleRate: number;
    /** 1 to 6, or 8, in WAV channel order. */
    channels: number;
    /** Default 'lc'; 'auto' chooses by bit rate. */
    profile?: Profile;
    /** Default 'average'; 'variable' if there is a quality. */
    rateControl?: RateControl;
    /** Bits per second; 0: about 64 kbit/s per channel at 48 kHz. */
    bitRate?: number;
    /** 0 to 100, for 'variable'. */
    quality?: number;
    /** Bits per second; the maximum rate of any access unit; 0: the standard's limit. */
    peakBitRate?: number;
    /** CPU time spent on quality; default 'balanced'. */
    effort?: Effort;
    /** Hertz, for AAC-LC only; 0: from the bit rate. */
    bandwidth?: number;
    /** SBR signaling in the AudioSpecificConfig; default 'compatible'. */
    signaling?: Signaling;
    /** True: infinite and NaN samples become zero; false: they are an error. */
    silencesInvalid?: boolean;
    /** True: AAC-LC without look-ahead, with a delay of frameLength sample frames; false: with look-ahead. */
    lowDelay?: boolean;
    /** Core sample frames per access unit: 1024 or 960. */
    frameLength?: number;
    /** True: no noise substitution (PNS), as MPEG-2 AAC requires, and no noise filling; false: where it is better. */
    noNoiseSubstitution?: boolean;
    /** Bits per second of a DAB+ sub-channel, 8000 to 192000; 0: not for DAB+. */
    dabBitRate?: number;
    /** Bytes reserved for PAD in each DAB+ access unit: 0, 2 to 198. */
    dabPad?: number;
    /** SBR of AAC-ELD; default 'auto', which chooses by bit rate. */
    lowDelaySbr?: LowDelaySbr;
    /** XHE-AAC: integrated loudness to state, 1 to 577 tenths of LUFS below 0, as 160 for -16 LUFS; 0: none. */
    statedLoudness?: number;
    /** XHE-AAC: longest time between units where decoding can start, in milliseconds; 0: 2000. */
    accessPointInterval?: number;
}
// End of the generated part

export type WritableFormat = Exclude<Format, 'unknown' | 'other' | 'matroska'>;
export type StreamFormat = 'adts' | 'loas' | 'ts';
export type WindowSequence = 'only-long' | 'long-start' | 'eight-short' | 'long-stop';

/** An access unit: `unitLength` encoded sample frames. */
export interface Unit {
    bytes: Uint8Array;
    /** Position of the first sample frame, counted from the first valid one; negative in the priming. */
    time: number;
    duration: number;
    sampleRate: number;
    blockCount: number;
}

/** Sample frame counts of a decoded stream; `valid` is -1 if unknown. */
export interface Trim {
    priming: number;
    valid: number;
    padding: number;
}

export interface DecodedAudio {
    channels: Float32Array[];
    frameCount: number;
    sampleRate: number;
    /** Whether the access unit was damaged or lost and these samples conceal it. */
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
    /** Hertz; the clock of `trim` and `seek`. The decoder's sample rate, or half of it if the configuration does not signal SBR. */
    sampleRate: number;
    channelCount: number;
    unitCount: number | null;
    trim: Trim;
}

export interface Comparison {
    /** Noise-to-mask ratio over the frames, in decibels: mean, and the value that 5 % of the frames exceed. */
    mean: number;
    percentile95: number;
    /** The fraction of frames above 0 dB. */
    audibleShare: number;
    /** Hertz. */
    referenceBandwidth: number;
    testBandwidth: number;
    /** Seconds between frames. */
    interval: number;
    frames: number;
    bands: number;
    /** `frames * bands` ratios in decibels, frame by frame. */
    ratios: Float32Array;
    /** The band edges in hertz. */
    edges: number[];
}

/** A library error. `code` is an error code of linnet.h. */
export class LinnetError extends Error {
    readonly code: number;
    /** Whether the instance is unusable and must be loaded again. */
    readonly isFatal: boolean;
}

interface Closable {
    /** Frees the memory. The object is unusable afterwards. */
    close(): void;
}

export interface Encoder extends Closable {
    readonly sampleRate: number;
    readonly profile: Exclude<Profile, 'auto'>;
    readonly unitLength: number;
    /** Decoded sample frames before the first input frame. */
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
    /** Appends an access unit of one block, the default. */
    append(unit: Omit<Unit, 'blockCount'> & { blockCount?: number }): void;
    finish(trim?: Trim): void;
    takeBytes(): Uint8Array;
}

/** A sample rate converter; requires the module of `Scripts/Package/webassembly --whole`. */
export interface Resampler extends Closable {
    /** Converts samples. Returns the completed samples. */
    write(channels: readonly Float32Array[]): Float32Array[];
    /** Ends the input. Returns the remaining samples. */
    finish(): Float32Array[];
}

/** The library: an instance of linnet.wasm. */
export class Linnet {
    /** Loads linnet.wasm, by default from the module's folder. */
    static load(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<Linnet>;
    /** Creates an instance synchronously, as audio worklets require. */
    static instantiate(module: WebAssembly.Module): Linnet;
    readonly version: string;
    readonly memoryByteCount: number;
    /** Whether a function trapped and the library must be loaded again. */
    readonly hasFailed: boolean;
    bitRates(options: EncoderOptions): { lowest: number; highest: number };
    createEncoder(options: EncoderOptions): Encoder;
    createDecoder(configuration: Uint8Array, options?: { mix?: Mix }): Decoder;
    openReader(bytes: Uint8Array): Reader;
    openStream(format: StreamFormat): Reader;
    createWriter(format: WritableFormat, configuration: Uint8Array, options?: { priming?: number }): Writer;
    /** Creates a sample rate converter; rates are in hertz, the default quality is 'high'. Requires the whole module. */
    createResampler(fromRate: number, toRate: number, channelCount: number, options?: { quality?: ResamplerQuality }): Resampler;
    /** Converts the sample rate of a complete signal. Requires the whole module. */
    resample(channels: readonly Float32Array[], fromRate: number, toRate: number, options?: { quality?: ResamplerQuality }): Float32Array[];
    /** Encodes a complete signal to a file; the default format is m4a. */
    encode(channels: readonly Float32Array[], options: Omit<EncoderOptions, 'channels'> & { format?: WritableFormat }): Uint8Array;
    /** Decodes a complete file, without priming and padding if its container signals them. */
    decode(bytes: Uint8Array, options?: { mix?: Mix }): {
        format: Format;
        sampleRate: number;
        channels: Float32Array[];
        damagedUnitCount: number;
    };
    /** Detects the format of a file. The information is null unless the file contains AAC. */
    probe(bytes: Uint8Array): { format: Format; information: ReaderInformation | null; configuration: Uint8Array | null };
    /** Compares a signal with its reference, of the same channel count and length, sample by sample. */
    compare(reference: readonly Float32Array[], test: readonly Float32Array[], sampleRate: number): Comparison;
}
