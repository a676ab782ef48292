// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A short stream of `Tests/Vectors/USAC`: AudioSpecificConfig and access units, each after its length, and the remaining bytes.
public struct USACVectorFile: Sendable {
    /// The AudioSpecificConfig.
    public let configuration: [UInt8]
    /// The access units.
    public let accessUnits: [[UInt8]]
    /// The bytes after the units.
    public let rest: [UInt8]

    /// Reads a stream by name.
    public init(_ name: String) {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: tests.appending(path: "Vectors/USAC/\(name).usac")) else {
            preconditionFailure("Tests/Vectors/USAC/\(name).usac can't be read")
        }
        let bytes = [UInt8](data)
        var position = 0
        func number() -> Int {
            position += 2
            return Int(bytes[position - 2]) << 8 | Int(bytes[position - 1])
        }
        func block() -> [UInt8] {
            let count = number()
            position += count
            return Array(bytes[position - count..<position])
        }
        configuration = block()
        accessUnits = (0..<number()).map { _ in block() }
        rest = Array(bytes[position...])
    }
}
