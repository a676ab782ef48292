// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

@Suite struct RTPFormatTests {
    @Test("Parses a packet; skips sources, extension and padding")
    func packet() throws {
        let bytes: [UInt8] =
            [0xB1, 0xE1, 0x12, 0x34, 0, 0, 1, 0, 0xDE, 0xAD, 0xBE, 0xEF, 0, 0, 0, 1] + [0xBE, 0xDE, 0, 1, 1, 2, 3, 4] + [7, 8, 9, 0, 0, 3]
        let packet = try #require(RTPPacket(parsing: bytes))
        #expect(packet.marker && packet.payloadType == 0x61 && packet.sequenceNumber == 0x1234)
        #expect(packet.timestamp == 256 && packet.source == 0xDEAD_BEEF && packet.payload == [7, 8, 9])
        #expect(RTPPacket(parsing: packet.serialized) == packet)
        for count in 0..<24 { #expect(RTPPacket(parsing: bytes.prefix(count)) == nil) }
        #expect(RTPPacket(parsing: [0x40] + bytes.dropFirst()) == nil)
        #expect(RTPPacket(parsing: bytes.dropLast() + [255]) == nil)
    }

    @Test("RTCP packets match RFC 3550; parsing finds BYE up to the first malformed packet")
    func control() {
        let report = RTCPPacket.senderReport(
            source: 1, clockTime: 0x1234_5678_9ABC_DEF0, timestamp: 5, packetCount: 6, byteCount: 7)
        let times: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0, 0, 0, 5]
        let reportBytes = [0x80, 200, 0, 6, 0, 0, 0, 1] + times + [0, 0, 0, 6, 0, 0, 0, 7]
        #expect(RTCPPacket.serialize([report]) == reportBytes)
        let short: [UInt8] = [0x81, 202, 0, 3, 0, 0, 0, 1, 1, 3] + Array("abc".utf8) + [0, 0, 0]
        let long: [UInt8] = [0x81, 202, 0, 4, 0, 0, 0, 1, 1, 6] + Array("abcdef".utf8) + [0, 0, 0, 0]
        #expect(RTCPPacket.serialize([.name(source: 1, name: "abc"), .name(source: 1, name: "abcdef")]) == short + long)
        let end: [UInt8] = [0x82, 203, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]
        #expect(RTCPPacket.serialize([.goodbye(sources: [1, 2])]) == end)
        let bytes = reportBytes + short + end
        #expect(RTCPPacket.endedSources(in: bytes) == [1, 2])
        #expect(RTCPPacket.endedSources(in: bytes.dropLast()) == [])
        #expect(RTCPPacket.endedSources(in: [0x81, 201, 0, 1, 0, 0, 0, 1] + end) == [1, 2])
        #expect(RTCPPacket.endedSources(in: [0x9F, 203, 0, 1, 0, 0, 0, 1] + end) == [])
    }

    @Test("AU Header Section matches an example; lengths beyond the payload are rejected")
    func headerSection() throws {
        let bytes = AUHeaderSection.serialize(sizes: [300, 20], .highBitRate)
        #expect(bytes == [0, 32, 0x09, 0x60, 0x00, 0xA0])
        let section = try #require(AUHeaderSection(parsing: bytes + [1], .highBitRate))
        #expect(section.headers.map(\.size) == [300, 20] && section.headers.map(\.index) == [0, 1] && section.byteCount == 6)
        #expect(AUHeaderSection(parsing: [0, 32, 9, 0x60], .highBitRate) == nil)
        #expect(AUHeaderSection(parsing: [0, 0, 1], .highBitRate) == nil && AUHeaderSection(parsing: [0, 15, 1, 2], .highBitRate) == nil)
        #expect(AUHeaderSection.serialize(sizes: [5], .lowBitRate) == [0, 8, 0x14])
    }

