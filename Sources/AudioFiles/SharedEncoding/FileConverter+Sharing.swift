// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
package import PCMFiles

/// Encoding of one file by several processes.
extension FileConverter {
    /// Encodes segments of the file into ``segmentFolder``, together with other processes, until all segments are claimed.
    ///
    /// Afterwards ``run(_:)`` with the same folder writes the output. It is identical to an encoding without the folder.
    ///
    /// - Parameter isStopped: Whether to end early. Called often, on all threads.
    /// - Returns: False if the file cannot be divided: at a constant bit rate, with Opus, when resampling or normalizing, if it is short,
    ///   or with ADTS checksums.
    /// - Throws: ``/PCMFiles/AudioFileError``.
    package func contribute(threadCount: Int, isStopped: @escaping @Sendable () -> Bool) throws(AudioFileError) -> Bool {
        guard let parallel = try division(choosesTools: true) else { return false }
        return try attempt {
            guard let shared = sharedSegments(of: parallel, plan: try firstPass(of: parallel, encoder: nil)?.plan) else { return false }
            try shared.contribute(threadCount: threadCount, isStopped: isStopped)
            return true
        }
    }

    /// Whether ``contribute(threadCount:isStopped:)`` would divide the file.
    ///
    /// The first pass may still decide otherwise.
    package func canBeDivided() throws(AudioFileError) -> Bool { try division(choosesTools: false) != nil }

    /// The input's duration according to its header, in seconds, or `nil` if unknown or unreadable.
    package var inputSeconds: Double? {
        let reader = try? PCMFileReader.opening(input, raw: configuration.raw, audioTrack: configuration.decoding.audioTrack)
        guard let properties = reader?.properties else { return nil }
        return properties.frameCount.map { Double($0) / Double(properties.sampleRate) }
    }

    /// Returns the division of the file, or `nil` if processes cannot share it.
    ///
    /// - Parameter choosesTools: Whether to choose the tools that depend on the signal, which takes time.
    private func division(choosesTools: Bool) throws(AudioFileError) -> ParallelFileEncoding? {
        try attempt {
            let opened = try open()
            var plan = try detectingNearMono(ConversionPlan(configuration, opened, paths: (input, output)), opened)
            if choosesTools { plan = try choosingTools(plan, opened, gain: gainSetting) }
            guard case .aac(let settings)? = plan.encoder else { return nil }
            let parallel = parallelEncoding(of: opened, try AACEncoder(settings), plan, gain: gainSetting)
            return parallel.flatMap { canShare($0) ? $0 : nil }
        }
    }

    /// Whether processes can share the segments of a file: there are enough of them, and the stored form has all that the container needs.
    private func canShare(_ parallel: ParallelFileEncoding) -> Bool {
        guard case .file = parallel.source.input else { return false }
        if case .constant = parallel.source.configuration.rateControl { return false }
        // Each process would measure the loudness of the whole file.
        if configuration.loudnessTarget != nil { return false }
        let encoder = parallel.source.configuration
        if encoder.profile == .extendedHighEfficiency, encoder.settings.statedLoudness == nil { return false }
        return parallel.division.count >= Self.minimumSharedSegments && !parallel.source.keepsElements
    }

    /// The minimum number of segments for sharing.
    ///
    /// One process encodes shorter files faster.
    private static let minimumSharedSegments = 20

    /// Returns the segments for processes to share, or `nil` without a folder and for an indivisible file.
    func sharedSegments(of parallel: ParallelFileEncoding, plan: SegmentNoiseScalePlan?) -> SharedSegments? {
        guard let segmentFolder, canShare(parallel), parallel.isDivisible(plan: plan) else { return nil }
        return SharedSegments(parallel, plan: plan, store: SegmentStore(folder: segmentFolder))
    }

    /// Returns the result of the first pass, from the folder if it is stored there.
    func firstPass(of parallel: ParallelFileEncoding, encoder: SegmentEncoder?) throws -> ParallelFileEncoding.FirstPass? {
        guard let segmentFolder, canShare(parallel) else { return try parallel.firstPass(encoder: encoder) }
        let store = SegmentStore(folder: segmentFolder)
        if let plan = store.readPlan(of: parallel.division) { return ParallelFileEncoding.FirstPass(plan: plan) }
        let first = try parallel.firstPass(encoder: encoder)
        if let first { try store.write(first.plan) }
        return first
    }
}
