// SPDX-License-Identifier: Apache-2.0

/// A conversion in one type of samples.
struct RateEngine<Vector: RateVector> {
    /// The type of a sample.
    typealias Sample = Vector.Scalar

    private let channelCount: Int
    private let denominator: Int64
    private let filter: PolyphaseFilter<Vector>

    /// The input that is still needed, channel by channel, `capacity` samples apart.
    private var history: ContiguousArray<Sample>
    private var capacity: Int
    private var count: Int
    /// The frame of the history at which the first tap of the next output frame lies, and the part of a frame after it.
    private var index = 0
    private var fraction: Int64 = 0
    private var step: RatePlan.Step
    /// The taps of an output frame, if they are interpolated.
    private var scratch: ContiguousArray<Sample>

    /// Creates an engine.
    init(_ plan: RatePlan, channelCount: Int, design: RateFilterDesign) {
        self.channelCount = channelCount
        (denominator, step) = (plan.denominator, plan.step)
        filter = PolyphaseFilter(design, cutoff: plan.cutoff, placeCount: plan.placeCount)
        // Silence before the signal
        count = filter.tapCount - 1 - filter.lookahead
        capacity = filter.tapCount + 4096
        history = ContiguousArray(repeating: 0, count: channelCount * capacity)
        scratch = ContiguousArray(repeating: 0, count: filter.tapCount)
    }

    /// The delay in input frames that stays in the output.
    var delay: Double { filter.delay }

    /// Sets the number of input frames for an output frame, from the next one on.
    mutating func setStep(_ ratio: Double) { step = RatePlan.step(ratio) }

    /// Adds frames to the history.
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

    /// Adds the silence that the last output frames need.
    mutating func appendEnd() {
        let length = filter.lookahead + Int(filter.delay.rounded(.up))
        append(ContiguousArray(repeating: 0, count: length).span, stride: 0, frameCount: length)
    }

    /// Moves what is needed to the start, and makes room after it.
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

    /// Computes the frames that are complete, but at most `room`; returns their number.
    mutating func produce(into output: inout MutableSpan<Sample>, stride: Int, room: Int) -> Int {
        let total = min(room, completeCount)
        // A block stays in the cache while its rows are used in turn.
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

    /// The frames of the output for which the history suffices.
    private var completeCount: Int {
        let places = Int64(count - filter.tapCount - index + 1) * denominator - fraction
        let distance = Int64(step.frames) * denominator + step.fraction
        return places > 0 ? Int((places + distance - 1) / distance) : 0
    }

    /// Returns the frame of the history, and the part of a frame after it, at which the first tap of a later output frame lies.
    private func position(ofOutput number: Int) -> (index: Int, fraction: Int64) {
        let (frames, part) = (fraction + Int64(number) * step.fraction).quotientAndRemainder(dividingBy: denominator)
        return (index + number * step.frames + Int(frames), part)
    }

    /// Computes output frames in the order of the rows: those with the same row lie `denominator` output frames apart.
    private func filterByRow(_ frames: Range<Int>, into output: inout MutableSpan<Sample>, stride: Int) {
        let (history, rows, tapCount) = (history.span, filter.rows.span, filter.tapCount)
        let period = Int(denominator)
        let distance = step.frames * period + Int(step.fraction)
        for first in 0..<min(period, frames.count) {
            let (start, part) = position(ofOutput: first)
            let row = Int(part) * tapCount
            for channel in 0..<channelCount {
                var place = channel * capacity + start
                var target = channel * stride + frames.lowerBound + first
                let end = channel * stride + frames.upperBound
                while target + 3 * period < end {
                    let samples = Vector.filteredFour(history, at: place, distance: distance, rows, at: row, count: tapCount)
                    output[target] = samples.0
                    output[target + period] = samples.1
                    output[target + 2 * period] = samples.2
                    output[target + 3 * period] = samples.3
                    target += 4 * period
                    place += 4 * distance
                }
                while target < end {
                    output[target] = Vector.filtered(history, at: place, rows, at: row, count: tapCount)
                    target += period
                    place += distance
                }
            }
        }
    }

    /// Computes output frames one after the other, each with taps of its own.
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
