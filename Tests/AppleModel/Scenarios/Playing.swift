// SPDX-License-Identifier: Apache-2.0

import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import PCMFiles
import VirtualTime

/// A source whose samples are consecutive frame numbers; the second channel has the same or the negative numbers.
final class NumberedSource: PlayableSource {
    let sampleRate: Int
    let channelCount: Int
    let frameCount: Int?
    private(set) var position = 0
    private let first: Int
    private let isAlike: Bool

    init(from first: Int, count: Int, rate: Int = 48000, channels: Int = 2, isAlike: Bool = false) {
        self.first = first
        frameCount = count
        sampleRate = rate
        channelCount = channels
        self.isAlike = isAlike
    }

    var canSeek: Bool { true }
    func seek(toFrame frame: Int) { position = frame }

    func read(into buffer: inout PCMBuffer) -> Bool {
        let count = min(buffer.frameCapacity, (frameCount ?? 0) - position)
        buffer.frameCount = count
        for channel in 0..<channelCount {
            let sign: Float = channel == 1 && !isAlike ? -1 : 1
            var samples = buffer.mutableChannel(channel)
            for frame in 0..<count { samples[frame] = sign * Float(first + position + frame) }
        }
        position += count
        return count > 0
    }
}

/// A running player and its end.
final class Playing: @unchecked Sendable {
    let player: AudioPlayer
    private(set) var endTime: Double?
    private(set) var error: DeviceError?

    /// Creates a player of sources that continue each other's numbers, starting at 1.
    init(_ counts: [Int] = [48000, 48000], rate: Int = 48000, channels: Int = 2, isAlike: Bool = false, device: String? = nil) {
        var first = 1
        player = AudioPlayer([], device: device)
        for count in counts {
            player.enqueue(NumberedSource(from: first, count: count, rate: rate, channels: channels, isAlike: isAlike))
            first += count
        }
        play()
    }

    func play() {
        (endTime, error) = (nil, nil)
        Task {
            do { try await player.play() } catch { self.error = error as? DeviceError }
            endTime = Machine.now
        }
    }

    /// Waits for the end or the given time.
    func wait(_ seconds: Double = 10) async {
        let limit = Machine.now + seconds
        while endTime == nil, Machine.now < limit { await sleep(0.01) }
    }
}

/// Returns a description of the first heard runs.
func heardText() -> String {
    machine.heard.prefix(20).map { "\($0.device) \($0.number)×\($0.count) at \(Int($0.time * 1000)) ms" }.joined(separator: ", ")
}

/// Returns the heard runs without silence.
func heardRuns() -> [Heard] { machine.heard.filter { $0.number != 0 } }

extension Report {
    /// Requires that frames 1 to `total` were heard once and in order, in the given number of separate runs.
    mutating func checkHeard(_ total: Int, runs: ClosedRange<Int> = 1...1) {
        let found = heardRuns()
        var next = 1
        for run in found {
            check(run.number == next, "frame \(next) is followed by \(run.number): \(heardText())")
            next = run.number + run.count
        }
        check(next == total + 1, "\(next - 1) frames of \(total) were heard: \(heardText())")
        check(runs.contains(found.count), "\(found.count) runs: \(heardText())")
    }

    /// Waits for the end of playback, and requires that there was no error and that frames 1 to `total` were heard.
    mutating func checkPlayed(_ playing: Playing, _ total: Int, runs: ClosedRange<Int> = 1...1) async {
        await checkEnded(playing)
        checkHeard(total, runs: runs)
    }

    /// Waits for the end of playback, and requires that there was no error.
    mutating func checkEnded(_ playing: Playing, within seconds: Double = 10) async {
        await playing.wait(seconds)
        check(
            playing.endTime != nil && playing.error == nil, "no end, or an error: \(playing.error?.description ?? "none"), \(heardText())")
    }

    /// Opens an output for numbered frames of 32-bit integers.
    mutating func openOutput(_ body: (inout PlaybackConfiguration) -> Void = { _ in }) -> (any PlaybackBackend)? {
        var configuration = PlaybackConfiguration(sampleRate: 48000, channelCount: 2)
        configuration.pcm = PCMFormat(.int32, channelCount: 2)
        body(&configuration)
        do { return try configuration.open() } catch {
            check(false, "the output can't be opened: \(error)")
            return nil
        }
    }
}

extension PlaybackBackend {
    /// Writes frames with the given numbers; each write waits up to half a second.
    func writeFrames(_ numbers: Range<Int>) throws(DeviceError) {
        let frames: [Int32] = numbers.flatMap { [Int32($0), -Int32($0)] }
        var written = 0
        while written < frames.count * 4 {
            let count = try frames.withSpan { (span) throws(DeviceError) in
                try write(span.bytes.extracting(droppingFirst: written), timeout: .milliseconds(500))
            }
            if count == 0 { return }
            written += count
        }
    }
}
