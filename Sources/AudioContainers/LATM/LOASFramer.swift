// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// Wraps access units in LOAS frames (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
struct LOASFramer: Sendable {
    /// The maximum size of an `AudioMuxElement`, in bytes.
    static var maximumElementByteCount: Int { 0x1FFF }

    private let streamMuxConfig: StreamMuxConfig
    private let configInterval: Int
    private var accessUnitCount = 0

    /// Creates a framer.
    ///
    /// Backward compatible SBR and USAC configurations are written with their length (`audioMuxVersion` 1). Without it, players do not find
    /// the configuration or the data after it.
    ///
    /// - Parameter configInterval: How often the configuration is repeated, in access units, at least 1. Each immediate playout frame of
    ///   USAC has it too.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types with unknown frame length.
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

    /// Returns the next access unit as a frame.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, or ``ContainerError/accessUnitTooLong(byteCount:limit:)`` with this access unit's
    ///   limit.
    func frame(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8] {
        guard !accessUnit.payload.isEmpty else { throw .emptyAccessUnit }
        let isAccessPoint = streamMuxConfig.configuration.usac?.isAccessPoint(accessUnit.payload) ?? false
        let isConfigured = accessUnitCount % configInterval == 0 || isAccessPoint
        let element = AudioMuxElement(streamMuxConfig: isConfigured ? streamMuxConfig : nil, payloads: [accessUnit.payload])
        var writer = BitWriter(byteCapacity: accessUnit.payload.count + 64)
        element.write(to: &writer, config: streamMuxConfig)
        let byteCount = writer.bitCount / 8
        guard byteCount <= Self.maximumElementByteCount else {
            // Each 255 bytes of payload need one more byte for the length.
            let count = accessUnit.payload.count
            let room = Self.maximumElementByteCount - (byteCount - count - count / 255)
            throw .accessUnitTooLong(byteCount: count, limit: room / 256 * 255 + min(room % 256, 254))
        }
        var bytes = LOASSync.header(elementByteCount: byteCount)
        writer.append(to: &bytes)
        return bytes
    }

    /// Advances to the next access unit, after the current one was written.
    mutating func advance() { accessUnitCount += 1 }
}
