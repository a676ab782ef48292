// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import Synchronization

extension Mutex {
    /// Replaces the value by nil and returns the previous one.
    package func removeValue<Wrapped>() -> sending Wrapped? where Value == Wrapped? {
        withLock { value in
            let previous = value
            value = nil
            return previous
        }
    }
}
#endif
