// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Waits without blocking a thread.
public enum Wait {
    /// Waits for a condition.
    ///
    /// The limit only bounds failures, because busy machines are slow.
    public static func until(_ seconds: Double = 60, _ condition: () async throws -> Bool) async rethrows -> Bool {
        let end = Date.now.addingTimeInterval(seconds)
        while Date.now < end {
            if try await condition() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return try await condition()
    }
}
