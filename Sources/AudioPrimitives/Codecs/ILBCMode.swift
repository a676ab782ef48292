// SPDX-License-Identifier: Apache-2.0

/// The two frame lengths of iLBC (RFC 3951 2).
public enum ILBCMode: String, Hashable, Sendable, CaseIterable {
    /// 20 ms frames: 160 samples in 38 bytes, 15.2 kbit/s.
    case milliseconds20
    /// 30 ms frames: 240 samples in 50 bytes, 13.33 kbit/s.
    case milliseconds30

    /// The iLBC sample rate, in hertz.
    public static let sampleRate = 8000

    /// The coded frame size, in bytes.
    public var bytesPerFrame: Int { self == .milliseconds20 ? 38 : 50 }

    /// The number of samples per frame (`BLOCKL`).
    package var samplesPerFrame: Int { self == .milliseconds20 ? 160 : 240 }

    /// The frame length, in milliseconds.
    package var milliseconds: Int { self == .milliseconds20 ? 20 : 30 }

    /// Creates the mode with a coded frame size, or returns `nil` for other sizes.
    ///
    /// - Parameter bytesPerFrame: 38 or 50.
    public init?(bytesPerFrame: Int) {
        guard let mode = Self.allCases.first(where: { $0.bytesPerFrame == bytesPerFrame }) else { return nil }
        self = mode
    }

    /// The accepted bit rates, in bits per second, including rounded ones.
    private static let bitRates = 13_000...15_200

    /// Creates the mode with the closest bit rate.
    ///
    /// - Parameter bitRate: The bit rate in bits per second, or `nil` for 20 ms frames.
    /// - Throws: ``CodecError/unsupportedBitRate(_:allowed:)``.
    package init(bitRate: Int?) throws(CodecError) {
        let rate = bitRate ?? Self.bitRates.upperBound
        guard Self.bitRates.contains(rate) else { throw .unsupportedBitRate(rate, allowed: Self.bitRates) }
        self = rate < 14_000 ? .milliseconds30 : .milliseconds20
    }
}
