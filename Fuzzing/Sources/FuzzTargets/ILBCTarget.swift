// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import ILBCCodec

extension FuzzTarget {
    /// Reads a file in the storage format with the stream checks, decodes its frames twice and encodes the output: the samples must be
    /// identical.
    ///
    /// The last byte selects enhancement in the decoder. Every eighth frame is lost.
    static let ilbc = FuzzTarget("ilbc") { bytes in
        var parser = ILBCParser()
        parser.append(bytes)
        var frames: [[UInt8]] = []
        while let event = parser.nextEvent() {
            if case .accessUnit(let demuxed) = event { frames.append(demuxed.accessUnit.payload) }
        }
        if case .ilbc(let mode)? = parser.configuration {
            precondition(frames.count * mode.bytesPerFrame <= bytes.count)
            check(frames, mode: mode, isEnhanced: (bytes.last ?? 0) & 1 != 0)
        }
        // The magic number does not belong to an access unit.
        expectSameEvents(ILBCParser.self, coversAllBytes: false, bytes)
    }
}

/// Decodes frames twice and encodes the samples.
private func check(_ frames: [[UInt8]], mode: ILBCMode, isEnhanced: Bool) {
    let blocks = decode(frames, mode: mode, isEnhanced: isEnhanced)
    precondition(blocks == decode(frames, mode: mode, isEnhanced: isEnhanced))
    var encoder = ILBCEncoder(mode: mode)
    // A few blocks cover the encoder's history. Encoding is the slowest part.
    for block in blocks.prefix(4) {
        guard let frame = try? encoder.encode(block) else { preconditionFailure("block rejected") }
        precondition(frame.count == mode.bytesPerFrame && frame != mode.emptyFrame)
    }
}

/// Returns the blocks of at most 32 frames.
private func decode(_ frames: [[UInt8]], mode: ILBCMode, isEnhanced: Bool) -> [[Int16]] {
    var decoder = ILBCDecoder(mode: mode, isEnhanced: isEnhanced)
    return frames.prefix(32).enumerated().map { index, frame in
        guard index % 8 != 7 else { return decoder.conceal() }
        guard let block = try? decoder.decode(frame) else { preconditionFailure("frame rejected") }
        precondition(block.count == mode.samplesPerFrame)
        return block
    }
}
