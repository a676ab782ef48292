// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of Security that the sources use, implemented with OpenSSL. The system's authorities are OpenSSL's, set with SSL_CERT_FILE.

import COpenSSL
import Dispatch
import Foundation

public typealias OSStatus = Int32
public let errSecSuccess: OSStatus = 0
public let errSSLClosedGraceful: OSStatus = -9805
public let errSSLClosedAbort: OSStatus = -9806
public let errSSLClosedNoNotify: OSStatus = -9816

// Scripts/Check/apple-model replaces `as` with these initialisers.
public final class CFString {
    let text: String
    public init(_ text: String) { self.text = text }
}
public final class CFArray {
    let values: [AnyObject]
    public init(_ values: [AnyObject]) { self.values = values }
}
public final class CFData {
    let bytes: [UInt8]
    public init(_ data: Data) { bytes = Array(data) }
}
public struct CFError: LocalizedError {
    public let errorDescription: String?
}

public final class SecCertificate {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { X509_free(pointer) }
}

public func SecCertificateCreateWithData(_ allocator: AnyObject?, _ data: CFData) -> SecCertificate? {
    data.bytes.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        return d2i_X509(nil, &start, bytes.count).map(SecCertificate.init)
    }
}

public final class SecPolicy {
    let host: String?
    init(_ host: String?) { self.host = host }
}

public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy(hostname?.text) }

/// A certificate and its evaluation context.
public final class SecTrust {
    private let certificate: OpaquePointer
    private let others: OpaquePointer?
    fileprivate var policy = SecPolicy(nil)
    fileprivate var anchors: [SecCertificate] = []
    fileprivate var hasAnchorsOnly = false

    /// Creates a trust from OpenSSL's verification context, which is valid during the call.
    public init(checkOf context: OpaquePointer) {
        certificate = X509_STORE_CTX_get0_cert(context)
        others = X509_STORE_CTX_get0_untrusted(context)
    }

    fileprivate func problem() -> String? {
        let store = X509_STORE_new()
        let context = X509_STORE_CTX_new()
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
        }
        if !hasAnchorsOnly { X509_STORE_set_default_paths(store) }
        for anchor in anchors { X509_STORE_add_cert(store, anchor.pointer) }
        X509_STORE_CTX_init(context, store, certificate, others)
        if let host = policy.host {
            let parameters = X509_STORE_CTX_get0_param(context)
            // A host that is an address must be one of the certificate's addresses [P].
            if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 { X509_VERIFY_PARAM_set1_host(parameters, host, 0) }
        }
        guard X509_verify_cert(context) != 1 else { return nil }
        return String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
    }
}

@discardableResult public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: AnyObject) -> OSStatus {
    guard let policy = policies as? SecPolicy else { return -50 }
    trust.policy = policy
    return errSecSuccess
}

/// Excludes the system's authorities [A].
@discardableResult public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    trust.anchors = anchorCertificates?.values.compactMap { $0 as? SecCertificate } ?? []
    trust.hasAnchorsOnly = anchorCertificates != nil
    return errSecSuccess
}

@discardableResult public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.hasAnchorsOnly = anchorCertificatesOnly
    return errSecSuccess
}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let problem = trust.problem()
    error?.pointee = problem.map { CFError(errorDescription: $0) }
    return problem == nil
}

// MARK: Options of a connection

public final class OS_sec_trust {
    let trust: SecTrust
    public init(_ trust: SecTrust) { self.trust = trust }
}
public final class OS_sec_protocol_metadata { public init() {} }

public final class OS_sec_protocol_options {
    public var leastVersion = tls_protocol_version_t.TLSv10
    public var canRenegotiate = true
    public var verification: (block: sec_protocol_verify_t, queue: DispatchQueue)?
    public init() {}
}

public typealias sec_protocol_options_t = OS_sec_protocol_options
public typealias sec_protocol_metadata_t = OS_sec_protocol_metadata
public typealias sec_trust_t = OS_sec_trust
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
public typealias sec_protocol_verify_t = (sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t) -> Void

public enum tls_protocol_version_t: UInt16, Sendable { case TLSv10 = 0x0301, TLSv12 = 0x0303, TLSv13 = 0x0304 }

public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { .passRetained(trust.trust) }

public func sec_protocol_options_set_min_tls_protocol_version(_ options: sec_protocol_options_t, _ version: tls_protocol_version_t) {
    options.leastVersion = version
}
public func sec_protocol_options_set_tls_renegotiation_enabled(_ options: sec_protocol_options_t, _ renegotiation_enabled: Bool) {
    options.canRenegotiate = renegotiation_enabled
}
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t, _ verify_block_queue: DispatchQueue
) {
    options.verification = (verify_block, verify_block_queue)
}
