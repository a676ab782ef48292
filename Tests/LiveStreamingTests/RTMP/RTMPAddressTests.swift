// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

@Suite struct RTMPAddressTests {
    @Test("Parses addresses, with the default ports of both schemes")
    func parts() throws {
        let plain = try #require(RTMPAddress("rtmp://live.example.com/app/key"))
        #expect((plain.host, plain.port, plain.application, plain.streamName) == ("live.example.com", 1935, "app", "key"))
        #expect(!plain.isEncrypted && plain.connectionURL == "rtmp://live.example.com/app")
        let encrypted = try #require(RTMPAddress("RTMPS://live.example.com/a/b/key?token=x/y&z=1"))
        #expect(encrypted.isEncrypted && encrypted.port == 443)
        #expect((encrypted.application, encrypted.streamName) == ("a/b", "key?token=x/y&z=1"))
        #expect(encrypted.connectionURL == "rtmps://live.example.com/a/b")
        let six = try #require(RTMPAddress("rtmp://[2001:db8::1]:1936/app/key"))
        #expect((six.host, six.port) == ("2001:db8::1", 1936))
        #expect(six.connectionURL == "rtmp://[2001:db8::1]:1936/app")
    }

    @Test(
        "Rejects malformed addresses",
        arguments: [
            "", "rtmp", "rtmp://", "rtmp:///app/key", "rtmp://host", "rtmp://host/app", "rtmp://host/app/", "rtmp://host//key",
            "http://host/a/b",
            "rtmp://host:0/app/key", "rtmp://host:65536/app/key", "rtmp://host:+80/app/key", "rtmp://host:/app/key",
            "rtmp://host:1x/app/key",
            "rtmp://::1/app/key", "rtmp://[::1/app/key", "rtmp://[::1]x/app/key", "rtmp://user:password@host/app/key", "://host/app/key",
            "rtmp://host?app/key",
        ])
    func malformed(text: String) {
        #expect(RTMPAddress(text) == nil)
    }

    @Test("Error of a malformed address contains no possible key or password")
    func noSecrets() {
        for text in ["rtmp://host/secret", "rtmp://user:secret@host/app/key", "rtmp://host:secret/app/key", "rtmps://secret"] {
            do throws(StreamingError) {
                _ = try StreamingAddress(text)
                Issue.record("\(text) is accepted")
            } catch {
                #expect(!"\(error)".contains("secret") || text == "rtmps://secret")
            }
        }
    }

    @Test("Decodes percent-encoding, and keeps other percent signs")
    func percentEncoding() {
        #expect(ServerURL.decoded("a%20b%2Fc") == "a b/c")
        #expect(ServerURL.decoded("100%") == "100%")
        #expect(ServerURL.decoded("%+f%-0%zz%4") == "%+f%-0%zz%4")
        #expect(ServerURL.decoded("%C3%A4") == "ä")
    }

    @Test("Random texts never trap")
    func randomTexts() {
        for seed in 1...3000 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let text = String((0..<Int.random(in: 0...20, using: &random)).map { _ in "rtmps:/@[]?&=%1ä".randomElement(using: &random)! })
            _ = ServerURL(text)?.parameters
            _ = RTMPAddress("rtmp://" + text)
        }
    }
}
