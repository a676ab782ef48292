// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMeasures
import Foundation

/// Generates test clips: critical signals by code, music with FluidSynth, speech with eSpeak NG, and variants of given clips.
struct Material {
    let folder: String

    private static let soundFont = "/usr/share/sounds/sf2/FluidR3_GM.sf2"

    /// Sentences by language, for two voices each.
    private static let sentences = [
        "en-us": "She sells seashells on the sea shore; the shells she sells are seashells, I'm sure. Six thick thistle sticks.",
        "de": "Zwischen zwei Zwetschgenzweigen zwitschern zwei Schwalben. Fischers Fritze fischt frische Fische.",
        "fr": "Les chaussettes de l'archiduchesse sont-elles sèches, archi-sèches? Un chasseur sachant chasser.",
        "ja": "なまむぎ なまごめ なまたまご。",
    ]

    /// Generates everything that the installed programs permit.
    func make(clips: [String]) throws {
        for signal in KillerSignal.all {
            try WAVEFile(sampleRate: Int(Canvas.rate), channels: signal.samples()).write(to: path("killers", signal.name), is16Bit: true)
        }
        if isInstalled("fluidsynth"), FileManager.default.fileExists(atPath: Self.soundFont) {
            try makeMusic()
        } else {
            complain("no music: fluidsynth and fluid-soundfont-gm are not installed")
        }
        if isInstalled("espeak-ng") { try makeSpeech() } else { complain("no speech: espeak-ng is not installed") }
        try makeForms(of: clips)
    }

    private func path(_ kind: String, _ name: String) throws -> String {
        let target = "\(folder)/\(kind)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        return "\(target)/\(name).wav"
    }

    private func makeMusic() throws {
        for tune in MIDITune.all {
            let score = folder + "/\(tune.name).mid"
            guard FileManager.default.createFile(atPath: score, contents: Data(tune.file)) else {
                throw QualityError.cannotWrite(path: score)
            }
            defer { try? FileManager.default.removeItem(atPath: score) }
            try run(["fluidsynth", "-niq", "-g", "0.6", "-r", "48000", "-F", try path("music", tune.name), Self.soundFont, score])
        }
    }

    private func makeSpeech() throws {
        for (language, text) in Self.sentences {
            for voice in ["m3", "f2"] {
                try run(["espeak-ng", "-v", "\(language)+\(voice)", "-s", "150", "-w", try path("speech", "\(language)-\(voice)"), text])
            }
        }
    }

    /// Generates variants: mono, other sample rates, and 5.1 from a clip and the next one.
    private func makeForms(of clips: [String]) throws {
        let signals = try clips.map {
            (name: URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent, path: $0, signal: try AudioSignal(path: $0))
        }
        for (name, path, signal) in signals {
            if signal.channels.count == 2 {
                let mono = zip(signal.channels[0], signal.channels[1]).map { ($0 + $1) / 2 }
                try WAVEFile(sampleRate: signal.sampleRate, channels: [mono]).write(to: try self.path("mono", name), is16Bit: true)
            }
            for rate in [44_100, 32_000] {
                let other = try AudioSignal(path: path, sampleRate: rate)
                try WAVEFile(sampleRate: rate, channels: other.channels).write(to: try self.path("\(rate)", name), is16Bit: true)
            }
        }
        let stereo = signals.filter { $0.signal.channels.count == 2 && $0.signal.sampleRate == 48_000 }
        for (index, front) in stereo.enumerated() {
            let back = stereo[(index + 1) % stereo.count]
            let channels = Self.surround(front: front.signal.channels, back: back.signal.channels)
            try WAVEFile(sampleRate: 48_000, channels: channels).write(
                to: try path("surround", "\(front.name)-\(back.name)"), is16Bit: true)
        }
    }

    /// Returns left, right, centre, LFE, and two surrounds.
    ///
    /// The front clip's mid signal is in the centre and its low frequencies in the LFE. The back clip is in the surrounds, at half its
    /// level.
    private static func surround(front: [[Float]], back: [[Float]]) -> [[Float]] {
        let center = zip(front[0], front[1]).map { 0.5 * ($0 + $1) }
        var bass: [Float] = []
        var memory: (Float, Float) = (0, 0)
        for value in center {
            // Two poles at about 100 Hz.
            memory.0 += 0.013 * (value - memory.0)
            memory.1 += 0.013 * (memory.0 - memory.1)
            bass.append(memory.1)
        }
        let sides = front.map { channel in zip(channel, center).map { $0 - 0.5 * $1 } }
        let behind = back.map { channel in channel.isEmpty ? center : center.indices.map { 0.5 * channel[$0 % channel.count] } }
        return [sides[0], sides[1], center, bass, behind[0], behind[1]]
    }
}
