// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The JSON form of a first pass's result, with exact numbers.
extension SegmentNoiseScalePlan {
    package var json: JSONValue {
        .object([("level", .number(Double(level))), ("slope", .number(slope)), ("expected", .array(expected.map { .number($0) }))])
    }

    /// Parses a plan, or returns `nil` if the bytes are invalid or contain impossible numbers.
    package convenience init?(json bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let level = json["level"]?.number, let slope = json["slope"]?.number,
            let parts = json["expected"]?.elements
        else { return nil }
        let expected = parts.compactMap(\.number)
        guard LevelSearch.levels.contains(Float(level)), expected.count == parts.count, expected.allSatisfy({ (0..<1e18).contains($0) })
        else {
            return nil
        }
        self.init(level: Float(level), slope: slope, expected: expected)
    }
}
