// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Writes frames into a file in the storage format of iLBC, usually named `.lbc` (RFC 3952, 4.1).
///
/// A frame that was lost in transmission is stored as an empty one, `ILBCMode.emptyFrame` of the codec.
package struct ILBCWriter<Sink: ByteSink>: ContainerWriter {
    /// The destination of the file.
    package var sink: Sink

    private let mode: ILBCMode
    private var isStarted = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination of the file; it need not support overwriting.
    ///   - mode: The mode of all frames; a file can't mix modes.
    package init(to sink: Sink, _ mode: ILBCMode) {
        self.sink = sink
        self.mode = mode
    }

    /// Writes a frame.
    ///
    /// - Parameter unit: The frame.
    /// - Throws: ``ContainerError/wrongUnitLength(byteCount:expected:)``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        try mode.check(unit)
        try begin()
        try sink.append(unit.payload)
    }

    /// Writes the magic number if there was no frame; the format has no end and can't store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) { try begin() }

    /// Writes the magic number, once.
    private mutating func begin() throws(ContainerError) {
        guard !isStarted else { return }
        try sink.append(mode.magicNumber)
        isStarted = true
    }
}

extension ILBCWriter: Sendable where Sink: Sendable {}
