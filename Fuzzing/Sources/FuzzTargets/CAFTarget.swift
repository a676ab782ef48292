// SPDX-License-Identifier: Apache-2.0

import AudioContainers

extension FuzzTarget {
    /// Tests the CAF reader with ``expectBoundedEvents(_:open:)``.
    static let caf = FuzzTarget("caf") { bytes in expectBoundedEvents(bytes) { try CAFReader($0) } }
}
