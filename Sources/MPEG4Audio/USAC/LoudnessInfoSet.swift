// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The loudness of a programme as a stream states it (`loudnessInfoSet`, ISO/IEC 23003-4).
public struct LoudnessInfoSet: Hashable, Sendable {
    /// The entries of the album.
    package var album: [LoudnessInfo] = []
    /// The entries of the programme.
    package var programme: [LoudnessInfo] = []

    /// Creates a set without entries.
    package init() {}

    /// The integrated loudness of the programme without dynamic range control, in LUFS; nil if it is not stated.
    ///
    /// That of the anchor stands for it where there is no other.
    public var integratedLoudness: Double? { value(of: 1) ?? value(of: 2) }

    /// The highest true peak, else sample peak, that is stated without dynamic range control, in dBFS; nil if none is.
    public var peak: Double? {
        plain.compactMap { $0.truePeak }.max() ?? plain.compactMap { $0.samplePeak }.max()
    }

    /// Returns the value of the first measurement of a method, without dynamic range control and downmix.
    private func value(of method: Int) -> Double? { plain.compactMap { $0.value(of: method) }.first }

    /// The entries of the programme without dynamic range control and downmix.
    private var plain: [LoudnessInfo] { programme.filter { $0.drcSetID == 0 && $0.downmixID == 0 } }
}

/// The measurements of one combination of dynamic range control and downmix (`loudnessInfo`).
package struct LoudnessInfo: Hashable, Sendable {
    /// One measurement.
    package struct Measurement: Hashable, Sendable {
        /// The method (`methodDefinition`): 1 programme, 2 anchor, 3 maximum of the range, 4 momentary, 5 short-term maximum, 6 range.
        package var method: Int
        /// The value in LUFS, in LU for a range, in dB for a mixing level.
        package var value: Double
        /// The system that measured (`measurementSystem`): 2 ITU-R BS.1770-4.
        package var system: Int
        /// The reliability: 3 measured and accurate.
        package var reliability: Int

        /// Creates a measurement of all values.
        package init(method: Int, value: Double, system: Int, reliability: Int) {
            self.method = method
            self.value = value
            self.system = system
            self.reliability = reliability
        }
    }

    /// The set of dynamic range control; 0 for none.
    package var drcSetID = 0
    /// The downmix; 0 for the base layout.
    package var downmixID = 0
    /// The peak of the samples in dBFS; nil if unknown.
    package var samplePeak: Double?
    /// The true peak in dBFS; nil if unknown.
    package var truePeak: Double?
    /// The measurements.
    package var measurements: [Measurement] = []

    /// Creates an entry without measurements.
    package init() {}

    /// The integrated loudness in LUFS, else that of the anchor; nil if neither is stated.
    package var integratedLoudness: Double? { value(of: 1) ?? value(of: 2) }

    /// Returns the value of the first measurement of a method.
    fileprivate func value(of method: Int) -> Double? { measurements.first { $0.method == method }?.value }
}

extension LoudnessInfoSet {
    /// Reads a set, without the extensions after its entries; nil if it ends early.
    package init?(parsing bytes: [UInt8]) {
        var reader = BitReader(bytes)
        let (albumCount, count) = (Int(reader.read(6)), Int(reader.read(6)))
        for _ in 0..<albumCount { album.append(LoudnessInfo(reading: &reader)) }
        for _ in 0..<count { programme.append(LoudnessInfo(reading: &reader)) }
        if reader.hasOverrun { return nil }
    }
}

extension LoudnessInfo {
    /// Reads an entry.
    fileprivate init(reading reader: inout BitReader) {
        drcSetID = Int(reader.read(6))
        downmixID = Int(reader.read(7))
        if reader.readFlag() { samplePeak = Self.peak(reader.read(12)) }
        if reader.readFlag() {
            truePeak = Self.peak(reader.read(12))
            reader.skip(6)
        }
        for _ in 0..<Int(reader.read(4)) {
            let method = Int(reader.read(4))
            let code = Double(reader.read(method == 7 ? 5 : method == 8 ? 2 : 8))
            let (system, reliability) = (Int(reader.read(4)), Int(reader.read(2)))
            measurements.append(
                Measurement(method: method, value: Self.value(code, method: method), system: system, reliability: reliability))
        }
    }

    /// Returns a peak in dBFS by its code; nil for 0, which stands for an unknown one.
    package static func peak(_ code: UInt32) -> Double? { code == 0 ? nil : 20 - Double(code) / 32 }

    /// Returns the value of a code of a method (ISO/IEC 23003-4, `methodValue`).
    package static func value(_ code: Double, method: Int) -> Double {
        switch method {
        case 6: code <= 128 ? code / 4 : code <= 204 ? code / 2 - 32 : code - 134
        case 7: code + 80
        case 8: code
        case 9: code / 2 - 116
        default: code / 4 - 57.75
        }
    }
}
