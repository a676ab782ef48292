// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of the standard from a second source.
public struct ReferenceTables: Decodable, Sendable {
    /// A spectral codebook: index k has the values of the digits of k to the base `modulus`, each less `offset`.
    public struct Codebook: Decodable, Sendable {
        /// 1 to 11.
        public var number: Int
        /// The number of values per codeword: 2 or 4.
        public var dimension: Int
        /// Whether the codewords carry the signs.
        public var signed: Bool
        /// The largest absolute value.
        public var lav: Int
        /// The base of the digits.
        public var modulus: Int
        /// The number subtracted from each digit.
        public var offset: Int
        /// Whether 16 stands for an escape word.
        public var escape: Bool
        /// Codewords by index.
        public var codes: [Int]
        /// Their lengths in bits.
        public var lengths: [Int]
    }

    /// A codebook whose indices stand for themselves.
    public struct PlainCodebook: Decodable, Sendable {
        /// Codewords by index.
        public var codes: [Int]
        /// Their lengths in bits.
        public var lengths: [Int]
    }

    /// Codebooks 1 to 11.
    public var spectral: [Codebook]
    /// The scale factor codebook; index 60 is no difference.
    public var scaleFactor: PlainCodebook
    /// Band offsets of windows of 1024 lines, by sampling frequency index.
    public var long1024: [[Int]]
    /// Band offsets of windows of 128 lines.
    public var short128: [[Int]]
    /// Band offsets of windows of 960 lines.
    public var long960: [[Int]]
    /// Band offsets of windows of 120 lines.
    public var short120: [[Int]]
    /// The number of bands that TNS can cover in long windows, by sampling frequency index.
    public var tnsLong: [Int]
    /// The same in short windows.
    public var tnsShort: [Int]

    /// Reads the tables from the tests' resources.
    public static func load() throws -> ReferenceTables {
        guard let url = Bundle.module.url(forResource: "coding-tables", withExtension: "json", subdirectory: "Resources") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode(ReferenceTables.self, from: Data(contentsOf: url))
    }
}
