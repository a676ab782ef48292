// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The two frame lengths of iLBC (RFC 3951 2).
public enum ILBCMode: String, Hashable, Sendable, CaseIterable {
    /// Blocks of 20 ms: 160 samples in 38 bytes, 15.2 kbit/s.
    case milliseconds20
    /// Blocks of 30 ms: 240 samples in 50 bytes, 13.33 kbit/s.
    case milliseconds30

    /// The sample rate of iLBC in hertz.
    public static let sampleRate = 8000

    /// The number of bytes of a coded frame.
    public var bytesPerFrame: Int { self == .milliseconds20 ? 38 : 50 }

    /// The number of samples of a frame (`BLOCKL`).
    public var samplesPerFrame: Int { self == .milliseconds20 ? 160 : 240 }

    /// Returns the mode whose frames have this number of bytes.
    ///
    /// - Parameter bytesPerFrame: 38 or 50; there is no mode for other numbers.
    public init?(bytesPerFrame: Int) {
        guard let mode = Self.allCases.first(where: { $0.bytesPerFrame == bytesPerFrame }) else { return nil }
        self = mode
    }

    /// The number of sub-blocks of 40 samples in a block (`NSUB`).
    var subblockCount: Int { samplesPerFrame / Self.subblockLength }

    /// The number of sets of line spectral frequencies in a frame (`LPC_N`).
    var lsfSetCount: Int { self == .milliseconds20 ? 1 : 2 }

    /// The number of samples of the start state that are quantised one by one (`STATE_SHORT_LEN`).
    var stateLength: Int { self == .milliseconds20 ? 57 : 58 }

    /// The number of samples between those of the start state and the end of its two sub-blocks: 23 or 22.
    var stateRemainder: Int { Self.stateBlockLength - stateLength }

    /// The number of segments that the adaptive codebook codes: the remainder of the start state and the other sub-blocks.
    var segmentCount: Int { subblockCount - 1 }

    /// The number of samples of a sub-block (`SUBL`).
    static let subblockLength = 40

    /// The number of samples of the two sub-blocks with the start state (`STATE_LEN`).
    static let stateBlockLength = 80

    /// The order of the linear prediction (`LPC_FILTERORDER`).
    static let filterOrder = 10
}
