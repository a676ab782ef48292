// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CStreamingLibraries
#endif

/// Encrypts or decrypts the packets of one direction with AES_CM_128_HMAC_SHA1_80 (SRTP, RFC 3711), used by one thread.
///
/// On Linux libsrtp does it, on Apple's systems ``SRTPTransform``.
package final class SRTPSession {
    /// The direction of the packets.
    package enum Direction {
        /// Packets that are sent.
        case sending
        /// Packets that are received.
        case receiving
    }

    /// The outcome of decrypting a packet.
    package enum Outcome: Hashable {
        /// The packet as it was sent.
        case packet([UInt8])
        /// A packet that was decrypted before, or a copy of it.
        case replayed
        /// A packet of another key, or a damaged one.
        case refused
    }

    #if os(Linux)
    private let functions: LinnetSRTPFunctions
    private let session: srtp_t

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - key: The key of 16 bytes, and the salt of 14.
    ///   - direction: The direction.
    /// - Throws: ``StreamingError/libraryMissing(library:package:)``, or ``StreamingError/encryptionFailed(reason:)``.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        guard let functions = linnet_srtp_functions() else { throw .libraryMissing(library: "libsrtp2", package: "libsrtp2-1") }
        self.functions = functions.pointee
        let kind = direction == .sending ? LINNET_SRTP_ANY_OUTBOUND : LINNET_SRTP_ANY_INBOUND
        guard key.count == SessionDescription.keyLength, let session = linnet_srtp_session(key, UInt32(kind)) else {
            throw .encryptionFailed(reason: "libsrtp refuses the key")
        }
        self.session = session
    }

    deinit { _ = functions.srtp_dealloc(session) }

    /// Returns a packet encrypted; nil if the library refuses it.
    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? {
        var bytes = packet + [UInt8](repeating: 0, count: Int(LINNET_SRTP_LONGEST_TRAILER))
        var length = Int32(packet.count)
        let status = isControl ? functions.srtp_protect_rtcp(session, &bytes, &length) : functions.srtp_protect(session, &bytes, &length)
        return status == 0 ? Array(bytes.prefix(Int(length))) : nil
    }

    /// Decrypts a packet.
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
    /// - Parameters:
    ///   - key: The key of 16 bytes, and the salt of 14.
    ///   - direction: The direction.
    /// - Throws: ``StreamingError/encryptionFailed(reason:)``.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        guard key.count == SessionDescription.keyLength else { throw .encryptionFailed(reason: "the key has \(key.count) bytes, not 30") }
        transform = SRTPTransform(key: key)
    }

    /// Returns a packet encrypted; nil if it is malformed, or if its number was used before.
    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? {
        isControl ? transform.protectControl(packet) : transform.protect(packet)
    }

    /// Decrypts a packet.
    package func unprotect(_ packet: [UInt8], isControl: Bool) -> Outcome {
        isControl ? transform.unprotectControl(packet) : transform.unprotect(packet)
    }
    #else
    /// Throws ``StreamingError/libraryMissing(library:package:)``: the library is loaded on Linux only.
    package init(key: [UInt8], _ direction: Direction) throws(StreamingError) {
        throw .libraryMissing(library: "libsrtp2", package: "libsrtp2-1, which is for Linux only")
    }

    /// Returns nil.
    package func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? { nil }

    /// Refuses a packet.
    package func unprotect(_ packet: [UInt8], isControl: Bool) -> Outcome { .refused }
    #endif
}
