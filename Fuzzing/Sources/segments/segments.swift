// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

@testable import AudioFilesParts

/// Parses stored segments: what is parsed is the same when it has been stored and parsed again, and no byte of a unit is invented or lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let segments = try? SegmentFile.segments(Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    precondition(segments.reduce(0) { $0 + $1.bytes.count } < count)
    let stored = SegmentFile.bytes(segments)
    guard let again = try? SegmentFile.segments(stored) else { preconditionFailure("not parsed again") }
    precondition(SegmentFile.bytes(again) == stored && again.map(\.bytes) == segments.map(\.bytes))
    precondition(again.map { $0.end?.gapless } == segments.map { $0.end?.gapless })
    return 0
}
