// SPDX-License-Identifier: Apache-2.0

#if canImport(CStreamingLibraries)
internal import CStreamingLibraries
internal import SystemLibrary

/// A TLS connection (1.2 or later) with a verified server certificate, based on OpenSSL.
///
/// OpenSSL works on memory buffers only. The bytes go through a ``TCPConnection``, whose timeouts and abort apply. OpenSSL's own sockets
/// would raise `SIGPIPE`.
final class TLSConnection: ServerConnection {
    /// The maximum number of bytes decrypted at a time: one record (RFC 8446 5.1).
    private static let recordSize = 16_384

    private let connection: TCPConnection
    private let host: String
    private let openSSL: LinnetOpenSSLFunctions
    private let context: OpaquePointer
    private let session: OpaquePointer
    /// Buffers of encrypted bytes, received and to be sent.
    ///
    /// Both are owned by `session`.
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// Performs the handshake and verifies the certificate.
    ///
    /// - Parameters:
    ///   - connection: The connection to the server; closed on failure.
    ///   - host: The name or IP address that the certificate must match.
    ///   - authorities: The path of a file with additional trusted certificates, if any.
    ///   - timeout: The time for all steps together.
    init(over connection: TCPConnection, host: String, authorities: String?, timeout: Duration) throws(StreamingError) {
        self.connection = connection
        self.host = host
        do throws(StreamingError) {
            guard let functions = linnet_openssl_functions() else { throw .libraryMissing(library: "libssl.so.3", package: "libssl3") }
            openSSL = functions.pointee
            context = try Self.makeContext(openSSL, authorities: authorities)
            let created = (openSSL.SSL_new(context), openSSL.BIO_new(openSSL.BIO_s_mem()), openSSL.BIO_new(openSSL.BIO_s_mem()))
            guard let session = created.0, let input = created.1, let output = created.2 else {
                // Freeing a null pointer is permitted.
                openSSL.SSL_free(created.0)
                _ = openSSL.BIO_free(created.1)
                _ = openSSL.BIO_free(created.2)
                openSSL.SSL_CTX_free(context)
                throw .encryptionFailed(reason: "out of memory")
            }
            (self.session, self.input, self.output) = (session, input, output)
            openSSL.SSL_set_bio(session, input, output)
        } catch {
            connection.close()
            throw error
        }
        do throws(StreamingError) {
            try requireHost()
            try shakeHands(timeout: timeout)
        } catch {
            connection.close()
            throw error
        }
    }

    deinit {
        openSSL.SSL_free(session)
        openSSL.SSL_CTX_free(context)
    }

    /// Creates the context with minimum version and trusted authorities.
    private static func makeContext(_ openSSL: LinnetOpenSSLFunctions, authorities: String?) throws(StreamingError) -> OpaquePointer {
        openSSL.ERR_clear_error()
        guard let context = openSSL.SSL_CTX_new(openSSL.TLS_client_method()) else { throw .encryptionFailed(reason: reason(openSSL)) }
        var isPrepared =
            openSSL.SSL_CTX_ctrl(context, Int32(LINNET_TLS_SET_LEAST_VERSION), Int(LINNET_TLS_VERSION_1_2), nil) == 1
            && openSSL.SSL_CTX_set_default_verify_paths(context) == 1
        // The server could otherwise renegotiate at any time, even when no response is expected.
        _ = openSSL.SSL_CTX_set_options(context, UInt64(LINNET_TLS_NO_RENEGOTIATION))
        if isPrepared, let authorities { isPrepared = openSSL.SSL_CTX_load_verify_file(context, authorities) == 1 }
        guard isPrepared else {
            let reason = reason(openSSL)
            openSSL.SSL_CTX_free(context)
            throw .encryptionFailed(reason: reason)
        }
        return context
    }

    /// Requires a certificate for the host, and sends the host name unless it is an IP address (RFC 6066 3).
    private func requireHost() throws(StreamingError) {
        openSSL.SSL_set_verify(session, Int32(LINNET_TLS_VERIFY_PEER), nil)
        openSSL.SSL_set_hostflags(session, UInt32(LINNET_TLS_NO_PARTIAL_WILDCARDS))
        var address = in6_addr()
        let isSet: Bool
        if inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1 {
            isSet = openSSL.X509_VERIFY_PARAM_set1_ip_asc(openSSL.SSL_get0_param(session), host) == 1
        } else {
            var name = Array(host.utf8CString)
            isSet =
                openSSL.SSL_set1_host(session, host) == 1
                && openSSL.SSL_ctrl(session, Int32(LINNET_TLS_SET_HOST_NAME), 0, &name) == 1
        }
        guard isSet else { throw .encryptionFailed(reason: Self.reason(openSSL)) }
    }

