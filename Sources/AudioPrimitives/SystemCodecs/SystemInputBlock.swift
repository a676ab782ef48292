// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
/// Memory at a fixed address for the input of a converter.
@safe
final class SystemInputBlock<Element: BitwiseCopyable> {
    let memory: UnsafeMutablePointer<Element>
    let capacity: Int

    init(capacity: Int) {
        unsafe memory = .allocate(capacity: max(1, capacity))
        self.capacity = capacity
    }

    deinit { unsafe memory.deallocate() }
}
#endif
