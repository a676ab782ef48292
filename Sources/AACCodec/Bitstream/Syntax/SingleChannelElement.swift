// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// One channel (`single_channel_element`); the element of low-frequency effects (`lfe_channel_element`) has the same form.
struct SingleChannelElement {
    /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
    var instanceTag = 0

    /// The channel.
    var stream = IndividualChannelStream()

    /// Creates a silent channel.
    init() {}

    /// Reads the element after its identifier.
    mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, profile: CodingProfile
    ) throws(AACError) {
        instanceTag = Int(reader.read(4))
        let context = IndividualChannelStream.Context(
            prediction: profile.prediction(hasCommonWindow: false), maximumTNSOrder: profile.maximumTNSOrder)
        try stream.read(from: &reader, bands: bands, context: context)
    }

    /// Writes the element after its identifier.
    func write(to sink: inout some BitSink, bands: ScaleFactorBands, profile: CodingProfile = .lowComplexity) {
        var stream = stream
        Self.write(&stream, instanceTag: instanceTag, to: &sink, bands: bands, profile: profile)
    }

    /// Writes an element of a channel that is kept elsewhere, after its identifier.
    static func write(
        _ stream: inout IndividualChannelStream, instanceTag: Int, to sink: inout some BitSink, bands: ScaleFactorBands,
        profile: CodingProfile = .lowComplexity
    ) {
        sink.write(UInt32(instanceTag), count: 4)
        stream.write(to: &sink, bands: bands, hasCommonWindow: false, prediction: profile.prediction(hasCommonWindow: false))
    }
}
