// SPDX-License-Identifier: Apache-2.0

import SystemFiles
import SystemLibrary

extension FileInput {
    /// Opens an unnamed in-memory file with these contents.
    convenience init(_ bytes: [UInt8]) {
        var path = Array("/dev/shm/fuzzing-XXXXXX".utf8CString)
        let file = OpenFile(owning: mkstemp(&path))
        unlink(path)
        do {
            try file.write(bytes[...])
            try file.seek(to: 0)
            try self.init(file, path: "a file in memory")
        } catch {
            fatalError("cannot create an in-memory file: \(error)")
        }
    }
}
