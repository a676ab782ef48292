// SPDX-License-Identifier: Apache-2.0

import SystemFiles
import SystemLibrary

extension FileInput {
    /// Opens a file without a name, in memory, at the first byte of these contents.
    convenience init(_ bytes: [UInt8]) {
        var path = Array("/dev/shm/fuzzing-XXXXXX".utf8CString)
        let file = OpenFile(owning: mkstemp(&path))
        unlink(path)
        do {
            try file.write(bytes[...])
            try file.seek(to: 0)
            try self.init(file, path: "a file in memory")
        } catch {
            fatalError("no file in memory: \(error)")
        }
    }
}
