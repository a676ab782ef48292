// SPDX-License-Identifier: Apache-2.0

internal import LiveStreaming
import SystemFiles
internal import SystemLibrary

/// Keys and passwords in the addresses of servers.
package enum SecretArgument {
    /// The help about secrets in addresses.
    static let help = """
        In an address, {env:NAME} stands for an environment variable and {file:PATH} for the first line of a file: keys and passwords need
        not be on the command line. Those on it are hidden from the list of processes.
        """

    /// Returns an address with its `{env:NAME}` and `{file:PATH}` replaced.
    ///
    /// - Parameters:
    ///   - address: The address. Secrets are percent-encoded, except for RTMP, which does not decode them.
    ///   - arguments: The arguments, for the error.
    package static func resolve(_ address: String, _ arguments: ParsedArguments) throws -> String {
        let isPlain = address.lowercased().hasPrefix("rtmp")
        var result = ""
        var rest = address[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let parts = rest[rest.index(after: open)..<close].split(separator: ":", maxSplits: 1).map(String.init)
            let secret: String
            switch (parts.first, parts.count) {
            case ("env", 2):
                guard let value = getenv(parts[1]) else {
                    throw arguments.failure("the environment variable \(parts[1]) of {env:\(parts[1])} is not set")
                }
                secret = String(cString: value)
            case ("file", 2): secret = try TextFile.firstLine(parts[1])
            default: throw arguments.failure("invalid {…} in an address; use {env:NAME} or {file:PATH}")
            }
            result += rest[..<open] + (isPlain ? secret : ServerURL.encoded(secret))
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Overwrites the address after its scheme in the command line, which other users see in the list of processes.
    static func hide(_ address: String) {
        guard let scheme = address.firstRange(of: "://") else { return }
        let secret = PathName.bytes(String(address[scheme.upperBound...]))
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let end = argument + strlen(argument) + 1
            guard end - argument >= secret.count, memcmp(end - secret.count, secret, secret.count) == 0 else { continue }
            memset(end - secret.count, Int32(UInt8(ascii: "x")), secret.count - 1)
        }
    }
}
