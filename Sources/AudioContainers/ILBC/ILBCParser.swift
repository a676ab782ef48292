// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Finds the frames in a file in the storage format of iLBC, given in chunks of any size (RFC 3952, 4.1).
///
/// Frames have no headers, so that nothing can be found after damage that changes their number of bytes. The events do not depend on the
/// chunks. No input can make it trap.
public struct ILBCParser: StreamParser {
    private var progress = StreamProgress()
    private var mode: ILBCMode?

    /// The configuration of the frames; nil before the magic number.
    public var configuration: CodecConfiguration? { progress.configuration }

    /// Creates a parser at the start of a file.
    public init() {}

    /// Appends the next bytes of the file; traps after ``finish()``.
    public mutating func append(_ bytes: some Collection<UInt8>) { progress.window.append(bytes) }

    /// Ends the file, so that an incomplete last frame is reported.
    public mutating func finish() { progress.window.finish() }

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
    public mutating func nextEvent() -> ReaderEvent? {
        while !progress.hasEvents {
            guard step() else { return nil }
        }
        return progress.takeEvent()
    }

    /// Advances by the magic number, a frame or the rest; returns false if that needs more bytes or nothing is left.
    private mutating func step() -> Bool {
        let window = progress.window
        guard let mode else { return window.count > 0 && readMagicNumber() }
        if window.has(mode.bytesPerFrame) {
            let range = 0..<mode.bytesPerFrame
            progress.append(
                payload: Array(window[range]), duration: mode.samplesPerFrame,
                byteRange: window.offset..<window.offset + range.upperBound)
            progress.window.advance(by: range.upperBound)
            return true
        }
        guard window.isFinished, window.count > 0 else { return false }
        progress.lose(window.count, .truncatedFrame)
        progress.reportLost()
        return true
    }

    /// Reads the magic number, without which all bytes are lost; returns false if that needs more bytes.
    private mutating func readMagicNumber() -> Bool {
        let matches = ILBCMode.allCases.map { ($0, progress.window.matches($0.magicNumber, at: 0)) }
        if let found = matches.first(where: { $0.1 == true })?.0 {
            mode = found
            progress.window.advance(by: found.magicNumber.count)
            progress.announce(.ilbc(found))
            return true
        }
        if matches.contains(where: { $0.1 == nil }) { return false }
        progress.lose(progress.window.count, .unrecognized)
        if progress.window.isFinished { progress.reportLost() }
        return progress.window.isFinished
    }
}

extension ILBCMode {
    /// The bytes at the beginning of a file (RFC 3952, 4.1).
    var magicNumber: [UInt8] { Array("#!iLBC\(milliseconds)\n".utf8) }
}
