// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Measures recording beside `parec | ffmpeg`, on the sound server that runs around it: time from the server to the access unit that
/// carries a sound, and processor time.
///
/// `Scripts/benchmark capture` starts the server. What is compared listens to the same bursts of noise at once, and so does a plain
/// `parec` at its quickest: its first loud sample is when a burst begins.
@main
struct CaptureComparison {
    private static let burstCount = 40
    private static let period = 0.75

    static func main() throws {
        let linnet = CommandLine.arguments[1]
        let folder = CommandLine.arguments[2]
        let bursts = folder + "/bursts.raw"
        try Signal.write(Signal.bursts(count: burstCount, period: period), to: bursts)
        let raw = "parec --raw --device=vstereo --format=s16le --rate=48000 --channels=2 --latency-msec="
        let listeners = [
            try Listener("server", raw + "1", SampleWatcher()),
            try Listener("linnet record", "'\(linnet)' record --quiet --device vstereo --buffer 10 -b 128k -o -", ADTSWatcher()),
            try Listener(
                "parec | ffmpeg", raw + "10 | ffmpeg -v quiet -f s16le -ar 48000 -ac 2 -i - -c:a aac -b:a 128k -f adts -flush_packets 1 -",
                ADTSWatcher()),
        ]
        let play = "sleep 1.5; exec pacat --raw --device=stereomic --format=s16le --rate=48000 --channels=2 \(bursts)"
        let player = try Listener("player", play, SampleWatcher())
        Listener.listen(listeners, seconds: Double(burstCount) * period + 4)
        for listener in listeners + [player] { listener.end() }
        print("Time from the server to the access unit with the sound, 48 kHz stereo, 128 kb/s, buffers of 10 ms, \(burstCount) bursts")
        for listener in listeners.dropFirst() { print(report(listener, reference: listeners[0].onsets)) }
        print("Processor time of one core while recording")
        for listener in listeners.dropFirst() {
            print("  \(padded(listener.name, 16))  \(rounded(listener.processorShare * 100)) %")
        }
    }

    /// Pairs each burst at the server with the next one that the listener heard.
    private static func report(_ listener: Listener, reference: [Double]) -> String {
        var delays: [Double] = []
        for onset in reference {
            guard let heard = listener.onsets.first(where: { $0 >= onset - 0.002 }), heard < onset + period / 2 else { continue }
            delays.append((heard - onset) * 1000)
        }
        delays.sort()
        guard !delays.isEmpty else { return "  \(padded(listener.name, 16))  heard nothing" }
        func percentile(_ part: Double) -> String { rounded(delays[min(delays.count - 1, Int(part * Double(delays.count)))]) }
        return "  \(padded(listener.name, 16))  p50 \(percentile(0.5)) ms, p99 \(percentile(0.99)) ms, \(delays.count) bursts"
    }

    private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    private static func rounded(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
