// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AACCodec
import AppleModel
import AudioContainers
import AudioConversion
import AudioDevices
import AudioPrimitives
import CoreMedia
import LiveAudio

/// Core Media sample buffers from apps that capture with AVFoundation, and for its writers and renderers.
let sampleBufferScenarios: [Scenario] = [
    Scenario(name: "sample-buffer-pcm", expectation: "PCM to a sample buffer and back is unchanged, with its time") { report in
        for channelCount in [1, 2, 6] {
            let ramps = (0..<channelCount).map { channel in (0..<480).map { Float($0 + 1000 * channel) / 8192 } }
            let buffer = PCMBuffer(channels: ramps, sampleRate: 44_100)
            let time = MediaTime(value: 12_345, timescale: 44_100)
            guard let sampleBuffer = buffer.cmSampleBuffer(at: time) else {
                report.check(false, "no sample buffer of \(channelCount) channels")
                continue
            }
            report.check(CMSampleBufferGetNumSamples(sampleBuffer) == 480, "\(CMSampleBufferGetNumSamples(sampleBuffer)) frames")
            report.check(MediaTime(CMSampleBufferGetPresentationTimeStamp(sampleBuffer)) == time, "another time")
            report.check(PCMBuffer(sampleBuffer) == buffer, "other samples of \(channelCount) channels")
        }
        // A partly filled buffer and an empty buffer.
        var part = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 100, frameCount: 7)
        for index in part.samples.indices { part.samples[index] = Float(index) / 256 }
        report.check(
            part.cmSampleBuffer(at: MediaTime(value: 0, timescale: 48_000)).flatMap { PCMBuffer($0) } == part, "a part of a buffer")
        part.frameCount = 0
        report.check(part.cmSampleBuffer(at: MediaTime(value: 0, timescale: 48_000)) == nil, "a sample buffer without frames")
    },
    Scenario(
        name: "sample-buffer-formats", expectation: "all formats of AVFoundation and ScreenCaptureKit are read, others are rejected"
    ) { report in
        let channels: [[Float]] = [[0, 0.5, -1, 0.25], [-0.5, 0.125, 0.75, -0.25]]
        let expected = PCMBuffer(channels: channels, sampleRate: 48_000)
        for format in [SampleFormat.int16, .int24, .int32, .float32, .float64] {
            for (isInterleaved, isBigEndian) in [(true, false), (false, false), (true, true)] {
                let sampleBuffer = captured(
                    channels, PCMFormat(format, channelCount: 2, isInterleaved: isInterleaved, isBigEndian: isBigEndian))
                report.check(
                    sampleBuffer.flatMap { PCMBuffer($0) } == expected,
                    "\(format), \(isInterleaved ? "" : "not ")interleaved, \(isBigEndian ? "big" : "little") endian")
            }
        }
        var packed = StreamDescription(PCMFormat(.int24, channelCount: 2), sampleRate: 48_000)
        packed.bytesPerFrame = 8
        packed.bytesPerPacket = 8
        let padded = packed.cmFormatDescription(magicCookie: []).flatMap {
            CMSampleBuffer.ready([UInt8](repeating: 0, count: 32), $0, sampleCount: 4, at: MediaTime(value: 0, timescale: 48_000))
        }
        report.check(padded != nil && padded.flatMap { PCMBuffer($0) } == nil, "24 bits in four bytes are read")
        if let format = StreamDescription(PCMFormat(.int16, channelCount: 1), sampleRate: 48_000).cmFormatDescription(magicCookie: []) {
            report.check(PCMBuffer(.withoutData(format, time: CMTime(value: 0, timescale: 1))) == nil, "a buffer without data is read")
        }
    },
    Scenario(
        name: "sample-buffer-aac", expectation: "packets of the system's encoder to a sample buffer and back, with configuration and times"
    ) { report in
        for profile in [AACProfile.lowComplexity, .highEfficiency, .highEfficiencyV2, .enhancedLowDelay] {
            attempt(&report) { report in
                var one = try Encoding(profile, .constant(bitRate: 48_000))
                try one.encode(30_000)
                try one.finish()
                let configuration = one.encoder.codecConfiguration
                let units = Array(one.units.dropFirst(2))
                guard let sampleBuffer = configuration.cmSampleBuffer(units), let format = CMSampleBufferGetFormatDescription(sampleBuffer)
                else {
                    return report.check(false, "\(profile): no sample buffer")
                }
                let stream = CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee
                report.check(
                    stream?.mFormatID == profile.code && stream?.mSampleRate == 44_100, "\(profile): \(String(describing: stream))")
                report.check(stream?.mFramesPerPacket == UInt32(one.encoder.framesPerPacket), "\(profile): \(String(describing: stream))")
                report.check(CodecConfiguration(format) == configuration, "\(profile): another configuration")
                report.check(AccessUnit.units(of: sampleBuffer) == units, "\(profile): other units")
                let late = AccessUnit(
                    payload: units[0].payload, presentationTime: MediaTime(value: .max, timescale: 1), duration: units[0].duration)
                report.check(
                    configuration.cmSampleBuffer([late]).flatMap { AccessUnit.units(of: $0) } == nil, "\(profile): an absurd time is read")
                report.check(configuration.cmSampleBuffer([]) == nil, "\(profile): a sample buffer without units")
                report.check(PCMBuffer(sampleBuffer) == nil, "\(profile): packets are read as PCM")
            }
        }
        guard
            let pcm = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 4).cmSampleBuffer(at: MediaTime(value: 0, timescale: 1))
        else { return report.check(false, "no sample buffer") }
        report.check(AccessUnit.units(of: pcm) == nil, "PCM is read as packets")
        report.check(
            CMSampleBufferGetFormatDescription(pcm).flatMap { CodecConfiguration($0) } == nil, "PCM has the configuration of a codec")
    },
    Scenario(name: "sample-buffer-capture", expectation: "buffers with host times are encoded as they arrive") { report in
        attempt(&report) { report in
            let encoder = try AACEncoder(
                AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: 64_000)))
            var times: [MediaTime] = []
            var units = 0
            for index in 0..<20 {
                let samples = (0..<1024).map { Float(($0 * 7 + index) % 256 - 128) / 512 }
                guard
                    let buffer = captured(
                        [samples], PCMFormat(.int16, channelCount: 1),
                        time: CMTime(value: 5_000_000_000 + Int64(index) * 21_333_333, timescale: 1_000_000_000)),
                    let pcm = PCMBuffer(buffer), let time = MediaTime(CMSampleBufferGetPresentationTimeStamp(buffer))
                else { return report.check(false, "no samples") }
                times.append(time)
                units += try encoder.encode(pcm).count
            }
            let tail = encoder.finish()
            units += tail.accessUnits.count
            report.check(tail.gapless.validFrames == 20 * 1024, "the encoder took other frames")
            report.check(times.first == MediaTime(value: 5, timescale: 1) && zip(times, times.dropFirst()).allSatisfy(<), "the times")
        }
    },
]

