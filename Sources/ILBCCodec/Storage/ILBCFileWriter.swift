// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes the bytes of a file in the storage format of iLBC, usually named `.lbc` (RFC 3952 4.1).
public struct ILBCFileWriter: Sendable {
    /// The mode of all frames.
    public let mode: ILBCMode

    /// The number of frames so far, lost ones included.
    public private(set) var frameCount = 0

    /// Creates a writer for frames of one mode; a file can't mix modes.
    public init(mode: ILBCMode) { self.mode = mode }

    /// The bytes that the file begins with.
    public var header: [UInt8] { mode.magicNumber }

    /// Returns the bytes to append for a frame.
    ///
    /// - Parameter frame: The frame, or nil for one that was lost in transmission, which is stored as an empty one.
    /// - Throws: ``ILBCError/wrongFrameLength(byteCount:mode:)``.
    public mutating func append(_ frame: [UInt8]?) throws(ILBCError) -> [UInt8] {
        let bytes = frame ?? mode.emptyFrame
        guard bytes.count == mode.bytesPerFrame else { throw .wrongFrameLength(byteCount: bytes.count, mode: mode) }
        frameCount += 1
        return bytes
    }
}
