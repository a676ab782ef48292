// SPDX-License-Identifier: Apache-2.0

#if canImport(CStreamingLibraries)
internal import CStreamingLibraries
internal import SystemLibrary

/// An encrypted connection (TLS 1.2 or later) to a server with a certificate that proves its name.
///
/// OpenSSL works on memory only: the bytes go through a ``TCPConnection``, whose time limits and end hold here too, and which never raises
/// `SIGPIPE`, as OpenSSL's own sockets do.
final class TLSConnection: ServerConnection {
    /// The most bytes decrypted at a time: those of a record (RFC 8446 5.1).
    private static let recordSize = 16_384

    private let connection: TCPConnection
    private let host: String
    private let openSSL: LinnetOpenSSLFunctions
    private let context: OpaquePointer
    private let session: OpaquePointer
    /// The encrypted bytes that were received and those to send; `session` owns both.
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// Agrees on the encryption, and checks the certificate.
    ///
    /// - Parameters:
    ///   - connection: The connection to the server; closed if this one can't be opened.
    ///   - host: The name or address that the certificate has to be for.
    ///   - authorities: The path of a file with certificates to trust beside the system's; nil for none.
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
                // Releasing nothing is permitted.
                openSSL.SSL_free(created.0)
                _ = openSSL.BIO_free(created.1)
                _ = openSSL.BIO_free(created.2)
                openSSL.SSL_CTX_free(context)
                throw .encryptionFailed(reason: "there is no memory for it")
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

    /// Returns the settings of a connection: versions, and trusted authorities.
    private static func makeContext(_ openSSL: LinnetOpenSSLFunctions, authorities: String?) throws(StreamingError) -> OpaquePointer {
        openSSL.ERR_clear_error()
        guard let context = openSSL.SSL_CTX_new(openSSL.TLS_client_method()) else { throw .encryptionFailed(reason: reason(openSSL)) }
        var isPrepared =
            openSSL.SSL_CTX_ctrl(context, Int32(LINNET_TLS_SET_LEAST_VERSION), Int(LINNET_TLS_VERSION_1_2), nil) == 1
            && openSSL.SSL_CTX_set_default_verify_paths(context) == 1
        // The server could otherwise start a handshake in the middle, when no answer is waited for.
        _ = openSSL.SSL_CTX_set_options(context, UInt64(LINNET_TLS_NO_RENEGOTIATION))
        if isPrepared, let authorities { isPrepared = openSSL.SSL_CTX_load_verify_file(context, authorities) == 1 }
        guard isPrepared else {
            let reason = reason(openSSL)
            openSSL.SSL_CTX_free(context)
            throw .encryptionFailed(reason: reason)
        }
        return context
    }

    /// Demands a certificate for the host, and names the host to the server unless it is an address (RFC 6066 3).
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

    /// Agrees on the encryption.
    private func shakeHands(timeout: Duration) throws(StreamingError) {
        do throws(StreamingError) {
            guard try perform(timeout: timeout, { openSSL.SSL_connect(session) }) != nil else {
                throw .timedOut(.handshake, after: timeout)
            }
        } catch {
            switch error {
            case .aborted, .closedByPeer: throw .encryptionFailed(reason: "no answer to the handshake; does the server use TLS on this port?")
            default: throw error
            }
        }
    }

    /// Calls a function of OpenSSL until it has the bytes that it needs; returns its result, or nil if they don't arrive within the time.
    private func perform(timeout: Duration, _ body: () -> Int32) throws(StreamingError) -> Int32? {
        let deadline = ContinuousClock.now + timeout
        while true {
            openSSL.ERR_clear_error()
            let result = body()
            let failure = result > 0 ? nil : failure(result)
            // After a failure this is the alert that tells the server why; a change of keys is answered.
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

    /// Sends all bytes.
    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError) {
        // Nothing to write is an error for OpenSSL.
        guard !bytes.isEmpty else { return }
        openSSL.ERR_clear_error()
        // Memory takes all bytes.
        let result = openSSL.SSL_write(session, bytes, Int32(bytes.count))
        guard result == bytes.count else { throw error(failure(result)) }
        try flush(timeout: timeout)
    }

    /// Returns the next bytes that arrive; empty if none do within the time.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.recordSize)
        let count = try perform(timeout: timeout) { openSSL.SSL_read(session, &bytes, Int32(bytes.count)) }
        return Array(bytes.prefix(Int(count ?? 0)))
    }

    /// Tells the other side that nothing more is sent, and waits until it has received everything.
    func finish(timeout: Duration) throws(StreamingError) {
        openSSL.ERR_clear_error()
        _ = openSSL.SSL_shutdown(session)
        try flush(timeout: timeout)
        try connection.finish(timeout: timeout)
    }

    /// Closes the connection.
    func close() { connection.close() }

    /// Sends the encrypted bytes that wait.
    private func flush(timeout: Duration) throws(StreamingError) {
        let count = openSSL.BIO_ctrl_pending(output)
        guard count > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: count)
        let result = openSSL.BIO_read(output, &bytes, Int32(count))
        try connection.send(Array(bytes.prefix(max(0, Int(result)))), timeout: timeout)
    }

    /// Receives encrypted bytes; returns false if none arrive within the time.
    private func fetch(timeout: Duration) throws(StreamingError) -> Bool {
        let bytes = try connection.receive(timeout: timeout)
        guard !bytes.isEmpty else { return false }
        _ = openSSL.BIO_write(input, bytes, Int32(bytes.count))
        return true
    }

    // MARK: Failures

    /// The outcomes of an operation that did not succeed.
    private enum Failure: Hashable {
        /// More bytes have to arrive first.
        case needsBytes
        /// The server has ended the connection properly.
        case ended
        /// The connection is unusable.
        case failed(reason: String)
    }

    /// Returns why an operation did not succeed.
    private func failure(_ result: Int32) -> Failure {
        switch Int(openSSL.SSL_get_error(session, result)) {
        case Int(LINNET_TLS_WANTS_BYTES): .needsBytes
        case Int(LINNET_TLS_ENDED): .ended
        default: .failed(reason: Self.reason(openSSL))
        }
    }

    /// Returns the error of an operation that did not succeed.
    private func error(_ failure: Failure) -> StreamingError {
        let code = openSSL.SSL_get_verify_result(session)
        if code != Int(LINNET_TLS_CERTIFICATE_VALID) {
            let text = openSSL.X509_verify_cert_error_string(code).map { String(cString: $0) }
            return .untrustedCertificate(host: host, reason: text ?? "error \(code)")
        }
        guard case .failed(let reason) = failure else { return .closedByPeer }
        return .encryptionFailed(reason: reason)
    }

    /// Returns OpenSSL's text for the latest failure of this thread.
    private static func reason(_ openSSL: LinnetOpenSSLFunctions) -> String {
        openSSL.ERR_reason_error_string(openSSL.ERR_get_error()).map { String(cString: $0) } ?? "OpenSSL gives no reason"
    }
}
#endif
