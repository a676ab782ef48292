// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import AudioPrimitives
internal import Foundation
internal import Security
internal import SystemFiles

/// Verifies a server's certificate against the system's trusted authorities and those in a file.
struct ServerTrust {
    private let host: String
    private let authorities: [SecCertificate]

    /// Reads the additional authorities.
    ///
    /// - Parameters:
    ///   - host: The name or IP address that certificates must match.
    ///   - authorities: The path of a PEM file with additional trusted certificates, if any.
    init(host: String, authorities path: String?) throws(StreamingError) {
        self.host = host
        guard let path else {
            authorities = []
            return
        }
        guard let text = OpenFile.contents(of: path) else { throw .encryptionFailed(reason: "cannot read the certificates in \(path)") }
        let certificates = Self.certificates(String(decoding: text, as: UTF8.self)).map { bytes in
            bytes.flatMap { SecCertificateCreateWithData(nil, Self.data($0)) }
        }
        authorities = certificates.compactMap(\.self)
        guard !certificates.isEmpty, authorities.count == certificates.count else {
            throw .encryptionFailed(reason: "\(path) is not a valid PEM certificate file")
        }
    }

    /// Returns the DER bytes of each certificate in a PEM text (RFC 7468); `nil` elements are not valid Base64.
    private static func certificates(_ text: String) -> [[UInt8]?] {
        var certificates: [[UInt8]?] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line {
            case "-----BEGIN CERTIFICATE-----": lines = []
            case "-----END CERTIFICATE-----":
                certificates.append(lines.flatMap { Base64.decode($0.joined().utf8.filter { $0 > 32 }) })
                lines = nil
            default: lines?.append(line)
            }
        }
        // The last certificate is truncated.
        if lines != nil { certificates.append(nil) }
        return certificates
    }

    private static func data(_ bytes: [UInt8]) -> CFData {
        let data = Data(bytes)
        return data as CFData
    }

    /// Returns why a certificate is not trusted, or `nil` if it is.
    ///
    /// Can take time, because the system may contact certificate authorities.
    func problem(of certificate: sec_trust_t) -> String? {
        let trust = sec_trust_copy_ref(certificate).takeRetainedValue()
        var statuses = [SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString))]
        if !authorities.isEmpty {
            statuses.append(SecTrustSetAnchorCertificates(trust, authorities as CFArray))
            // Otherwise the system's authorities would be ignored.
            statuses.append(SecTrustSetAnchorCertificatesOnly(trust, false))
        }
        if let status = statuses.first(where: { $0 != errSecSuccess }) { return "the certificate check failed with error \(status)" }
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else { return nil }
        return error?.localizedDescription ?? "unknown reason"
    }
}
#endif
