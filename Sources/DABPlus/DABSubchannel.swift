// SPDX-License-Identifier: Apache-2.0

public import MPEG4Audio

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

    /// The demands of a superframe on an encoder.
    ///
    /// They are the value of ``/AACCodec/AACEncoderSettings/rateGroup``. The object types are those that broadcasters choose for the bit rate. An
    /// invalid sub-channel has 0 bytes.
    public var rateGroup: RateGroup {
        // A header of 12 bits and the Fire code; for each unit but the first its start, and for each its checksum.
        // Programme-associated data are a data stream element with a header of two bytes.
        RateGroup(
            milliseconds: 120, byteCount: isValid ? 110 * index : 0, overheadBitCount: 12,
            unitOverheadBitCount: 12 + 8 * (DABAudioFormat.checksumByteCount + (isValid && padByteCount > 0 ? 2 + padByteCount : 0)),
            frameLength: DABAudioFormat.frameLength, sampleRates: DABAudioFormat.sampleRates,
            objectTypes: [
                bitRate <= 64_000 ? .sbr : .aacLC, bitRate <= 48_000 ? .parametricStereo : bitRate <= 80_000 ? .sbr : .aacLC,
            ])
    }
}
