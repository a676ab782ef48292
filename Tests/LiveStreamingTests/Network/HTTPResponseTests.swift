// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

@Suite struct HTTPResponseTests {
    @Test("Splits responses at any byte division, and keeps the body")
    func division() throws {
        let text = "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\nHTTP/1.0 403 Not here, please\r\ncontent-length: 12\r\n\r\nIn use"
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var (rest, reader, responses) = (Array(text.utf8)[...], HTTPResponseReader(), [HTTPResponse]())
            while !rest.isEmpty {
                let count = Int.random(in: 1...30, using: &random)
                reader.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
                while responses.count < 2, let response = try reader.next() { responses.append(response) }
            }
            #expect(responses.map(\.code) == [100, 403] && responses.map(\.reason) == ["Continue", "Not here, please"])
            #expect(responses.map(\.contentLength) == [0, 12] && responses.map(\.isAccepting) == [true, false])
            #expect(String(decoding: reader.rest, as: UTF8.self) == "In use", "seed \(seed)")
        }
    }

    @Test("Explanation of a rejection is the body's text or the reason phrase")
    func words() throws {
        let response = try #require(HTTPResponse("HTTP/1.0 404 File Not Found"))
        #expect(response.words(of: "Mountpoint in use\r\n") == "Mountpoint in use")
        let page = "<html><head><title>Error 404</title></head><body><b>404 - It could\r\nnot be found</b></body></html>\r\n"
        #expect(response.words(of: page) == "It could not be found")
        #expect(response.words(of: "<?xml version=\"1.0\"?>\n<iceresponse><message>No</message><return>0</return></iceresponse>") == "No 0")
        #expect(response.words(of: "") == "File Not Found" && response.words(of: "<a <b") == "File Not Found")
    }

    @Test(
        "Bytes other than HTTP throw",
        arguments: [
            "SSH-2.0-test\r\n", "HTTX", "HTTP/1.1\r\n\r\n", "HTTP/1.1 20 x\r\n\r\n", "HTTP/1.1 600 x\r\n\r\n", "HTTP/1.1 +20 x\r\n\r\n",
            "\r\n\r\n",
        ])
    func malformed(text: String) {
        var reader = HTTPResponseReader()
        reader.append(Array(text.utf8))
        #expect(throws: HTTPResponseReader.Malformed()) { try reader.next() }
        #expect(reader.rest.count <= HTTPResponseReader.byteLimit)
    }

    @Test("Header without an end throws")
    func endless() { malformed(text: "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 10_000)) }

    @Test("Random bytes never trap")
    func randomBytes() {
        for seed in 1...3000 as ClosedRange<UInt64> {
            var (random, reader) = (SeededRandom(seed: seed), HTTPResponseReader())
            let text = "HTTP/1.1 " + String((0..<40).map { _ in "0149 -:<>\r\n\r\nacontent-length: 9ä".randomElement(using: &random)! })
            reader.append(Array(text.utf8))
            while let response = try? reader.next() { _ = response.words(of: text) }
        }
    }
}
