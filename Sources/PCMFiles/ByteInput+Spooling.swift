// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension ByteInput {
    /// A nameless file with everything that is left here, for formats that can't be read without going back.
    ///
    /// It lies in `TMPDIR` or `/var/tmp`, needs as much room, and is gone with the value returned.
    func spooled() throws(PCMFileError) -> ByteInput {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array((folder + "/linnet-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .cannotWrite(path: folder, code: errno) }
        unlink(template)
        while true {
            let bytes = try read(65_536)
            if bytes.isEmpty { break }
            var start = 0
            while start < bytes.count {
                let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    let code = errno
                    close(descriptor)
                    throw .cannotWrite(path: folder, code: code)
                }
                start += count
            }
        }
        lseek(descriptor, 0, SEEK_SET)
        return try ByteInput(owning: descriptor, path: path)
    }
}
