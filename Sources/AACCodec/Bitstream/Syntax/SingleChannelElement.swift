// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// One channel (`single_channel_element`); the element of low-frequency effects (`lfe_channel_element`) has the same form.
package struct SingleChannelElement: ~Copyable {
    /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
    package var instanceTag = 0

    /// The channel.
    package var stream: IndividualChannelStream

    /// Makes a silent channel.
    ///
    /// - Parameter frameLength: The lines of a frame.
    package init(frameLength: Int) { stream = IndividualChannelStream(frameLength: frameLength) }

    /// Reads the element after its identifier.
    package mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax
    ) throws(AACError) {
        instanceTag = Int(reader.read(4))
        try stream.read(from: &reader, bands: bands, context: IndividualChannelStream.Context(syntax: syntax))
    }

    /// Writes the element after its identifier.
    package func write(to sink: inout some BitSink, bands: ScaleFactorBands, syntax: Syntax = .lowComplexity) {
        Self.write(stream, instanceTag: instanceTag, to: &sink, bands: bands, syntax: syntax)
    }

    /// Writes an element of a channel that is kept elsewhere, after its identifier.
    static func write(
        _ stream: borrowing IndividualChannelStream, instanceTag: Int, to sink: inout some BitSink, bands: ScaleFactorBands,
        syntax: Syntax = .lowComplexity
    ) {
        if syntax != .enhancedLowDelay { sink.write(UInt32(instanceTag), count: 4) }
        stream.write(to: &sink, bands: bands, hasCommonWindow: false, syntax: syntax)
    }
}
