// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Two channels that share a window or stereo tools (`channel_pair_element`, ISO/IEC 14496-3:2009, 4.4.2.1).
struct ChannelPairElement {
    /// Tells elements of a kind apart, 0 to 15 (`element_instance_tag`).
    var instanceTag = 0

    /// Whether both channels have the information of the first one.
    var hasCommonWindow = false

    /// The bands that are middle and side; only with common windows.
    var midSide = MidSideMask()

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
    ) throws(AACError) {
        instanceTag = Int(reader.read(4))
        hasCommonWindow = reader.readFlag()
        midSide = MidSideMask()
        if hasCommonWindow {
            let info = try ICSInfo(reading: &reader, bands: bands, prediction: profile.prediction(hasCommonWindow: true))
            first.info = info
            second.info = info
            second.info.longTermPrediction = info.secondLongTermPrediction
            midSide = try MidSideMask(reading: &reader, info: info)
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
            midSide.write(to: &sink, info: first.info)
        }
        let prediction = profile.prediction(hasCommonWindow: false)
        first.write(to: &sink, bands: bands, hasCommonWindow: hasCommonWindow, prediction: prediction)
        second.write(to: &sink, bands: bands, hasCommonWindow: hasCommonWindow, prediction: prediction)
    }
}
