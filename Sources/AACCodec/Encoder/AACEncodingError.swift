// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What stops an encoder from being made or from going on.
public enum AACEncodingError: Error, Hashable, Sendable {
    /// The sample rate has no index of its own; the allowed ones are listed.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// No channel configuration has so many channels; the allowed counts are listed.
    case unsupportedChannelCount(Int, allowed: [Int])
    /// The profile can't be had with this number of channels; those that can are listed.
    case unsupportedProfile(AACEncoderConfiguration.Profile, channelCount: Int, allowed: [AACEncoderConfiguration.Profile])
    /// The profile can't be had with this sample rate in hertz; those that it has are listed.
    case unsupportedProfileRate(AACEncoderConfiguration.Profile, sampleRate: Int, allowed: [Int])
    /// A bandwidth was asked for, which in this profile follows from the rate.
    case fixedBandwidth(AACEncoderConfiguration.Profile)
    /// The bit rate in bits a second is outside what rate and channels allow.
    case unsupportedBitRate(Int, allowed: ClosedRange<Int>)
    /// The quality is outside 0 to 100.
    case unsupportedQuality(Double)
    /// The bandwidth in hertz is outside what the sample rate allows.
    case unsupportedBandwidth(Int, allowed: ClosedRange<Int>)
    /// The input has another number of channels than the encoder.
    case channelCountMismatch(expected: Int, found: Int)
    /// The byte count of the input is no whole number of frames.
    case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
    /// A sample is not a number or infinite; the frame is counted from the first one encoded.
    case invalidSample(channel: Int, frame: Int)
    /// More input came after ``AACEncoder/finish(_:)``.
    case finished
}
