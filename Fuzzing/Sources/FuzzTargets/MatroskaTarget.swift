// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the Matroska reader with ``expectBoundedEvents(_:open:)`` for the default track and the second one, and checks that a track of
    /// samples is inside the file, and that its copy has a bounded size.
    static let matroska = FuzzTarget("matroska") { bytes in
        expectBoundedEvents(bytes) { try MatroskaReader($0) }
        expectBoundedEvents(bytes) { try MatroskaReader($0, audioTrack: 2) }
        guard let stream = try? TrackSampleStream(matroska: MemorySource(bytes)) else { return }
        precondition(stream.byteRanges.allSatisfy { $0.upperBound <= bytes.count }, "samples outside the file")
        precondition(stream.byteRanges.reduce(0) { $0 + $1.count } <= bytes.count, "more sample bytes than the file")
        // Stripped headers and decompression enlarge a frame, but not without limit.
        guard stream.byteRanges.count < 100 else { return }
        _ = try? stream.copy(from: MemorySource(bytes)) { precondition($0.count <= (1 << 24) + 2 * bytes.count) }
    }
}
