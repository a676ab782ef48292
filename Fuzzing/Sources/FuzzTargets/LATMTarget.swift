// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the LOAS parser with ``expectSameEvents(_:coversAllBytes:_:)``.
    static let latm = FuzzTarget("latm") { bytes in expectSameEvents(LOASParser.self, bytes) }
}
