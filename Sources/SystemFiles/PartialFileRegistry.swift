// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// The temporary files of all incomplete outputs, which an interrupted program must delete.
package enum PartialFileRegistry {
    /// The paths, and whether new files are rejected.
    private struct State {
        var paths: Set<String> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// Deletes all partial files.
    ///
    /// Afterwards no output can be created or committed.
    ///
    /// Call it just before the program ends.
    package static func removeAll() {
        state.withLock { state in
            state.isClosed = true
            for path in state.paths { unlink(PathName.bytes(path)) }
            state.paths = []
        }
    }

    /// Creates and registers a partial file atomically with respect to ``removeAll()``.
    ///
    /// - Parameter create: Creates the file. Returns its descriptor, negative on failure.
    static func create(_ path: String, _ create: () -> Int32) throws(SystemFileError) -> Int32 {
        try state.withLock { state throws(SystemFileError) in
            guard !state.isClosed else { throw .interrupted }
            let descriptor = create()
            if descriptor >= 0 { state.paths.insert(path) }
            return descriptor
        }
    }

    /// Runs `finish`, which renames or deletes the file, and removes the path from the registry.
    static func finish(_ path: String, _ finish: () -> Int32) throws(SystemFileError) -> Int32 {
        try state.withLock { state throws(SystemFileError) in
            guard !state.isClosed else { throw .interrupted }
            state.paths.remove(path)
            return finish()
        }
    }
}
