// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Finds the frames in a file in the storage format of iLBC, given in chunks of any size (RFC 3952, 4.1).
///
/// Frames have no headers, so that nothing can be found after damage that changes their number of bytes. The events do not depend on the
/// chunks. No input can make it trap.
package struct ILBCParser: FramedParser {
    package var progress = StreamProgress()
    private var state = State.beginning

    /// The kind of the bytes that follow.
    private enum State {
        /// The magic number.
        case beginning
        /// Frames of a mode.
        case frames(ILBCMode)
        /// Bytes after a beginning that is no magic number.
        case unrecognized
    }

    /// Creates a parser at the start of a file.
    package init() {}

    /// Advances by the magic number, a frame or the rest; returns false if that needs more bytes.
    package mutating func step() -> Bool {
        switch state {
        case .beginning: return readMagicNumber()
        case .frames(let mode): return takeFrame(mode)
        case .unrecognized:
            progress.lose(progress.window.count, .unrecognized)
            return true
        }
    }

    /// Reads the magic number; returns false if that needs more bytes.
    private mutating func readMagicNumber() -> Bool {
        let matches = ILBCMode.allCases.map { ($0, progress.window.matches($0.magicNumber, at: 0)) }
        if let mode = matches.first(where: { $0.1 == true })?.0 {
            progress.window.advance(by: mode.magicNumber.count)
            progress.announce(.ilbc(mode))
            state = .frames(mode)
            return true
        }
        if matches.contains(where: { $0.1 == nil }) { return false }
        state = .unrecognized
        return true
    }

    /// Reports the next frame, or an incomplete one at the end; returns false if that needs more bytes.
    private mutating func takeFrame(_ mode: ILBCMode) -> Bool {
        let window = progress.window
        guard window.has(mode.bytesPerFrame) else {
            if window.isFinished { progress.lose(window.count, .truncatedFrame) }
            return window.isFinished
        }
        progress.append(
            payload: Array(window[0..<mode.bytesPerFrame]), duration: mode.samplesPerFrame,
            byteRange: window.offset..<window.offset + mode.bytesPerFrame)
        progress.window.advance(by: mode.bytesPerFrame)
        return true
    }
}

extension ILBCMode {
    /// The bytes at the beginning of a file (RFC 3952, 4.1).
    var magicNumber: [UInt8] { Array("#!iLBC\(milliseconds)\n".utf8) }

    /// Throws unless a unit has the length of a frame.
    func check(_ unit: AccessUnit) throws(ContainerError) {
        let byteCount = unit.payload.count
        guard byteCount == bytesPerFrame else { throw .wrongUnitLength(byteCount: byteCount, expected: bytesPerFrame) }
    }
}
