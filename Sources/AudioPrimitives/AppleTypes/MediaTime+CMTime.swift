// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import CoreMedia

extension MediaTime {
    /// Creates the same time as a CMTime; nil for times that are not numeric.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    public init?(_ time: CMTime) {
        guard time.isNumeric, time.timescale > 0 else { return nil }
        self.init(value: time.value, timescale: time.timescale)
    }

    /// The same time as a CMTime.
    public var cmTime: CMTime { CMTime(value: value, timescale: timescale) }
}
#endif
