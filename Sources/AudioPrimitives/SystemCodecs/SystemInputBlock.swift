// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
/// Memory of a converter's input, which stays where it is.
@safe
final class SystemInputBlock<Element: BitwiseCopyable> {
    /// The elements.
    let memory: UnsafeMutablePointer<Element>
    /// The number of elements that fit.
    let capacity: Int

    /// Allocates a block.
    init(capacity: Int) {
        unsafe memory = .allocate(capacity: max(1, capacity))
        self.capacity = capacity
    }

    deinit { unsafe memory.deallocate() }
}
#endif
