// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding
internal import TransformEncoding

/// Constant data shared by all elements of a stream.
struct EncoderTables: ~Copyable {
    let syntax: Syntax

    /// The scale factor bands at the core sample rate.
    let bands: ScaleFactorBands

    let psychoacoustics: PsychoacousticTables

    let effort: SearchEffort

    let noiseShaping: TNSFilterDesign

    private(set) var rateDependent: RateDependent

    /// The values that depend on the bit rate.
    struct RateDependent {
        /// The cost comparison of short windows with long ones.
        let windowCost: WindowCost

        /// The pre-echo exposure above which windows are short, in decibels summed over steps of 64 samples.
        let preEchoExcessLimit: Float

        /// The pre-echo exposure of pulses that justifies one bit per channel; 0 if bits do not count.
        let preEchoExcessPerBit: Float

        /// The trial encoding error below which differences hardly count (``TargetCorrection``).
        let minimumError: Float

        /// The values that depend on the bits per channel.
        private let channel: Channel

        /// The values for a pair of equal channels, which share the bits of both.
        private let equalChannel: Channel

        fileprivate init(_ setup: EncoderSetup, bands: borrowing ScaleFactorBands) {
            channel = Channel(setup, tuning: setup.tuning, bands: bands)
            equalChannel = Channel(setup, tuning: setup.tuning.forEqualChannels, bands: bands)
            windowCost = WindowCost(setup.tuning, channel)
            preEchoExcessLimit = setup.tuning.preEchoExcessLimit * setup.configuration.adaptations.preEchoFactor
            preEchoExcessPerBit = setup.tuning.preEchoExcessPerBit
            minimumError = setup.tuning.minimumError
        }

        /// Returns the values for a channel.
        ///
        /// - Parameter isDualMono: Whether it belongs to a pair of equal channels.
        func channel(isDualMono: Bool) -> Channel { isDualMono ? equalChannel : channel }
    }

    /// The values that depend on the bits per channel.
    struct Channel {
        let noiseAllocation: NoiseAllocation

        /// The refinement of noise targets in long windows; `nil` if they are not refined.
        let refinement: TargetRefinement.Weights?

        /// The coded bands, and the bands that each tool may use.
        let ranges: BandRanges

        /// Whether mid and side use the noise targets of both channels where stereo is not chosen by costs.
        let combinesTargets: Bool

        fileprivate init(_ setup: EncoderSetup, tuning: RateTuning, bands: borrowing ScaleFactorBands) {
            var allocation = tuning.noiseAllocation
            let isRefined = setup.refinesTargets
            refinement = isRefined ? tuning.refinement : nil
            if isRefined {
                allocation.loudnessWeight = tuning.refinedLoudnessWeight
                allocation.signalToMaskWeight = tuning.refinedSignalToMaskWeight
            }
            noiseAllocation = allocation
            combinesTargets = isRefined && tuning.combinesTargets
            ranges = BandRanges(setup, tuning: tuning, bands: bands)
        }
    }

    init(_ setup: EncoderSetup) {
        let sampleRate = setup.coreSampleRate
        let bands = setup.makeBands()
        psychoacoustics = PsychoacousticTables(sampleRate: sampleRate, bands: bands, formantReduction: setup.tuning.formantReduction)
        syntax = setup.syntax
        effort = setup.searchEffort
        noiseShaping = TNSFilterDesign(sampleRate: sampleRate, bands: bands)
        rateDependent = RateDependent(setup, bands: bands)
        self.bands = bands
    }

    /// Replaces the values that depend on the bit rate.
    ///
    /// The bandwidth changes abruptly, but the window overlap crossfades the bands above it over one frame. When noise from 13 to 19 kHz
    /// appears or disappears with a rate change, the artefact below 8 kHz is 98 dB below the noise, as between changes (99 dB).
    mutating func adapt(to setup: EncoderSetup) { rateDependent = RateDependent(setup, bands: bands) }
}

extension WindowCost {
    /// Creates the comparison with the full exponent of the energy: the exponent of noise targets makes short windows look cheaper.
    ///
    /// Measured in Windows.md#pulses-in-short-windows.
    fileprivate init(_ tuning: RateTuning, _ channel: EncoderTables.Channel) {
        self.init(
            energyExponent: tuning.energyExponent - channel.noiseAllocation.signalToMaskWeight,
            noiseScale: PortableMath.exp2(tuning.initialLog2NoiseScale),
            longBandCount: channel.ranges.longBandCount, shortBandCount: channel.ranges.shortBandCount)
    }
}
