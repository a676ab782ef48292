// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The names of the files in use by a recording, shared by its outputs.
final class UsedNames: Sendable {
    private let names = Mutex<Set<String>>([])

    /// Returns whether a name was unused, and marks it as used.
    func insert(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}
