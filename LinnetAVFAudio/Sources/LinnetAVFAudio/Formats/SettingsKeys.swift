// SPDX-License-Identifier: Apache-2.0

// These are Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Darwin)
/// The format, an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate, in hertz.
public let AVSampleRateKey = "AVSampleRateKey"
/// The channel count.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The channel layout, as the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The file format, an `AudioFileTypeID`.
///
/// The default follows from the file's extension.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// Bits per PCM sample: 16, 24, 32 or 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether PCM is big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether PCM is floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether PCM is deinterleaved.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The encoder quality, a raw value of ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// The encoder quality at a variable bit rate, a raw value of ``AVAudioQuality``.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// The total bit rate of all channels, in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bit rate per channel, in bits per second.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The bit rate strategy, an `AVAudioBitRateStrategy`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bits per sample that a lossless encoder retains.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The sample rate conversion algorithm, an `AVSampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The sample rate conversion quality, a raw value of ``AVAudioQuality``.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"

/// A constant bit rate.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// An average bit rate.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A constrained variable bit rate; equal to the average bit rate here.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A variable bit rate with constant quality.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The default algorithm.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The algorithm with the highest quality.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The algorithm with the highest quality and minimum phase; linear phase here.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"
#endif
