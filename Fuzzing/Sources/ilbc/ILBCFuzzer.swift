// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import ILBCCodec

/// Reads a file in both formats, decodes its frames twice and encodes what comes out: the samples are the same, each frame has its number,
/// and frames lie in the file.
///
/// The first byte chooses the size of the parts of the storage format and whether the decoder enhances; every eighth frame is lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let file = Array(bytes.dropFirst())
    if let caf = try? ILBCCAFReader(file) {
        precondition(caf.frameBytes.upperBound <= file.count && caf.primingSamples >= 0 && caf.remainderSamples >= 0)
        check((0..<caf.frameCount).map { Array(file[caf.bytes(ofFrame: $0)]) }, mode: caf.mode, choice: choice)
    }
    var reader = ILBCFileReader()
    var frames: [[UInt8]] = []
    let part = Int(choice >> 1) + 1
    for position in stride(from: 0, to: file.count, by: part) {
        reader.append(file[position..<min(file.count, position + part)])
        while let frame = try? reader.nextFrame() { frames.append(frame) }
    }
    try? reader.finish()
    if let mode = reader.mode {
        precondition(frames.count * mode.bytesPerFrame <= file.count)
        check(frames, mode: mode, choice: choice)
    }
    return 0
}

/// Decodes frames twice and encodes the samples.
private func check(_ frames: [[UInt8]], mode: ILBCMode, choice: UInt8) {
    let isEnhanced = choice & 1 != 0
    let blocks = decode(frames, mode: mode, isEnhanced: isEnhanced)
    precondition(blocks == decode(frames, mode: mode, isEnhanced: isEnhanced))
    var encoder = ILBCEncoder(mode: mode)
    // Enough for what an encoder keeps from block to block; it is the slowest part.
    for block in blocks.prefix(4) {
        guard let frame = try? encoder.encode(block) else { preconditionFailure("a block was refused") }
        precondition(frame.count == mode.bytesPerFrame && frame != mode.emptyFrame)
    }
}

/// Returns the blocks of at most 32 frames.
private func decode(_ frames: [[UInt8]], mode: ILBCMode, isEnhanced: Bool) -> [[Int16]] {
    var decoder = ILBCDecoder(mode: mode, isEnhanced: isEnhanced)
    return frames.prefix(32).enumerated().map { index, frame in
        guard index % 8 != 7 else { return decoder.conceal() }
        guard let block = try? decoder.decode(frame) else { preconditionFailure("a frame was refused") }
        precondition(block.count == mode.samplesPerFrame)
        return block
    }
}