/// Returns a sample buffer in the given format, as AVFoundation would deliver it.
private func captured(_ channels: [[Float]], _ format: PCMFormat, time: CMTime = CMTime(value: 0, timescale: 48_000)) -> CMSampleBuffer? {
    /// Returns the bytes of interleaved channels.
    func bytes(_ channels: [[Float]]) -> [UInt8] {
        let buffer = PCMBuffer(channels: channels, sampleRate: 48_000)
        var bytes = [UInt8](repeating: 0, count: buffer.frameCount * channels.count * format.sampleFormat.byteCount)
        format.sampleFormat.encode(buffer, into: &bytes, at: 0)
        guard format.isBigEndian else { return bytes }
        let size = format.sampleFormat.byteCount
        return stride(from: 0, to: bytes.count, by: size).flatMap { bytes[$0..<$0 + size].reversed() }
    }
    let data = format.isInterleaved ? bytes(channels) : channels.flatMap { bytes([$0]) }
    guard let description = StreamDescription(format, sampleRate: 48_000).cmFormatDescription(magicCookie: []),
        let start = MediaTime(time)
    else { return nil }
    return CMSampleBuffer.ready(data, description, sampleCount: channels[0].count, at: start)
}

extension AACProfile {
    /// The format's four-character code.
    fileprivate var code: UInt32 {
        let text: FourCharCode =
            switch self {
            case .highEfficiency: "aach"
            case .highEfficiencyV2: "aacp"
            case .enhancedLowDelay: "aace"
            default: "aac "
            }
        return text.rawValue
    }
}
#endif
