// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import Testing

@Suite struct ServerTextTests {
    @Test("Hides an RTMP stream name, its parts and its decoded form")
    func secrets() throws {
        let text = ServerText(hiding: try #require(RTMPAddress("rtmp://h/a/my%2Dkey?auth=s3cr3t&x=1")).secrets)
        #expect(text.shown("my%2Dkey?auth=s3cr3t&x=1 is taken") == "… is taken")
        #expect(text.shown("stream my%2Dkey is taken (s3cr3t, my-key)") == "stream … is taken (…, …)")
        #expect(ServerText(hiding: ["a"]).shown("a stream") == "a stream")
    }

    @Test("Removes control characters and shortens texts")
    func control() {
        let text = ServerText(hiding: ["key?"])
        #expect(text.shown("a\u{1B}[31mb\r\nc\u{202E}d") == "a[31mbcd")
        #expect(text.shown(String(repeating: "x", count: 100_000)).count == 301)
    }
}
