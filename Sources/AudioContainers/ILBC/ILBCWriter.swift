// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Writes an iLBC storage file, usually named `.lbc` (RFC 3952, 4.1).
///
/// Frames lost in transmission are stored as the codec's `ILBCMode.emptyFrame`.
package struct ILBCWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let mode: ILBCMode
    private var isStarted = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination. It need not support overwriting.
    ///   - mode: The mode of all frames. A file cannot mix modes.
    package init(to sink: Sink, _ mode: ILBCMode) {
        self.sink = sink
        self.mode = mode
    }

    /// Writes a frame.
    ///
    /// - Throws: ``ContainerError/wrongUnitLength(byteCount:expected:)``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        try mode.check(accessUnit)
        try begin()
        try sink.append(accessUnit.payload)
    }

    /// Writes the magic number if there was no frame.
    ///
    /// The format has no trailer and cannot store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) { try begin() }

    /// Writes the magic number, if not yet written.
    private mutating func begin() throws(ContainerError) {
        guard !isStarted else { return }
        try sink.append(mode.magicNumber)
        isStarted = true
    }
}

extension ILBCWriter: Sendable where Sink: Sendable {}
