// SPDX-License-Identifier: Apache-2.0

// Embedded Swift has no values of protocol type.
#if !hasFeature(Embedded)
public import AudioContainers
public import AudioPrimitives

extension AudioFileFormat {
    /// Creates a writer for the format, that of DAB+ or one of the module AudioContainers.
    ///
    /// - Parameters:
    ///   - sink: The destination of the bytes.
    ///   - configuration: The configuration of the stream.
    ///   - options: Tags and other options.
    ///   - dab: The sub-channel and the labels of DAB+; nil for the bit rate that the units of the first superframe need.
    /// - Returns: The writer, which owns the sink.
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
