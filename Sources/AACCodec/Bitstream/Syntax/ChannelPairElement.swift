// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Which bands of a pair are coded as middle and side (`ms_mask_present`, ISO/IEC 14496-3:2009, 4.6.8.1).
enum MSMask: UInt8 {
    /// No band.
    case none = 0
    /// The bands whose flag is set (`ms_used`).
    case perBand
    /// All bands.
    case all
}

/// One flag for each band of all groups.
struct BandFlags {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Makes flags that are all false.
    init() {}

    /// The flag of the band `group * ICSInfo.bandStride + sfb`.
    @inline(__always)
    subscript(_ band: Int) -> Bool {
        get { (band < 64 ? low : high) >> UInt64(truncatingIfNeeded: band & 63) & 1 != 0 }
        set {
            let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: band & 63)
            if band < 64 {
                low = newValue ? low | bit : low & ~bit
            } else {
                high = newValue ? high | bit : high & ~bit
            }
        }
    }
}

/// Two channels that share a window or stereo tools (`channel_pair_element`, ISO/IEC 14496-3:2009, 4.4.2.1).
struct ChannelPairElement {
    /// Tells elements of a kind apart, 0 to 15 (`element_instance_tag`).
    var instanceTag = 0

    /// Whether both channels have the information of the first one.
    var hasCommonWindow = false

    /// Which bands are middle and side; only with common windows.
    var msMask = MSMask.none

    /// The bands that are middle and side if the mask is one flag a band (`ms_used`).
    var msUsed = BandFlags()

    /// The bit of the reader at which the second channel began; known after reading.
    var secondChannelBit = 0

    /// The left channel.
    var first = IndividualChannelStream()

    /// The right channel.
    var second = IndividualChannelStream()

    /// Makes a silent pair.
    init() {}

    /// Reads the element behind its identifier.
    mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, profile: CodingProfile
    ) throws(AACDecodingError) {
        instanceTag = Int(reader.read(4))
        hasCommonWindow = reader.readFlag()
        msMask = .none
        msUsed = BandFlags()
        if hasCommonWindow {
            let info = try ICSInfo(reading: &reader, bands: bands, prediction: profile.prediction(hasCommonWindow: true))
            first.info = info
            second.info = info
            second.info.longTermPrediction = info.secondLongTermPrediction
            try readMask(from: &reader)
        }
        var context = IndividualChannelStream.Context(
            hasCommonWindow: hasCommonWindow, prediction: profile.prediction(hasCommonWindow: false),
            maximumTNSOrder: profile.maximumTNSOrder)
        try first.read(from: &reader, bands: bands, context: context)
        secondChannelBit = reader.bitPosition
        context.allowsIntensity = hasCommonWindow
        try second.read(from: &reader, bands: bands, context: context)
    }

    /// Writes the element behind its identifier.
    func write(to sink: inout some BitSink, bands: ScaleFactorBands, profile: CodingProfile = .lowComplexity) {
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(hasCommonWindow)
        if hasCommonWindow {
            first.info.write(to: &sink, bands: bands, prediction: profile.prediction(hasCommonWindow: true))
            writeMask(to: &sink)
        }
        let prediction = profile.prediction(hasCommonWindow: false)
        first.write(to: &sink, bands: bands, hasCommonWindow: hasCommonWindow, prediction: prediction)
        second.write(to: &sink, bands: bands, hasCommonWindow: hasCommonWindow, prediction: prediction)
    }

    private mutating func readMask(from reader: inout BitReader) throws(AACDecodingError) {
        guard let mask = MSMask(rawValue: UInt8(reader.read(2))) else { throw .reservedMidSideMask }
        msMask = mask
        guard mask == .perBand else { return }
        for group in 0..<first.info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + first.info.maxSFB where reader.readFlag() {
                msUsed[band] = true
            }
        }
    }

    /// Writes the mask, and its flags if there is one a band.
    func writeMask(to sink: inout some BitSink) {
        sink.write(UInt32(msMask.rawValue), count: 2)
        guard msMask == .perBand else { return }
        for group in 0..<first.info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + first.info.maxSFB {
                sink.write(msUsed[band])
            }
        }
    }
}
