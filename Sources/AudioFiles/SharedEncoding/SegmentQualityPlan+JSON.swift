// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The form in which the result of a first pass is stored, exact to the last digit.
extension SegmentQualityPlan {
    /// The plan as JSON.
    package var json: JSONValue {
        .object([("level", .number(Double(level))), ("slope", .number(slope)), ("expected", .array(expected.map { .number($0) }))])
    }

    /// Reads a plan; nil if the bytes are none, or hold numbers that no first pass finds.
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
