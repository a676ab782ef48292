// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Passes RTP and RTCP datagrams to a receiver of each format, each preceded by a byte with its length.
    ///
    /// The statistics match the input, parsed packets survive a round trip, and concealment is bounded by the elapsed time.
    static let rtp = FuzzTarget("rtp") { bytes in
        for description in descriptions {
            for isPaced in [false, true] { receive(bytes, description, isPaced: isPaced) }
        }
    }

    /// Reads a session description, and checks that its meaning survives a round trip.
    static let sdp = FuzzTarget("sdp") { bytes in
        guard let description = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        guard let again = try? SessionDescription(parsing: description.text) else {
            preconditionFailure("round trip failed: \(description.text)")
        }
        // Opus always has the same clock rate.
        if case .opus = description.format {} else { precondition(again.clockRate == description.clockRate) }
        precondition(again.key == description.key && again.host == description.host)
        precondition(again.port == description.port && again.payloadType == description.payloadType)
    }

    /// A stream in each format.
    private static let descriptions = [
        "mpeg4-generic/48000/2\r\na=fmtp:97 mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190",
        "MP4A-LATM/48000/2\r\na=fmtp:97 cpresent=0;config=400023203FC0", "MP4A-LATM/48000/2\r\na=fmtp:97 cpresent=1", "opus/48000/2",
    ].map { format in
        let text = "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 5004 RTP/AVP 97\r\na=rtpmap:97 \(format)\r\n"
        guard let description = try? SessionDescription(parsing: text) else { preconditionFailure("cannot parse: \(text)") }
        return description
    }
}

/// Passes datagrams to a receiver, 20 ms apart.
private func receive(_ bytes: [UInt8], _ description: SessionDescription, isPaced: Bool) {
    var reception = RTPReception(description, latency: .milliseconds(40), isPaced: isPaced, silenceLimit: .seconds(1))
    var rest = bytes[...]
    var now = Duration.zero
    var datagramCount = 0
    while let length = rest.popFirst() {
        let datagram = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        datagramCount += 1
        if let packet = RTPPacket(parsing: datagram) { precondition(RTPPacket(parsing: packet.serialized) == packet) }
        precondition(RTCPPacket.endedSources(in: datagram).count <= datagram.count / 4)
        if datagramCount % 8 == 0 { reception.receiveControl(datagram, at: now) } else { reception.receive(datagram, at: now) }
        take(&reception, at: now)
        now += .milliseconds(20)
    }
    take(&reception, at: now + .seconds(2))
    let statistics = reception.statistics
    precondition(statistics.receivedPacketCount + statistics.duplicatePacketCount + statistics.malformedPacketCount <= 3 * datagramCount)
    precondition(statistics.lostPacketCount >= 0 && statistics.lostPacketCount <= 70_000 * datagramCount)
    // An access unit lasts at least 2.5 ms. A gap lasts at most the elapsed time, plus a second and the latency per new packet.
    precondition(statistics.concealedUnitCount <= (datagramCount + 1) * 1300 + 2000)
}

/// Performs all due steps.
private func take(_ reception: inout RTPReception, at now: Duration) {
    while true {
        switch reception.next(at: now) {
        case .accessUnit(let accessUnit): precondition(!accessUnit.payload.isEmpty && accessUnit.duration > 0)
        case .missing: continue
        case .wait, .ended: return
        }
    }
}
