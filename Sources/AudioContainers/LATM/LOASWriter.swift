// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Writes access units into a LOAS stream of LATM.
public struct LOASWriter: AudioWriter {
    /// The most bytes an `AudioMuxElement` can have.
    public static let maximumElementByteCount = 0x1FFF

    private let streamMuxConfig: StreamMuxConfig
    private let configInterval: Int
    private var unitCount = 0

    /// Makes a writer that repeats the configuration before every `configInterval`th unit.
    ///
    /// The configuration of SBR behind that of the core is told with its length, for without it players can't find it.
    /// Throws ``ContainerError/unsupportedObjectType(_:allowed:)`` for types known by name only.
    public init(_ configuration: AudioSpecificConfig, configInterval: Int = 10) throws(ContainerError) {
        guard configuration.generalAudio != nil else {
            throw .unsupportedObjectType(configuration.objectType, allowed: [.aacMain, .aacLC, .aacLTP, .errorResilientAACLD])
        }
        var config = StreamMuxConfig(configuration)
        config.tellsConfigurationLength = configuration.extensionConfig.signaling == .backwardCompatible
        streamMuxConfig = config
        self.configInterval = max(1, configInterval)
    }

    /// Writes a unit.
    ///
    /// Throws ``ContainerError/accessUnitTooLong(byteCount:limit:)`` with the limit that holds for this unit.
    public mutating func append(_ unit: AccessUnit, to sink: inout some ByteSink) throws(ContainerError) {
        guard !unit.payload.isEmpty else { throw .emptyAccessUnit }
        let isConfigured = unitCount % configInterval == 0
        let element = AudioMuxElement(streamMuxConfig: isConfigured ? streamMuxConfig : nil, payloads: [unit.payload])
        var writer = BitWriter(byteCapacity: unit.payload.count + 64)
        element.write(to: &writer, config: streamMuxConfig)
        let byteCount = writer.bitCount / 8
        guard byteCount <= Self.maximumElementByteCount else {
            let overhead = byteCount - unit.payload.count
            throw .accessUnitTooLong(byteCount: unit.payload.count, limit: Self.maximumElementByteCount - overhead)
        }
        var bytes = LOASSync.header(elementByteCount: byteCount)
        writer.append(to: &bytes)
        try sink.append(bytes)
        unitCount += 1
    }

    /// Does nothing: LOAS has no end, and no place for `gaplessInfo`.
    public func finish(_ gaplessInfo: GaplessInfo?, to sink: inout some ByteSink) throws(ContainerError) {}
}
