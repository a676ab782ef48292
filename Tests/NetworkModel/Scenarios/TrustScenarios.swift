// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Network
import Synchronization

let trustScenarios: [Scenario] = [
    Scenario(
        name: "network-untrusted",
        expectation: "a wrong name and an expired, an untrusted and a self-signed certificate are rejected with the reason"
    ) { report in
        let other = try Certificate("DNS:example.com", "IP:127.0.0.2")
        let good = try Certificate("DNS:localhost", "IP:127.0.0.1")
        let expired = try Certificate("IP:127.0.0.1", days: -1)
        let selfSigned = try Certificate("IP:127.0.0.1", isSelfSigned: true)
        let cases: [(Certificate, host: String, authorities: String?, reason: String)] = [
            (other, "localhost", other.authorityPath, "hostname mismatch"),
            (other, "127.0.0.1", other.authorityPath, "IP address mismatch"),
            (expired, "127.0.0.1", expired.authorityPath, "certificate has expired"),
            (selfSigned, "127.0.0.1", selfSigned.authorityPath, "self-signed certificate"),
            (good, "127.0.0.1", other.authorityPath, "unable to get local issuer certificate"),
            (good, "127.0.0.1", nil, "unable to get local issuer certificate"),
        ]
        for (certificate, host, authorities, reason) in cases {
            for waits in [false, true] {
                behave { $0.waitsAfterFailedHandshake = waits }
                let server = try Server(certificate) { peer in _ = peer.readAll() }
                report.check("\(reason), \(waits ? "waiting" : "failed")", takes: 0...5) {
                    report.check(reason, throws: .untrustedCertificate(host: host, reason: reason)) {
                        _ = try server.open(host, authorities: authorities)
                    }
                }
            }
        }
    },
    Scenario(name: "network-system-authority", expectation: "the system's authorities are trusted, also in addition to a file") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let other = try Certificate("IP:127.0.0.1")
        setenv("SSL_CERT_FILE", certificate.authorityPath, 1)
        for (served, authorities) in [(certificate, nil), (certificate, other.authorityPath), (other, other.authorityPath)] {
            let server = try Server(served) { _ = $0.readAll() }
            try server.open(authorities: authorities).close()
        }
    },
    Scenario(name: "network-authorities", expectation: "a file with several certificates is read; a missing or truncated file is an error")
    {
        report in
        let certificate = try Certificate("IP:127.0.0.1")
        let other = try Certificate("IP:127.0.0.1")
        let server = try Server(certificate) { _ = $0.readAll() }
        let files = try [other, certificate].map { try String(contentsOfFile: $0.authorityPath, encoding: .utf8) }
        let path = certificate.authorityPath + ".all"
        let text = ("# a comment\n" + files.joined(separator: "\n")).replacing("\n", with: "\r\n")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try server.open(authorities: path).close()
        let part = String(files[1].prefix(300))
        for text in ["", "nothing", part, files[0] + part, files[1].replacing("MII", with: "!II")] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            report.check("\(text.count) bytes", throws: { if case .encryptionFailed = $0 { true } else { false } }) {
                _ = try server.open(authorities: path)
            }
        }
        report.check("no file", throws: { if case .encryptionFailed = $0 { true } else { false } }) {
            _ = try server.open(authorities: "/no/such/file")
        }
    },
]
