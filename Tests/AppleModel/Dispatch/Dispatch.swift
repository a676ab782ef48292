// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Dispatch on the virtual clock. The sources read the time and wait only through this module.

import CModel
@_exported import VirtualTime

public struct DispatchTime: Sendable, Comparable {
    public let uptimeNanoseconds: UInt64
    public static func now() -> DispatchTime { DispatchTime(uptimeNanoseconds: UInt64(Scheduler.shared.now)) }
    public static func < (one: DispatchTime, other: DispatchTime) -> Bool { one.uptimeNanoseconds < other.uptimeNanoseconds }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: time.uptimeNanoseconds + UInt64(max(0, (seconds * 1e9).rounded())))
    }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        switch interval {
        case .milliseconds(let count): time + Double(count) / 1000
        }
    }
}

public enum DispatchTimeInterval: Sendable { case milliseconds(Int) }

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: @unchecked Sendable {
    private let first: Int
    private var value: Int
    private var waiters: [Fibre] = []

    public init(value: Int) {
        first = value
        self.value = value
    }
    deinit { precondition(value >= first, "a semaphore is deallocated below its first value") }

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    @discardableResult public func signal() -> Int {
        Scheduler.shared.outsideRealTime {
            model_order_release(address)
            guard !waiters.isEmpty else {
                value += 1
                return 0
            }
            Scheduler.shared.wake(waiters.removeFirst())
            return 1
        }
    }
    public func wait() { _ = wait(nanoseconds: nil) }
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        wait(nanoseconds: Int64(clamping: timeout.uptimeNanoseconds) - Scheduler.shared.now) ? .success : .timedOut
    }
    private func wait(nanoseconds: Int64?) -> Bool {
        Scheduler.shared.outsideRealTime {
            defer { model_order_acquire(address) }
            if value > 0 {
                value -= 1
                return true
            }
            guard let fibre = Scheduler.shared.current else { fatalError("a semaphore is waited for outside the threads") }
            waiters.append(fibre)
            if Scheduler.shared.wait(nanoseconds: nanoseconds) { return true }
            waiters.removeAll { $0 === fibre }
            return false
        }
    }
}

public final class DispatchGroup: @unchecked Sendable {
    private var count = 0
    private var waiterCount = 0
    private let ended = DispatchSemaphore(value: 0)
    public init() {}
    public func enter() { count += 1 }
    public func leave() {
        count -= 1
        guard count == 0 else { return }
        for _ in 0..<waiterCount { ended.signal() }
        waiterCount = 0
    }
    public func wait() {
        _ = wait {
            ended.wait()
            return .success
        }
    }
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { wait { ended.wait(timeout: timeout) } }
    private func wait(_ body: () -> DispatchTimeoutResult) -> DispatchTimeoutResult {
        guard count > 0 else { return .success }
        waiterCount += 1
        let result = body()
        if result == .timedOut { waiterCount -= 1 }
        return result
    }
}

public struct DispatchQoS: Sendable {
    public static let userInteractive = DispatchQoS()
    public static let userInitiated = DispatchQoS()
    public static let utility = DispatchQoS()
    public static let unspecified = DispatchQoS()
}

/// A serial queue, which runs a thread while it has work.
public final class DispatchQueue: @unchecked Sendable {
    private let label: String
    private var work: [() -> Void] = []
    private var isRunning = false

    public init(label: String, qos: DispatchQoS = .unspecified) { self.label = label }

    public static func global() -> DispatchQueue { DispatchQueue(label: "global") }
    public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { (0..<iterations).forEach(work) }

    public func async(execute work: @escaping @Sendable () -> Void) {
        Scheduler.shared.outsideRealTime {
            let address = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            model_order_release(address)
            self.work.append(work)
            guard !isRunning else { return }
            isRunning = true
            Scheduler.shared.start(label) { [self] in
                while !self.work.isEmpty {
                    model_order_acquire(address)
                    self.work.removeFirst()()
                }
                isRunning = false
            }
        }
    }

    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        model_order_release(address)
        let delay = Int64(clamping: deadline.uptimeNanoseconds) - Scheduler.shared.now
        Scheduler.shared.after(seconds: Double(delay) * 1e-9) { [self] in async(execute: work) }
    }
}
