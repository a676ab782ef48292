// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures
internal import CLinnet
public import CLinnetAnalysis

/// The comparison that a handle refers to, with memory for its results.
final class ComparisonHandle {
    private let comparison: SignalComparison
    private let frameCount: Int
    private let ratios = LentMemory<Float>()
    private let edges = LentMemory<Double>()

    init(_ comparison: SignalComparison) {
        self.comparison = comparison
        frameCount = comparison.noiseToMaskRatio.maps.first?.totals.count ?? 0
    }

    var figures: linnet_comparison_figures {
        let measure = comparison.noiseToMaskRatio
        let total = measure.total
        return linnet_comparison_figures(
            mean: total?.mean ?? -100, percentile_95: total?.percentile95 ?? -100, audible_share: total?.audibleShare ?? 0,
            reference_bandwidth: comparison.referenceBandwidth, test_bandwidth: comparison.testBandwidth,
            interval: measure.interval / .seconds(1), frames: UInt32(clamping: frameCount), bands: UInt32(clamping: measure.bandCount))
    }

    /// Returns the largest ratio of all signals, by frame and band.
    func lendRatios() -> UnsafePointer<Float> {
        let maps = comparison.noiseToMaskRatio.maps
        var worst = maps.first?.values ?? []
        for map in maps.dropFirst() {
            for index in worst.indices { worst[index] = max(worst[index], map.values[index]) }
        }
        return unsafe ratios.lend(worst)
    }

    /// Returns the band edges.
    func lendEdges() -> UnsafePointer<Double> { unsafe edges.lend(comparison.noiseToMaskRatio.bandEdges) }
}

/// Copies the channels of a planar signal.
private func signal(_ samples: UnsafePointer<Float>, frames: Int, channels: Int, sampleRate: Int) -> AudioSignal {
    AudioSignal(
        sampleRate: sampleRate,
        // The caller guarantees this number of samples.
        channels: (0..<channels).map { unsafe Array(UnsafeBufferPointer(start: samples + $0 * frames, count: frames)) })
}

/// Compares a signal with its reference.
@c @implementation
public func linnet_comparison_create(
    _ reference: UnsafePointer<Float>?, _ test: UnsafePointer<Float>?, _ frames: Int, _ channels: UInt32, _ sampleRate: UInt32,
    _ comparison: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let comparison = unsafe comparison else { return LINNET_ERROR_ARGUMENT.code }
    unsafe comparison.pointee = nil
    guard let reference = unsafe reference, let test = unsafe test, frames > 0, (1...8).contains(channels),
        (1000...200_000).contains(sampleRate)
    else { return LINNET_ERROR_ARGUMENT.code }
    let (channelCount, rate) = (Int(channels), Int(sampleRate))
    do throws(SignalComparisonError) {
        let made = try SignalComparison(
            reference: unsafe signal(reference, frames: frames, channels: channelCount, sampleRate: rate),
            test: unsafe signal(test, frames: frames, channels: channelCount, sampleRate: rate), delay: 0)
        unsafe comparison.pointee = Handle.make(ComparisonHandle(made))
    } catch {
        return LINNET_ERROR_ARGUMENT.code
    }
    return LINNET_OK.code
}

/// Destroys a comparison.
@c @implementation
public func linnet_comparison_destroy(_ comparison: OpaquePointer?) { unsafe Handle.destroy(comparison, ComparisonHandle.self) }

/// Returns the figures.
@c @implementation
public func linnet_comparison_figures_get(
    _ comparison: OpaquePointer?, _ figures: UnsafeMutablePointer<linnet_comparison_figures>?
) -> Int32 {
    guard let handle: ComparisonHandle = unsafe Handle.object(comparison), let figures = unsafe figures else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe figures.pointee = handle.figures
    return LINNET_OK.code
}

/// Returns the ratios.
@c @implementation
public func linnet_comparison_ratios(_ comparison: OpaquePointer?, _ ratios: UnsafeMutablePointer<UnsafePointer<Float>?>?) -> Int32 {
    guard let handle: ComparisonHandle = unsafe Handle.object(comparison), let ratios = unsafe ratios else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe ratios.pointee = handle.lendRatios()
    return LINNET_OK.code
}

/// Returns the band edges.
@c @implementation
public func linnet_comparison_edges(_ comparison: OpaquePointer?, _ edges: UnsafeMutablePointer<UnsafePointer<Double>?>?) -> Int32 {
    guard let handle: ComparisonHandle = unsafe Handle.object(comparison), let edges = unsafe edges else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe edges.pointee = handle.lendEdges()
    return LINNET_OK.code
}
