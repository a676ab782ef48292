// SPDX-License-Identifier: Apache-2.0

// Embedded Swift does not support existential types.
#if !hasFeature(Embedded)
public import AudioContainers
public import AudioPrimitives

extension AudioFileFormat {
    /// Creates a writer for DAB+ or a format of AudioContainers, which owns the sink.
    ///
    /// - Parameters:
    ///   - sink: The destination.
    ///   - configuration: The codec configuration. DAB+ supports only AAC.
    ///   - options: The options of the formats of AudioContainers.
    ///   - dab: The DAB+ sub-channel and labels, or `nil` for the lowest bit rate that fits the first superframe.
    /// - Throws: ``/AudioContainers/ContainerError`` as for the formats of AudioContainers.
    public func makeWriter<Sink: ByteSink>(
        to sink: Sink, _ configuration: CodecConfiguration, options: ContainerWriterOptions = ContainerWriterOptions(),
        dab: DABWriterOptions?
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
        guard self == .dab else { return try makeWriter(to: sink, configuration, options: options) }
        return try DABWriter(to: sink, try audioSpecificConfig(configuration), options: dab)
    }
}
#endif
