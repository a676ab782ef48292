// SPDX-License-Identifier: Apache-2.0

/// The rule by which noise is distributed over the bands: a weighted geometric mean of energy, masking threshold and loudness.
///
///     log N = a · log E + t · log T + (1 - a - t) · log Ē
///
/// N is the noise target of a band, E its energy, T its masking threshold and Ē the loudness of the frame, all as energies per line; a is
/// ``energyExponent``, t is ``thresholdExponent``. At bit rates where the noise is audible, noise that follows the
/// loudness is less annoying than noise that follows the masking threshold alone.
///
/// Measured in NoiseTargets.md#noise-allocation.
package struct NoiseAllocation {
    /// The exponent of the band's energy.
    package var energyExponent: Float = 0

    /// The exponent of the band's masking threshold.
    package var thresholdExponent: Float = 0

    /// The difference of the exponent of the band's energy in short windows from ``energyExponent``.
    package var shortExponentOffset: Float = 0

    /// The octaves of noise for each octave of ``PsychoacousticTables/Bands/filterWidth`` in short windows.
    ///
    /// One filter of hearing covers many lines in the treble and few in the bass, so bits count for more in the bass.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency.
    package var shortTilt: Float = 0

    /// The octaves of noise for each octave of ``PsychoacousticTables/Bands/filterWidth`` in long windows, within ``raiseLimit``.
    package var longTilt: Float = 0

    /// The noise target relative to the energy, as a base-2 logarithm, up to which the tilt raises targets in long windows.
    ///
    /// A band is raised by at most half of its distance from that. So bands that are noisy already, as ``energyExponent`` makes the treble
    /// of music that falls with frequency, get no more noise.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency-in-long-windows.
    package var raiseLimit: Float = 0

    /// The octaves by which the noise of a band falls in long windows for each octave of its prominence: of its energy per line over the
    /// geometric mean of those of both neighbours.
    ///
    /// The auditory filters of the neighbours get its noise too.
    ///
    /// Measured in NoiseTargets.md#prominence-of-bands.
    package var prominenceShare: Float = 0

    /// The octaves by which the noise of a short window falls for each octave of its onset exposure
    /// (``TransientDetector/onsetExposures()``).
    ///
    /// Measured in Windows.md#noise-before-attacks.
    package var onsetExponent: Float = 0

    /// The octaves by which the noise of a band falls in a group of short windows for each octave of energy per line above that of the next
    /// group.
    ///
    /// The windows overlap, so the noise lasts longer than the signal that masks it.
    ///
    /// Measured in Windows.md#falls-between-groups.
    package var fallShare: Float = 0

    /// The weight of the loudness of earlier frames against that of the frame (``LoudnessSmoother``).
    package var loudnessWeight: Float = 0.3

    /// The octaves of noise in a long window for each octave of the mean masking threshold of its bands, relative to their energies.
    ///
    /// Where a frame is much like noise, or most of its bands lie below what masks them, it takes fewer bits, and others get them.
    ///
    /// Measured in NoiseTargets.md#masking-of-frames-and-formants.
    package var maskingShare: Float = 0

    /// The octaves by which the noise of a band falls in a long window for each octave of its signal-to-mask ratio: of its energy over its
    /// masking threshold, up to six octaves.
    ///
    /// A band below its masking threshold gets no more noise for it.
    ///
    /// Measured in Search.md#signal-to-mask-ratio.
    package var signalToMaskShare: Float = 0

    /// Makes a rule that gives all bands the same noise.
    package init() {}
}
