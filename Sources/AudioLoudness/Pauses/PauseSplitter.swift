// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Decides where pauses separate files: in the middle of each.
package struct PauseSplitter {
    private static let minimumPause = Duration.seconds(2)
    private static let minimumFileDuration = Duration.seconds(10)
    private var meter: PauseMeter
    private let pauseFrames: Int
    private let minimumFileFrames: Int
    /// The start of the last pause that was long enough.
    private var passedPause: Int?

    /// Creates a splitter.
    ///
    /// - Parameter level: The RMS level up to which a window of 20 ms is silent, in dBFS.
    package init(level: Double, sampleRate: Int, channelCount: Int) {
        meter = PauseMeter(level: level, sampleRate: sampleRate, channelCount: channelCount)
        pauseFrames = max(1, Self.minimumPause.frameCount(atRate: sampleRate))
        minimumFileFrames = Self.minimumFileDuration.frameCount(atRate: sampleRate)
    }

    /// Returns the frame at which the current pause will be cut if it lasts.
    package func candidate(after fileStart: Int) -> Int? {
        guard let start = meter.pauseStart, start != passedPause else { return nil }
        let middle = start + pauseFrames / 2
        return permits(middle, after: fileStart) ? middle : nil
    }

    /// Returns the frames at which the pauses that a buffer completes are cut.
    ///
    /// - Parameter fileStart: The first frame of the current file.
    package mutating func cuts(_ buffer: PCMBuffer, after fileStart: Int) -> [Int] {
        var middles: [Int] = []
        var passedPause = passedPause
        meter.accept(buffer) { [pauseFrames] meter in
            guard let start = meter.pauseStart, start != passedPause, meter.pauseFrames >= pauseFrames else { return }
            passedPause = start
            middles.append(start + pauseFrames / 2)
        }
        self.passedPause = passedPause
        var start = fileStart
        return middles.filter { middle in
            guard middle > start, permits(middle, after: start) else { return false }
            start = middle
            return true
        }
    }

    /// Whether all whole windows from a frame on are silent so far.
    package func isSilent(from frame: Int) -> Bool { meter.pauseStart.map { $0 <= frame } ?? false }

    /// Whether a file may end at a frame.
    private func permits(_ frame: Int, after fileStart: Int) -> Bool { frame - fileStart >= minimumFileFrames }
}
