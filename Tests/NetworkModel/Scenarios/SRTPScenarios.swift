// SPDX-License-Identifier: Apache-2.0

import CStreamingLibraries
import Foundation
import LiveStreaming

/// A libsrtp session for one direction.
private final class Library {
    private let functions: LinnetSRTPFunctions
    private let session: srtp_t

    init(key: [UInt8], _ direction: Int) throws {
        guard let functions = linnet_srtp_functions(), let session = linnet_srtp_session(key, UInt32(direction)) else {
            throw StreamingError.libraryMissing(library: "libsrtp2", package: "libsrtp2-1")
        }
        (self.functions, self.session) = (functions.pointee, session)
    }
    deinit { _ = functions.srtp_dealloc(session) }

    func protect(_ packet: [UInt8], isControl: Bool) -> [UInt8]? {
        var bytes = packet + [UInt8](repeating: 0, count: Int(LINNET_SRTP_LONGEST_TRAILER))
        var length = Int32(packet.count)
        let status = isControl ? functions.srtp_protect_rtcp(session, &bytes, &length) : functions.srtp_protect(session, &bytes, &length)
        return status == 0 ? Array(bytes.prefix(Int(length))) : nil
    }
    func unprotect(_ packet: [UInt8], isControl: Bool) -> SRTPSession.Outcome {
        var bytes = packet
        var length = Int32(packet.count)
        let status =
            isControl ? functions.srtp_unprotect_rtcp(session, &bytes, &length) : functions.srtp_unprotect(session, &bytes, &length)
        if status == 0 { return .packet(Array(bytes.prefix(Int(length)))) }
        return status == LINNET_SRTP_REPLAYED ? .replayed : .refused
    }
}

/// Random numbers that are the same in each run.
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 1
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 31
    }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

/// Returns an RTP packet with contributing sources and an extension, or an RTCP packet.
private func packet(_ sequence: Int, source: UInt8, isControl: Bool, _ numbers: inout Numbers) -> [UInt8] {
    if isControl { return [0x80, 200, 0, 6, 0, 0, 0, source] + numbers.bytes(4 * Int.random(in: 0...10, using: &numbers)) }
    let count = Int.random(in: 0...3, using: &numbers)
    let isExtended = Bool.random(using: &numbers)
    var bytes: [UInt8] = [0x80 | (isExtended ? 16 : 0) | UInt8(count), 96, UInt8(sequence >> 8 & 255), UInt8(sequence & 255)]
    bytes += numbers.bytes(4) + [1, 2, 3, source] + numbers.bytes(4 * count)
    if isExtended { bytes += numbers.bytes(2) + [0, 2] + numbers.bytes(8) }
    return bytes + numbers.bytes(Int.random(in: 0...1400, using: &numbers))
}

let srtpScenarios: [Scenario] = [
    Scenario(name: "srtp-bytes", expectation: "packets of two sources match libsrtp's over several rollovers, in both directions") {
        report in
        var numbers = Numbers()
        let key = numbers.bytes(30)
        let ours = (sender: try SRTPSession(key: key, .sending), receiver: try SRTPSession(key: key, .receiving))
        let theirs = (sender: try Library(key: key, LINNET_SRTP_ANY_OUTBOUND), receiver: try Library(key: key, LINNET_SRTP_ANY_INBOUND))
        for isControl in [false, true] {
            var sequences = [65_000, 3]
            for round in 0..<400 {
                let source = round % 2
                sequences[source] += Int.random(in: 1...9000, using: &numbers)
                let plain = packet(sequences[source], source: UInt8(source), isControl: isControl, &numbers)
                guard let one = ours.sender.protect(plain, isControl: isControl),
                    let other = theirs.sender.protect(plain, isControl: isControl)
                else { return report.check(false, "packet \(round) is refused") }
                // libsrtp numbers RTCP packets from 1, the standard from 0.
                if !isControl { report.check(one == other, "packet \(round) differs, \(isControl ? "RTCP" : "RTP")") }
                let (far, near) = (
                    theirs.receiver.unprotect(one, isControl: isControl), ours.receiver.unprotect(other, isControl: isControl)
                )
                report.check(far == .packet(plain), "libsrtp refuses packet \(round)")
                report.check(near == .packet(plain), "packet \(round) of libsrtp is refused")
            }
        }
        report.check(sizesAreChecked(ours.sender), "a packet without a whole header is encrypted")
    },
    Scenario(name: "srtp-replays", expectation: "lost, late, replayed, damaged and malformed packets are handled as in libsrtp") {
        report in
        var numbers = Numbers()
        let key = numbers.bytes(30)
        var outcomes: [String: Int] = [:]
        for isControl in [false, true] {
            let sender = try SRTPSession(key: key, .sending)
            let (ours, theirs) = (try SRTPSession(key: key, .receiving), try Library(key: key, LINNET_SRTP_ANY_INBOUND))
            var sent: [[UInt8]] = []
            for round in 0..<6000 {
                sent.append(sender.protect(packet(64_000 + round, source: 1, isControl: isControl, &numbers), isControl: isControl) ?? [])
                // The latest packet, one of the last 40, or one near the edge of the replay window; a third of all packets is lost.
                let ranges = [0...0, 0...0, 0...40, 100...150, 1000...1050]
                let back = Int.random(in: ranges.randomElement(using: &numbers) ?? 0...0, using: &numbers)
                guard round % 3 != 0, sent.count > back else { continue }
                var received = sent[sent.count - 1 - back]
                switch round % 10 {
                case 0: received[Int.random(in: 0..<received.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
                case 1: received = Array(received.prefix(Int.random(in: 0...30, using: &numbers)))
                default: break
                }
                let (one, other) = (ours.unprotect(received, isControl: isControl), theirs.unprotect(received, isControl: isControl))
                report.check(one == other, "\(isControl ? "RTCP" : "RTP") \(round), \(back) back: \(name(one)), \(name(other)) by libsrtp")
                outcomes["\(isControl) \(name(one))", default: 0] += 1
            }
        }
        report.check(outcomes.count == 6 && outcomes.values.allSatisfy { $0 > 100 }, "\(outcomes)")
    },
    Scenario(name: "srtp-numbers", expectation: "no packet number is sent twice") { report in
        let session = try SRTPSession(key: [UInt8](repeating: 7, count: 30), .sending)
        var numbers = Numbers()
        report.check(session.protect(packet(5, source: 1, isControl: false, &numbers), isControl: false) != nil, "the first is refused")
        report.check(session.protect(packet(5, source: 1, isControl: false, &numbers), isControl: false) == nil, "the second is encrypted")
        report.check("a short key", throws: { if case .encryptionFailed = $0 { true } else { false } }) {
            _ = try SRTPSession(key: [1, 2, 3], .sending)
        }
    },
]

/// Returns whether packets that are too short are rejected.
private func sizesAreChecked(_ session: SRTPSession) -> Bool {
    let malformed: [[UInt8]] = [0x80, 0x82, 0x90].map { [$0] + [UInt8](repeating: 255, count: $0 == 0x80 ? 10 : 15) } + [[]]
    return malformed.allSatisfy { session.protect($0, isControl: false) == nil } && session.protect([0x80, 200, 0], isControl: true) == nil
}

private func name(_ outcome: SRTPSession.Outcome) -> String {
    switch outcome {
    case .packet: "packet"
    case .replayed: "replayed"
    case .refused: "refused"
    }
}
