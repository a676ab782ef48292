// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization
internal import SystemFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The folders of the outputs, each made once, and cleared of what killed batches left in it.
final class OutputFolders: Sendable {
    private let known = Mutex<Set<String>>([])

    /// Makes the folder of an output, with those that it is in.
    ///
    /// - Throws: ``BatchError/cannotCreate(path:code:)``.
    func prepare(for output: String) throws(BatchError) {
        guard let slash = output.lastIndex(of: "/"), slash != output.startIndex else { return }
        let folder = String(output[..<slash])
        let code = known.withLock { known -> Int32 in
            guard !known.contains(folder) else { return 0 }
            let code = Self.make(folder)
            if code == 0 {
                known.insert(folder)
                AbandonedFiles.remove(in: folder)
            }
            return code
        }
        guard code == 0 else { throw .cannotCreate(path: folder, code: code) }
    }

    /// Makes a folder and those that it is in; returns a value of `errno`, or 0.
    static func make(_ folder: String) -> Int32 {
        if mkdir(folder, 0o777) == 0 { return 0 }
        switch errno {
        case EEXIST:
            var status = stat()
            return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
        case ENOENT:
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return ENOENT }
            let code = make(String(folder[..<slash]))
            guard code == 0 else { return code }
            return mkdir(folder, 0o777) == 0 || errno == EEXIST ? 0 : errno
        default: return errno
        }
    }
}
