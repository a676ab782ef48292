// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

#if canImport(CLoudnessLibrary)
internal import CLoudnessLibrary
#endif

/// Measures the loudness of a stream by libebur128, and its true peaks by the filter of `TruePeakLimiter`.
///
/// A meter belongs to one thread at a time. A long signal can be measured in parts at the same time, each by a meter of its own that begins
/// `prerollBlocks` blocks early, and summed by `summary(of:)`.
public final class LoudnessMeter {
    /// The blocks of 100 ms by which the meter of a later part begins early: its first block of 400 ms then follows the last one of the
    /// part before.
    package static let prerollBlocks = 3

    /// The sample rate in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    /// The loudness of the blocks so far.
    public private(set) var series = LoudnessSeries()

    /// The number of sample frames of a block of 100 ms.
    package var blockLength: Int { max(1, (sampleRate + 5) / 10) }

    private var interleaved: [Float] = []
    /// The true peak of each channel; empty if they are not measured.
    private var peakMeters: [TruePeakMeter]
    /// The sample frames of the current block.
    private var pendingCount = 0
    /// The blocks that were measured before the part, and are not in the series.
    private var blocksToSkip: Int
    #if canImport(CLoudnessLibrary)
    private let library: UnsafePointer<LinnetLoudnessFunctions>
    private var state: OpaquePointer?
    #endif

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels.
    ///   - layout: The speakers of the channels, which decide their weight; nil for left, right, centre, LFE and the surrounds.
    ///   - prerollBlocks: The blocks that come before the measured part.
    ///   - measuresTruePeak: Whether true peaks are measured, else they are 0.
    /// - Throws: `CodecError`.
    public init(
        sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil, prerollBlocks: Int = 0, measuresTruePeak: Bool = true
    ) throws(CodecError) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        blocksToSkip = prerollBlocks
        let interpolator = PeakInterpolator()
        peakMeters = measuresTruePeak ? (0..<max(0, channelCount)).map { _ in TruePeakMeter(interpolator) } : []
        #if canImport(CLoudnessLibrary)
        guard let library = linnet_loudness_functions() else { throw .libraryMissing(.loudness) }
        self.library = library
        guard (16...2_822_400).contains(sampleRate), (1...64).contains(channelCount) else {
            throw .unsupportedLoudnessFormat(sampleRate: sampleRate, channelCount: channelCount)
        }
        let mode = Int32(LINNET_LOUDNESS_INTEGRATED | LINNET_LOUDNESS_RANGE)
        state = library.pointee.ebur128_init(UInt32(channelCount), UInt(sampleRate), mode)
        guard state != nil else { throw .libraryFailed(.loudness, code: 1) }
        guard let layout, layout.channelCount == channelCount, channelCount > 1 else { return }
        let hasSides = layout.speakers.contains(.sideLeft)
        for (channel, speaker) in layout.speakers.enumerated() {
            let position = speaker.loudnessPosition(hasSides: hasSides)
            _ = library.pointee.ebur128_set_channel(state, UInt32(channel), Int32(position))
        }
        #else
        throw .libraryMissing(.loudness)
        #endif
    }

    deinit {
        #if canImport(CLoudnessLibrary)
        library.pointee.ebur128_destroy(&state)
        #endif
    }

    /// Measures the sample frames of a buffer with the meter's channels; samples that are no finite numbers count as silence.
    public func add(_ buffer: PCMBuffer) throws(CodecError) {
        precondition(buffer.channelCount == channelCount, "the buffer has the meter's channels")
        for channel in peakMeters.indices { peakMeters[channel].add(buffer.samples[buffer.range(ofChannel: channel)]) }
        var start = 0
        while start < buffer.frameCount {
            let count = min(buffer.frameCount - start, blockLength - pendingCount)
            try add(buffer, start..<start + count)
            pendingCount += count
            start += count
            if pendingCount == blockLength { finishBlock() }
        }
    }

    /// Measures a range of a buffer within one block.
    private func add(_ buffer: PCMBuffer, _ frames: Range<Int>) throws(CodecError) {
        interleaved.removeAll(keepingCapacity: true)
        for frame in frames {
            for channel in 0..<channelCount {
                let sample = buffer.samples[channel * buffer.frameCapacity + frame]
                interleaved.append(sample.isFinite ? sample : 0)
            }
        }
        #if canImport(CLoudnessLibrary)
        let code = interleaved.withUnsafeBufferPointer {
            library.pointee.ebur128_add_frames_float(state, $0.baseAddress, frames.count)
        }
        guard code == 0 else { throw .libraryFailed(.loudness, code: 1) }
        #endif
    }

    /// Adds the block to the series.
    private func finishBlock() {
        pendingCount = 0
        guard blocksToSkip == 0 else {
            blocksToSkip -= 1
            return
        }
        #if canImport(CLoudnessLibrary)
        var loudness = 0.0
        let code = library.pointee.ebur128_loudness_window(state, 100, &loudness)
        series.energies.append(code == 0 && loudness.isFinite ? Float(LoudnessSeries.energy(loudness: loudness)) : 0)
        #endif
    }

    /// Returns the loudness of everything so far.
    public func summary() throws(CodecError) -> LoudnessSummary { try Self.summary(of: [self]).summary }

    /// Returns the loudness of a signal that several meters have measured in parts.
    ///
    /// - Parameter meters: The meters in the order of the parts, all but the first with a preroll of `prerollBlocks` blocks.
    /// - Returns: The summary and the series of the whole signal.
    package static func summary(of meters: [LoudnessMeter]) throws(CodecError) -> (summary: LoudnessSummary, series: LoudnessSeries) {
        #if canImport(CLoudnessLibrary)
        guard let library = meters.first?.library else { throw .libraryFailed(.loudness, code: 1) }
        var states = meters.map(\.state)
        var (integrated, range) = (0.0, 0.0)
        let isMeasured = states.withUnsafeMutableBufferPointer {
            library.pointee.ebur128_loudness_global_multiple($0.baseAddress, $0.count, &integrated) == 0
                && library.pointee.ebur128_loudness_range_multiple($0.baseAddress, $0.count, &range) == 0
        }
        guard isMeasured else { throw .libraryFailed(.loudness, code: 1) }
        let channelCount = meters.map(\.channelCount).min() ?? 0
        let truePeaks = (0..<channelCount).map { channel in
            meters.map { $0.peakMeters.isEmpty ? 0 : Double($0.peakMeters[channel].peak) }.max() ?? 0
        }
        var series = LoudnessSeries()
        for meter in meters { series.energies += meter.series.energies }
        let summary = LoudnessSummary(
            integrated: integrated.isFinite ? integrated : nil, range: range, series: series, truePeaks: truePeaks)
        return (summary, series)
        #else
        throw .libraryMissing(.loudness)
        #endif
    }
}

