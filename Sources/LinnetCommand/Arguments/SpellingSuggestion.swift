// SPDX-License-Identifier: Apache-2.0

/// Spelling suggestions for misspelled words.
package enum SpellingSuggestion {
    /// Returns the candidate with the smallest ``distance(_:_:)``; `nil` if none is close.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let scored = candidates.map { (word: $0, distance: distance(word, $0)) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        // At most two of five letters may differ.
        return best.distance <= max(1, max(word.count, best.word.count) * 2 / 5) && best.distance < best.word.count ? best.word : nil
    }

    /// Returns the restricted Damerau-Levenshtein distance of two words, ignoring case.
    ///
    /// It counts insertions, deletions, replacements and swaps of neighbours.
    package static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first.lowercased())
        let b = Array(second.lowercased())
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), min(rows[i][j + 1], row[j]) + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
