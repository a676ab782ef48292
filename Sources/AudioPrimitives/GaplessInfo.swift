// SPDX-License-Identifier: Apache-2.0

/// The numbers of valid decoded sample frames and of those added by the encoder.
///
/// Decoded frames = priming + valid + remainder. Core Audio calls them leading, valid and trailing frames.
public struct GaplessInfo: Hashable, Sendable {
    /// The number of sample frames before the valid ones.
    public var primingFrames: Int

    /// The number of encoder input sample frames.
    public var validFrames: Int

    /// The number of sample frames after the valid ones.
    public var remainderFrames: Int

    /// Creates gapless information.
    public init(primingFrames: Int, validFrames: Int, remainderFrames: Int) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }

    /// The number of decoded sample frames.
    public var totalFrames: Int { primingFrames + validFrames + remainderFrames }
}
