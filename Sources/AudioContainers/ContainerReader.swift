// SPDX-License-Identifier: Apache-2.0

/// Reads the access units of a file or stream in order.
///
///     var reader = try AudioFileFormat.m4a.makeReader(of: file)
///     guard case .aac(let config) = reader.configuration else { … }
///     let decoder = try AACDecoder(config)
///     while let unit = try reader.nextUnit() { … }
public protocol ContainerReader {
    /// The configuration of the latest access unit; before the first one, that of the first one.
    var configuration: CodecConfiguration { get }

    /// The properties that the container stores beside the access units; empty for ADTS and LOAS.
    var metadata: ContainerMetadata { get }

    /// Reads the next event: a configuration, an access unit, or bytes without an access unit.
    ///
    /// The first event that is not ``ReaderEvent/skipped(_:)`` is a configuration.
    ///
    /// - Returns: The event; nil at the end.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    mutating func nextEvent() throws(ContainerError) -> ReaderEvent?

    /// Whether ``seek(toFrame:)`` is supported.
    var canSeek: Bool { get }

    /// Moves to the access unit that holds a decoded sample frame.
    ///
    /// The next unit may precede that one, so that the decoder's overlap and SBR state are complete at the wanted frame.
    ///
    /// - Parameter frame: A sample frame at the sample rate of ``configuration``, counted from the first frame of the first unit,
    ///   priming included.
    /// - Returns: The number of decoded sample frames to drop before the wanted one. After the end there are no more units, and 0 is
    ///   returned.
    /// - Throws: ``ContainerError/inputFailed(code:)``, or ``ContainerError/notSeekable`` unless ``canSeek``.
    mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int
}

extension ContainerReader {
    /// Reads the next access unit and ignores other events.
    ///
    /// - Returns: The access unit; nil at the end.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    public mutating func nextUnit() throws(ContainerError) -> CodedUnit? {
        while let event = try nextEvent() {
            if case .accessUnit(let unit) = event { return unit }
        }
        return nil
    }

    /// Reads the next access unit of bytes in memory, which can't fail.
    mutating func nextUnitInMemory() -> CodedUnit? { try? nextUnit() }
}
