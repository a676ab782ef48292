// SPDX-License-Identifier: Apache-2.0

/// The sub-channel of a DAB ensemble that carries a DAB+ service (ETSI TS 102 563, 5).
public struct DABSubchannel: Hashable, Sendable {
    /// The bit rates of a sub-channel, in bits per second: the multiples of 8000 up to 192 000.
    public static let bitRates = (1...24).map { 8_000 * $0 }

    /// The bytes of programme-associated data that a unit can have: none, the fixed field alone, or that and an extension of up to 196 bytes.
    public static let padByteCounts = 0...198

    /// The bit rate of the sub-channel, parity bytes included, in bits per second: one of ``bitRates``.
    public var bitRate: Int

    /// The bytes of programme-associated data in each access unit, its two fixed bytes included: one of ``padByteCounts``, but not 1.
    public var padByteCount: Int

    /// Creates a sub-channel.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate, parity bytes included, in bits per second.
    ///   - padByteCount: The bytes of programme-associated data in each access unit.
    public init(bitRate: Int, padByteCount: Int = 0) {
        self.bitRate = bitRate
        self.padByteCount = padByteCount
    }

    /// Whether bit rate and programme-associated data are among those that there are.
    package var isValid: Bool { Self.bitRates.contains(bitRate) && Self.padByteCounts.contains(padByteCount) && padByteCount != 1 }

    /// The bit rate in units of 8000 bits per second, 1 to 24.
    package var index: Int { bitRate / 8_000 }

    /// The bytes that programme-associated data takes in each access unit, as a data stream element.
    package var padElementByteCount: Int { padByteCount == 0 ? 0 : (padByteCount < 255 ? 2 : 3) + padByteCount }

    /// Returns the bytes of all access units of a superframe together, without programme-associated data.
    package func unitsByteCount(_ format: DABAudioFormat) -> Int {
        110 * index - format.headerByteCount - format.unitCount * (DABAudioFormat.checksumByteCount + padElementByteCount)
    }
}
