// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension LoudnessInfoSet {
    /// Creates the metadata of a programme, measured by ITU-R BS.1770-4 or stated.
    ///
    /// - Parameters:
    ///   - integrated: The integrated loudness, in LUFS; `nil` for silence, which is stated as the lowest loudness.
    ///   - truePeak: The maximum true peak, in dBTP, or `nil` if unknown.
    ///   - isMeasured: Whether the loudness was measured. Others are marked as unverified.
    package init(integrated: Double?, truePeak: Double?, isMeasured: Bool) {
        var info = LoudnessInfo()
        info.truePeak = truePeak
        let isExact = (integrated ?? -.infinity) >= LoudnessInfo.minimumLoudness
        info.measurements = [
            LoudnessInfo.Measurement(
                method: 1, value: integrated ?? LoudnessInfo.minimumLoudness, system: LoudnessInfo.measurementSystem,
                reliability: !isMeasured ? 1 : isExact ? LoudnessInfo.accurate : 2)
        ]
        programme = [info]
    }

    /// Creates the metadata of a programme whose integrated loudness is stated, in LUFS.
    package init(stated: Double) { self.init(integrated: stated, truePeak: nil, isMeasured: false) }

    /// Writes the set, with zeros to a whole number of bytes.
    ///
    /// Measurements must have the methods 1 to 5.
    package func write(to sink: inout some BitSink) {
        sink.write(UInt32(album.count), count: 6)
        sink.write(UInt32(programme.count), count: 6)
        for info in album + programme { info.write(to: &sink) }
        // No extension.
        sink.write(false)
        sink.alignToByte()
    }
}

extension LoudnessInfo {
    /// The lowest loudness that can be stated, in LUFS.
    static let minimumLoudness = -57.75
    /// ITU-R BS.1770-4 (`measurementSystem`).
    package static let measurementSystem = 2
    /// The reliability of a value that is measured and accurate.
    package static let accurate = 3

    /// Returns the code of a peak in dBFS, or 0 if unknown.
    package static func code(peak: Double?) -> Int { peak.map { limited((20 - $0) * 32, to: 1...0xFFF) } ?? 0 }

    /// Returns the code of a loudness, in LUFS.
    package static func code(loudness: Double) -> Int { limited((loudness - minimumLoudness) * 4, to: 0...255) }

    /// Returns the nearest integer of a range; the lowest one if the value is not a number.
    private static func limited(_ value: Double, to range: ClosedRange<Double>) -> Int {
        Int(min(max(range.lowerBound, value), range.upperBound).rounded())
    }

    fileprivate func write(to sink: inout some BitSink) {
        sink.write(UInt32(drcSetID), count: 6)
        sink.write(UInt32(downmixID), count: 7)
        sink.write(samplePeak != nil)
        if samplePeak != nil { sink.write(UInt32(Self.code(peak: samplePeak)), count: 12) }
        sink.write(truePeak != nil)
        if truePeak != nil {
            sink.write(UInt32(Self.code(peak: truePeak)), count: 12)
            sink.write(UInt32(Self.measurementSystem), count: 4)
            sink.write(UInt32(Self.accurate), count: 2)
        }
        sink.write(UInt32(measurements.count), count: 4)
        for measurement in measurements {
            sink.write(UInt32(measurement.method), count: 4)
            sink.write(UInt32(Self.code(loudness: measurement.value)), count: 8)
            sink.write(UInt32(measurement.system), count: 4)
            sink.write(UInt32(measurement.reliability), count: 2)
        }
    }
}
