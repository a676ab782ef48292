// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio

extension FuzzTarget {
    /// Parses an AudioSpecificConfig, and checks that it survives a round trip.
    static let asc = FuzzTarget("asc") { bytes in
        guard let config = try? AudioSpecificConfig(parsing: bytes) else { return }
        let again = try? AudioSpecificConfig(parsing: config.serialized())
        precondition(again == config)
    }
}
