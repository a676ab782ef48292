// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Finds the frames in a file in the storage format of iLBC (RFC 3952 4.1), whose bytes come in parts of any size.
///
/// Append bytes, take frames until there is none, and call ``finish()`` after the last byte.
public struct ILBCFileReader: Sendable {
    /// The mode that the magic number gives, as soon as it is read.
    public private(set) var mode: ILBCMode?

    /// The number of frames returned.
    public private(set) var frameCount = 0

    /// The bytes that are not returned yet, from ``position``.
    private var bytes: [UInt8] = []
    private var position = 0

    /// Creates a reader at the first byte of a file.
    public init() {}

    /// Takes the next bytes of the file.
    public mutating func append(_ part: some Collection<UInt8>) {
        // Returned frames leave the memory here, so that it holds no more than one part and one frame.
        bytes.removeFirst(position)
        position = 0
        bytes += part
    }

    /// Returns the next frame, or nil if its bytes are not complete.
    ///
    /// - Throws: ``ILBCError/missingMagicNumber``.
    public mutating func nextFrame() throws(ILBCError) -> [UInt8]? {
        guard let mode = try readMode(), bytes.count - position >= mode.bytesPerFrame else { return nil }
        let frame = Array(bytes[position..<position + mode.bytesPerFrame])
        position += mode.bytesPerFrame
        frameCount += 1
        return frame
    }

    /// Checks that the file ends after a frame.
    ///
    /// - Throws: ``ILBCError/missingMagicNumber`` for a file that ends inside it, or
    ///   ``ILBCError/truncatedFrame(byteCount:mode:)``; frames that were returned are complete.
    public mutating func finish() throws(ILBCError) {
        guard let mode = try readMode() else { throw .missingMagicNumber }
        let rest = (bytes.count - position) % mode.bytesPerFrame
        guard rest == 0 else { throw .truncatedFrame(byteCount: rest, mode: mode) }
    }

    /// Returns the mode, from the magic number if it was not read before; nil if its bytes are not complete.
    private mutating func readMode() throws(ILBCError) -> ILBCMode? {
        if let mode { return mode }
        let start = bytes.prefix(ILBCMode.magicNumberLength)
        guard let found = ILBCMode.allCases.first(where: { $0.magicNumber.starts(with: start) }) else { throw .missingMagicNumber }
        guard start.count == ILBCMode.magicNumberLength else { return nil }
        mode = found
        position = start.count
        return found
    }
}
