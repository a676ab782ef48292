// SPDX-License-Identifier: Apache-2.0

#if !os(Linux) && canImport(CommonCrypto)
internal import CommonCrypto

/// The session keys for RTP or RTCP, derived from a master key (RFC 3711 4.3), with encryption and authentication.
struct SRTPKeys {
    private static let blockLength = 16
    private static let saltLength = 14
    private static let authenticationKeyLength = 20

    private let encryption: [UInt8]
    private let authentication: [UInt8]
    private let salt: [UInt8]

    /// Derives the keys.
    ///
    /// - Parameters:
    ///   - master: The 16-byte key and the 14-byte salt.
    ///   - label: The first key's label. The others have the next two labels.
    init(_ master: [UInt8], firstLabel label: UInt8) {
        func derive(_ label: UInt8, _ length: Int) -> [UInt8] {
            var start = Array(master[Self.blockLength...]) + [0, 0]
            // The label precedes the 48-bit index, which is 0 with a key derivation rate of 0.
            start[7] ^= label
            return Array(Self.keyStream(Array(master[..<Self.blockLength]), from: start, length))
        }
        encryption = derive(label, Self.blockLength)
        authentication = derive(label + 1, Self.authenticationKeyLength)
        salt = derive(label + 2, Self.saltLength)
    }

    /// Encrypts or decrypts (the same operation) a packet after its header.
    ///
    /// - Parameters:
    ///   - source: The SSRC.
    ///   - index: The 48-bit packet index.
    func encrypt(_ packet: [UInt8], from headerLength: Int, source: UInt32, index: Int) -> [UInt8] {
        var start = salt + [0, 0]
        for byte in 0..<4 { start[4 + byte] ^= UInt8(truncatingIfNeeded: source >> (24 - 8 * byte)) }
        for byte in 0..<6 { start[8 + byte] ^= UInt8(truncatingIfNeeded: index >> (40 - 8 * byte)) }
        let stream = Self.keyStream(encryption, from: start, packet.count - headerLength)
        return packet[..<headerLength] + zip(packet[headerLength...], stream).map { $0 ^ $1 }
    }

    /// Returns the full authentication tag of bytes.
    func tag(_ bytes: [UInt8]) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA1), authentication, authentication.count, bytes, bytes.count, &tag)
        return tag
    }

    /// Returns the AES counter mode key stream (RFC 3711 4.1.1).
    ///
    /// The counter is in the last two bytes of a block and starts at 0.
    private static func keyStream(_ key: [UInt8], from start: [UInt8], _ length: Int) -> ArraySlice<UInt8> {
        var blocks: [UInt8] = []
        for counter in 0..<(length + blockLength - 1) / blockLength {
            blocks += start[..<14] + [UInt8(truncatingIfNeeded: counter >> 8), UInt8(truncatingIfNeeded: counter)]
        }
        var stream = [UInt8](repeating: 0, count: blocks.count)
        var count = 0
        let status = CCCrypt(
            CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key, key.count, nil, blocks, blocks.count,
            &stream, stream.count, &count)
        // Fails only for invalid lengths, which cannot occur. Zeros must never be used as a key stream.
        precondition(Int(status) == kCCSuccess && count == blocks.count, "CCCrypt fails")
        return stream[..<length]
    }
}
#endif
