// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of unified speech and audio coding from a second source, as data (ISO/IEC 23003-3).
public struct UnifiedTables: Decodable, Sendable {
    /// The tables of a mode of predictive vector coding (7.5.6).
    public struct PredictionMode: Decodable, Sendable {
        /// The subbands of a group of the high band, times the columns of a time slot.
        public var groupWidth: Int
        /// The time slots of smoothing, by `nsMode`.
        public var smoothingLengths: [Int]
        /// The first vectors of the second and of the third class.
        public var classBorders: [Int]
        /// The factors of the low groups, and of the vector.
        public var scale: [Double]
        /// The factors by class, low group and high group.
        public var classes: [[[Double]]]
        /// The vectors by high group.
        public var vectors: [[Double]]
    }

    /// `h(0)` to `h(64)`: the filter of fractional lags at quarters of a sample (7.14).
    public var interpolation: [Double]
    /// The low-pass filter of the bass post filter, taps 0 to 12 (7.17).
    public var bassFilter: [Double]
    /// The gain of the adaptive codebook and the correction of the innovation's gain, by index (7.14).
    public var gains: [[Double]]
    /// The widths of the fields of the innovation by `acelp_core_mode`.
    public var innovationWidths: [[Int]]
    /// The absolute leaders of the base codebooks of RE8 (7.12).
    public var leaders: [[Int]]
    /// The first signed leader of each absolute leader.
    public var signedFirst: [Int]
    /// The number of signed leaders of each absolute leader.
    public var signedCount: [Int]
    /// The signs of each signed leader: a bit for each component, 1 is negative, the first component is the highest.
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
    /// Filters of the sine transform's estimate over the current window, by sequence (long or short, start, stop, stop-start) and shapes: left sine
    /// and right sine, sine and Kaiser-Bessel derived, Kaiser-Bessel derived and sine, both Kaiser-Bessel derived (7.7.2).
    public var currentFilters: [[[Double]]]
    /// Filters over the window before, by sequence (long, short or start; stop or stop-start) and shape of the left half.
    public var previousFilters: [[[Double]]]
    /// `k_L` of the harmonic transposer by `k_x` (7.5.4).
    public var transposerFirstBands: [Int]
    /// The first hybrid band of each of the decorrelator's four regions, by `bsDecorrConfig` (7.11).
    public var decorrelatorRegions: [[Int]]
    /// The delay in each region, in time slots.
    public var decorrelatorDelays: [Int]
    /// The denominator of the all-pass filter in each region.
    public var decorrelatorDenominators: [[Double]]
    /// The parameter band of each hybrid band, of 28.
    public var surroundBands28: [Int]
    /// `bp` of subband-domain temporal processing.
    public var shaperBandPass: [Double]
    /// `gf` of subband-domain temporal processing.
    public var shaperGains: [Double]

    /// The codewords of the reshaping values of GES, by 8 times the value plus the run less 1.
    public var reshapingCodes: [Int]
    /// Their lengths in bits.
    public var reshapingLengths: [Int]
    /// The level differences in decibels, by index.
    public var levelDifferences: [Double]
    /// The coherences by index.
    public var coherences: [Double]
    /// The bits of the positions of TSD's time slots, of 32, by the number of slots less 1.
    public var transientWordBits: [Int]

    /// The modes of predictive vector coding, 1 and 2.
    public var predictionModes: [PredictionMode]
    /// The smoothing windows by their length, the newest time slot first.
    public var predictionWindows: [String: [Double]]

    /// The tables, read once.
    public static let shared: UnifiedTables = {
        guard let url = Bundle.module.url(forResource: "unified-tables", withExtension: "json", subdirectory: "Resources"),
            let tables = try? JSONDecoder().decode(UnifiedTables.self, from: Data(contentsOf: url))
        else { preconditionFailure("unified-tables.json can't be read") }
        return tables
    }()
}
