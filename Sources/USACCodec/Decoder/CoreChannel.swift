// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// The state of one channel of the core coder.
struct CoreChannel: ~Copyable {
    /// The state of the noise generator.
    var seed: UInt32
    /// The windows of the previous frame; `nil` if it was in the linear prediction domain.
    private(set) var previousWindows: WindowDivision?
    /// The second half of the last frequency-domain frame, before windowing.
    private var overlap: FixedArray<Float>
    /// The falling slope of the last frame, unless the linear prediction domain follows.
    private var fall = CoreFilterBank.WindowSlope()
    /// The shape of the last frame's falling slope; sine after the linear prediction domain.
    private(set) var previousShape = WindowShape.sine
    private(set) var wasLinearPrediction = false
    private var prediction: LPDState

    /// Creates a silent channel.
    ///
    /// - Parameter isSecond: Whether it is the second channel of a pair, which has a different noise seed.
    init(frameLength: Int, coreRate: Int, isSecond: Bool) {
        seed = isSecond ? 0x10932 : 0x3039
        overlap = FixedArray(repeating: 0, count: frameLength)
        prediction = LPDState(frameLength: frameLength, coreRate: coreRate)
    }

    /// Whether the slope before the next frame is short.
    ///
    /// LONG_START then means STOP_START.
    var fallsShort: Bool { wasLinearPrediction || fall.length == .short }

    /// Returns the complex prediction filter index for a window sequence: 0 only long or eight short, 1 start, 2 stop, 3 stop-start.
    func filterIndex(of windows: WindowDivision) -> Int {
        switch windows.sequence {
        case .onlyLong, .eightShort: 0
        case .longStart: fallsShort ? 3 : 1
        case .longStop: 2
        case .stopStart: 3
        }
    }

    /// Synthesizes a frequency-domain frame.
    ///
    /// - Parameter spectrum: The lines, in window order.
    mutating func synthesize(
        _ spectrum: Span<Float>, _ windows: WindowDivision, aliasing: borrowing AliasingData, filterBank: inout CoreFilterBank,
        into output: inout MutableSpan<Float>
    ) {
        let isShortRise = windows.isShort || windows.sequence == .longStop || windows.sequence == .longStart && fallsShort
        var rise = CoreFilterBank.WindowSlope(length: isShortRise ? .short : .long, shape: previousShape)
        if wasLinearPrediction {
            rise = CoreFilterBank.WindowSlope(length: windows.isShort ? .short : .quarter)
            for index in 0..<filterBank.frameLength { output[index] = 0 }
        } else {
            filterBank.fall(fall, overlap.span, into: &output)
        }
        do {
            var overlap = overlap.mutableSpan
            filterBank.synthesize(
                spectrum, isShort: windows.isShort, rise: rise, shape: windows.shape, into: &output, overlap: &overlap)
        }
        if wasLinearPrediction {
            prediction.advance()
            prediction.finish(with: &output, aliasing: aliasing, isShort: windows.isShort, filterBank: &filterBank)
        }
        let fallsShort = windows.isShort || windows.sequence == .longStart
        fall = CoreFilterBank.WindowSlope(length: fallsShort ? .short : .long, shape: windows.shape)
        previousShape = windows.shape
        previousWindows = windows
        wasLinearPrediction = false
    }

    /// Synthesizes a frame in the linear prediction domain.
    mutating func synthesize(
        _ data: borrowing LPDChannelData, filterBank: inout CoreFilterBank, into output: inout MutableSpan<Float>
    ) {
        if wasLinearPrediction {
            prediction.advance()
        } else {
            let isShort = previousWindows?.isShort ?? false
            filterBank.fall(CoreFilterBank.WindowSlope(length: isShort ? .short : .quarter), overlap.span, into: &output)
            prediction.start(after: output.span, isShort: isShort)
            if data.continuesPrediction { prediction.frequencies.reset(4..<5) }
        }
        prediction.decode(data, seed: &seed, filterBank: &filterBank, into: &output)
        previousShape = .sine
        previousWindows = nil
        wasLinearPrediction = true
    }

    /// Writes the overlap that the previous frame contributes to the next, without adding a frame.
    mutating func drain(filterBank: borrowing CoreFilterBank, into output: inout MutableSpan<Float>) {
        if wasLinearPrediction {
            for index in 0..<filterBank.frameLength { output[index] = 0 }
        } else {
            filterBank.fall(fall, overlap.span, into: &output)
        }
    }
}
