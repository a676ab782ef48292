// SPDX-License-Identifier: Apache-2.0

/// The fields of an access unit that set its level: `global_gain`, and the start values of SBR envelopes.
///
/// All other values are differences from these, or relative to the signal.
package struct GainFields: Sendable {
    package struct Field: Sendable {
        /// The first bit, from the start of the access unit, if the field is sent.
        ///
        /// `nil` for balances, and for envelopes in time direction, which continue the previous ones of their chain.
        package var bit: Int?
        package var bitCount = 8
        /// The number of steps of 1.5 dB (2^(1/4) in amplitude) per step of the value: 1 or 2; 0 for balances, which stay.
        package var scale = 1
        /// The SBR channel whose envelopes refer to each other; `nil` for the core.
        package var chain: Int?
        /// The differences that keep all values derived from the field in range.
        package var changes: ClosedRange<Int>
        /// Whether the field's signal is silent, whatever its value.
        package var isSilent = false
        /// Whether all levels are 0, so that envelopes cannot be quieter.
        package var isLowest = false

        package init(bit: Int?, changes: ClosedRange<Int>) {
            self.bit = bit
            self.changes = changes
        }
    }

    /// A coding tool whose output is not proportional to the fields.
    package enum Obstacle: Hashable, Sendable {
        /// Prediction of lines from previous access units (AAC Main and LTP).
        case linePrediction
        /// The linear prediction domain of USAC.
        case linearPrediction
        /// Predictive vector coding (PVC).
        case predictiveVectors
        /// More coupling channels than a decoder mixes.
        case couplingChannels
        /// An unreadable SBR payload.
        case highBandLoss
        /// A pre-roll that changes the configuration or is damaged.
        case preRoll
    }

    /// The fields in bitstream order of the elements.
    package var fields: [Field] = []
    /// `bs_sbr_crc_bits` with the bits that they cover.
    package var checksums: [Range<Int>] = []
    /// The reason why the level cannot be changed, if any.
    package var obstacle: Obstacle?
    /// The fields of the access units in an audio pre-roll, with bits of the outer access unit.
    package var preRoll: [GainFields] = []

    /// The bits of the configuration in an audio pre-roll, equal to the stream's configuration; empty without one.
    package var configuration = 0..<0

    package init() {}

    package mutating func advance(by bits: Int) {
        for index in fields.indices { fields[index].bit = fields[index].bit.map { $0 + bits } }
        checksums = checksums.map { $0.lowerBound + bits..<$0.upperBound + bits }
    }
}
