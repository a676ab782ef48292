// SPDX-License-Identifier: Apache-2.0

import LinnetAVFAudio
import Testing

/// Returns an engine in manual rendering mode with a connected player, both stopped.
///
/// - Parameters:
///   - format: The engine's format.
///   - playerFormat: The player's format; `nil` uses the engine's.
///   - maximumFrameCount: The maximum number of frames per rendering call.
func manualEngine(
    _ format: AVAudioFormat, playerFormat: AVAudioFormat? = nil, maximumFrameCount: AVAudioFrameCount = 512
) throws -> (AVAudioEngine, AVAudioPlayerNode) {
    let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximumFrameCount)
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: playerFormat ?? format)
    return (engine, player)
}

/// Returns a running engine in manual rendering mode at 48 kHz mono, with a connected mono player.
func manualEngine(playerRate: Double) throws -> (AVAudioEngine, AVAudioPlayerNode) {
    let output = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: playerRate, channels: 1))
    let (engine, player) = try manualEngine(output, playerFormat: format)
    try engine.start()
    return (engine, player)
}

/// Renders frames and returns the first channel.
func render(_ frameCount: Int, from engine: AVAudioEngine) throws -> [Float] {
    let block = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
    var samples: [Float] = []
    while samples.count < frameCount {
        let count = min(512, frameCount - samples.count)
        #expect(try engine.renderOffline(AVAudioFrameCount(count), to: block) == .success)
        samples += UnsafeBufferPointer(start: try #require(block.floatChannelData)[0], count: count)
    }
    return samples
}

func constant(_ value: Float, _ format: AVAudioFormat, frameCount: Int) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)))
    buffer.frameLength = AVAudioFrameCount(frameCount)
    let data = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) { for frame in 0..<frameCount { data[channel][frame] = value } }
    return buffer
}
