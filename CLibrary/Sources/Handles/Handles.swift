// SPDX-License-Identifier: Apache-2.0

/// Converts objects to handles and back.
///
/// A handle is a pointer to an object and owns a reference to it.
enum Handle {
    static func make(_ object: some AnyObject) -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }

    /// Returns the object of a handle; `nil` for null.
    static func object<Object: AnyObject>(_ handle: OpaquePointer?) -> Object? {
        guard let handle = unsafe handle else { return nil }
        // Callers pass handles of the right type, which C checks.
        return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Releases the object of a handle.
    ///
    /// Ignores null.
    static func destroy<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
    }
}

/// Memory that a C caller may read until the next call.
///
/// Swift arrays may move.
@safe final class LentMemory<Element: BitwiseCopyable> {
    private var memory = unsafe UnsafeMutableBufferPointer<Element>(start: nil, count: 0)

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

    /// Copies elements and returns their address.
    func lend(_ elements: [Element]) -> UnsafePointer<Element> {
        let target = unsafe reserve(elements.count)
        unsafe elements.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            // Copied as bytes, because Embedded Swift copies typed memory element by element.
            unsafe UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: source.count)
        }
        return unsafe UnsafePointer(target)
    }
}

extension Array where Element: BitwiseCopyable {
    /// Copies elements from memory; `nil` if the count is negative, or if the address is null and the count is not 0.
    init?(_ start: UnsafePointer<Element>?, count: Int) {
        guard count >= 0, unsafe start != nil || count == 0 else { return nil }
        // The caller guarantees this number of elements.
        self = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
