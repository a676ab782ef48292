// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A parser that finds frames in an iLBC storage file, passed in chunks of any size (RFC 3952, 4.1).
///
/// Frames have no headers, so nothing can be found after lost or inserted bytes. The events do not depend on the chunk sizes. The parser
/// never traps on invalid input.
package struct ILBCParser: FramedParser {
    package var progress = StreamProgress()
    private var state = State.beginning

    /// The parser's position in the file structure.
    private enum State {
        case beginning
        case frames(ILBCMode)
        /// The file does not start with a magic number.
        case unrecognized
    }

    package init() {}

    /// Consumes the magic number, a frame or unrecognised bytes, or returns `false` if more bytes are needed.
    package mutating func step() -> Bool {
        switch state {
        case .beginning: return readMagicNumber()
        case .frames(let mode): return parseFrame(mode)
        case .unrecognized:
            progress.lose(progress.window.count, .unrecognized)
            return true
        }
    }

    /// Reads the magic number, or returns `false` if more bytes are needed.
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

    /// Reports the next frame, or an incomplete one at the end, or returns `false` if more bytes are needed.
    private mutating func parseFrame(_ mode: ILBCMode) -> Bool {
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
    /// The first bytes of a file (RFC 3952, 4.1).
    var magicNumber: [UInt8] { Array("#!iLBC\(milliseconds)\n".utf8) }

    /// Throws unless the access unit has the size of one frame.
    func check(_ accessUnit: AccessUnit) throws(ContainerError) {
        let byteCount = accessUnit.payload.count
        guard byteCount == bytesPerFrame else { throw .wrongUnitLength(byteCount: byteCount, expected: bytesPerFrame) }
    }
}
