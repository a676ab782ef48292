// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` with the parser of ADTS.
    static let adts = FuzzTarget("adts") { bytes in expectSameEvents(ADTSParser.self, bytes) }
}
