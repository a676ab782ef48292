// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemLibrary

/// Finds pauses: consecutive windows of 20 ms in which no channel's RMS level exceeds a threshold.
///
/// The result does not depend on the sizes of buffers.
package struct PauseMeter {
    private static let windowsPerSecond = 50

    private let windowFrames: Int
    /// The largest sum of squares of a quiet window.
    private let largestEnergy: Double
    private var energies: [Double]
    private var filledFrames = 0

    /// The number of measured frames in whole windows.
    package private(set) var measuredFrames = 0
    /// The first frame of the current pause; `nil` outside pauses.
    package private(set) var pauseStart: Int?

    /// Creates a meter.
    ///
    /// - Parameter level: The threshold, in dBFS.
    package init(level: Double, sampleRate: Int, channelCount: Int) {
        windowFrames = max(1, sampleRate / Self.windowsPerSecond)
        largestEnergy = pow(10, level / 10) * Double(windowFrames)
        energies = [Double](repeating: 0, count: channelCount)
    }

    /// The duration of the current pause in frames, up to the last whole window.
    package var pauseFrames: Int { pauseStart.map { measuredFrames - $0 } ?? 0 }

    /// Measures a buffer, and calls `body` after each window.
    package mutating func accept(_ buffer: PCMBuffer, _ body: (borrowing PauseMeter) -> Void) {
        var first = 0
        while first < buffer.frameCount {
            let count = min(windowFrames - filledFrames, buffer.frameCount - first)
            for channel in energies.indices where channel < buffer.channelCount {
                let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
                var sum = 0.0
                for index in first..<first + count { sum += Double(samples[index]) * Double(samples[index]) }
                energies[channel] += sum
            }
            first += count
            filledFrames += count
            guard filledFrames == windowFrames else { return }
            endWindow()
            body(self)
        }
    }

    private mutating func endWindow() {
        let isQuiet = energies.allSatisfy { $0 <= largestEnergy }
        pauseStart = isQuiet ? pauseStart ?? measuredFrames : nil
        measuredFrames += windowFrames
        filledFrames = 0
        for channel in energies.indices { energies[channel] = 0 }
    }
}
