// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A server certificate created with openssl, and the authority that signed it.
final class TestCertificate: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: TemporaryFolder

    var path: String { folder.path("server.pem") }
    var keyPath: String { folder.path("server.key") }
    var authorityPath: String { folder.path("authority.pem") }

    /// Creates a certificate.
    ///
    /// - Parameters:
    ///   - names: The subject alternative names, such as `DNS:localhost`.
    ///   - days: The validity in days; negative for an expired certificate.
    ///   - isSelfSigned: Whether to sign it with its own key.
    init(_ names: [String], days: Int = 2, isSelfSigned: Bool = false) throws {
        try ProgramRun.require("openssl")
        folder = try TemporaryFolder()
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        _ = try folder.write(Array("subjectAltName=\(names.joined(separator: ","))\n".utf8), to: "names")
        let signing = isSelfSigned ? "-signkey server.key" : "-CA authority.pem -CAkey authority.key -CAcreateserial"
        let script = """
            openssl req -x509 \(key) -keyout authority.key -out authority.pem -days 3 -subj /CN=Test-Authority
            openssl req \(key) -keyout server.key -out server.csr -subj /CN=Test-Server
            openssl x509 -req -in server.csr \(signing) -out server.pem -days \(days) -extfile names
            """
        let run = try ProgramRun.shell("set -e; " + script, folder: folder.url)
        guard run.exitCode == 0 else { throw Failure(description: run.errorText) }
    }
}
