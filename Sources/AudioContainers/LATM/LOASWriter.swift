// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Writes a LOAS stream (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
package struct LOASWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private var framer: LOASFramer

    /// Creates a writer.
    ///
    /// Backward compatible SBR and USAC configurations are written with their length (`audioMuxVersion` 1). Without it, players do not find
    /// the configuration or the data after it.
    ///
    /// - Parameters:
    ///   - sink: The destination. It need not support overwriting.
    ///   - configInterval: How often the configuration is repeated, in access units, at least 1.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types other than USAC without a `GASpecificConfig`.
    package init(to sink: Sink, _ configuration: AudioSpecificConfig, configInterval: Int = 10) throws(ContainerError) {
        framer = try LOASFramer(configuration, configInterval: configInterval)
        self.sink = sink
    }

    /// Writes an access unit.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)`` with this access unit's limit,
    ///   or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        try sink.append(try framer.frame(accessUnit))
        framer.advance()
    }

    /// Does nothing: LOAS has no trailer and cannot store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}
}

extension LOASWriter: Sendable where Sink: Sendable {}
