// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives

/// The consecutive blocks of one microphone on their way through a canceller.
///
/// A block that the canceller fails to process passes unchanged, as late as the processed ones.
package struct EchoBlocks {
    /// Processes a block of the microphone in place, with a block of the reference.
    package typealias Processing = (inout [Float], [Float]) throws(DeviceError) -> Void

    /// The number of interleaved samples per block.
    package let size: Int
    /// The delay of the output, in samples.
    package let delay: Int
    /// The number of blocks that passed unchanged.
    package private(set) var failureCount = 0
    /// The error of the latest unchanged block.
    package private(set) var latestError: DeviceError?

    private let processing: Processing
    /// The last ``delay`` samples of the input.
    private var history: [Float]

    package init(_ canceller: EchoCanceller, channelCount: Int) {
        self.init(size: canceller.blockFrames * channelCount, delay: canceller.delay * channelCount) {
            (block, reference) throws(DeviceError) in try canceller.process(&block, reference: reference)
        }
    }

    /// Creates the blocks of any processing.
    ///
    /// - Parameters:
    ///   - size: The number of interleaved samples per block.
    ///   - delay: The delay of the processing, in samples.
    package init(size: Int, delay: Int, _ processing: @escaping Processing) {
        self.size = size
        self.delay = delay
        self.processing = processing
        history = [Float](repeating: 0, count: delay)
    }

    /// Returns a processed block.
    ///
    /// - Parameters:
    ///   - block: The microphone signal: ``size`` interleaved samples.
    ///   - reference: A block of the reference; empty for silence.
    package mutating func process(_ block: [Float], reference: [Float]) -> [Float] {
        let delayed = history + block
        history = Array(delayed.suffix(delay))
        var output = block
        do throws(DeviceError) {
            try processing(&output, reference)
            return output
        } catch {
            failureCount += 1
            latestError = error
            return Array(delayed.prefix(size))
        }
    }
}
#endif
