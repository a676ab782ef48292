// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding
internal import TransformEncoding

/// The constant data that all elements of a stream share.
struct EncoderTables: ~Copyable {
    /// The syntax of access units.
    let syntax: Syntax

    /// The scale factor bands of the core's sample rate.
    let bands: ScaleFactorBands

    /// The properties of hearing in each band.
    let psychoacoustics: PsychoacousticTables

    /// The extent of the search in the quantisation stage.
    let effort: SearchEffort

    /// The design of TNS filters.
    let noiseShaping: TNSFilterDesign

    /// The values that depend on the bit rate.
    private(set) var rateDependent: RateDependent

    /// The values that depend on the bit rate.
    struct RateDependent {
        /// The comparison of short windows with long ones.
        let windowCost: WindowCost

        /// The pre-echo exposure from which windows are short, in decibels summed over steps of 64 samples.
        let exposureLimit: Float

        /// The pre-echo exposure of pulses that justifies a bit in each channel; 0 where bits do not count.
        let exposurePerBit: Float

        /// The error of a trial below which differences hardly count (``TargetCorrection``).
        let leastError: Float

        /// The values that depend on the bits of a channel.
        private let channel: Channel

        /// The same for a pair of equal channels, which have the bits of both.
        private let equalChannel: Channel

        /// Derives the values of an encoder.
        fileprivate init(_ setup: EncoderSetup, bands: borrowing ScaleFactorBands) {
            channel = Channel(setup, tuning: setup.tuning, bands: bands)
            equalChannel = Channel(setup, tuning: setup.tuning.forEqualChannels, bands: bands)
            windowCost = WindowCost(setup.tuning, channel)
            exposureLimit = setup.tuning.exposureLimit
            exposurePerBit = setup.tuning.exposurePerBit
            leastError = setup.tuning.leastError
        }

        /// Returns the values that depend on the bits of a channel, for a pair whose channels are equal or not.
        func channel(areEqual: Bool) -> Channel { areEqual ? equalChannel : channel }
    }

    /// The values that depend on the bits of a channel.
    struct Channel {
        /// The exponents of the noise allocation rule.
        let noiseAllocation: NoiseAllocation

        /// The refinement of noise targets in long windows; `nil` with less effort, and in other profiles than AAC-LC.
        let refinement: TargetRefinement.Shares?

        /// The ranges of the bands that are coded, and that tools may be applied to.
        let ranges: BandRanges

        /// Derives the values of an encoder from the parameters of a bit rate.
        fileprivate init(_ setup: EncoderSetup, tuning: RateTuning, bands: borrowing ScaleFactorBands) {
            var allocation = tuning.noiseAllocation
            refinement = setup.searchEffort.refinesTargets && setup.profile == .lowComplexity ? tuning.refinement : nil
            if refinement != nil {
                allocation.loudnessWeight = tuning.refinedLoudnessWeight
                allocation.signalToMaskShare = RateTuning.refinedSignalToMaskShare
            }
            noiseAllocation = allocation
            ranges = BandRanges(setup, tuning: tuning, bands: bands)
        }
    }

    /// Computes the tables of an encoder.
    init(_ setup: EncoderSetup) {
        let sampleRate = setup.coreSampleRate
        let bands = ScaleFactorBands(samplingFrequencyIndex: setup.samplingFrequencyIndex, frameLength: setup.frameLength)
        psychoacoustics = PsychoacousticTables(sampleRate: sampleRate, bands: bands, formantReduction: setup.tuning.formantReduction)
        syntax = setup.syntax
        effort = setup.searchEffort
        noiseShaping = TNSFilterDesign(sampleRate: sampleRate, bands: bands)
        rateDependent = RateDependent(setup, bands: bands)
        self.bands = bands
    }

    /// Replaces the values that depend on the bit rate.
    ///
    /// The bandwidth jumps: the overlap of the windows fades what is above it in or out over a frame. Where noise from 13 to 19 kHz
    /// disappears or returns with the rate, what that leaves below 8 kHz is 98 dB below the noise, as between changes (99 dB).
    mutating func adapt(to setup: EncoderSetup) { rateDependent = RateDependent(setup, bands: bands) }
}

extension WindowCost {
    /// Makes the comparison for a bit rate.
    fileprivate init(_ tuning: RateTuning, _ channel: EncoderTables.Channel) {
        self.init(
            allocation: channel.noiseAllocation, noiseScale: PortableMath.exp2(tuning.initialLog2NoiseScale),
            longBandCount: channel.ranges.longBandCount, shortBandCount: channel.ranges.shortBandCount)
    }
}
