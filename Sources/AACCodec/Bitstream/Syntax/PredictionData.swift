// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Main prediction side information (`predictor_reset`, `prediction_used`; ISO/IEC 14496-3:2009, 4.6.6).
package struct MainPredictionData {
    /// The group of predictors to reset, 1 to 30; 0 for none.
    package var resetGroup: UInt8 = 0

    /// The predicted bands, one bit per band, the lowest for the first.
    package var usedBands: UInt64 = 0

    /// The number of bands that can be predicted, by sampling frequency index (`PRED_SFB_MAX`, Table 4.99).
    static let bandLimits: [UInt8] = [33, 33, 38, 40, 40, 40, 41, 41, 37, 37, 37, 34, 34]

    static let resetGroupCount = 30

    init(reading reader: inout BitReader, bandCount: Int) throws(CodecError) {
        if reader.readFlag() {
            resetGroup = UInt8(reader.read(5))
            guard resetGroup >= 1 && Int(resetGroup) <= Self.resetGroupCount else {
                throw .predictorResetGroupOutOfRange(Int(resetGroup))
            }
        }
        for band in 0..<bandCount where reader.readFlag() {
            usedBands |= 1 << UInt64(band)
        }
    }

    package init(resetGroup: UInt8, usedBands: UInt64) {
        self.resetGroup = resetGroup
        self.usedBands = usedBands
    }

    func write(to sink: inout some BitSink, bandCount: Int) {
        sink.write(resetGroup != 0)
        if resetGroup != 0 { sink.write(UInt32(resetGroup), count: 5) }
        for band in 0..<bandCount {
            sink.write(usedBands >> UInt64(band) & 1 != 0)
        }
    }
}

/// Long-term prediction side information (`ltp_data`, ISO/IEC 14496-3:2009, 4.6.7).
package struct LongTermPredictionData {
    /// The prediction lag in samples, 0 to 2047 (`ltp_lag`).
    package var lag: UInt16

    /// The gain index, 0 to 7 (`ltp_coef`).
    package var gainIndex: UInt8

    /// The predicted bands, one bit per band, the lowest for the first (`ltp_long_used`).
    package var usedBands: UInt64 = 0

    /// The maximum number of predicted bands.
    static let bandLimit = 40

    init(reading reader: inout BitReader, bandCount: Int) {
        lag = UInt16(reader.read(11))
        gainIndex = UInt8(reader.read(3))
        for band in 0..<bandCount where reader.readFlag() {
            usedBands |= 1 << UInt64(band)
        }
    }

    package init(lag: UInt16, gainIndex: UInt8, usedBands: UInt64) {
        self.lag = lag
        self.gainIndex = gainIndex
        self.usedBands = usedBands
    }

    func write(to sink: inout some BitSink, bandCount: Int) {
        sink.write(UInt32(lag), count: 11)
        sink.write(UInt32(gainIndex), count: 3)
        for band in 0..<bandCount {
            sink.write(usedBands >> UInt64(band) & 1 != 0)
        }
    }
}
