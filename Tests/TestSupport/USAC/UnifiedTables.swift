// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The USAC tables from a second source, as data (ISO/IEC 23003-3).
public struct UnifiedTables: Decodable, Sendable {
    /// The tables of a predictive vector coding (PVC) mode (7.5.6).
    public struct PredictionMode: Decodable, Sendable {
        /// The subbands per high-band group, times the QMF time slots per time slot.
        public var groupWidth: Int
        /// The smoothing lengths in time slots, by `nsMode`.
        public var smoothingLengths: [Int]
        /// The first vectors of the second and third class.
        public var classBorders: [Int]
        /// The factors of the low groups and of the vector.
        public var scale: [Double]
        /// The factors by class, low group and high group.
        public var classes: [[[Double]]]
        /// The vectors by high group.
        public var vectors: [[Double]]
    }

    /// `h(0)` to `h(64)`: the filter of fractional lags, at quarters of a sample (7.14).
    public var interpolation: [Double]
    /// The low-pass filter of the bass post filter, taps 0 to 12 (7.17).
    public var bassFilter: [Double]
    /// The adaptive codebook gain and the innovation gain correction, by index (7.14).
    public var gains: [[Double]]
    /// The field widths of the innovation, by `acelp_core_mode`.
    public var innovationWidths: [[Int]]
    /// The absolute leaders of the base codebooks of RE8 (7.12).
    public var leaders: [[Int]]
    /// The first signed leader of each absolute leader.
    public var signedFirst: [Int]
    /// The number of signed leaders of each absolute leader.
    public var signedCount: [Int]
    /// The signs of each signed leader: one bit per component, 1 for negative, first component in the highest bit.
    public var signCode: [Int]
    /// The first index of each signed leader.
    public var signedOffset: [Int]
    /// The absolute leaders of codebooks 2 and 3.
    public var leaders3: [Int]
    /// The first index of each of ``leaders3``.
    public var offsets3: [Int]
    /// The absolute leaders of codebook 4.
    public var leaders4: [Int]
    /// The first index of each of ``leaders4``.
    public var offsets4: [Int]
    /// The first codebook of line spectral frequencies: 256 sets of 16 (7.13).
    public var lineSpectralFrequencies: [[Double]]
    /// The filters of the MDST estimate over the current window (7.7.2), by sequence (long or short, start, stop, stop-start) and shapes.
    ///
    /// The shapes are left and right sine, sine and Kaiser-Bessel derived, Kaiser-Bessel derived and sine, both Kaiser-Bessel derived.
    public var currentFilters: [[[Double]]]
    /// The filters over the previous window, by sequence (long, short or start; stop or stop-start) and shape of the left half.
    public var previousFilters: [[[Double]]]
    /// `k_L` of the harmonic transposer by `k_x` (7.5.4).
    public var transposerFirstBands: [Int]
    /// The first hybrid band of each of the decorrelator's four regions, by `bsDecorrConfig` (7.11).
    public var decorrelatorRegions: [[Int]]
    /// The delay in each region, in time slots.
    public var decorrelatorDelays: [Int]
    /// The denominator of the all-pass filter in each region.
    public var decorrelatorDenominators: [[Double]]
    /// The parameter band of each hybrid band, for 28 bands.
    public var surroundBands28: [Int]
    /// `bp` of subband-domain temporal processing.
    public var shaperBandPass: [Double]
    /// `gf` of subband-domain temporal processing.
    public var shaperGains: [Double]

    /// The codewords of GES reshaping values, by 8 times the value plus the run minus 1.
    public var reshapingCodes: [Int]
    /// The codeword lengths, in bits.
    public var reshapingLengths: [Int]
    /// The level differences in decibels, by index.
    public var levelDifferences: [Double]
    /// The coherences by index.
    public var coherences: [Double]
    /// The number of bits for the positions of TSD time slots, of 32, by the number of slots minus 1.
    public var transientWordBits: [Int]

    /// The PVC modes 1 and 2.
    public var predictionModes: [PredictionMode]
    /// The smoothing windows by length, newest time slot first.
    public var predictionWindows: [String: [Double]]

    /// The tables, loaded once.
    public static let shared: UnifiedTables = {
        guard let url = Bundle.module.url(forResource: "unified-tables", withExtension: "json", subdirectory: "Resources"),
            let tables = try? JSONDecoder().decode(UnifiedTables.self, from: Data(contentsOf: url))
        else { preconditionFailure("unified-tables.json can't be read") }
        return tables
    }()
}
