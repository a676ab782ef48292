// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// Quoting of shell words, and execution of commands.
enum ShellText {
    /// Characters that need no quoting.
    static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%")

    static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// Quotes words for use in a command.
    static func quoted(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// Runs a program and returns its standard output.
    ///
    /// - Throws: ``BatchError/programFailed(name:message:)`` if it cannot be started or fails. Its message goes to standard error.
    static func output(of words: [String]) throws(BatchError) -> String {
        let name = words.first ?? ""
        guard let stream = popen(PathName.bytes(quoted(words)), "r") else {
            throw .programFailed(name: name, message: "cannot be started")
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&block, 1, block.count, stream)
            if count == 0 { break }
            bytes += block[..<count]
        }
        let status = pclose(stream)
        guard status == 0 else {
            let code = status >> 8
            throw .programFailed(
                name: name, message: code == 127 ? "not installed (Debian package slurm-client)" : "exit status \(code)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
