// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Writes access units into a LOAS stream of LATM (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
package struct LOASWriter<Sink: ByteSink>: ContainerWriter {
    /// The largest size of an `AudioMuxElement` in bytes.
    package static var maximumElementByteCount: Int { LOASFramer.maximumElementByteCount }

    /// The destination of the stream.
    package var sink: Sink

    private var framer: LOASFramer

    /// Creates a writer.
    ///
    /// A backward compatible SBR configuration and that of USAC are written with their length (`audioMuxVersion` 1), since players can't find
    /// them, or what follows them, without.
    ///
    /// - Parameters:
    ///   - sink: The destination of the stream; it need not support overwriting.
    ///   - configuration: The configuration of the stream.
    ///   - configInterval: The number of access units after which the configuration is repeated, at least 1.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types other than USAC without a
    ///   `GASpecificConfig`.
    package init(to sink: Sink, _ configuration: AudioSpecificConfig, configInterval: Int = 10) throws(ContainerError) {
        framer = try LOASFramer(configuration, configInterval: configInterval)
        self.sink = sink
    }

    /// Writes an access unit.
    ///
    /// - Parameter unit: The access unit.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)`` with the limit that applies
    ///   to this unit, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        try sink.append(try framer.frame(unit))
        framer.advance()
    }

    /// Does nothing: LOAS has no end and can't store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}
}

extension LOASWriter: Sendable where Sink: Sendable {}
