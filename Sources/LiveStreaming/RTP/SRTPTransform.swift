// SPDX-License-Identifier: Apache-2.0

#if !os(Linux) && canImport(CommonCrypto)
/// Encrypts and decrypts packets with AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1, 4.2.1), based on CommonCrypto.
struct SRTPTransform {
    /// The authentication tag length, in bytes.
    private static let tagLength = 10
    /// The length of the unencrypted RTCP header, in bytes.
    private static let controlHeaderLength = 8
    /// The E flag of an SRTCP index: the packet is encrypted.
    private static let encryptionFlag: UInt32 = 1 << 31
    /// The RTP replay window in packets; allows for reordering.
    private static let window = 1024
    /// The RTCP replay window; RTCP packets are rare.
    private static let controlWindow = 128

    private let keys: SRTPKeys
    private let controlKeys: SRTPKeys
    /// The replay lists by SSRC.
    private var seen: [UInt32: SRTPReplayList] = [:]
    private var seenControl: [UInt32: SRTPReplayList] = [:]

    /// Derives the keys.
    ///
    /// - Parameter key: The 16-byte key and the 14-byte salt.
    init(key: [UInt8]) {
        keys = SRTPKeys(key, firstLabel: 0)
        controlKeys = SRTPKeys(key, firstLabel: 3)
    }

    // MARK: RTP

    /// Encrypts a packet; `nil` if it is malformed or its index was used before.
    mutating func protect(_ packet: [UInt8]) -> [UInt8]? {
        guard let headerLength = Self.headerLength(packet), let source = Self.number(packet, at: 8) else { return nil }
        var list = seen[source] ?? SRTPReplayList(window: Self.window)
        let index = list.index(ofSequence: Self.sequence(packet))
        guard index < 1 << 48, list.state(of: index) == .new else { return nil }
        list.add(index)
        seen[source] = list
        let encrypted = keys.encrypt(packet, from: headerLength, source: source, index: index)
        return encrypted + keys.tag(encrypted + Self.bytes(UInt32(index >> 16))).prefix(Self.tagLength)
    }

    mutating func unprotect(_ packet: [UInt8]) -> SRTPSession.Outcome {
        guard let headerLength = Self.headerLength(packet), let source = Self.number(packet, at: 8) else { return .refused }
        var list = seen[source] ?? SRTPReplayList(window: Self.window)
        let index = list.index(ofSequence: Self.sequence(packet))
        if let outcome = Self.outcome(list.state(of: index)) { return outcome }
        let encrypted = Array(packet.dropLast(Self.tagLength))
        let tag = keys.tag(encrypted + Self.bytes(UInt32(truncatingIfNeeded: index >> 16))).prefix(Self.tagLength)
        guard index < 1 << 48, encrypted.count >= headerLength, Self.areEqual(tag, packet.suffix(Self.tagLength)) else { return .refused }
        list.add(index)
        seen[source] = list
        return .packet(keys.encrypt(encrypted, from: headerLength, source: source, index: index))
    }

    /// Returns the RTP header length with extension (RFC 3550 5.1); `nil` if the packet is shorter.
    private static func headerLength(_ packet: [UInt8]) -> Int? {
        guard packet.count >= 12 else { return nil }
        var length = 12 + 4 * Int(packet[0] & 15)
        if packet[0] & 16 != 0 {
            guard packet.count >= length + 4 else { return nil }
            length += 4 + 4 * (Int(packet[length + 2]) << 8 | Int(packet[length + 3]))
        }
        return length <= packet.count ? length : nil
    }

    private static func sequence(_ packet: [UInt8]) -> Int { Int(packet[2]) << 8 | Int(packet[3]) }

    // MARK: RTCP

    /// Encrypts a packet; `nil` if it is malformed or the indexes are exhausted.
    mutating func protectControl(_ packet: [UInt8]) -> [UInt8]? {
        guard packet.count >= Self.controlHeaderLength, let source = Self.number(packet, at: 4) else { return nil }
        var list = seenControl[source] ?? SRTPReplayList(window: Self.controlWindow)
        let index = list.highest + 1
        guard index < Int(Self.encryptionFlag) else { return nil }
        list.add(index)
        seenControl[source] = list
        let encrypted =
            controlKeys.encrypt(packet, from: Self.controlHeaderLength, source: source, index: index)
            + Self.bytes(UInt32(index) | Self.encryptionFlag)
        return encrypted + controlKeys.tag(encrypted).prefix(Self.tagLength)
    }

    mutating func unprotectControl(_ packet: [UInt8]) -> SRTPSession.Outcome {
        let numbered = Array(packet.dropLast(Self.tagLength))
        let encrypted = Array(numbered.dropLast(4))
        guard encrypted.count >= Self.controlHeaderLength, let source = Self.number(encrypted, at: 4),
            let number = Self.number(numbered, at: encrypted.count), number & Self.encryptionFlag != 0
        else { return .refused }
        let index = Int(number ^ Self.encryptionFlag)
        var list = seenControl[source] ?? SRTPReplayList(window: Self.controlWindow)
        if let outcome = Self.outcome(list.state(of: index)) { return outcome }
        guard Self.areEqual(controlKeys.tag(numbered).prefix(Self.tagLength), packet.suffix(Self.tagLength)) else { return .refused }
        list.add(index)
        seenControl[source] = list
        return .packet(controlKeys.encrypt(encrypted, from: Self.controlHeaderLength, source: source, index: index))
    }

    // MARK: Bytes

    /// Returns the outcome for a packet that is not new; `nil` for a new one.
    private static func outcome(_ state: SRTPReplayList.State) -> SRTPSession.Outcome? {
        switch state {
        case .new: nil
        case .seen: .replayed
        case .tooOld: .refused
        }
    }

    /// Compares tags in constant time.
    private static func areEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns a big-endian 32-bit number; `nil` if there are too few bytes.
    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
#endif
