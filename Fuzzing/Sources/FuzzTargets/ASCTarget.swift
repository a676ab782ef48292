// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio

extension FuzzTarget {
    /// Parses a configuration; what can be parsed must come out the same after a round trip.
    static let asc = FuzzTarget("asc") { bytes in
        guard let config = try? AudioSpecificConfig(parsing: bytes) else { return }
        let again = try? AudioSpecificConfig(parsing: config.serialized())
        precondition(again == config)
    }
}
