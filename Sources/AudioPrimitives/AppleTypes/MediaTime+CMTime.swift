// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import CoreMedia

extension MediaTime {
    /// Creates a time from a CMTime, or returns `nil` if it is not numeric.
    ///
    /// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
    public init?(_ time: CMTime) {
        guard time.isNumeric, time.timescale > 0 else { return nil }
        self.init(value: time.value, timescale: time.timescale)
    }

    /// The equivalent CMTime.
    public var cmTime: CMTime { CMTime(value: value, timescale: timescale) }
}
#endif
