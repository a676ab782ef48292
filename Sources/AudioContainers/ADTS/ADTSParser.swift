// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// A parser that finds access units in an ADTS stream, passed in chunks of any size.
///
/// A frame is valid only if another valid header, a tag or the end of the stream follows. A false syncword in a payload or a corrupt length
/// therefore costs only the frames that it touches. The events do not depend on the chunk sizes. The parser buffers at most three frames
/// and the latest chunk, and never traps on invalid input.
public struct ADTSParser: FramedParser {
    package var progress = StreamProgress()
    /// The tag being skipped and the number of its remaining bytes.
    private var tag: (skipped: SkippedBytes, bytesLeft: Int)?
    /// The header of the previous frame.
    private var reference: ADTSHeader?

    /// Creates a parser at the start of a stream.
    public init() {}

    /// Consumes a frame, a tag or a byte, or returns `false` if more bytes are needed.
    package mutating func step() -> Bool {
        let window = progress.window
        if tag != nil { return skipTag() }
        let plain = window.distance { Self.canBegin($0) }
        if plain > 0 {
            progress.lose(plain, .unrecognized)
            return true
        }
        switch StreamTag.search(in: window, at: 0) {
        case .needsMore: return false
        case .found(let found):
            progress.reportLost()
            let range = window.offset..<window.offset + found.byteCount
            tag = (SkippedBytes(byteRange: range, reason: found.reason), found.byteCount)
            return true
        case .none: break
        }
        switch ADTSFrameCheck.check(window, at: 0, reference: reference) {
        case .needsMore: return false
        case .valid(let header): parseFrame(header)
        case .invalid(let reason): progress.lose(1, reason)
        }
        return true
    }

    /// Reports a tag that the end of the stream cuts off.
    package mutating func reportRest() { if tag != nil { _ = skipTag() } }

    /// Whether `byte` can start a frame or a tag (a syncword, `ID3`, `APETAGEX` or `TAG`).
    private static func canBegin(_ byte: UInt8) -> Bool { byte == 0xFF || byte == 0x49 || byte == 0x41 || byte == 0x54 }

    /// Skips the available bytes of a tag, or returns `false` if more bytes are needed.
    private mutating func skipTag() -> Bool {
        guard var (skipped, bytesLeft) = tag else { return false }
        let count = min(bytesLeft, progress.window.count)
        progress.window.advance(by: count)
        bytesLeft -= count
        tag = (skipped, bytesLeft)
        guard bytesLeft == 0 || progress.window.isFinished else { return false }
        // The stream may end inside the tag.
        skipped.byteRange = skipped.byteRange.lowerBound..<progress.window.offset
        progress.report(skipped)
        tag = nil
        return true
    }

    /// Reports the access units of the frame at the start of the window.
    private mutating func parseFrame(_ header: ADTSHeader) {
        guard let blocks = ADTSFrameCheck.blocks(of: header, in: progress.window) else {
            return progress.loseFrame(header.frameLength, .damagedBlockPositions)
        }
        progress.reportLost()
        let goesOn = reference?.isConsistent(with: header) ?? false
        reference = header
        var found: ProgramConfigElement?
        if header.channelConfiguration == 0, let first = blocks.first { found = Self.programConfig(in: progress.window[first]) }
        if !goesOn || found != nil {
            var configuration = header.audioSpecificConfig
            if let found { configuration.specificConfig = .generalAudio(GASpecificConfig(programConfig: found)) }
            progress.announce(.aac(configuration))
        }
        for index in blocks.indices {
            appendUnit(index, of: blocks, header)
        }
        progress.window.advance(by: header.frameLength)
    }

    /// Reports the access unit of one raw data block.
    private mutating func appendUnit(_ index: Int, of blocks: [Range<Int>], _ header: ADTSHeader) {
        let window = progress.window
        let block = blocks[index]
        // With several separate blocks, a checksum follows each.
        let isOneOfSeveral = blocks.count > 1
        let first = index == 0 ? 0 : block.lowerBound
        let end = isOneOfSeveral ? block.upperBound + 2 : header.frameLength
        let blockCount = isOneOfSeveral ? 1 : header.rawDataBlockCount
        progress.append(
            payload: Array(window[block]), duration: 1024 * blockCount, byteRange: window.offset + first..<window.offset + end
        ) { accessUnit in
            accessUnit.rawDataBlockCount = blockCount
            accessUnit.adtsHeader = header
            accessUnit.payloadBit = 8 * (window.offset + block.lowerBound)
            guard header.hasCRC else { return }
            let offset = isOneOfSeveral ? block.upperBound : ADTSHeader.fixedByteCount
            accessUnit.checksum = UInt16(window[offset]) << 8 | UInt16(window[offset + 1])
        }
    }

    /// Returns the PCE at the start of a raw data block, if any.
    private static func programConfig(in block: ArraySlice<UInt8>) -> ProgramConfigElement? {
        // A PCE has at most 49 bytes of fields and 256 of comment.
        var reader = BitReader(block.prefix(306))
        guard reader.read(3) == 5 else { return nil }
        return try? ProgramConfigElement(reading: &reader, alignedTo: 0)
    }
}
