// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The SBR and parametric stereo tables from a second source, as data (ISO/IEC 14496-3:2009, 4.6.18 and 8.6.4).
public struct HighEfficiencyTables: Decodable, Sendable {
    /// A Huffman codebook of differences.
    ///
    /// Index k means k - `offset`.
    public struct Codebook: Decodable, Sendable {
        /// The standard's name, without its prefix.
        public var name: String
        /// The index of the difference 0.
        public var offset: Int
        /// The codewords by index.
        public var codes: [UInt32]
        /// The codeword lengths, in bits.
        public var lengths: [Int]
    }

    /// Ten SBR codebooks, then ten of parametric stereo.
    public var codebooks: [Codebook]
    /// `c[640]`: the prototype filter of the QMF banks.
    public var prototype: [Double]
    /// `V[512]`: the noise table, as real and imaginary parts.
    public var noise: [[Double]]
    /// The sample rates that have frequency tables, in hertz.
    public var rates: [Int]
    /// `k0` by rate and `bs_start_freq`.
    public var firstSubbands: [[Int]]
    /// `k2` by rate and `bs_stop_freq`, 0 to 13.
    public var endSubbands: [[Int]]
    /// The prototypes of the 13-tap hybrid filters: 8 and 2 parts for 20 stereo bands, 12, 8 and 4 parts for 34.
    public var hybridPrototypes: [[Double]]
    /// The stereo band of each hybrid band, for 20 stereo bands.
    public var stereoBands20: [Int]
    /// The stereo band of each hybrid band, for 34 stereo bands.
    public var stereoBands34: [Int]
    /// For each of 34 stereo bands, the one or two of 20 bands to average.
    public var from20To34: [[Int]]
    /// For each of 20 stereo bands, the bands of 34 to average, as pairs of band and weight.
    public var from34To20: [[[Int]]]

    /// Loads the tables from the test resources.
    public static func load() throws -> HighEfficiencyTables {
        let url = Bundle.module.url(forResource: "high-efficiency-tables", withExtension: "json", subdirectory: "Resources")
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        return try JSONDecoder().decode(HighEfficiencyTables.self, from: Data(contentsOf: url))
    }
}
