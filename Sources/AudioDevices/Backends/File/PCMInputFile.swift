// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// An open file or pipe for capture.
final class PCMInputFile: Sendable {
    /// The interval at which a wait for a pipe checks whether to continue, in milliseconds.
    private static let checkInterval: Int32 = 50

    private let path: String
    private let file: OpenFile

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: ``DeviceError/file(path:code:)``.
    init(path: String) throws(DeviceError) {
        self.path = path
        do throws(SystemFileError) {
            file = path == "-" ? .standardInput : try OpenFile(reading: path)
            // Directories can be opened, but not read.
            guard try file.status().kind != .directory else { throw .isDirectory }
        } catch {
            throw .file(path: path, code: error.systemCode)
        }
    }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Parameter goesOn: Whether to continue. Called at least every 50 ms while a pipe delivers nothing.
    /// - Returns: The number of bytes read.
    /// - Throws: ``DeviceError/file(path:code:)``.
    func fill(_ buffer: inout [UInt8], while goesOn: () -> Bool) throws(DeviceError) -> Int {
        var count = 0
        while count < buffer.count, goesOn() {
            guard file.waitUntilReadable(milliseconds: Self.checkInterval) else { continue }
            do throws(SystemFileError) {
                let more = try buffer.withUnsafeMutableBufferPointer { (bytes) throws(SystemFileError) in
                    try file.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[count...])))
                }
                if more == 0 { break }
                count += more
            } catch {
                throw .file(path: path, code: error.systemCode)
            }
        }
        return count
    }
}
