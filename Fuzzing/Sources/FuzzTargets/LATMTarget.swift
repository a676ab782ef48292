// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` with the parser of LOAS.
    static let latm = FuzzTarget("latm") { bytes in expectSameEvents(LOASParser.self, bytes) }
}
