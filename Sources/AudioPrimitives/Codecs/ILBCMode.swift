// SPDX-License-Identifier: Apache-2.0

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
    package var samplesPerFrame: Int { self == .milliseconds20 ? 160 : 240 }

    /// The length of a frame in milliseconds.
    package var milliseconds: Int { self == .milliseconds20 ? 20 : 30 }

    /// Returns the mode whose frames have this number of bytes.
    ///
    /// - Parameter bytesPerFrame: 38 or 50; there is no mode for other numbers.
    public init?(bytesPerFrame: Int) {
        guard let mode = Self.allCases.first(where: { $0.bytesPerFrame == bytesPerFrame }) else { return nil }
        self = mode
    }
}
