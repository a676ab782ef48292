// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// Track loudness (`ludt` with `tlou` and `alou`, ISO/IEC 14496-12, 12.2.7).
struct LoudnessBox: Box, Equatable {
    static let type: FourCharCode = "ludt"
    private static let track: FourCharCode = "tlou"
    private static let album: FourCharCode = "alou"

    var loudness = LoudnessInfoSet()

    init(_ loudness: LoudnessInfoSet) { self.loudness = loudness }

    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.track { loudness.programme += try Self.entries(&body) }
            if type == Self.album { loudness.album += try Self.entries(&body) }
        }
    }

    /// Parses the entries of a `tlou` or `alou` box.
    private static func entries(_ cursor: inout ByteCursor) throws(ContainerError) -> [LoudnessInfo] {
        let version = try cursor.readFullBox().version
        let count = version == 0 ? 1 : try cursor.readInteger(1) & 0x3F
        var entries: [LoudnessInfo] = []
        for _ in 0..<count {
            var entry = LoudnessInfo()
            // EQ_set_ID
            if version > 0 { try cursor.skip(1) }
            let ids = try cursor.readInteger(2)
            (entry.downmixID, entry.drcSetID) = (ids >> 6 & 0x7F, ids & 0x3F)
            let peaks = try cursor.readInteger(3)
            entry.samplePeak = LoudnessInfo.peak(UInt32(peaks >> 12))
            entry.truePeak = LoudnessInfo.peak(UInt32(peaks & 0xFFF))
            try cursor.skip(1)
            for _ in 0..<(try cursor.readInteger(1)) {
                let (method, code) = (try cursor.readInteger(1), try cursor.readInteger(1))
                let source = try cursor.readInteger(1)
                entry.measurements.append(
                    LoudnessInfo.Measurement(
                        method: method, value: LoudnessInfo.value(Double(code), method: method), system: source >> 4,
                        reliability: source & 0xF))
            }
            entries.append(entry)
        }
        return entries
    }

    /// Writes the body of the box.
    ///
    /// Each entry is a version 0 box with its peaks and integrated loudness.
    func write(to writer: inout BoxWriter) {
        Self.write(loudness.programme, as: Self.track, to: &writer)
        Self.write(loudness.album, as: Self.album, to: &writer)
    }

    private static func write(_ entries: [LoudnessInfo], as type: FourCharCode, to writer: inout BoxWriter) {
        for entry in entries {
            writer.box(type) {
                $0.writeFullBox()
                $0.write(entry.downmixID << 6 | entry.drcSetID, 2)
                $0.write(LoudnessInfo.code(peak: entry.samplePeak) << 12 | LoudnessInfo.code(peak: entry.truePeak), 3)
                $0.write(entry.truePeak == nil ? 0 : LoudnessInfo.measurementSystem << 4 | LoudnessInfo.accurate, 1)
                let measurements = entry.measurements.filter { $0.method == 1 }
                $0.write(measurements.count, 1)
                for measurement in measurements {
                    $0.write(measurement.method, 1)
                    $0.write(LoudnessInfo.code(loudness: measurement.value), 1)
                    $0.write(measurement.system << 4 | measurement.reliability, 1)
                }
            }
        }
    }
}

#if !hasFeature(Embedded)
extension LoudnessInfoSet {
    /// Creates the loudness from ReplayGain track and album tags, or `nil` without either.
    init?(_ tags: AudioTags) {
        self.init()
        programme = tags.replayGain.map { [LoudnessInfo($0)] } ?? []
        album = tags.albumReplayGain.map { [LoudnessInfo($0)] } ?? []
        if programme.isEmpty, album.isEmpty { return nil }
    }
}

extension LoudnessInfo {
    /// Creates the loudness from a ReplayGain value, whose reference is -18 LUFS.
    fileprivate init(_ gain: AudioTags.ReplayGain) {
        self.init()
        truePeak = gain.peak.flatMap { $0 > 0 ? 20 * PortableLogarithm.common($0) : nil }
        measurements = [
            Measurement(method: 1, value: -18 - gain.gain, system: Self.measurementSystem, reliability: Self.accurate)
        ]
    }
}

/// The common logarithm without a math library.
private enum PortableLogarithm {
    /// Returns log10 of a positive, normal number, accurate to about 1e-12.
    static func common(_ x: Double) -> Double {
        let (significand, exponent) = (x.significand, Double(x.exponent))
        let t = (significand - 1) / (significand + 1)
        var (power, sum) = (t, t)
        for n in stride(from: 3.0, through: 31, by: 2) {
            power *= t * t
            sum += power / n
        }
        return (exponent * 0.6931471805599453 + 2 * sum) / 2.302585092994046
    }
}
#endif