    @Test("Parses descriptions by FFmpeg, GStreamer and HomeKit (AAC-ELD)")
    func descriptions() throws {
        let head = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=No Name\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 5004 RTP/AVP 97\r\nb=AS:64\r\n"
        let generic = try SessionDescription(
            parsing: head + "a=rtpmap:97 MPEG4-GENERIC/48000/2\r\na=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;"
                + "indexdeltalength=3; config=119056E500\r\n")
        guard case .headers(let config, .highBitRate) = generic.format else { throw SessionDescription.Problem.noAudio }
        #expect(config.objectType == .aacLC && generic.clockRate == 48_000 && generic.channelCount == 2 && generic.controlPort == 5005)
        let latm = try SessionDescription(
            parsing: head + "a=rtpmap:97 MP4A-LATM/48000/2\r\na=fmtp:97 profile-level-id=1;cpresent=0;config=400023203fc0\r\n")
        guard case .latm(let mux?, isConfigInStream: false) = latm.format else { throw SessionDescription.Problem.noAudio }
        #expect(mux.configuration.sampleRate == 48_000 && mux.configuration.channelCount == 2)
        let opus = try SessionDescription(parsing: head + "a=rtpmap:97 OPUS/48000/2\r\na=fmtp:97 sprop-stereo=0\r\na=rtcp:6001\r\n")
        #expect(opus.format == .opus(channelCount: 1) && opus.channelCount == 1 && opus.controlPort == 6001)
        let eld = try SessionDescription(
            parsing: head + "a=rtpmap:97 mpeg4-generic/16000/1\r\na=fmtp:97 mode=AAC-hbr;config=F8F0212C00BC00\r\n")
        #expect(eld.format.configuration?.audioSpecificConfig?.objectType.rawValue == 39)
    }

