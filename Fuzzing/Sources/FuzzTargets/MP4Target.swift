// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectBoundedEvents(_:open:)`` with the reader of MP4, and that a track of PCM has no more bytes than the file.
    static let mp4 = FuzzTarget("mp4") { bytes in
        expectBoundedEvents(bytes) { try MP4Reader($0) }
        guard let stream = try? MP4SampleStream(MemorySource(bytes)) else { return }
        precondition(stream.byteRanges.allSatisfy { $0.upperBound <= bytes.count }, "the samples are in the file")
        precondition(stream.byteRanges.reduce(0) { $0 + $1.count } <= bytes.count, "the samples are no more than the file")
    }
}
