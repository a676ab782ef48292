// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import Testing

@Suite struct IcecastAddressTests {
    @Test("Parses parameters and defaults")
    func address() throws {
        let address = try IcecastAddress(
            "icecasts://me:p%40ss@radio.example/live/talk.aac?name=A%26B&genre=Talk&description=D&url=u&public=0")
        #expect(address.isEncrypted && address.host == "radio.example" && address.port == 8000)
        #expect(address.user == "me" && address.password == "p@ss" && address.mount == "/live/talk.aac")
        #expect(address.stationName == "A&B" && address.genre == "Talk" && address.stationDescription == "D" && address.siteURL == "u")
        #expect(!address.isPublic && address.connectionURL == "icecasts://radio.example:8000/live/talk.aac")
        #expect(try IcecastAddress("icecast://:pw@h/m").user == "")
    }

    @Test(
        "Mount point must not end like a file of another codec",
        arguments: [
            ("/talk.aac", "AAC"), ("/talk.ADTS", "AAC"), ("/talk.opus", "Opus"), ("/live/talk.ogg", "Opus"), ("/talk.oga", "Opus"),
            ("/radio.mp3", ""), ("/radio.FLAC", ""), ("/radio.m4a", ""), ("/radio%2Emp3", ""), ("/radio.aac.m3u", ""),
            ("/radio", "AAC Opus"), ("/radio.mp3/live", "AAC Opus"), ("/fm101.5", "AAC Opus"), ("/radio.", "AAC Opus"),
        ])
    func mounts(mount: String, codecs: String) throws {
        let address = try IcecastAddress("icecast://source:secret@host\(mount)")
        for (codec, isOpus) in [("AAC", false), ("Opus", true)] {
            do throws(StreamingError) {
                try address.checkMount(isOpus: isOpus)
                #expect(codecs.contains(codec))
            } catch {
                #expect(!codecs.contains(codec) && !"\(error)".contains("secret") && error.isPermanent)
                #expect("\(error)".contains("but the stream is \(codec); use .\(isOpus ? "opus" : "aac") or no extension"), "\(error)")
                #expect("\(error)".contains("or encode") == !codecs.isEmpty, "\(error)")
            }
        }
    }

    @Test(
        "Invalid addresses throw with the reason and without the password",
        arguments: [
            ("icecast://source@host/m", "password"), ("icecast://source:secret@host", "mount point"),
            ("icecast://source:secret@host/", "mount"),
            ("icecast://source:secret@host/a b", "percent-encoding"), ("icecast://source:secret@host/m?bitrate=1", "unknown"),
            ("icecast://source:secret@host/m?public=yes", "0 or 1"), ("icecast://source:secret@host/m?name=a%0D%0Ab", "control character"),
            ("icecast://source:sec%0Aret@host/m", "control character"), ("icecast://a%3Ab:secret@host/m", "colon"),
            ("icecast://source:secret@/m", "use for example"), ("icecast://source:secret@host:0/m", "use for example"),
            ("http://source:secret@host/m", "use for example"),
        ])
    func invalidAddresses(text: String, reason: String) {
        #expect {
            try IcecastAddress(text)
        } throws: { error in
            "\(error)".contains(reason) && !"\(error)".contains("sec")
        }
    }
}
