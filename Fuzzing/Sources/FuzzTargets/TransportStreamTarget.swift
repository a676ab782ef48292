// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` with the parser of MPEG transport streams.
    static let ts = FuzzTarget("ts") { bytes in
        expectSameEvents(TransportStreamParser.self, coversAllBytes: false, bytes)
    }
}
