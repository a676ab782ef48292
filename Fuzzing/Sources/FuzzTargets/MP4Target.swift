// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the MP4 reader with ``expectBoundedEvents(_:open:)`` for the default track and the second one, and checks that a PCM track has
    /// no more bytes than the file.
    static let mp4 = FuzzTarget("mp4") { bytes in
        expectBoundedEvents(bytes) { try MP4Reader($0) }
        expectBoundedEvents(bytes) { try MP4Reader($0, audioTrack: 2) }
        guard let stream = try? TrackSampleStream(MemorySource(bytes)) else { return }
        precondition(stream.byteRanges.allSatisfy { $0.upperBound <= bytes.count }, "samples outside the file")
        precondition(stream.byteRanges.reduce(0) { $0 + $1.count } <= bytes.count, "more sample bytes than the file")
    }
}
