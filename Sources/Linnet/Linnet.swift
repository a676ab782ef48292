// SPDX-License-Identifier: Apache-2.0

// Re-exports every library product: `import Linnet` is all that a program needs.

@_exported public import AACCodec
@_exported public import ALACCodec
@_exported public import AudioContainers
@_exported public import AudioConversion
@_exported public import AudioDevices
@_exported public import AudioFiles
@_exported public import AudioLoudness
@_exported public import AudioMeasures
@_exported public import AudioMetadata
@_exported public import AudioPrimitives
@_exported public import AudioReports
@_exported public import BatchEncoding
@_exported public import DABPlus
@_exported public import ILBCCodec
@_exported public import LiveAudio
@_exported public import LiveStreaming
@_exported public import MPEG4Audio
@_exported public import OpusCodec
@_exported public import PCMFiles
@_exported public import USACCodec
