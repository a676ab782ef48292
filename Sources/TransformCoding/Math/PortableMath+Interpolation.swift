// SPDX-License-Identifier: Apache-2.0

extension PortableMath {
    /// Returns the linearly interpolated value at `x`.
    ///
    /// Outside the points it returns the first or last value.
    ///
    /// - Parameter points: The points, in ascending order.
    package static func interpolate(_ x: Float, at points: [Float], values: [Float]) -> Float {
        guard let upper = points.firstIndex(where: { $0 > x }) else { return values[values.count - 1] }
        guard upper > 0 else { return values[0] }
        let share = (x - points[upper - 1]) / (points[upper] - points[upper - 1])
        return values[upper - 1] + share * (values[upper] - values[upper - 1])
    }
}
