// SPDX-License-Identifier: Apache-2.0

/// A reader of the access units of a file or stream.
///
///     var reader = try AudioFileFormat.m4a.makeReader(of: file)
///     guard case .aac(let config) = reader.configuration else { … }
///     let decoder = try AACDecoder(config)
///     while let unit = try reader.nextUnit() { … }
public protocol ContainerReader {
    /// The configuration of the current access unit (initially the first).
    var configuration: CodecConfiguration { get }

    /// The container's metadata. Empty for ADTS and LOAS.
    var metadata: ContainerMetadata { get }

    /// Reads the next event: a configuration, an access unit, or skipped bytes.
    ///
    /// The first event other than ``ReaderEvent/skipped(_:)`` is a configuration.
    ///
    /// - Returns: The event, or `nil` at the end.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    mutating func nextEvent() throws(ContainerError) -> ReaderEvent?

    /// Whether ``seek(toFrame:)`` is supported.
    var canSeek: Bool { get }

    /// Seeks to the access unit that contains a decoded sample frame.
    ///
    /// The next access unit can be earlier, so that decoder overlap and SBR state are complete at the target frame.
    ///
    /// - Parameter frame: The target at the sample rate of ``configuration``, counted from the first access unit, including priming.
    /// - Returns: The number of decoded sample frames to discard before the target; 0 beyond the end, where no access units follow.
    /// - Throws: ``ContainerError/inputFailed(code:)``, or ``ContainerError/notSeekable`` unless ``canSeek``.
    mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int
}

extension ContainerReader {
    /// Reads the next access unit, ignoring other events.
    ///
    /// - Returns: The access unit, or `nil` at the end.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    public mutating func nextUnit() throws(ContainerError) -> DemuxedAccessUnit? {
        while let event = try nextEvent() {
            if case .accessUnit(let accessUnit) = event { return accessUnit }
        }
        return nil
    }

    /// Reads the next access unit from memory, where reading cannot fail.
    mutating func nextUnitInMemory() -> DemuxedAccessUnit? { try? nextUnit() }
}
