// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

/// A folder into which a test writes a stream, with functions to read it.
final class HLSTestFolder {
    let temporary: TemporaryFolder
    var settings: HLSFolder

    /// Creates a folder with segments of one second.
    init() throws {
        temporary = try TemporaryFolder()
        settings = HLSFolder(path: temporary.path("talk/live"))
        settings.segmentDuration = .seconds(1)
        settings.windowLength = 4
    }

    func path(_ name: String) -> String { "\(settings.path)/\(name)" }

    /// The file names, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: settings.path).sorted()) ?? [] }

    /// Parses the media playlist strictly.
    func playlist() throws -> StrictPlaylist { try StrictPlaylist(String(contentsOfFile: path("audio.m3u8"), encoding: .utf8)) }

    /// Parses a segment or part.
    func contents(_ name: String) throws -> SegmentContents {
        let bytes = try bytes(ofFile: path(name))
        return settings.segmentFormat == .packedAudio ? try SegmentContents(packedAudio: bytes) : try SegmentContents(fragmentedMP4: bytes)
    }

    func connect(_ destination: HLSDestination, _ format: RecordingFormat = .stereo48()) throws -> any StreamingConnection {
        try destination.connect(format, abort: ConnectionAbort())
    }

    /// Writes access units into the folder and ends the stream.
    func write(_ accessUnits: [AccessUnit], _ format: RecordingFormat = .stereo48(), clock: Double = 1_700_000_000) throws {
        let connection = try connect(HLSDestination(settings, clock: { clock }), format)
        for accessUnit in accessUnits { try connection.send(accessUnit) }
        try connection.close(isComplete: true)
    }
}

extension RecordingFormat {
    /// HE-AAC or HE-AAC v2 in stereo.
    static func highEfficiency(_ sampleRate: Int, hasParametricStereo: Bool) -> RecordingFormat {
        RecordingFormat(
            sampleRate: sampleRate, channelCount: 2,
            configuration: .aac(
                AudioSpecificConfig(
                    sampleRate: sampleRate / 2, channelConfiguration: ChannelConfiguration(channelCount: hasParametricStereo ? 1 : 2),
                    extensionConfig: .backwardCompatible(
                        sampleRate: sampleRate, hasParametricStereo: hasParametricStereo ? true : nil))),
            framesPerUnit: 2048, primingFrames: hasParametricStereo ? 6148 : 5186, bitRate: 32_000)
    }

    /// A stream of another codec.
    static func with(_ configuration: CodecConfiguration, framesPerUnit: Int) -> RecordingFormat {
        RecordingFormat(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount ?? 1, configuration: configuration,
            framesPerUnit: framesPerUnit, primingFrames: 0, bitRate: 500_000)
    }
}
