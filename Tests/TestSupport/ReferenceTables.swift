// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The standard's tables from a second source.
public struct ReferenceTables: Decodable, Sendable {
    /// A spectral codebook.
    ///
    /// The values of index k are its digits to the base `modulus`, minus `offset`.
    public struct Codebook: Decodable, Sendable {
        /// The codebook number, 1 to 11.
        public var number: Int
        /// The number of values per codeword: 2 or 4.
        public var dimension: Int
        /// Whether the codewords include the signs.
        public var signed: Bool
        /// The largest absolute value.
        public var lav: Int
        /// The base of the digits.
        public var modulus: Int
        /// The number subtracted from each digit.
        public var offset: Int
        /// Whether 16 means an escape word.
        public var escape: Bool
        /// The codewords by index.
        public var codes: [Int]
        /// The codeword lengths, in bits.
        public var lengths: [Int]
    }

    /// A codebook whose values are the indices.
    public struct PlainCodebook: Decodable, Sendable {
        /// The codewords by index.
        public var codes: [Int]
        /// The codeword lengths, in bits.
        public var lengths: [Int]
    }

    /// Codebooks 1 to 11.
    public var spectral: [Codebook]
    /// The scale factor codebook.
    ///
    /// Index 60 means no difference.
    public var scaleFactor: PlainCodebook
    /// The band offsets of 1024-line windows, by sampling frequency index.
    public var long1024: [[Int]]
    /// The band offsets of 128-line windows.
    public var short128: [[Int]]
    /// The band offsets of 960-line windows.
    public var long960: [[Int]]
    /// The band offsets of 120-line windows.
    public var short120: [[Int]]
    /// The maximum number of TNS bands in long windows, by sampling frequency index.
    public var tnsLong: [Int]
    /// The maximum number of TNS bands in short windows, by sampling frequency index.
    public var tnsShort: [Int]

    /// Loads the tables from the test resources.
    public static func load() throws -> ReferenceTables {
        guard let url = Bundle.module.url(forResource: "coding-tables", withExtension: "json", subdirectory: "Resources") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode(ReferenceTables.self, from: Data(contentsOf: url))
    }
}
