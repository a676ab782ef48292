// SPDX-License-Identifier: Apache-2.0

import LinnetAVFAudio
import Testing

/// Returns an engine that renders on request, with a player that is connected; neither runs.
///
/// - Parameters:
///   - format: The format of the engine.
///   - playerFormat: The format of the player; nil for the engine's.
///   - maximumFrameCount: The most frames of a request.
func manualEngine(
    _ format: AVAudioFormat, playerFormat: AVAudioFormat? = nil, maximumFrameCount: AVAudioFrameCount = 512
) throws -> (AVAudioEngine, AVAudioPlayerNode) {
    let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximumFrameCount)
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: playerFormat ?? format)
    return (engine, player)
}

/// Returns a running engine that renders 48 kHz mono on request, with a player of one channel that is connected.
func manualEngine(playerRate: Double) throws -> (AVAudioEngine, AVAudioPlayerNode) {
    let output = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: playerRate, channels: 1))
    let (engine, player) = try manualEngine(output, playerFormat: format)
    try engine.start()
    return (engine, player)
}

/// Renders frames of the first channel.
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

/// Returns frames of one value.
func constant(_ value: Float, _ format: AVAudioFormat, frameCount: Int) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)))
    buffer.frameLength = AVAudioFrameCount(frameCount)
    let data = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) { for frame in 0..<frameCount { data[channel][frame] = value } }
    return buffer
}
