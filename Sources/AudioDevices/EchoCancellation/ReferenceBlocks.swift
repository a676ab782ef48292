// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives

/// The blocks of a microphone with a mono or stereo reference.
///
/// A canceller with two references converges less deeply than one with a single reference, if both are equal. So a stereo reference counts
/// as mono until its channels differ.
struct ReferenceBlocks {
    /// The level of the channels' difference, relative to their sum, from which a reference counts as stereo: -40 dB.
    private static let minimumDifference = 1e-4
    /// The power per frame below which a difference counts as noise: -70 dB.
    private static let noisePower = 1e-7
    /// The number of blocks from which a new canceller learns the room: one second.
    private static let learningBlockCount = 100

    /// The reference's channel count before the mix.
    let sourceChannelCount: Int
    /// The channel count of mixed references, 1 or 2.
    let referenceChannelCount: Int
    /// The number of microphone samples per block.
    var size: Int { blocks.size }
    /// The delay of the output, in samples.
    var delay: Int { blocks.delay }
    /// The number of blocks that passed unchanged.
    var failureCount: Int { blocks.failureCount + previousFailureCount }
    /// The error of the latest unchanged block.
    var latestError: DeviceError? { blocks.latestError }

    private var blocks: EchoBlocks
    private var previousFailureCount = 0
    /// The blocks of a canceller with two references, while the reference counts as mono.
    private var stereo: EchoBlocks?
    /// The last blocks, for ``stereo``.
    private var history: [(near: [Float], far: [Float])] = []

    /// Creates the blocks; ``KnownReferenceCanceller`` describes parameters and errors.
    init(sampleRate: Int, channelCount: Int, referenceChannelCount: Int) throws(DeviceError) {
        sourceChannelCount = referenceChannelCount
        self.referenceChannelCount = min(referenceChannelCount, 2)
        func blocks(references: Int) throws(DeviceError) -> EchoBlocks {
            let canceller = try EchoCanceller(
                EchoCancellationOptions(), sampleRate: sampleRate, channelCount: channelCount, referenceChannelCount: references)
            return EchoBlocks(canceller, channelCount: channelCount)
        }
        self.blocks = try blocks(references: 1)
        if referenceChannelCount > 1 { stereo = try blocks(references: 2) }
    }

    /// Returns the interleaved reference: each of its channels is the mean of every second source channel.
    func mixed(_ reference: PCMBuffer) -> [Float] {
        guard reference.channelCount > 2 else { return reference.interleaved }
        var result = [Float](repeating: 0, count: reference.frameCount * 2)
        for channel in 0..<reference.channelCount {
            let gain = 1 / Float((reference.channelCount + 1 - channel % 2) / 2)
            let samples = reference[channel: channel]
            for frame in samples.indices { result[frame * 2 + channel % 2] += gain * samples[frame] }
        }
        return result
    }

    /// Returns a block without the echo.
    ///
    /// - Parameters:
    ///   - block: The microphone signal: ``size`` interleaved samples.
    ///   - reference: The mixed reference of the same time.
    mutating func process(_ block: [Float], reference: [Float]) -> [Float] {
        guard referenceChannelCount > 1 else { return blocks.process(block, reference: reference) }
        if stereo != nil, isStereo(reference) { useStereo() }
        guard stereo != nil else { return blocks.process(block, reference: reference) }
        history.append((block, reference))
        if history.count > Self.learningBlockCount { history.removeFirst() }
        let mono = stride(from: 0, to: reference.count, by: 2).map { (reference[$0] + reference[$0 + 1]) / 2 }
        return blocks.process(block, reference: mono)
    }

    private func isStereo(_ reference: [Float]) -> Bool {
        var (sum, difference) = (0.0, 0.0)
        for index in stride(from: 0, to: reference.count, by: 2) {
            let (left, right) = (Double(reference[index]), Double(reference[index + 1]))
            sum += (left + right) * (left + right)
            difference += (left - right) * (left - right)
        }
        return difference > sum * Self.minimumDifference && difference > Double(reference.count / 2) * Self.noisePower
    }

    /// Continues with two references, from a canceller that has processed the last second.
    private mutating func useStereo() {
        guard var next = stereo else { return }
        for (near, far) in history { _ = next.process(near, reference: far) }
        previousFailureCount = blocks.failureCount - next.failureCount
        blocks = next
        stereo = nil
        history = []
    }
}
#endif