    @Test("Session description round trips with its key")
    func ownDescription() throws {
        let config = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: ChannelConfiguration(channelCount: 1))
        for format in [RTPPayloadFormat.headers(config, .highBitRate), .latm(StreamMuxConfig(config), isConfigInStream: false)] {
            for key in [nil, (0..<30).map { UInt8($0) }] {
                let description = SessionDescription(host: "::1", port: 5004, clockRate: 44_100, channelCount: 1, format: format, key: key)
                #expect(try SessionDescription(parsing: description.text) == description)
            }
        }
    }

    @Test(
        "Errors identify the missing or unsupported part",
        arguments: [
            ("m=audio", SessionDescription.Problem.notADescription), ("v=0\nm=video 1 RTP/AVP 9", .noAudio),
            ("v=0\nc=IN IP4 h\nm=audio 0 RTP/AVP 97", .invalidLine("m=")), ("v=0\nm=audio 9 RTP/AVP 97", .invalidLine("c=")),
            ("v=0\nc=IN IP4 h\nm=audio 9 RTP/AVP 97", .invalidLine("a=rtpmap:97")),
            ("v=0\nc=IN IP4 h\nm=audio 9 RTP/AVP 97\na=rtpmap:97 L16/44100", .unsupportedEncoding("l16")),
            ("v=0\nc=IN IP4 h\nm=audio 9 RTP/AVP 97\na=rtpmap:97 mpeg4-generic/44100", .unsupportedParameter("config")),
            (
                "v=0\nc=IN IP4 h\nm=audio 9 RTP/AVP 97\na=rtpmap:97 mpeg4-generic/8000\na=fmtp:97 maxdisplacement=5",
                .unsupportedParameter("maxdisplacement")
            ),
            ("v=0\nc=IN IP4 239.1.2.3/32\nm=audio 9 RTP/AVP 97", .multicast("239.1.2.3")),
            ("v=0\nc=IN IP6 FF02::1\nm=audio 9 RTP/AVP 97", .multicast("FF02::1")),
            ("v=0\nc=IN IP4 h\nm=audio 9 RTP/SAVP 97\na=rtpmap:97 opus/48000/2", .unsupportedEncryption),
            (
                "v=0\nc=IN IP4 h\nm=audio 9 RTP/AVP 97\na=rtpmap:97 opus/48000/2\na=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:AA",
                .unsupportedEncryption
            ),
        ])
    func refusals(text: String, error: SessionDescription.Problem) {
        #expect(throws: error) { try SessionDescription(parsing: text) }
    }

    @Test("Access units of all sizes round trip with any payload limit", arguments: [0, 1, 2], [100, 1400])
    func roundTrip(format: Int, limit: Int) throws {
        let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))
        let formats: [RTPPayloadFormat] = [
            .headers(config, .highBitRate), .latm(StreamMuxConfig(config), isConfigInStream: false), .opus(channelCount: 2),
        ]
        let description = SessionDescription(host: "h", port: 2, clockRate: 48_000, channelCount: 2, format: formats[format])
        let packetizer = RTPPacketizer(description.format, limit: limit)
        var depacketizer = RTPDepacketizer(description)
        var random = SeededRandom(seed: 31)
        var number: Int64 = 0
        for _ in 0..<200 {
            // 20 ms Opus frames, one per packet.
            let accessUnits = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                [0xFC]
                    + (0..<Int.random(in: 0...(format == 2 ? 1000 : 3000), using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
            }
            let duration = format == 2 ? 960 : 1024
            var received: [RTPUnit] = []
            for payload in try #require(packetizer.payloads(for: accessUnits)) {
                #expect(format == 2 || payload.bytes.count <= limit)
                received += depacketizer.accessUnits(
                    of: payload.bytes, marker: payload.endsUnit, number: number, time: number / 1000 + Int64(payload.accessUnit * duration))
                number += 1
            }
            #expect(received.map(\.payload) == accessUnits && received.allSatisfy { $0.duration == duration })
            #expect(received.indices.allSatisfy { received[$0].time - received[0].time == Int64($0 * duration) })
            number = (number / 1000 + 1) * 1000
        }
        #expect(depacketizer.malformedCount == 0)
    }

    @Test("Fragment without its other half yields no access unit and is counted")
    func halfUnits() throws {
        let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))
        for format in [RTPPayloadFormat.headers(config, .highBitRate), .latm(StreamMuxConfig(config), isConfigInStream: false)] {
            let description = SessionDescription(host: "h", port: 2, clockRate: 48_000, channelCount: 2, format: format)
            let payloads = try #require(RTPPacketizer(format, limit: 100).payloads(for: [[UInt8](repeating: 9, count: 150)]))
            #expect(payloads.count == 2)
            var depacketizer = RTPDepacketizer(description)
            #expect(depacketizer.accessUnits(of: payloads[0].bytes, marker: false, number: 1, time: 0).isEmpty)
            #expect(depacketizer.accessUnits(of: payloads[1].bytes, marker: true, number: 5, time: 1024).count == 0)
            #expect(depacketizer.malformedCount >= 1)
        }
    }

    @Test("Parses an address; errors contain no key")
    func address() throws {
        let address = try RTPAddress("rtp://127.0.0.1:5004?units=3&format=latm&sdp=a%20b.sdp&size=500")
        #expect(address.unitsPerPacket == 3 && address.format == .latm && address.descriptionPath == "a b.sdp" && address.packetSize == 500)
        #expect(try RTPAddress("rtp://h:7000").descriptionPath == "rtp-7000.sdp" && !address.isEncrypted)
        let key = Base64.string([UInt8](repeating: 3, count: 30))
        #expect(try RTPAddress("srtp://[::1]:5004?key=\(key)").key == [UInt8](repeating: 3, count: 30))
        for url in [
            "rtp://h", "rtp://:5004", "rtp://h:65535", "rtp://h:1/x", "rtp://h:5?units=17", "rtp://h:5?key=\(key)", "srtp://h:5?key=secret",
        ] {
            #expect { try RTPAddress(url) } throws: { !"\($0)".contains("secret") && !"\($0)".contains(key) }
        }
    }
}
