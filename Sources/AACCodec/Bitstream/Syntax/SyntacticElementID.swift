// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The kinds of element in a raw data block (`id_syn_ele`, ISO/IEC 14496-3:2009, Table 4.85).
package enum SyntacticElementID: UInt8 {
    /// One channel (`ID_SCE`).
    case singleChannel = 0
    /// Two channels (`ID_CPE`).
    case channelPair
    /// A channel that is mixed into others (`ID_CCE`).
    case couplingChannel
    /// Low-frequency effects (`ID_LFE`).
    case lowFrequency
    /// Bytes of another application (`ID_DSE`).
    case dataStream
    /// The channel layout (`ID_PCE`).
    case programConfig
    /// Padding and extensions (`ID_FIL`).
    case fill
    /// The end of the block (`ID_END`).
    case end

    /// Bits of the identifier.
    package static let bitCount = 3

    /// Writes the identifier.
    func write(to sink: inout some BitSink) { sink.write(UInt32(rawValue), count: Self.bitCount) }
}
