// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The temporary files of all outputs that are not whole yet, so that an interrupted program leaves none behind.
public enum PartialFileRegistry {
    private struct State {
        var paths: Set<String> = []
        var isClosed = false
    }

    private static let state = Mutex(State())

    /// Removes all of them; from now on no output can be begun or completed.
    ///
    /// For the last moments of a program.
    public static func removeAll() {
        state.withLock { state in
            state.isClosed = true
            for path in state.paths { unlink(path) }
            state.paths = []
        }
    }

    /// Makes a file while nobody can remove it, and remembers it; -1 and `errno` if `create` fails.
    static func begin(_ path: String, _ create: () -> Int32) throws(OutputError) -> Int32 {
        let descriptor: Int32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let descriptor = create()
            if descriptor >= 0 { state.paths.insert(path) }
            return descriptor
        }
        guard let descriptor else { throw .interrupted }
        return descriptor
    }

    /// Runs `finish`, which moves or removes the file, and forgets it.
    static func end(_ path: String, _ finish: () -> Int32) throws(OutputError) -> Int32 {
        let result: Int32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.paths.remove(path)
            return finish()
        }
        guard let result else { throw .interrupted }
        return result
    }
}
