// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Compares recording with `parec | ffmpeg` on a private sound server: latency from the server to the access unit with the signal, and
/// processor time.
///
/// `Scripts/Measure/speed capture` starts the sound server; `Scripts/Measure/speed stream` also starts live servers, for
/// ``StreamComparison``. To measure latency, all contenders listen to the same noise bursts at once, and so does a plain `parec`, whose
/// first loud sample marks the start of a burst. A server sends data to all listeners as often as the most demanding one requests, so all
/// have the same buffers. Processor time is measured for one contender at a time, excluding startup.
@main
struct CaptureComparison {
    private static let burstCount = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? 40 : 40
    /// The time between two bursts, in seconds.
    static let period = 0.75
    private static let rounds = 3
    /// The measured time per contender and round, in seconds.
    private static let measured = 8.0
    /// The startup time to exclude, in seconds.
    private static let warmUp = 1.5

    private static let raw = "parec --raw --device=vstereo --format=s16le --rate=48000 --channels=2 --latency-msec="
    /// The command that plays a file to the sound server.
    static let play = "exec pacat --raw --device=stereomic --format=s16le --rate=48000 --channels=2 "

    static func main() throws {
        let linnet = CommandLine.arguments[1]
        let folder = CommandLine.arguments[2]
        if CommandLine.arguments.count > 4, CommandLine.arguments[4] == "stream" {
            return try StreamComparison.run(linnet: linnet, folder: folder, burstCount: burstCount)
        }
        try compareTimes(linnet: linnet, folder: folder)
        try compareProcessorTimes(linnet: linnet, folder: folder)
    }

    private static func record(_ linnet: String, buffer: Int) throws -> Listener {
        try Listener(
            "linnet record", "exec '\(linnet)' record --quiet --device vstereo --buffer \(buffer) -b 128k -o -", ADTSWatcher())
    }

    private static func pipeline(buffer: Int) throws -> Listener {
        let encode = "ffmpeg -v quiet -f s16le -ar 48000 -ac 2 -i - -c:a aac -b:a 128k -f adts -flush_packets 1 -"
        return try Listener("parec | ffmpeg", raw + "\(buffer) | " + encode, ADTSWatcher())
    }

    private static func compareTimes(linnet: String, folder: String) throws {
        let bursts = folder + "/bursts.raw"
        try Signal.write(Signal.bursts(count: burstCount, period: period), to: bursts)
        let listeners = [try Listener("server", raw + "10", SampleWatcher()), try record(linnet, buffer: 10), try pipeline(buffer: 10)]
        let player = try Listener("player", "sleep 1.5; " + play + bursts, SampleWatcher())
        Listener.listen(listeners, seconds: Double(burstCount) * period + 4)
        for listener in listeners + [player] { listener.end() }
        Swift.print(
            "Latency from the server to the access unit, 48 kHz stereo, 128 kbit/s, buffers of 10 ms, \(burstCount) bursts")
        for listener in listeners.dropFirst() { Swift.print(report(listener, reference: listeners[0].onsets)) }
    }

    private static func compareProcessorTimes(linnet: String, folder: String) throws {
        let music = folder + "/music.raw"
        let kinds: [(name: String, start: () throws -> Listener)] = [
            ("linnet record, 10 ms", { try record(linnet, buffer: 10) }), ("parec | ffmpeg, 10 ms", { try pipeline(buffer: 10) }),
            ("linnet record, 20 ms", { try record(linnet, buffer: 20) }), ("parec | ffmpeg, 20 ms", { try pipeline(buffer: 20) }),
        ]
        let length = Double(rounds * kinds.count) * (measured + warmUp + 0.5)
        try Signal.write(Signal.music(seconds: Int(length) + 10), to: music)
        let player = try Listener("player", play + music, SampleWatcher())
        var shares = kinds.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, kind) in kinds.enumerated() {
                let listener = try kind.start()
                Listener.listen([listener], seconds: warmUp)
                listener.beginMeasuring()
                Listener.listen([listener], seconds: measured)
                listener.end()
                shares[index].append(listener.processorShare * 100)
            }
        }
        player.end()
        print(shares, of: kinds.map(\.name), what: "recording")
    }

    /// Prints processor times as percentages of a core.
    static func print(_ shares: [[Double]], of names: [String], what: String) {
        Swift.print("Processor time of one core while \(what) music, \(rounds) times \(rounded(measured)) s: median (minimum to maximum)")
        let width = names.map(\.count).max() ?? 0
        for (name, shares) in zip(names, shares) {
            let sorted = shares.sorted()
            Swift.print(
                "  \(padded(name, width))  \(rounded(sorted[rounds / 2])) %  (\(rounded(sorted[0])) to \(rounded(sorted[rounds - 1])) %)")
        }
    }

    /// Pairs each burst at the server with the next burst that the listener detected.
    static func report(_ listener: Listener, reference: [Double]) -> String {
        var delays: [Double] = []
        for onset in reference {
            guard let heard = listener.onsets.first(where: { $0 >= onset - 0.002 }), heard < onset + period / 2 else { continue }
            delays.append((heard - onset) * 1000)
        }
        delays.sort()
        guard !delays.isEmpty else { return "  \(padded(listener.name, 20))  no bursts detected" }
        func percentile(_ part: Double) -> String { rounded(delays[min(delays.count - 1, Int(part * Double(delays.count)))]) }
        return "  \(padded(listener.name, 20))  p50 \(percentile(0.5)) ms, p99 \(percentile(0.99)) ms, \(delays.count) bursts"
    }

    private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    private static func rounded(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