    private func shakeHands(timeout: Duration) throws(StreamingError) {
        do throws(StreamingError) {
            guard try perform(timeout: timeout, { openSSL.SSL_connect(session) }) != nil else {
                throw .timedOut(.handshake, after: timeout)
            }
        } catch {
            switch error {
            case .aborted, .closedByPeer:
                throw .encryptionFailed(reason: "no answer to the handshake; does the server use TLS on this port?")
            default: throw error
            }
        }
    }

    /// Calls an OpenSSL function until it has the bytes it needs.
    ///
    /// Returns its result, or `nil` after the timeout.
    private func perform(timeout: Duration, _ body: () -> Int32) throws(StreamingError) -> Int32? {
        let deadline = ContinuousClock.now + timeout
        while true {
            openSSL.ERR_clear_error()
            let result = body()
            let failure = result > 0 ? nil : failure(result)
            // Sends the alert after a failure, or the response to a key update.
            try flush(timeout: timeout)
            guard let failure else { return result }
            guard failure == .needsBytes else { throw error(failure) }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero || timeout == .zero, try fetch(timeout: max(.zero, left)) else { return nil }
        }
    }

    // MARK: Sending and receiving

    var sentByteCount: Int { connection.sentByteCount }

    var unconfirmedByteCount: Int { connection.unconfirmedByteCount }

    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError) {
        // OpenSSL rejects an empty write.
        guard !bytes.isEmpty else { return }
        openSSL.ERR_clear_error()
        // A memory BIO accepts all bytes.
        let result = openSSL.SSL_write(session, bytes, Int32(bytes.count))
        guard result == bytes.count else { throw error(failure(result)) }
        try flush(timeout: timeout)
    }

    /// Returns the next received bytes; empty after the timeout.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.recordSize)
        let count = try perform(timeout: timeout) { openSSL.SSL_read(session, &bytes, Int32(bytes.count)) }
        return Array(bytes.prefix(Int(count ?? 0)))
    }

    /// Closes the sending direction and waits until the server has received everything.
    func finish(timeout: Duration) throws(StreamingError) {
        openSSL.ERR_clear_error()
        _ = openSSL.SSL_shutdown(session)
        try flush(timeout: timeout)
        try connection.finish(timeout: timeout)
    }

    func close() { connection.close() }

    /// Sends the pending encrypted bytes.
    private func flush(timeout: Duration) throws(StreamingError) {
        let count = openSSL.BIO_ctrl_pending(output)
        guard count > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: count)
        let result = openSSL.BIO_read(output, &bytes, Int32(count))
        try connection.send(Array(bytes.prefix(max(0, Int(result)))), timeout: timeout)
    }

    /// Receives encrypted bytes.
    ///
    /// Returns false after the timeout.
    private func fetch(timeout: Duration) throws(StreamingError) -> Bool {
        let bytes = try connection.receive(timeout: timeout)
        guard !bytes.isEmpty else { return false }
        _ = openSSL.BIO_write(input, bytes, Int32(bytes.count))
        return true
    }

    // MARK: Failures

    /// Why an operation did not succeed.
    private enum Failure: Hashable {
        /// More bytes must be received first.
        case needsBytes
        /// The server has closed the connection cleanly.
        case ended
        /// The connection is unusable.
        case failed(reason: String)
    }

    private func failure(_ result: Int32) -> Failure {
        switch Int(openSSL.SSL_get_error(session, result)) {
        case Int(LINNET_TLS_WANTS_BYTES): .needsBytes
        case Int(LINNET_TLS_ENDED): .ended
        default: .failed(reason: Self.reason(openSSL))
        }
    }

    private func error(_ failure: Failure) -> StreamingError {
        let code = openSSL.SSL_get_verify_result(session)
        if code != Int(LINNET_TLS_CERTIFICATE_VALID) {
            let text = openSSL.X509_verify_cert_error_string(code).map { String(cString: $0) }
            return .untrustedCertificate(host: host, reason: text ?? "error \(code)")
        }
        guard case .failed(let reason) = failure else { return .closedByPeer }
        return .encryptionFailed(reason: reason)
    }

    /// Returns OpenSSL's text for the latest error of this thread.
    private static func reason(_ openSSL: LinnetOpenSSLFunctions) -> String {
        openSSL.ERR_reason_error_string(openSSL.ERR_get_error()).map { String(cString: $0) } ?? "unknown OpenSSL error"
    }
}
#endif
