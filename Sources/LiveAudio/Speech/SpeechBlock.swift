// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A block of mono samples for transcription or voice detection.
public struct SpeechBlock: Hashable, Sendable {
    /// The samples, full scale ±1: the mean of all channels.
    ///
    /// All blocks of a stream have the same number of samples. Silence completes the last block, and a block before a skipped gap.
    public var samples: [Float]

    /// The position of the first sample in the recording; the timescale is the sample rate.
    ///
    /// Times differ by the block's length, except after a skipped gap or a lost block. A pause has no length, as in files.
    public var time: MediaTime

    /// The capture time of the first sample in nanoseconds of `DispatchTime`.
    ///
    /// Never decreases between blocks.
    public var hostTime: Int64

    /// The number of the block, from 0.
    ///
    /// The numbers that a slow reader misses belong to lost blocks.
    public var number: Int
}
