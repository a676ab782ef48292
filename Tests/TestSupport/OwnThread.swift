// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs synchronous work on a thread outside the task pool, which other tests may occupy.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
