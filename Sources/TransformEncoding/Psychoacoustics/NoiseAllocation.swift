// SPDX-License-Identifier: Apache-2.0

/// The rule that distributes noise over the bands: a weighted geometric mean of energy, masking threshold and loudness.
///
///     log N = a · log E + t · log T + (1 - a - t) · log Ē
///
/// N is the noise target of a band, E its energy, T its masking threshold and Ē the frame's loudness, all as energies per line. The
/// exponent a is ``energyExponent`` and t is ``thresholdExponent``. At bit rates with audible noise, noise that follows the loudness
/// is less annoying than noise that follows only the masking threshold.
///
/// Measured in NoiseTargets.md#noise-allocation.
package struct NoiseAllocation {
    /// The exponent of the band's energy.
    package var energyExponent: Float = 0

    /// The exponent of the band's masking threshold.
    package var thresholdExponent: Float = 0

    /// The offset added to ``energyExponent`` in short windows.
    package var shortExponentOffset: Float = 0

    /// The octaves added to the noise of short windows, which are chosen where noise is most audible.
    ///
    /// Measured in NoiseTargets.md#noise-allocation.
    package var shortOffset: Float = 0

    /// Octaves of noise per octave of ``PsychoacousticTables/Bands/filterWidth`` in short windows.
    ///
    /// An auditory filter covers many lines at high frequencies and few at low ones, so bits are more effective at low frequencies.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency.
    package var shortNoiseTilt: Float = 0

    /// Octaves of noise per octave of ``PsychoacousticTables/Bands/filterWidth`` in long windows, limited by ``raiseLimit``.
    package var longNoiseTilt: Float = 0

    /// The limit up to which the tilt raises noise targets in long windows, as log2 of noise target over energy.
    ///
    /// A band is raised by at most half its distance to the limit. Bands that are already noisy get no extra noise;
    /// ``energyExponent`` makes the high frequencies of most music such bands.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency-in-long-windows.
    package var raiseLimit: Float = 0

    /// Noise reduction in long windows per octave of the band's prominence, in octaves.
    ///
    /// The prominence is the band's energy per line over the geometric mean of both neighbours'. Its noise also reaches the auditory
    /// filters of the neighbours.
    ///
    /// Measured in NoiseTargets.md#prominence-of-bands.
    package var prominenceWeight: Float = 0

    /// Noise reduction of a short window per octave of its pre-echo excess, in octaves (``TransientDetector/onsetPreEchoExcesses()``).
    ///
    /// Measured in Windows.md#noise-before-attacks.
    package var onsetExponent: Float = 0

    /// Noise reduction in a group of short windows per octave of energy per line above the next group's, in octaves.
    ///
    /// Windows overlap, so the noise outlasts the signal that masks it.
    ///
    /// Measured in Windows.md#falls-between-groups.
    package var fallWeight: Float = 0

    /// The weight of previous frames' loudness against the current frame's (``LoudnessSmoother``).
    package var loudnessWeight: Float = 0.3

    /// Octaves of noise in a long window per octave of its bands' mean masking threshold relative to their energy.
    ///
    /// Frames that are noise-like or mostly masked use fewer bits, which other frames get.
    ///
    /// Measured in NoiseTargets.md#masking-of-frames-and-formants.
    package var maskingWeight: Float = 0

    /// Noise reduction in long windows per octave of the band's signal-to-mask ratio (0 to 6 octaves), in octaves.
    ///
    /// A band below its masking threshold gets no extra noise.
    ///
    /// Measured in Search.md#signal-to-mask-ratio.
    package var signalToMaskWeight: Float = 0

    /// Creates a rule that allocates the same noise to all bands.
    package init() {}
}
