// SPDX-License-Identifier: Apache-2.0

import type { EncoderOptions, Linnet } from './linnet.js';

/** Loads the library once for all codecs. `source` is as for `Linnet.load`. */
export function loadLinnet(source?: Parameters<typeof Linnet.load>[0]): Promise<Linnet>;

/** The supported codec strings. */
export const supportedCodecs: readonly string[];

/** The WebCodecs configuration, with additional encoder settings. */
export interface LinnetAudioEncoderConfig {
    codec: 'mp4a.40.2' | 'mp4a.40.5' | 'mp4a.40.29' | (string & {});
    sampleRate: number;
    numberOfChannels: number;
    bitrate?: number;
    bitrateMode?: 'constant' | 'variable';
    aac?: { format?: 'aac' | 'adts' };
    linnet?: Partial<EncoderOptions>;
}

export interface LinnetAudioDecoderConfig {
    codec: string;
    sampleRate: number;
    numberOfChannels: number;
    description?: BufferSource;
}

/** Chunk metadata. The first chunk has the decoder configuration. */
export interface LinnetChunkMetadata {
    decoderConfig?: { codec: string; sampleRate: number; numberOfChannels: number; description?: Uint8Array };
}

/** The part of AudioData that the encoder uses. Any object with these members is accepted. */
export interface AudioDataLike {
    readonly numberOfChannels: number;
    readonly numberOfFrames: number;
    /** Hertz; if present, it must be the configured rate. */
    readonly sampleRate?: number;
    readonly timestamp: number;
    copyTo(target: Float32Array, options: { planeIndex: number; format: 'f32-planar' }): void;
}

/** AudioData with 32-bit planar samples. */
export interface DecodedAudioData extends AudioDataLike {
    readonly format: 'f32-planar';
    readonly sampleRate: number;
    close(): void;
}

export interface EncodedChunkLike {
    readonly type: 'key' | 'delta';
    readonly timestamp: number;
    readonly duration: number | null;
    readonly byteLength: number;
    copyTo(target: Uint8Array): void;
}

type State = 'unconfigured' | 'configured' | 'closed';

export class LinnetAudioEncoder extends EventTarget {
    constructor(init: { output: (chunk: EncodedChunkLike, metadata: LinnetChunkMetadata) => void; error: (error: DOMException) => void });
    static isConfigSupported(config: LinnetAudioEncoderConfig): Promise<{ supported: boolean; config: LinnetAudioEncoderConfig }>;
    readonly state: State;
    readonly encodeQueueSize: number;
    /** The encoder's priming, in sample frames, which a player must skip. Chunk timestamps include it. */
    readonly priming: number;
    ondequeue: ((event: Event) => void) | null;
    configure(config: LinnetAudioEncoderConfig): void;
    encode(data: AudioDataLike): void;
    flush(): Promise<void>;
    reset(): void;
    close(): void;
}

export class LinnetAudioDecoder extends EventTarget {
    constructor(init: { output: (data: DecodedAudioData) => void; error: (error: DOMException) => void });
    static isConfigSupported(config: LinnetAudioDecoderConfig): Promise<{ supported: boolean; config: LinnetAudioDecoderConfig }>;
    readonly state: State;
    readonly decodeQueueSize: number;
    ondequeue: ((event: Event) => void) | null;
    configure(config: LinnetAudioDecoderConfig): void;
    decode(chunk: EncodedChunkLike): void;
    flush(): Promise<void>;
    reset(): void;
    close(): void;
}
