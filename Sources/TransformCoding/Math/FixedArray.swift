// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A fixed number of values on the heap, allocated once: the storage of codec states and workspaces.
///
/// It lends ``span`` and ``mutableSpan``. A loop should take one of them once instead of using the subscript. Accesses are checked, a span
/// cannot outlive its array, and the compiler rejects a second span next to a mutable span of the same array.
///
/// Tables shared by decoders are `ContiguousArray`s in structs instead. In Swift 6.3, the span of an array owned by a class or a global
/// "escapes its scope" if it is stored in a variable. Each loop over a table would then need its own function.
///
/// For systems before the 26 releases, the language has no such type: `InlineArray` requires those, and has its length in its type. Only
/// this file uses unofficial features of Swift 6.3: `unsafeAddress`, which the accessors `borrow` and `mutate` (SE-0507) will replace,
/// and `_overrideLifetime`. A unique array in the standard library would replace this type.
@safe
@usableFromInline
package struct FixedArray<Element: ~Copyable>: ~Copyable {
    /// The values, owned by the array.
    @usableFromInline let storage: UnsafeMutableBufferPointer<Element>

    /// Keeps structs that contain the array at a stable address, because an atomic value must have one.
    ///
    /// Its value is unused.
    ///
    /// Otherwise Swift 6.3 loads the whole struct to borrow one member, which conflicts with any mutable span of another member. A type
    /// with a raw layout would do the same with less memory, but Embedded Swift cannot destroy it.
    @usableFromInline let addressed = Atomic<UInt8>(0)

    /// Creates each value from its index.
    ///
    /// - Parameter count: The number of values, 0 or more.
    @inlinable
    package init(count: Int, _ makeElement: (Int) -> Element) {
        // Each element is initialized once, in the order that `deinit` expects.
        unsafe storage = .allocate(capacity: count)
        for index in 0..<count { unsafe storage.initializeElement(at: index, to: makeElement(index)) }
    }

    @inlinable
    deinit {
        // All elements are initialized, and no span outlives the array.
        unsafe storage.deinitialize()
        unsafe storage.deallocate()
    }

    @inlinable @inline(__always)
    package var count: Int { unsafe storage.count }

    @inlinable @inline(__always)
    package var indices: Range<Int> { 0..<count }

    /// The value at an index.
    ///
    /// Traps outside the array.
    @inlinable
    package subscript(_ index: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // Within the array, which outlives the access.
            return unsafe UnsafePointer(storage.baseAddress.unsafelyUnwrapped + index)
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // As above.
            return unsafe storage.baseAddress.unsafelyUnwrapped + index
        }
    }
}

extension FixedArray where Element: BitwiseCopyable {
    @inlinable
    package init(repeating value: Element, count: Int) {
        unsafe storage = .allocate(capacity: count)
        fill(value)
    }

    @inlinable @inline(__always)
    package var span: Span<Element> {
        @_lifetime(borrow self) get { unsafe _overrideLifetime(storage.span, borrowing: self) }
    }

    @inlinable @inline(__always)
    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self) mutating get { unsafe _overrideLifetime(storage.mutableSpan, mutating: &self) }
    }

    /// Returns the first `count` values.
    ///
    /// Pass a literal so that bounds checks fold.
    @inlinable @inline(__always)
    @_lifetime(borrow self)
    package func span(first count: Int) -> Span<Element> { span.extracting(0..<count) }

    /// Returns the first `count` values, writable.
    ///
    /// Pass a literal so that bounds checks fold.
    @inlinable @inline(__always)
    @_lifetime(&self)
    package mutating func mutableSpan(first count: Int) -> MutableSpan<Element> {
        precondition(UInt(bitPattern: count) <= UInt(bitPattern: self.count))
        // The range is checked above. An extracted part of `mutableSpan` would depend on a local variable.
        let part = unsafe UnsafeMutableBufferPointer(start: storage.baseAddress, count: count)
        return unsafe _overrideLifetime(part.mutableSpan, mutating: &self)
    }

    @inlinable
    package mutating func fill(_ value: Element) {
        guard let first = unsafe storage.baseAddress, count > 0 else { return }
        // Within the array, and its values need no destruction.
        unsafe first.initialize(to: value)
        unsafe repeatFirst(MemoryLayout<Element>.stride, in: UnsafeMutableRawBufferPointer(storage))
    }

    @inlinable
    package mutating func copy(_ other: borrowing FixedArray) {
        precondition(count == other.count)
        copy(other.span, to: 0)
    }

    /// Copies values to index `target`.
    @inlinable
    package mutating func copy(_ values: Span<Element>, to target: Int) {
        precondition(target >= 0 && target <= count &- values.count)
        unsafe values.withUnsafeBytes { values in
            guard let source = values.baseAddress else { return }
            // Within the array.
            unsafe move(source, byteCount: values.count, to: target)
        }
    }

    /// Copies a range to index `target`.
    ///
    /// The ranges may overlap.
    @inlinable
    package mutating func copy(_ source: Range<Int>, to target: Int) {
        precondition(source.lowerBound >= 0 && source.upperBound <= count && target >= 0 && target <= count &- source.count)
        guard !source.isEmpty else { return }
        // Both are within the array.
        let first = unsafe storage.baseAddress.unsafelyUnwrapped + source.lowerBound
        unsafe move(first, byteCount: source.count &* MemoryLayout<Element>.stride, to: target)
    }

    /// Copies bytes to index `target`, where they must fit.
    ///
    /// Copies bytes because Embedded Swift copies typed memory element by element.
    @unsafe
    @inlinable @inline(__always)
    mutating func move(_ source: UnsafeRawPointer, byteCount: Int, to target: Int) {
        unsafe UnsafeMutableRawPointer(storage.baseAddress.unsafelyUnwrapped + target).copyMemory(from: source, byteCount: byteCount)
    }
}

/// Fills memory by repeating its first `size` bytes.
///
/// One function serves all types: a loop for each would take 6 kB of WebAssembly.
///
/// - Parameters:
///   - size: The number of bytes to repeat, at least 1.
///   - memory: The memory. Its size is a multiple of `size`.
@unsafe
@inline(never)
@usableFromInline
func repeatFirst(_ size: Int, in memory: UnsafeMutableRawBufferPointer) {
    guard let first = memory.baseAddress else { return }
    var known = size
    if size == 4 || size == 1 {
        // Most arrays contain 32-bit values or bytes.
        let value = unsafe size == 4 ? UInt64(first.load(as: UInt32.self)) : UInt64(first.load(as: UInt8.self)) * 0x101_0101
        let end = memory.count & ~7
        for offset in stride(from: 0, to: end, by: 8) {
            unsafe (first + offset).storeBytes(of: value << 32 | value, as: UInt64.self)
        }
        known = max(size, end)
    }
    while known < memory.count {
        let added = min(known, memory.count - known)
        // The source precedes its copy.
        unsafe (first + known).copyMemory(from: first, byteCount: added)
        known += added
    }
}
