// SPDX-License-Identifier: Apache-2.0

public import MPEG4Audio

/// The sub-channel of a DAB ensemble that carries a DAB+ service (ETSI TS 102 563, 5).
public struct DABSubchannel: Hashable, Sendable {
    /// The valid sub-channel bit rates in bits per second, which are the multiples of 8000 up to 192 000.
    public static let bitRates = (1...24).map { 8_000 * $0 }

    /// The possible sizes of programme-associated data per access unit: 0, 2 (fixed field), or up to 198 with an extension.
    public static let padByteCounts = 0...198

    /// The bit rate in bits per second, including parity bytes; one of ``bitRates``.
    public var bitRate: Int

    /// The size of programme-associated data per access unit, including the two fixed bytes; one of ``padByteCounts`` except 1.
    public var padByteCount: Int

    /// Creates a sub-channel.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate in bits per second, including parity bytes.
    ///   - padByteCount: The size of programme-associated data per access unit.
    public init(bitRate: Int, padByteCount: Int = 0) {
        self.bitRate = bitRate
        self.padByteCount = padByteCount
    }

    /// Whether bit rate and data size are valid.
    package var isValid: Bool { Self.bitRates.contains(bitRate) && Self.padByteCounts.contains(padByteCount) && padByteCount != 1 }

    /// The bit rate in units of 8000 bit/s, 1 to 24.
    package var index: Int { bitRate / 8_000 }

    /// The size constraints of a superframe, for ``/AACCodec/AACEncoderSettings/rateGroup``.
    ///
    /// The object types are those that broadcasters use at the bit rate. The group of an invalid sub-channel has 0 bytes.
    public var rateGroup: RateGroup {
        // For n access units, the header has 24 bits plus 12 per start except the first: 12 + 12 n bits. Each access unit has a checksum.
        // Programme-associated data are a data stream element with a two-byte header.
        RateGroup(
            milliseconds: 120, byteCount: isValid ? 110 * index : 0, overheadBitCount: 12,
            unitOverheadBitCount: 12 + 8 * (DABAudioFormat.checksumByteCount + (isValid && padByteCount > 0 ? 2 + padByteCount : 0)),
            frameLength: DABAudioFormat.frameLength, sampleRates: DABAudioFormat.sampleRates,
            objectTypes: [
                bitRate <= 64_000 ? .sbr : .aacLC, bitRate <= 48_000 ? .parametricStereo : bitRate <= 80_000 ? .sbr : .aacLC,
            ])
    }
}
