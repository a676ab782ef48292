// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the ADTS parser with ``expectSameEvents(_:coversAllBytes:_:)``.
    static let adts = FuzzTarget("adts") { bytes in expectSameEvents(ADTSParser.self, bytes) }
}
