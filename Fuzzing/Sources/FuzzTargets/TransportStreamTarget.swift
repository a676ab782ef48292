// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` with the parser of MPEG transport streams.
    static let ts = FuzzTarget("ts") { bytes in
        expectSameEvents(TransportStreamParser.self, coversAllBytes: false, bytes)
    }
}
