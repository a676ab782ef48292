// SPDX-License-Identifier: Apache-2.0

/// Conversions of objects to handles and back.
///
/// A handle is a pointer to an object, and owns a reference to it.
enum Handle {
    /// Makes a handle of an object.
    static func make(_ object: some AnyObject) -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }

    /// Returns the object of a handle; `nil` for null.
    static func object<Object: AnyObject>(_ handle: OpaquePointer?) -> Object? {
        guard let handle = unsafe handle else { return nil }
        // Callers pass handles of the right kind, which C's types check.
        return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Releases the object of a handle; null is ignored.
    static func destroy<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
    }
}

/// Memory that a caller in C may read until the next call: arrays of Swift may move.
@safe final class LentMemory<Element: BitwiseCopyable> {
    private var memory = unsafe UnsafeMutableBufferPointer<Element>(start: nil, count: 0)

    /// Makes empty memory.
    init() {}

    deinit { unsafe memory.deallocate() }

    /// Returns memory for at least `count` elements, whose values are undefined.
    func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
        if unsafe memory.count < max(count, 1) {
            unsafe memory.deallocate()
            unsafe memory = .allocate(capacity: max(count, 1))
        }
        // Allocated above, so there is an address.
        return unsafe memory.baseAddress.unsafelyUnwrapped
    }

    /// Copies elements, and returns where they are.
    func lend(_ elements: [Element]) -> UnsafePointer<Element> {
        let target = unsafe reserve(elements.count)
        unsafe elements.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            // By bytes, since Embedded Swift copies typed memory one element after the other.
            unsafe UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: source.count)
        }
        return unsafe UnsafePointer(target)
    }
}

extension Array where Element: BitwiseCopyable {
    /// Copies elements from memory; `nil` if the count is negative, or the address null and the count not 0.
    init?(_ start: UnsafePointer<Element>?, count: Int) {
        guard count >= 0, unsafe start != nil || count == 0 else { return nil }
        // The caller states that there are so many elements.
        self = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
