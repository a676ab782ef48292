// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Measures the stack that a function uses.
public enum StackDepth {
    /// The smallest default thread stack of supported systems, in bytes: musl's.
    ///
    /// Secondary threads have 512 KiB on Apple's systems, and 8 MiB with glibc.
    public static let minimumThreadStack = 128 * 1024

    /// Whether the build is optimized.
    ///
    /// Unoptimized stack frames are many times larger.
    public static let isOptimized: Bool = {
        var isOptimized = true
        assert(
            {
                isOptimized = false; return true
            }())
        return isOptimized
    }()

    /// The size of the measured stack.
    private static let capacity = 4 << 20

    /// The initial content of the stack.
    private static let pattern: UInt8 = 0xA5

    /// Runs a function in a separate thread whose stack was filled with a pattern.
    ///
    /// - Returns: The number of bytes from the end of the stack to the last one written, including the system's own data there.
    public static func measure(_ body: @escaping () throws -> Void) throws -> Int {
        let stack = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1 << 16)
        defer { stack.deallocate() }
        stack.initializeMemory(as: UInt8.self, repeating: pattern)
        let call = Call(body)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        guard let base = stack.baseAddress, pthread_attr_setstack(&attributes, base, capacity) == 0 else { throw NoThread() }
        #if os(Linux)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, &attributes,
            { context in
                #if os(Linux)
                guard let context else { return nil }
                #endif
                Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().run()
                return nil
            }, Unmanaged.passUnretained(call).toOpaque())
        guard code == 0 else { throw NoThread() }
        #if os(Linux)
        pthread_join(thread, nil)
        #else
        if let thread { pthread_join(thread, nil) }
        #endif
        if let error = call.error { throw error }
        return capacity - (stack.firstIndex { $0 != pattern } ?? capacity)
    }

    /// The system cannot start a thread.
    private struct NoThread: Error {}

    /// A function as an object to pass to a thread.
    private final class Call {
        private let body: () throws -> Void
        private(set) var error: (any Error)?

        init(_ body: @escaping () throws -> Void) { self.body = body }

        /// Calls the function and stores its error.
        func run() {
            do { try body() } catch { self.error = error }
        }
    }
}
