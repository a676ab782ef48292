// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CStreamingLibraries
#endif

/// Encrypts or decrypts the packets of one direction with SRTP (AES_CM_128_HMAC_SHA1_80, RFC 3711).
///
/// Must be used by one thread. Uses libsrtp on Linux and ``SRTPTransform`` on Apple systems.
package final class SRTPSession {
    package enum Direction {
        case sending
        case receiving
    }

    /// The result of decrypting a packet.
    package enum Outcome: Hashable {
        /// The decrypted packet.
        case packet([UInt8])
        /// A copy of a packet that was already decrypted.
        case replayed
        /// A packet that is damaged or encrypted with another key.
        case refused
    }

    #if os(Linux)
    private let functions: LinnetSRTPFunctions
    private let session: srtp_t

    /// Creates a session.
    ///
    /// - Parameter key: The 16-byte key and the 14-byte salt.
    /// - Throws: ``StreamingError/libraryMissing(library:package:)``, or ``StreamingError/encryptionFailed(reason:)``.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        guard let functions = linnet_srtp_functions() else { throw .libraryMissing(library: "libsrtp2", package: "libsrtp2-1") }
        self.functions = functions.pointee
        let kind = direction == .sending ? LINNET_SRTP_ANY_OUTBOUND : LINNET_SRTP_ANY_INBOUND
        guard key.count == SessionDescription.keyLength, let session = linnet_srtp_session(key, UInt32(kind)) else {
            throw .encryptionFailed(reason: "libsrtp rejected the key")
        }
        self.session = session
    }

    deinit { _ = functions.srtp_dealloc(session) }

    /// Encrypts a packet; `nil` if the library rejects it.
    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? {
        var bytes = packet + [UInt8](repeating: 0, count: Int(LINNET_SRTP_LONGEST_TRAILER))
        var length = Int32(packet.count)
        let status = isControl ? functions.srtp_protect_rtcp(session, &bytes, &length) : functions.srtp_protect(session, &bytes, &length)
        return status == 0 ? Array(bytes.prefix(Int(length))) : nil
    }

    package func unprotect(_ packet: [UInt8], isControl: Bool) -> Outcome {
        var bytes = packet
        var length = Int32(packet.count)
        let status =
            isControl ? functions.srtp_unprotect_rtcp(session, &bytes, &length) : functions.srtp_unprotect(session, &bytes, &length)
        if status == 0 { return .packet(Array(bytes.prefix(Int(length)))) }
        return status == LINNET_SRTP_REPLAYED ? .replayed : .refused
    }
    #elseif canImport(CommonCrypto)
    private var transform: SRTPTransform

    /// Creates a session.
    ///
    /// - Parameter key: The 16-byte key and the 14-byte salt.
    /// - Throws: ``StreamingError/encryptionFailed(reason:)``.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        guard key.count == SessionDescription.keyLength else { throw .encryptionFailed(reason: "the key has \(key.count) bytes, not 30") }
        transform = SRTPTransform(key: key)
    }

    /// Encrypts a packet; `nil` if it is malformed or its index was used before.
    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? {
        isControl ? transform.protectControl(packet) : transform.protect(packet)
    }

    package func unprotect(_ packet: [UInt8], isControl: Bool) -> Outcome {
        isControl ? transform.unprotectControl(packet) : transform.unprotect(packet)
    }
    #else
    /// Always throws ``StreamingError/libraryMissing(library:package:)``: the library is loaded only on Linux.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        throw .libraryMissing(library: "libsrtp2", package: "libsrtp2-1 (Linux only)")
    }

    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? { nil }

    package func unprotect(_ packet: [UInt8], isControl: Bool) -> Outcome { .refused }
    #endif
}
