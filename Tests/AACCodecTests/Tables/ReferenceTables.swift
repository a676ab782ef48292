// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import Testing

/// The tables of the standard from a second source, as data.
struct ReferenceTables: Decodable {
    struct Codebook: Decodable {
        var number: Int
        var dimension: Int
        var signed: Bool
        var lav: Int
        var modulus: Int
        var offset: Int
        var escape: Bool
        var codes: [Int]
        var lengths: [Int]
    }

    struct PlainCodebook: Decodable {
        var codes: [Int]
        var lengths: [Int]
    }

    var spectral: [Codebook]
    var scaleFactor: PlainCodebook
    var long1024: [[Int]]
    var short128: [[Int]]
    var long960: [[Int]]
    var short120: [[Int]]
    var tnsLong: [Int]
    var tnsShort: [Int]

    static func load() throws -> ReferenceTables {
        let url = try #require(Bundle.module.url(forResource: "coding-tables", withExtension: "json", subdirectory: "Resources"))
        return try JSONDecoder().decode(ReferenceTables.self, from: Data(contentsOf: url))
    }
}
