// SPDX-License-Identifier: Apache-2.0

/// The codebooks and step of envelopes or noise floors (ISO/IEC 14496-3:2009, 4.5.2.8 and 4.6.18.3.4).
package struct DeltaCoding {
    package let time: DeltaCodebook
    package let frequency: DeltaCodebook
    package let startBitCount: Int
    /// The number of levels per step of a difference, `δ`: 2 for balances.
    package var step = 1

    /// Returns the coding of envelopes.
    ///
    /// - Parameters:
    ///   - isCoarse: Whether levels have steps of 3 dB.
    ///   - isBalance: Whether the channel is the second of a coupled pair.
    package static func envelope(isCoarse: Bool, isBalance: Bool) -> DeltaCoding {
        switch (isCoarse, isBalance) {
        case (false, false):
            DeltaCoding(time: .envelopeTimeFine, frequency: .envelopeFrequencyFine, startBitCount: 7)
        case (true, false):
            DeltaCoding(time: .envelopeTimeCoarse, frequency: .envelopeFrequencyCoarse, startBitCount: 6)
        case (false, true):
            DeltaCoding(time: .balanceTimeFine, frequency: .balanceFrequencyFine, startBitCount: 6, step: 2)
        case (true, true):
            DeltaCoding(time: .balanceTimeCoarse, frequency: .balanceFrequencyCoarse, startBitCount: 5, step: 2)
        }
    }

    /// Returns the coding of noise floors.
    ///
    /// - Parameter isBalance: Whether the channel is the second of a coupled pair.
    package static func noise(isBalance: Bool) -> DeltaCoding {
        isBalance
            ? DeltaCoding(time: .noiseBalanceTime, frequency: .balanceFrequencyCoarse, startBitCount: 5, step: 2)
            : DeltaCoding(time: .noiseTime, frequency: .envelopeFrequencyCoarse, startBitCount: 5)
    }
}
