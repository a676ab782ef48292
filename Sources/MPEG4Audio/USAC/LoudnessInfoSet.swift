// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The loudness metadata of a stream (`loudnessInfoSet`, ISO/IEC 23003-4).
public struct LoudnessInfoSet: Hashable, Sendable {
    package var album: [LoudnessInfo] = []
    package var programme: [LoudnessInfo] = []

    package init() {}

    /// The integrated programme loudness without dynamic range control, in LUFS, if present.
    ///
    /// Falls back to the anchor loudness.
    public var integratedLoudness: Double? { value(of: 1) ?? value(of: 2) }

    /// The maximum true peak (or else sample peak) without dynamic range control, in dBFS, if present.
    public var peak: Double? {
        plain.compactMap { $0.truePeak }.max() ?? plain.compactMap { $0.samplePeak }.max()
    }

    /// Returns the first measurement with a method, without dynamic range control and downmix.
    private func value(of method: Int) -> Double? { plain.compactMap { $0.value(of: method) }.first }

    /// The programme entries without dynamic range control and downmix.
    private var plain: [LoudnessInfo] { programme.filter { $0.drcSetID == 0 && $0.downmixID == 0 } }
}

/// The measurements for one combination of dynamic range control and downmix (`loudnessInfo`).
package struct LoudnessInfo: Hashable, Sendable {
    package struct Measurement: Hashable, Sendable {
        /// The method (`methodDefinition`): 1 programme, 2 anchor, 3 maximum of range, 4 momentary, 5 short-term maximum, 6 range.
        package var method: Int
        /// In LUFS, LU for a range, or dB for a mixing level.
        package var value: Double
        /// The measurement system (`measurementSystem`), for example 2 for ITU-R BS.1770-4.
        package var system: Int
        /// The reliability, for example 3 for measured and accurate.
        package var reliability: Int

        package init(method: Int, value: Double, system: Int, reliability: Int) {
            self.method = method
            self.value = value
            self.system = system
            self.reliability = reliability
        }
    }

    /// The dynamic range control set, or 0 for none.
    package var drcSetID = 0
    /// The downmix, or 0 for the base layout.
    package var downmixID = 0
    /// The sample peak in dBFS, if known.
    package var samplePeak: Double?
    /// The true peak in dBFS, if known.
    package var truePeak: Double?
    package var measurements: [Measurement] = []

    package init() {}

    /// The integrated loudness (or else the anchor loudness) in LUFS, if present.
    package var integratedLoudness: Double? { value(of: 1) ?? value(of: 2) }

    fileprivate func value(of method: Int) -> Double? { measurements.first { $0.method == method }?.value }
}

extension LoudnessInfoSet {
    /// A number that states a level of the signal.
    package struct LevelField {
        /// The position, in bits.
        package var bits: Range<Int>
        /// The steps of the number per decibel of level.
        package let stepsPerDecibel: Int

        /// The steps of a peak; 0 stands for an unknown one.
        package static var peakSteps: Int { -32 }
    }

    /// Parses a set without its extensions, or returns `nil` if it is truncated.
    ///
    /// - Parameter visit: Receives each number that states a level, with a position in `bytes`.
    package init?(parsing bytes: [UInt8], visit: (LevelField) -> Void = { _ in }) {
        var reader = BitReader(bytes)
        let (albumCount, count) = (Int(reader.read(6)), Int(reader.read(6)))
        for _ in 0..<albumCount { album.append(LoudnessInfo(reading: &reader, visit)) }
        for _ in 0..<count { programme.append(LoudnessInfo(reading: &reader, visit)) }
        if reader.hasOverrun { return nil }
    }
}

extension USACConfig {
    /// The numbers that state levels, with positions from the start of the configuration.
    package var levelFields: [LoudnessInfoSet.LevelField] {
        var fields: [LoudnessInfoSet.LevelField] = []
        for found in extensions where found.type == .loudnessInfo {
            _ = LoudnessInfoSet(parsing: found.bytes) { field in
                var field = field
                field.bits = field.bits.lowerBound + found.firstBit..<field.bits.upperBound + found.firstBit
                fields.append(field)
            }
        }
        return fields
    }
}

extension LoudnessInfo {
    fileprivate init(reading reader: inout BitReader, _ visit: (LoudnessInfoSet.LevelField) -> Void) {
        func visitNext(_ count: Int, _ steps: Int) {
            visit(LoudnessInfoSet.LevelField(bits: reader.bitPosition..<reader.bitPosition + count, stepsPerDecibel: steps))
        }
        drcSetID = Int(reader.read(6))
        downmixID = Int(reader.read(7))
        if reader.readFlag() {
            visitNext(12, LoudnessInfoSet.LevelField.peakSteps)
            samplePeak = Self.peak(reader.read(12))
        }
        if reader.readFlag() {
            visitNext(12, LoudnessInfoSet.LevelField.peakSteps)
            truePeak = Self.peak(reader.read(12))
            reader.skip(6)
        }
        for _ in 0..<Int(reader.read(4)) {
            let method = Int(reader.read(4))
            if (1...5).contains(method) { visitNext(8, 4) }
            let code = Double(reader.read(method == 7 ? 5 : method == 8 ? 2 : 8))
            let (system, reliability) = (Int(reader.read(4)), Int(reader.read(2)))
            measurements.append(
                Measurement(method: method, value: Self.value(code, method: method), system: system, reliability: reliability))
        }
    }

    /// Returns a peak in dBFS from its code, or `nil` for 0 (unknown).
    package static func peak(_ code: UInt32) -> Double? { code == 0 ? nil : 20 - Double(code) / 32 }

    /// Returns the value for a method's code (ISO/IEC 23003-4, `methodValue`).
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
