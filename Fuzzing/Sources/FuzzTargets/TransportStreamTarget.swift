// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the MPEG transport stream parser with ``expectSameEvents(_:coversAllBytes:_:)``.
    static let ts = FuzzTarget("ts") { bytes in
        expectSameEvents(TransportStreamParser.self, coversAllBytes: false, bytes)
    }
}
