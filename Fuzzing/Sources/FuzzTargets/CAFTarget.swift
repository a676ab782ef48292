// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests ``expectBoundedEvents(_:open:)`` with the reader of CAF.
    static let caf = FuzzTarget("caf") { bytes in expectBoundedEvents(bytes) { try CAFReader($0) } }
}
