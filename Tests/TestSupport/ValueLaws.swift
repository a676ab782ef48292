// SPDX-License-Identifier: Apache-2.0

/// The laws of equality, hashing and ordering, tested on all pairs and triples of values.
///
/// Choose values from a set small enough that many are equal.
public enum ValueLaws {
    /// Returns violations of the laws of equality: reflexive, symmetric and transitive.
    public static func equalityViolations<Value: Equatable>(_ values: [Value]) -> [String] {
        var result: [String] = []
        for a in values {
            if !isEqual(a, a) { result.append("\(a) differs from itself") }
            for b in values {
                if isEqual(a, b) != isEqual(b, a) { result.append("\(a) and \(b) are equal in one direction") }
                if isEqual(a, b) == (a != b) { result.append("\(a) and \(b) are both equal and different, or neither") }
                for c in values where isEqual(a, b) && isEqual(b, c) && !isEqual(a, c) {
                    result.append("\(a), \(b) and \(c): equality is not transitive")
                }
            }
        }
        return result
    }

    /// Returns violations of the laws of equality, and equal values with different hashes.
    public static func hashViolations<Value: Hashable>(_ values: [Value]) -> [String] {
        var result = equalityViolations(values)
        for a in values {
            for b in values where a == b && a.hashValue != b.hashValue { result.append("\(a) and \(b) are equal but their hashes differ") }
        }
        return result
    }

    /// Returns violations of the laws of a strict total order consistent with equality.
    public static func orderViolations<Value: Comparable>(_ values: [Value]) -> [String] {
        var result = equalityViolations(values)
        for a in values {
            for b in values {
                if [a < b, a == b, b < a].count(where: \.self) != 1 { result.append("\(a) and \(b): not one of <, ==, >") }
                if (a <= b) != !(b < a) || (a > b) != (b < a) || (a >= b) != !(a < b) {
                    result.append("\(a) and \(b): <=, > and >= disagree with <")
                }
                for c in values where a < b && b < c && !(a < c) { result.append("\(a), \(b) and \(c): < is not transitive") }
            }
        }
        return result
    }

    /// Compares two values, possibly a value with itself.
    private static func isEqual<Value: Equatable>(_ a: Value, _ b: Value) -> Bool { a == b }
}
