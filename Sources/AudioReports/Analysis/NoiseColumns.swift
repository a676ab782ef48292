// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
package import AudioFiles
package import AudioMeasures
internal import AudioPrimitives
package import PCMFiles
internal import Synchronization
internal import SystemLibrary

/// The noise-to-mask ratios of a file relative to its reference, by column.
package struct NoiseColumns: Sendable {
    /// Ratios in decibels, column by column, from low bands up; NaN if not measured.
    ///
    /// The worst of all channels, mid and side.
    package var values: [Float]
    /// Band edges in hertz, `bandCount + 1` of them, ascending.
    let bandEdges: [Double]
    /// Mean of all frames in decibels, the value that 5 % of the frames exceed, and the fraction of frames above 0 dB.
    package let summary: NoiseToMaskRatio.Summary?
    let measuredSeconds: Double
    /// The delay of the test file, in sample frames.
    package let delay: Int
    /// The correlation of both signals at ``delay``, -1 to 1.
    let correlation: Double

    /// Whether the signals have nothing in common, so that the ratios mean nothing.
    var isUnrelated: Bool { abs(correlation) < SignalAlignment.minimumCorrelation && (summary?.mean ?? 0) > 0 }

    package var bandCount: Int { bandEdges.count - 1 }

    /// Longer signals are measured in evenly spaced parts with this total duration, in seconds.
    private static let limit = 600.0
    /// The duration of a part in seconds.
    private static let partLength = 5.0

    /// Compares a file with its reference, at the sample rate of the reference.
    ///
    /// - Parameter grids: The columns of the reference, which state its length, and of the test, for the values.
    /// - Returns: Nil if the channel counts differ or the signals do not overlap.
    /// - Throws: ``/PCMFiles/AudioFileError`` if a file cannot be read, or after cancellation.
    package init?(
        reference: AudioFileInput, test: AudioFileInput, grids: (reference: ColumnGrid, test: ColumnGrid), threadCount: Int,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(AudioFileError) {
        let sampleRate = grids.reference.sampleRate
        let rate = Double(sampleRate)
        let head = 0..<min(grids.reference.frameCount, 60 * sampleRate)
        let original = try Self.read(reference, [head], sampleRate: sampleRate, isCancelled)[0]
        let other = try Self.read(test, [head], sampleRate: sampleRate, isCancelled)[0]
        guard original.channels.count == other.channels.count, original.frameCount > 0, other.frameCount > 0 else { return nil }
        let alignment = SignalAlignment(reference: original, test: other)
        let delay = alignment.delay
        let length = Int(Self.partLength * rate)
        let first = max(0, -delay)
        let end = min(grids.reference.frameCount, Int((grids.test.seconds * rate).rounded()) - delay)
        guard end > first else { return nil }
        let partCount = (end - first + length - 1) / length
        let measuredCount = min(partCount, Int(Self.limit / Self.partLength))
        let ranges = (0..<measuredCount).map { index in
            let start = first + index * partCount / measuredCount * length
            return start..<min(end, start + length)
        }
        let originals = try Self.read(reference, ranges, sampleRate: sampleRate, isCancelled)
        let delayed = ranges.map { $0.lowerBound + delay..<$0.upperBound + delay }
        let others = try Self.read(test, delayed, sampleRate: sampleRate, isCancelled)
        let parts = Mutex<[Int: NoiseToMaskRatio]>([:])
        WorkerThreads.forEach(count: ranges.count, threadCount: threadCount) { index in
            let common = 0..<min(originals[index].frameCount, others[index].frameCount)
            guard !common.isEmpty, !isCancelled() else { return }
            let measure = NoiseToMaskRatio(reference: originals[index].part(common), test: others[index].part(common))
            parts.withLock { $0[delayed[index].lowerBound] = measure }
        }
        guard !isCancelled() else { throw AudioFileError(.cancelled, path: test.name) }
        let measures = parts.withLock { $0 }
        guard let any = measures.values.first else { return nil }
        bandEdges = any.bandEdges
        summary = NoiseToMaskRatio.summary(of: Array(measures.values))
        measuredSeconds = Double(ranges.reduce(0) { $0 + $1.count }) / rate
        self.delay = delay
        correlation = alignment.correlation
        values = Self.columns(measures, grid: grids.test, bandCount: any.bandCount, interval: any.interval / .seconds(1), rate: rate)
    }

    /// Reads parts of a file, in one pass.
    ///
    /// - Parameters:
    ///   - ranges: The sample frames of each part, in order and without overlap.
    ///   - sampleRate: The sample rate to convert to, in hertz, which also counts the frames of the parts.
    /// - Returns: The parts, shortened at the end of the file.
    private static func read(
        _ input: AudioFileInput, _ ranges: [Range<Int>], sampleRate: Int, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> [AudioSignal] {
        let file = try AudioFile(input)
        var parts = ranges.map { _ in [[Float]](repeating: [], count: file.channelCount) }
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 16_384)
        let end = ranges.last?.upperBound ?? 0
        let converter = PCMBufferConverter(
            sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: file.channelCount, layout: file.channelLayout))
        var (index, start, isComplete) = (0, 0, false)
        while start < end, !isComplete {
            isComplete = try !file.read(into: &buffer)
            guard !isCancelled() else { throw AudioFileError(.cancelled, path: input.name) }
            let converted = try AudioFileError.attempt(input.name) {
                try isComplete ? converter.finish() : converter.convert(buffer, layout: file.channelLayout)
            }
            let frames = start..<start + converted.frameCount
            while index < ranges.count, ranges[index].upperBound <= frames.lowerBound { index += 1 }
            for part in index..<ranges.count where ranges[part].lowerBound < frames.upperBound {
                let common = ranges[part].clamped(to: frames)
                for channel in 0..<file.channelCount {
                    let base = converted.range(ofChannel: channel).lowerBound - start
                    parts[part][channel] += converted.samples[base + common.lowerBound..<base + common.upperBound]
                }
            }
            start = frames.upperBound
        }
        return parts.map { AudioSignal(sampleRate: sampleRate, channels: $0) }
    }

    /// Returns the mean power ratio per column.
    ///
    /// A column without frames repeats the previous column of its part.
    private static func columns(
        _ measures: [Int: NoiseToMaskRatio], grid: ColumnGrid, bandCount: Int, interval: Double, rate: Double
    ) -> [Float] {
        var sums = [Double](repeating: 0, count: grid.columnCount * bandCount)
        var counts = [Int](repeating: 0, count: grid.columnCount)
        for (start, measure) in measures {
            for frame in measure.maps[0].totals.indices {
                let time = Double(start) / rate + Double(frame) * interval
                let column = grid.column(atSeconds: time)
                // If columns are shorter than the frame interval, a frame fills all columns up to the next frame. The last frame of a part
                // fills its whole length and less than an interval after it.
                let span = frame == measure.maps[0].totals.count - 1 ? 3 * interval : interval
                let last = max(column, grid.column(atSeconds: time + span - 1e-9))
                for band in 0..<bandCount {
                    let worst = measure.maps.reduce(-Float.infinity) { max($0, $1.values[frame * bandCount + band]) }
                    let power = exp(Double(worst) * 0.230_258_509_3)
                    for column in column...last { sums[column * bandCount + band] += power }
                }
                for column in column...last { counts[column] += 1 }
            }
        }
        return sums.indices.map { index in
            let count = counts[index / bandCount]
            return count > 0 ? Float(10 * log10(sums[index] / Double(count))) : .nan
        }
    }
}