#if canImport(CLoudnessLibrary)
extension Speaker {
    /// Returns the number of the position in libebur128; without side channels the back ones are the surrounds of 5.1.
    fileprivate func loudnessPosition(hasSides: Bool) -> Int {
        switch self {
        case .backLeft where !hasSides: LINNET_LOUDNESS_LEFT_SURROUND
        case .backRight where !hasSides: LINNET_LOUDNESS_RIGHT_SURROUND
        case .left: LINNET_LOUDNESS_LEFT
        case .right: LINNET_LOUDNESS_RIGHT
        case .center: LINNET_LOUDNESS_CENTER
        case .lowFrequency: LINNET_LOUDNESS_UNUSED
        case .backLeft: LINNET_LOUDNESS_LEFT_BACK
        case .backRight: LINNET_LOUDNESS_RIGHT_BACK
        case .leftOfCenter: LINNET_LOUDNESS_LEFT_SCREEN
        case .rightOfCenter: LINNET_LOUDNESS_RIGHT_SCREEN
        case .backCenter: LINNET_LOUDNESS_CENTER_BACK
        case .sideLeft: LINNET_LOUDNESS_LEFT_SURROUND
        case .sideRight: LINNET_LOUDNESS_RIGHT_SURROUND
        case .topLeft: LINNET_LOUDNESS_LEFT_TOP
        case .topRight: LINNET_LOUDNESS_RIGHT_TOP
        }
    }
}
#endif
