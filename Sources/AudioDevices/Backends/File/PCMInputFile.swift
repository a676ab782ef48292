// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// An open file or pipe that a capture reads.
final class PCMInputFile: Sendable {
    /// The time in milliseconds after which a wait for a pipe checks whether to go on.
    private static let checkInterval: Int32 = 50

    private let path: String
    private let file: OpenFile

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``DeviceError/file(path:code:)``.
    init(path: String) throws(DeviceError) {
        self.path = path
        do throws(SystemFileError) {
            file = path == "-" ? .standardInput : try OpenFile(reading: path)
        } catch {
            throw .file(path: path, code: error.systemCode)
        }
    }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Parameters:
    ///   - buffer: Receives the bytes.
    ///   - goesOn: Whether to go on; called at least every 50 ms while a pipe delivers nothing.
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
