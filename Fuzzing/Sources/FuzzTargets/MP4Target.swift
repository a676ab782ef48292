// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectBoundedEvents(_:open:)`` with the reader of MP4.
    static let mp4 = FuzzTarget("mp4") { bytes in expectBoundedEvents(bytes) { try MP4Reader($0) } }
}
