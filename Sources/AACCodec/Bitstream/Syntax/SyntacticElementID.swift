// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The element types of a raw data block (`id_syn_ele`, ISO/IEC 14496-3:2009, Table 4.85).
package enum SyntacticElementID: UInt8 {
    /// One channel (`ID_SCE`).
    case singleChannel = 0
    /// Two channels (`ID_CPE`).
    case channelPair
    /// A channel that is mixed into others (`ID_CCE`).
    case couplingChannel
    /// Low-frequency effects (`ID_LFE`).
    case lowFrequency
    /// Application data (`ID_DSE`).
    case dataStream
    /// The channel layout (`ID_PCE`).
    case programConfig
    /// Padding and extensions (`ID_FIL`).
    case fill
    /// The end of the block (`ID_END`).
    case end

    /// The size of the identifier, in bits.
    package static let bitCount = 3

    func write(to sink: inout some BitSink) { sink.write(UInt32(rawValue), count: Self.bitCount) }
}
