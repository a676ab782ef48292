// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Dispatch
import Foundation
import Glibc
import Security
import Synchronization

/// The client side of TLS on a non-blocking socket.
final class TLSSession {
    private let descriptor: Int32
    private let context: OpaquePointer
    private let session: OpaquePointer
    private let verifier: Verifier
    private var hasEnded = false
    /// The error that ended the connection.
    private(set) var failure: NWError?

    init(_ descriptor: Int32, host: String, _ parameters: NWParameters) {
        // OpenSSL's own socket writes raise SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
        self.descriptor = descriptor
        guard let options = parameters.tls?.securityProtocolOptions else { fatalError("the model has encrypted connections only") }
        if !parameters.tcp.noDelay { breakRule("small messages are delayed (no TCP_NODELAY)") }
        if options.canRenegotiate { breakRule("the server can start a renegotiation") }
        context = SSL_CTX_new(TLS_client_method())
        verifier = Verifier(options)
        SSL_CTX_set_cipher_list(context, "DEFAULT:@SECLEVEL=0")
        SSL_CTX_ctrl(context, Int32(MODEL_SET_LEAST_VERSION), Int(options.leastVersion.rawValue), nil)
        SSL_CTX_set_verify(context, Int32(MODEL_VERIFY_PEER), nil)
        SSL_CTX_set_cert_verify_callback(
            context,
            { context, verifier in
                guard let context, let verifier else { return 0 }
                return Unmanaged<Verifier>.fromOpaque(verifier).takeUnretainedValue().verify(context) ? 1 : 0
            },
            Unmanaged.passUnretained(verifier).toOpaque())
        session = SSL_new(context)
        SSL_set_fd(session, descriptor)
        SSL_ctrl(session, Int32(MODEL_SET_MODE), Int(MODEL_PARTIAL_WRITES), nil)
        var address = in6_addr()
        // The endpoint's name is sent to the server unless it is an address [P].
        if inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1 {
            var name = Array(host.utf8CString)
            SSL_ctrl(session, Int32(MODEL_SET_HOST_NAME), 0, &name)
        }
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    /// Calls the verify block on its queue.
    private final class Verifier {
        private let block: sec_protocol_verify_t?
        private let queue: DispatchQueue?

        init(_ options: sec_protocol_options_t) { (block, queue) = (options.verification?.block, options.verification?.queue) }

        func verify(_ context: OpaquePointer) -> Bool {
            guard let block, let queue else { return false }
            nonisolated(unsafe) let answer = block
            nonisolated(unsafe) let trust = OS_sec_trust(SecTrust(checkOf: context))
            nonisolated(unsafe) var isTrusted = false
            let answered = DispatchSemaphore(value: 0)
            queue.async {
                answer(OS_sec_protocol_metadata(), trust) { result in
                    isTrusted = result
                    answered.signal()
                }
            }
            answered.wait()
            return isTrusted
        }
    }

    /// Performs the handshake; returns false if it fails or is cancelled.
    func shakeHands(_ transport: Transport) -> Bool {
        while !transport.isCancelled {
            ERR_clear_error()
            let result = SSL_connect(session)
            if result == 1 { return true }
            switch Int(SSL_get_error(session, result)) {
            case Int(MODEL_WANTS_READ): transport.pause(descriptor, POLLIN)
            case Int(MODEL_WANTS_WRITE): transport.pause(descriptor, POLLOUT)
            // Bad certificate format, as for every certificate that the block rejects [P].
            default:
                failure = systemFailure ?? .tls(-9808)
                return false
            }
        }
        return false
    }

    /// The error of the system call that failed in OpenSSL; nil if no system call failed.
    private var systemFailure: NWError? {
        let error = ERR_get_error()
        if error != 0 { return Int(error & 0xfff) == Int(MODEL_UNEXPECTED_EOF) ? .posix(.ECONNRESET) : nil }
        return .posix(POSIXErrorCode(rawValue: errno) ?? .ECONNRESET)
    }

    /// Writes the bytes that the socket accepts and returns their number.
    func write(_ content: Data) -> Int {
        var sent = 0
        while sent < content.count {
            ERR_clear_error()
            let rest = Array(content.dropFirst(sent))
            let result = SSL_write(session, rest, Int32(rest.count))
            if result > 0 {
                sent += Int(result)
                continue
            }
            let error = Int(SSL_get_error(session, result))
            if error != Int(MODEL_WANTS_WRITE), error != Int(MODEL_WANTS_READ) { failure = systemFailure ?? .posix(.EPIPE) }
            break
        }
        return sent
    }

    /// Ends the sending direction.
    func end() {
        SSL_shutdown(session)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() { SSL_shutdown(session) }

    /// Returns the next bytes or the end; nil if nothing has arrived.
    func read(_ length: Int) -> (Data?, isComplete: Bool, NWError?)? {
        // A receive after the end reports the end again [U].
        if hasEnded { return (nil, true, nil) }
        ERR_clear_error()
        errno = 0
        var bytes = [UInt8](repeating: 0, count: length)
        let result = SSL_read(session, &bytes, Int32(length))
        if result > 0 {
            var byte: UInt8 = 0
            if Behaviour.current.withLock({ $0.endsWithContent }) {
                // The end arrives in a separate packet.
                usleep(50_000)
                let next = SSL_peek(session, &byte, 1)
                hasEnded = next <= 0 && Int(SSL_get_error(session, next)) == Int(MODEL_ENDED)
            }
            return (Data(bytes.prefix(Int(result))), hasEnded, nil)
        }
        switch Int(SSL_get_error(session, result)) {
        case Int(MODEL_WANTS_READ), Int(MODEL_WANTS_WRITE): return nil
        case Int(MODEL_ENDED):
            hasEnded = true
            return (nil, true, nil)
        default:
            failure = systemFailure ?? .tls(-9806)
            guard failure == .posix(.ECONNRESET), errno == 0 else { return nil }
            return truncated()
        }
    }

    /// Returns the end of a stream without close_notify.
    private func truncated() -> (Data?, isComplete: Bool, NWError?)? {
        let truncation = Behaviour.current.withLock { $0.truncation }
        if truncation == .reset { return nil }
        failure = nil
        hasEnded = true
        return (nil, true, truncation == .noNotice ? .tls(errSSLClosedNoNotify) : nil)
    }
}
