// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Compares streaming to an RTMP server with FFmpeg, on private sound and live servers: latency from the sound server to the access unit at
/// the RTMP server, and processor time of streaming to one and to three destinations.
///
/// Both programs publish to the same server through separate relays (socat), which also copy the bytes to this program.
enum StreamComparison {
    private static let rounds = 3
    private static let measured = 8.0
    private static let warmUp = 2.5

    static func run(linnet: String, folder: String, burstCount: Int) throws {
        let server = environment("RTMP_URL")
        let bursts = folder + "/bursts.raw"
        try Signal.write(Signal.bursts(count: burstCount, period: CaptureComparison.period), to: bursts)
        let raw = "parec --raw --device=vstereo --format=s16le --rate=48000 --channels=2 --latency-msec=10"
        let ffmpeg = "ffmpeg -v quiet -f pulse -i vstereo -c:a aac -b:a 128k -f flv "
        let quick = "ffmpeg -v quiet -f pulse -fragment_size 1920 -i vstereo -c:a aac -b:a 128k -flush_packets 1 -f flv "
        let listeners = [
            try Listener("server", raw, SampleWatcher()),
            try relayed(
                "linnet stream, 10 ms", 1, server, { "'\(linnet)' stream --quiet --device vstereo --buffer 10 -b 128k -o \($0)/a" }),
            try relayed("linnet stream", 2, server, { "'\(linnet)' stream --quiet --device vstereo -b 128k -o \($0)/b" }),
            try relayed("ffmpeg, 10 ms", 3, server, { quick + "\($0)/c" }), try relayed("ffmpeg", 4, server, { ffmpeg + "\($0)/d" }),
        ]
        let player = try Listener("player", "sleep 4; " + CaptureComparison.play + bursts, SampleWatcher())
        Listener.listen(listeners, seconds: Double(burstCount) * CaptureComparison.period + 8)
        for listener in listeners + [player] { listener.end() }
        print("Latency from the sound server to the access unit at the RTMP server, 48 kHz stereo, 128 kbit/s, \(burstCount) bursts")
        for listener in listeners.dropFirst() { print(CaptureComparison.report(listener, reference: listeners[0].onsets)) }
        try compareProcessorTimes(linnet: linnet, folder: folder, server: server)
    }

    /// Starts a relay to the server, and a publisher that connects to the relay.
    private static func relayed(_ name: String, _ number: Int, _ server: String, _ command: (String) -> String) throws -> Listener {
        let target = server.split(separator: "/")[1]
        let port = 18_000 + Int(getpid()) % 1000 * 10 + number
        let relay = "socat -r /dev/stdout TCP-LISTEN:\(port),bind=127.0.0.1,reuseaddr,nodelay TCP:\(target),nodelay & sleep 0.5; "
        return try Listener(name, relay + command("rtmp://127.0.0.1:\(port)/live") + " > /dev/null & wait", RTMPWatcher())
    }

    private static func compareProcessorTimes(linnet: String, folder: String, server: String) throws {
        let music = folder + "/music.raw"
        let record = "exec '\(linnet)' record --quiet --device vstereo -b 128k --also \(folder)/x.aac -y"
        let stream = "exec '\(linnet)' stream --quiet --device vstereo -b 128k -o \(server)/cpu"
        let three = " -o \(environment("ICECAST_URL"))/cpu.aac -o hls:\(environment("HLS_FOLDER")) --also \(folder)/y.aac -y"
        let kinds = [
            ("linnet record, file", record + " -o \(folder)/z.aac"), ("linnet stream, RTMP", stream),
            ("linnet stream, 3 servers and a file", stream + three),
            ("ffmpeg, RTMP", "exec ffmpeg -v quiet -f pulse -i vstereo -c:a aac -b:a 128k -f flv \(server)/cpu"),
        ]
        let length = Double(rounds * kinds.count) * (measured + warmUp + 0.5)
        try Signal.write(Signal.music(seconds: Int(length) + 10), to: music)
        let player = try Listener("player", CaptureComparison.play + music, SampleWatcher())
        var shares = kinds.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, kind) in kinds.enumerated() {
                let listener = try Listener(kind.0, kind.1, SampleWatcher())
                Listener.listen([listener], seconds: warmUp)
                listener.beginMeasuring()
                Listener.listen([listener], seconds: measured)
                listener.end()
                shares[index].append(listener.processorShare * 100)
            }
        }
        player.end()
        CaptureComparison.print(shares, of: kinds.map(\.0), what: "streaming")
    }

    private static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
