// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import Testing

@Suite struct SRTAddressTests {
    @Test("Parses parameters and defaults")
    func address() throws {
        let plain = try SRTAddress("srt://host:9000")
        #expect(plain.host == "host" && plain.port == 9000 && plain.keyLength == nil)
        #expect(plain.mode == .caller && plain.latency == nil && plain.passphrase == nil && plain.streamID == nil)
        let full = try SRTAddress(
            "srt://[::1]:9000/?mode=caller&latency=500&passphrase=with%26and%3D1&pbkeylen=32&streamid=%23!%3A%3Ar%3Dtalk%2Cm%3Dpublish")
        #expect(full.host == "::1" && full.latency == 500 && full.passphrase == "with&and=1" && full.keyLength == 32)
        #expect(full.streamID == "#!::r=talk,m=publish" && full.connectionURL == "srt://[::1]:9000")
        let listener = try SRTAddress("srt://:9000?mode=listener")
        #expect(listener.mode == .listener && listener.host == "" && listener.connectionURL == "srt://:9000")
        guard case .srt(listener) = try StreamingAddress("srt://:9000?mode=listener").kind else {
            Issue.record("another address")
            return
        }
    }

    @Test(
        "Invalid addresses throw with the reason and without any value",
        arguments: [
            ("srt://host", "use for example"), ("srt://host:70000", "use for example"), ("srt://host:9000/path", "use for example"),
            ("srt://secret@host:9000", "use for example"),
            ("srt://:9000", "listener"), ("srt://host:9000?mode=rendezvous", "caller or listener"),
            ("srt://host:9000?latency=-1", "latency"),
            ("srt://host:9000?latency=fast", "latency"), ("srt://host:9000?passphrase=secret", "10 to 79"),
            ("srt://host:9000?passphrase=\(String(repeating: "secret", count: 14))", "10 to 79"),
            ("srt://host:9000?pbkeylen=16", "passphrase"),
            ("srt://host:9000?passphrase=0123456789&pbkeylen=20", "16, 24 or 32"), ("srt://host:9000?streamid=", "1 to 512"),
            ("srt://host:9000?passphrase=0123456789&secret=1", "unknown"), ("srt://host:9000?maxbw=1", "unknown"),
        ])
    func invalidAddresses(text: String, reason: String) {
        #expect {
            try SRTAddress(text)
        } throws: { error in
            "\(error)".contains(reason) && !"\(error)".contains("secret")
        }
    }
}
