// SPDX-License-Identifier: Apache-2.0

/// The numbers of decoded sample frames that are valid, and of those that the encoder added.
///
/// Decoded frames = priming + valid + remainder. Core Audio calls the three leading, valid and trailing frames.
public struct GaplessInfo: Hashable, Sendable {
    /// Sample frames before the first valid one.
    public var primingFrames: Int

    /// Sample frames that went into the encoder.
    public var validFrames: Int

    /// Sample frames after the last valid one.
    public var remainderFrames: Int

    /// Creates the information.
    public init(primingFrames: Int, validFrames: Int, remainderFrames: Int) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }

    /// All decoded sample frames.
    public var totalFrames: Int { primingFrames + validFrames + remainderFrames }
}
