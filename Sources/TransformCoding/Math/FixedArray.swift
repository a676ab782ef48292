// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A fixed number of values on the heap, made once: the storage of the codec's states and workspaces.
///
/// It lends ``span`` and ``mutableSpan``; a loop takes one of them once, and does not go through the subscript. Accesses are checked, a span
/// can't outlive its array, and the compiler refuses a second span beside a mutable one of the same array.
///
/// Tables that decoders share are `ContiguousArray`s in structs instead: in Swift 6.3 the span of an array that a class or a global owns "escapes
/// its scope" if it is kept in a variable, so each loop over a table would need a function of its own.
///
/// The language has no such type for systems before its 26 releases: `InlineArray` needs those, and has its length in its type. This file alone
/// has what is not official in Swift 6.3: `unsafeAddress`, which the accessors `borrow` and `mutate` (SE-0507) will replace, and
/// `_overrideLifetime`. A unique array of the standard library would replace the type.
@safe
@usableFromInline
package struct FixedArray<Element: ~Copyable>: ~Copyable {
    /// The values, owned.
    @usableFromInline let storage: UnsafeMutableBufferPointer<Element>

    /// Keeps a struct that has the array as a member where it is stored, since an atomic value has to have an address; nothing uses its value.
    ///
    /// Without it Swift 6.3 loads the struct as a whole to borrow one member, which conflicts with each mutable span of another one. A type of
    /// this package with a raw layout does the same in less space, but Embedded Swift can't destroy it.
    @usableFromInline let addressed = Atomic<UInt8>(0)

    /// Makes each value by its index.
    ///
    /// - Parameters:
    ///   - count: The number of values, 0 or more.
    ///   - makeElement: Makes the value of an index.
    @inlinable
    package init(count: Int, _ makeElement: (Int) -> Element) {
        // Each element is initialised once, in the order in which `deinit` expects all of them.
        unsafe storage = .allocate(capacity: count)
        for index in 0..<count { unsafe storage.initializeElement(at: index, to: makeElement(index)) }
    }

    @inlinable
    deinit {
        // All elements were initialised, and no span outlives the array.
        unsafe storage.deinitialize()
        unsafe storage.deallocate()
    }

    /// The number of values.
    @inlinable @inline(__always)
    package var count: Int { unsafe storage.count }

    /// The indices of the values.
    @inlinable @inline(__always)
    package var indices: Range<Int> { 0..<count }

    /// The value at an index; traps outside the array.
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
    /// Makes an array of equal values.
    @inlinable
    package init(repeating value: Element, count: Int) {
        unsafe storage = .allocate(capacity: count)
        fill(value)
    }

    /// The values, to read.
    @inlinable @inline(__always)
    package var span: Span<Element> {
        @_lifetime(borrow self) get { unsafe _overrideLifetime(storage.span, borrowing: self) }
    }

    /// The values, to read and write.
    @inlinable @inline(__always)
    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self) mutating get { unsafe _overrideLifetime(storage.mutableSpan, mutating: &self) }
    }

    /// Returns the first values, to read; with a literal count, checks of their bounds fold.
    @inlinable @inline(__always)
    @_lifetime(borrow self)
    package func span(first count: Int) -> Span<Element> { span.extracting(0..<count) }

    /// Returns the first values, to read and write; with a literal count, checks of their bounds fold.
    @inlinable @inline(__always)
    @_lifetime(&self)
    package mutating func mutableSpan(first count: Int) -> MutableSpan<Element> {
        precondition(UInt(bitPattern: count) <= UInt(bitPattern: self.count))
        // The range was just checked. A part of `mutableSpan` would depend on a variable here.
        let part = unsafe UnsafeMutableBufferPointer(start: storage.baseAddress, count: count)
        return unsafe _overrideLifetime(part.mutableSpan, mutating: &self)
    }

    /// Sets all values.
    @inlinable
    package mutating func fill(_ value: Element) {
        guard let first = unsafe storage.baseAddress, count > 0 else { return }
        // Within the array; its values need no destruction.
        unsafe first.initialize(to: value)
        unsafe repeatFirst(MemoryLayout<Element>.stride, in: UnsafeMutableRawBufferPointer(storage))
    }

    /// Copies the values of an array of the same count.
    @inlinable
    package mutating func copy(_ other: borrowing FixedArray) {
        precondition(count == other.count)
        copy(other.span, to: 0)
    }

    /// Copies values to the place from `target` on.
    @inlinable
    package mutating func copy(_ values: Span<Element>, to target: Int) {
        precondition(target >= 0 && target <= count &- values.count)
        unsafe values.withUnsafeBytes { values in
            guard let source = values.baseAddress else { return }
            // Within the array.
            unsafe move(source, byteCount: values.count, to: target)
        }
    }

    /// Copies some of the values to the place from `target` on; both may overlap.
    @inlinable
    package mutating func copy(_ source: Range<Int>, to target: Int) {
        precondition(source.lowerBound >= 0 && source.upperBound <= count && target >= 0 && target <= count &- source.count)
        guard !source.isEmpty else { return }
        // Both lie within the array.
        let first = unsafe storage.baseAddress.unsafelyUnwrapped + source.lowerBound
        unsafe move(first, byteCount: source.count &* MemoryLayout<Element>.stride, to: target)
    }

    /// Copies bytes to the place from `target` on, which has room for them.
    ///
    /// By bytes, since Embedded Swift copies typed memory one element after the other.
    @unsafe
    @inlinable @inline(__always)
    mutating func move(_ source: UnsafeRawPointer, byteCount: Int, to target: Int) {
        unsafe UnsafeMutableRawPointer(storage.baseAddress.unsafelyUnwrapped + target).copyMemory(from: source, byteCount: byteCount)
    }
}

/// Copies the first bytes of a memory over all others of it.
///
/// One function for all types: a loop for each takes 6 kB of WebAssembly.
///
/// - Parameters:
///   - size: The number of bytes to repeat, at least 1.
///   - memory: A whole multiple of so many bytes.
@unsafe
@inline(never)
@usableFromInline
func repeatFirst(_ size: Int, in memory: UnsafeMutableRawBufferPointer) {
    guard let first = memory.baseAddress else { return }
    var known = size
    if size == 4 {
        // Most arrays have values of 32 bits.
        let value = unsafe UInt64(first.load(as: UInt32.self))
        let end = memory.count & ~7
        for offset in stride(from: 0, to: end, by: 8) {
            unsafe (first + offset).storeBytes(of: value << 32 | value, as: UInt64.self)
        }
        known = max(size, end)
    }
    while known < memory.count {
        let added = min(known, memory.count - known)
        // What is known lies before what is added to it.
        unsafe (first + known).copyMemory(from: first, byteCount: added)
        known += added
    }
}
