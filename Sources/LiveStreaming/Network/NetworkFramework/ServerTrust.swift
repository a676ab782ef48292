// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import AudioPrimitives
internal import Foundation
internal import Security
internal import SystemFiles

/// Decides whether a server's certificate proves its name: by the system's authorities, and those of a file.
struct ServerTrust {
    private let host: String
    private let authorities: [SecCertificate]

    /// Reads the authorities.
    ///
    /// - Parameters:
    ///   - host: The name or address that certificates have to be for.
    ///   - authorities: The path of a PEM file with certificates to trust beside the system's; nil for none.
    init(host: String, authorities path: String?) throws(StreamingError) {
        self.host = host
        guard let path else {
            authorities = []
            return
        }
        guard let text = OpenFile.contents(of: path) else { throw .encryptionFailed(reason: "the authorities in \(path) can't be read") }
        let certificates = Self.certificates(String(decoding: text, as: UTF8.self)).map { bytes in
            bytes.flatMap { SecCertificateCreateWithData(nil, Self.data($0)) }
        }
        authorities = certificates.compactMap(\.self)
        guard !certificates.isEmpty, authorities.count == certificates.count else {
            throw .encryptionFailed(reason: "\(path) is no PEM file of whole certificates")
        }
    }

    /// Returns the bytes of the certificates of a PEM text (RFC 7468); nil for one that is not Base64.
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
        // The last one is cut off.
        if lines != nil { certificates.append(nil) }
        return certificates
    }

    /// Returns bytes as an object of Core Foundation.
    private static func data(_ bytes: [UInt8]) -> CFData {
        let data = Data(bytes)
        return data as CFData
    }

    /// Returns why a certificate can't be trusted; nil if it can.
    ///
    /// The system may ask servers of authorities, which takes time.
    func problem(of certificate: sec_trust_t) -> String? {
        let trust = sec_trust_copy_ref(certificate).takeRetainedValue()
        var statuses = [SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString))]
        if !authorities.isEmpty {
            statuses.append(SecTrustSetAnchorCertificates(trust, authorities as CFArray))
            // The system's are left out otherwise.
            statuses.append(SecTrustSetAnchorCertificatesOnly(trust, false))
        }
        if let status = statuses.first(where: { $0 != errSecSuccess }) { return "the check fails with error \(status)" }
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else { return nil }
        return error?.localizedDescription ?? "the system gives no reason"
    }
}
#endif
