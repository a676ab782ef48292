// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives

/// Serializes access units as the body of an Icecast stream.
protocol IcecastBody {
    var contentType: String { get }

    /// The number of latest access units that wait for the end of their page.
    var heldUnitCount: Int { get }

    /// Adds an access unit and returns the bytes to send, possibly none.
    ///
    /// - Throws: `ContainerError` if the container cannot hold the access unit. The body is unchanged then.
    mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8]

    /// Returns the pending page, if any.
    mutating func flush() -> [UInt8]

    /// Returns the end of the stream, if it has one.
    mutating func finish() -> [UInt8]

    /// Sets the title in the stream, from the next access unit.
    ///
    /// - Returns: Whether the stream contains titles.
    mutating func setTitle(_ title: String) -> Bool
}

/// A stream of ADTS frames, which has no pages, no end and no titles.
struct ADTSBody: IcecastBody {
    let framer: ADTSFramer

    var contentType: String { "audio/aac" }
    var heldUnitCount: Int { 0 }
    func append(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8] { try framer.frame(accessUnit) }
    func flush() -> [UInt8] { [] }
    func finish() -> [UInt8] { [] }
    func setTitle(_ title: String) -> Bool { false }
}
