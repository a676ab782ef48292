// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// Makes LOAS frames of access units (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
struct LOASFramer: Sendable {
    /// The largest size of an `AudioMuxElement` in bytes.
    static var maximumElementByteCount: Int { 0x1FFF }

    private let streamMuxConfig: StreamMuxConfig
    private let configInterval: Int
    private var unitCount = 0

    /// Creates a framer before the first access unit.
    ///
    /// A backward compatible SBR configuration and that of USAC are written with their length (`audioMuxVersion` 1), since players can't find
    /// them, or what follows them, without.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - configInterval: The number of access units after which the configuration is repeated, at least 1.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types whose units have an unknown
    ///   length.
    init(_ configuration: AudioSpecificConfig, configInterval: Int) throws(ContainerError) {
        guard configuration.frameLength != nil else {
            throw .unsupportedObjectType(
                configuration.objectType,
                allowed: [.aacMain, .aacLC, .aacLTP, .aacLD, .aacELD, .usac])
        }
        var config = StreamMuxConfig(configuration)
        let needsLength = configuration.usac != nil || configuration.extensionConfig.signaling == .backwardCompatible
        config.audioMuxVersion = needsLength ? 1 : 0
        streamMuxConfig = config
        self.configInterval = max(1, configInterval)
    }

    /// Returns the frame of the next access unit.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, or ``ContainerError/accessUnitTooLong(byteCount:limit:)`` with the limit that applies
    ///   to this unit.
    func frame(_ unit: AccessUnit) throws(ContainerError) -> [UInt8] {
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
        return bytes
    }

    /// Advances by an access unit, whose frame has been written.
    mutating func advance() { unitCount += 1 }
}
