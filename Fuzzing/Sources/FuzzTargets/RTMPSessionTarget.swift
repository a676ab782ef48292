// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Passes possible server data after the handshake to a publishing session, in two divisions: the output is bounded, the final state is
    /// the same, and no error contains the key.
    static let rtmpSession = FuzzTarget("rtmp-session") { bytes in
        let whole = outcome(of: bytes, part: max(1, bytes.count))
        precondition(whole == outcome(of: bytes, part: Int(bytes.first ?? 0) % 64 + 1))
    }
}

/// Returns the state after all bytes, or the error.
private func outcome(of bytes: [UInt8], part: Int) -> String {
    guard let address = RTMPAddress("rtmp://host/app/SecretKey?token=OtherSecret") else { preconditionFailure("valid address rejected") }
    var session = RTMPPublishingSession(address)
    _ = session.start()
    do {
        _ = try session.receive([3] + [UInt8](repeating: 0, count: 3072))
        for first in stride(from: 0, to: bytes.count, by: part) {
            let received = bytes[first..<min(bytes.count, first + part)]
            // The longest replies are those to connect and createStream, once each, and to controls of a few bytes.
            let answer = try session.receive(received)
            precondition(answer.count <= 1000 + 20 * (received.count + part))
        }
        _ = session.finish()
        return "\(session.state)"
    } catch {
        let text = "\(error)"
        precondition(!text.contains("SecretKey") && !text.contains("OtherSecret"))
        return text
    }
}
