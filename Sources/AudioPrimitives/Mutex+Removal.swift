// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import Synchronization

extension Mutex {
    /// Sets the value to `nil` and returns the previous value.
    package func removeValue<Wrapped>() -> sending Wrapped? where Value == Wrapped? {
        withLock { value in
            let previous = value
            value = nil
            return previous
        }
    }
}
#endif
