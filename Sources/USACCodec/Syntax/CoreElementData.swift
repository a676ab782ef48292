// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The core data of one element and frame (`UsacCoreCoderData`, ISO/IEC 23003-3, 5.3).
package struct CoreElementData: ~Copyable {
    let configuration: USACElementConfig
    package let bands: ScaleFactorBands
    /// Whether the core sample rate permits the linear prediction domain.
    private let permitsLinearPrediction: Bool
    /// The core sample rate, in hertz.
    private let coreRate: Int
    /// The data of 1 or 2 channels.
    package var channels: FixedArray<CoreChannelData>
    /// The tools shared by both channels.
    package var stereo = StereoCoreToolInfo()

    /// The core sample rates of the linear prediction domain, in hertz (ISO/IEC 23003-3, 7.12).
    private static let linearPredictionRates = 6000...24_000

    /// Creates the data of a silent frame.
    package init(_ configuration: USACElementConfig, coreRate: Int, frameLength: Int) {
        self.configuration = configuration
        self.coreRate = coreRate
        permitsLinearPrediction = Self.linearPredictionRates.contains(coreRate)
        bands = ScaleFactorBands(coreRate: coreRate, frameLength: frameLength)
        channels = FixedArray(count: configuration.coreChannelCount) { _ in CoreChannelData(frameLength: frameLength) }
    }

    /// Whether there are two channels, both in the frequency domain.
    private var isPair: Bool { channels.count == 2 && !channels[0].isLinearPrediction && !channels[1].isLinearPrediction }

    /// Returns the syntax parameters of a frequency-domain channel.
    package func conditions(_ isIndependent: Bool) -> CoreChannelData.Conditions {
        CoreChannelData.Conditions(
            isIndependent: isIndependent, hasCommonWindow: stereo.hasCommonWindow, hasNoiseFilling: configuration.hasNoiseFilling)
    }

    /// Reads the data of a frame.
    ///
    /// - Parameter contexts: The arithmetic coder's context of each channel.
    package mutating func read(
        from reader: inout BitReader, isIndependent: Bool, contexts: inout FixedArray<SpectralContext>
    ) throws(CodecError) {
        stereo.clear()
        let hasTools = configuration.kind != .lowFrequency
        for channel in 0..<channels.count { channels[channel].isLinearPrediction = hasTools && reader.readFlag() }
        if isPair { try readStereo(from: &reader, isIndependent: isIndependent) }
        for channel in 0..<channels.count {
            if channels[channel].isLinearPrediction {
                guard permitsLinearPrediction else { throw .unsupportedCoreRate(coreRate) }
                try channels[channel].prediction.read(from: &reader, isIndependent: isIndependent, context: &contexts[channel])
                continue
            }
            if !isPair { channels[channel].hasTNS = hasTools && reader.readFlag() }
            let readsTNS = channels[channel].hasTNS && !stereo.hasCommonTNS
            try channels[channel].readFrequencyDomain(
                from: &reader, bands: bands, conditions(isIndependent), readsTNS: readsTNS, context: &contexts[channel])
        }
    }

    /// Reads the data shared by both frequency-domain channels.
    private mutating func readStereo(from reader: inout BitReader, isIndependent: Bool) throws(CodecError) {
        var (first, second) = (channels[0].windows, channels[1].windows)
        try stereo.read(
            from: &reader, bands: bands, isIndependent: isIndependent, permitsPrediction: configuration.stereoConfigIndex == 0,
            first: &first, second: &second)
        if stereo.hasCommonWindow { (channels[0].windows, channels[1].windows) = (first, second) }
        channels[0].hasTNS = stereo.hasCommonTNS || stereo.firstHasTNS
        channels[1].hasTNS = stereo.hasCommonTNS || stereo.secondHasTNS
        if stereo.hasCommonTNS {
            let tns = TNSData(reading: &reader, isShort: first.isShort, orderBitCount: 4) { _ in }
            channels[0].tns = tns
            channels[1].tns = tns
        }
    }

    /// Writes the data of a frame whose channels are all in the frequency domain.
    ///
    /// - Parameter contexts: The arithmetic coder's context of each channel.
    package func write(to sink: inout some BitSink, isIndependent: Bool, contexts: inout FixedArray<SpectralContext>) {
        let hasTools = configuration.kind != .lowFrequency
        if hasTools { for _ in 0..<channels.count { sink.write(false) } }
        let isPair = isPair
        if isPair {
            stereo.write(to: &sink, isIndependent: isIndependent, first: channels[0].windows, second: channels[1].windows)
            if stereo.hasCommonTNS { channels[0].tns.write(to: &sink, isShort: channels[0].windows.isShort, orderBitCount: 4) }
        }
        for channel in 0..<channels.count {
            if hasTools && !isPair { sink.write(channels[channel].hasTNS) }
            channels[channel].writeFrequencyDomain(
                to: &sink, bands: bands, conditions(isIndependent), writesTNS: channels[channel].hasTNS && !stereo.hasCommonTNS,
                context: &contexts[channel])
        }
    }
}
