// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// The temporary files of all outputs that are not complete yet, so that an interrupted program leaves none behind.
package enum PartialFileRegistry {
    /// The paths, and whether new ones are refused.
    private struct State {
        var paths: Set<String> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// Removes all partial files; from now on no output can be created or committed.
    ///
    /// For the last moments of a program.
    package static func removeAll() {
        state.withLock { state in
            state.isClosed = true
            for path in state.paths { unlink(PathName.bytes(path)) }
            state.paths = []
        }
    }

    /// Creates and records a partial file in one step that ``removeAll()`` can't come between.
    ///
    /// - Parameter create: Creates the file and returns its descriptor; negative if it fails.
    static func create(_ path: String, _ create: () -> Int32) throws(SystemFileError) -> Int32 {
        try state.withLock { state throws(SystemFileError) in
            guard !state.isClosed else { throw .interrupted }
            let descriptor = create()
            if descriptor >= 0 { state.paths.insert(path) }
            return descriptor
        }
    }

    /// Runs `finish`, which renames or removes the file, and discards its record.
    static func finish(_ path: String, _ finish: () -> Int32) throws(SystemFileError) -> Int32 {
        try state.withLock { state throws(SystemFileError) in
            guard !state.isClosed else { throw .interrupted }
            state.paths.remove(path)
            return finish()
        }
    }
}
