// SPDX-License-Identifier: Apache-2.0

/// A sample rate conversion in one sample type.
struct RateEngine<Vector: RateVector> {
    typealias Sample = Vector.Scalar

    private let channelCount: Int
    private let denominator: Int64
    private let filter: PolyphaseFilter<Vector>

    /// The input that is still needed; channels are `capacity` samples apart.
    private var history: ContiguousArray<Sample>
    private var capacity: Int
    private var count: Int
    /// The history frame of the next output frame's first tap, and the fractional position after it.
    private var index = 0
    private var fraction: Int64 = 0
    private var step: RatePlan.Step
    /// The interpolated taps of an output frame.
    private var scratch: ContiguousArray<Sample>

    init(_ plan: RatePlan, channelCount: Int, design: RateFilterDesign) {
        self.channelCount = channelCount
        (denominator, step) = (plan.denominator, plan.step)
        filter = PolyphaseFilter(design, cutoff: plan.cutoff, placeCount: plan.placeCount)
        // Silence before the signal.
        count = filter.tapCount - 1 - filter.lookahead
        capacity = filter.tapCount + 4096
        history = ContiguousArray(repeating: 0, count: channelCount * capacity)
        scratch = ContiguousArray(repeating: 0, count: filter.tapCount)
    }

    /// The remaining output delay, in input frames.
    var delay: Double { filter.delay }

    /// Sets the number of input frames per output frame, starting with the next one.
    mutating func setStep(_ ratio: Double) { step = RatePlan.step(ratio) }

    /// Appends frames to the history.
    mutating func append(_ input: Span<Sample>, stride: Int, frameCount: Int) {
        makeRoom(for: frameCount)
        let (channelCount, capacity, count) = (channelCount, capacity, count)
        var samples = history.mutableSpan
        for channel in 0..<channelCount {
            let first = channel * capacity + count
            var target = samples._mutatingExtracting(first..<first + frameCount)
            let source = input.extracting(channel * stride..<channel * stride + frameCount)
            for frame in 0..<frameCount { unsafe target[unchecked: frame] = source[unchecked: frame] }
        }
        self.count = count + frameCount
    }

    /// Appends the silence that the last output frames need.
    mutating func appendEnd() {
        let length = filter.lookahead + Int(filter.delay.rounded(.up))
        append(ContiguousArray(repeating: 0, count: length).span, stride: 0, frameCount: length)
    }

    /// Makes room at the end by moving the needed history to the start, and by enlarging the memory if necessary.
    private mutating func makeRoom(for frameCount: Int) {
        guard count + frameCount > capacity else { return }
        let kept = count - index
        let larger = max(capacity, kept + frameCount)
        var moved = larger == capacity ? history : ContiguousArray(repeating: 0, count: channelCount * larger)
        for channel in 0..<channelCount {
            for frame in 0..<kept { moved[channel * larger + frame] = history[channel * capacity + index + frame] }
        }
        (history, capacity, count, index) = (moved, larger, kept, 0)
    }

    /// Computes the available output frames, at most `frameCapacity`.
    ///
    /// Returns their number.
    mutating func produce(into output: inout MutableSpan<Sample>, stride: Int, frameCapacity: Int) -> Int {
        let total = min(frameCapacity, completeCount)
        // A block stays in the cache while all rows are applied to it.
        let blockLength = max(2048, 8 * (filter.isInterpolated ? 0 : Int(denominator)))
        for first in Swift.stride(from: 0, to: total, by: blockLength) {
            let frames = first..<min(total, first + blockLength)
            if filter.isInterpolated {
                interpolate(frames, into: &output, stride: stride)
            } else {
                filterByRow(frames, into: &output, stride: stride)
            }
            (index, fraction) = position(ofOutput: frames.count)
        }
        return total
    }

    /// The number of output frames that the history suffices for, or fewer where 64 bits do not suffice.
    private var completeCount: Int {
        let available = min(Int64(count - filter.tapCount - index + 1), .max / denominator / 2)
        let places = available * denominator - fraction
        let distance = Int64(step.frames) * denominator + step.fraction
        return places > 0 ? Int((places + distance - 1) / distance) : 0
    }

    /// Returns the history frame and fractional position of a later output frame's first tap.
    private func position(ofOutput number: Int) -> (index: Int, fraction: Int64) {
        let (frames, part) = (fraction + Int64(number) * step.fraction).quotientAndRemainder(dividingBy: denominator)
        return (index + number * step.frames + Int(frames), part)
    }

    /// Computes output frames row by row.
    ///
    /// Frames with the same row are `denominator` output frames apart.
    private func filterByRow(_ frames: Range<Int>, into output: inout MutableSpan<Sample>, stride: Int) {
        let (history, rows, tapCount) = (history.span, filter.rows.span, filter.tapCount)
        let period = Int(denominator)
        let distance = step.frames * period + Int(step.fraction)
        for first in 0..<min(period, frames.count) {
            let (start, part) = position(ofOutput: first)
            let row = Int(part) * tapCount
            for channel in 0..<channelCount {
                var historyOffset = channel * capacity + start
                var target = channel * stride + frames.lowerBound + first
                let end = channel * stride + frames.upperBound
                while target + 3 * period < end {
                    let samples = Vector.filteredFour(history, at: historyOffset, distance: distance, rows, at: row, count: tapCount)
                    output[target] = samples.0
                    output[target + period] = samples.1
                    output[target + 2 * period] = samples.2
                    output[target + 3 * period] = samples.3
                    target += 4 * period
                    historyOffset += 4 * distance
                }
                while target < end {
                    output[target] = Vector.filtered(history, at: historyOffset, rows, at: row, count: tapCount)
                    target += period
                    historyOffset += distance
                }
            }
        }
    }

    /// Computes output frames in order, interpolating the taps of each.
    private mutating func interpolate(_ frames: Range<Int>, into output: inout MutableSpan<Sample>, stride: Int) {
        var scratch = ContiguousArray<Sample>()
        swap(&scratch, &self.scratch)
        defer { swap(&scratch, &self.scratch) }
        for frame in frames {
            let (start, part) = position(ofOutput: frame - frames.lowerBound)
            var taps = scratch.mutableSpan
            filter.interpolate(part, denominator: denominator, into: &taps)
            for channel in 0..<channelCount {
                output[channel * stride + frame] = Vector.filtered(
                    history.span, at: channel * capacity + start, taps.span, at: 0, count: filter.tapCount)
            }
        }
    }
}
