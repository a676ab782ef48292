// SPDX-License-Identifier: Apache-2.0

/// A few bars of music as a standard MIDI file, identical in every run.
struct MIDITune {
    /// File name without its extension.
    let name: String
    private let voices: [Voice]

    private struct Voice {
        /// The General MIDI program, starting from 0.
        ///
        /// Drums use channel 9.
        let program: Int
        let style: Style
        var octave = 0
        var velocity = 90
        /// The panning: 0 left, 64 centre, 127 right.
        var pan = 64
    }

    private enum Style {
        case chords
        case melody
        case arpeggio
        case bass
        case drums
    }

    static let all = [
        MIDITune(name: "piano", voices: [Voice(program: 0, style: .arpeggio), Voice(program: 0, style: .bass, octave: -1)]),
        MIDITune(
            name: "strings",
            voices: [Voice(program: 48, style: .chords, pan: 40), Voice(program: 40, style: .melody, octave: 1, pan: 90)]),
        MIDITune(
            name: "brass", voices: [Voice(program: 61, style: .chords), Voice(program: 56, style: .melody, octave: 1, velocity: 110)]),
        MIDITune(name: "choir", voices: [Voice(program: 52, style: .chords), Voice(program: 53, style: .melody, pan: 80)]),
        MIDITune(name: "organ", voices: [Voice(program: 19, style: .chords), Voice(program: 19, style: .bass, octave: -1)]),
        MIDITune(name: "guitar", voices: [Voice(program: 25, style: .arpeggio, pan: 50), Voice(program: 24, style: .chords, pan: 90)]),
        MIDITune(
            name: "harpsichord-duo", voices: [Voice(program: 6, style: .arpeggio, octave: 1), Voice(program: 6, style: .melody, pan: 30)]),
        MIDITune(name: "bells", voices: [Voice(program: 9, style: .melody, octave: 2), Voice(program: 14, style: .bass, octave: 1)]),
        MIDITune(name: "drums", voices: [Voice(program: 0, style: .drums, velocity: 110)]),
        MIDITune(
            name: "band",
            voices: [
                Voice(program: 0, style: .drums), Voice(program: 33, style: .bass, octave: -1), Voice(program: 27, style: .chords, pan: 30),
                Voice(program: 65, style: .melody, octave: 1, pan: 90),
            ]),
    ]

    /// The length of the tune in beats, at two per second.
    private static let beats = 18
    private static let ticksPerBeat = 480
    /// The chords of the bars, in semitones from C.
    private static let chords = [[0, 4, 7], [9, 12, 16], [5, 9, 12], [7, 11, 14]]

    private struct Event {
        let tick: Int
        let bytes: [UInt8]
    }

    /// The bytes of the file: one track (format 0).
    var file: [UInt8] {
        let events = voices.enumerated().flatMap { Self.events($0.element, channel: $0.element.style == .drums ? 9 : $0.offset) }
        var track: [UInt8] = []
        var now = 0
        for event in events.sorted(by: { $0.tick < $1.tick }) {
            track += Self.variableLength(event.tick - now) + event.bytes
            now = event.tick
        }
        track += [0, 0xFF, 0x2F, 0]
        let head =
            Array("MThd".utf8) + Self.bigEndian(6, 4) + Self.bigEndian(0, 2) + Self.bigEndian(1, 2) + Self.bigEndian(Self.ticksPerBeat, 2)
        return head + Array("MTrk".utf8) + Self.bigEndian(track.count, 4) + track
    }

    private static func events(_ voice: Voice, channel: Int) -> [Event] {
        let status = UInt8(channel)
        var events = [
            Event(tick: 0, bytes: [0xC0 | status, UInt8(voice.program)]), Event(tick: 0, bytes: [0xB0 | status, 10, UInt8(voice.pan)]),
        ]
        let play = { (key: Int, beat: Double, length: Double, velocity: Int) in
            let start = Int(beat * Double(ticksPerBeat))
            events.append(Event(tick: start, bytes: [0x90 | status, UInt8(key), UInt8(velocity)]))
            events.append(Event(tick: start + Int(length * Double(ticksPerBeat)), bytes: [0x80 | status, UInt8(key), 0]))
        }
        for beat in 0..<beats {
            let chord = chords[beat / 4 % 4].map { 60 + 12 * voice.octave + $0 }
            switch voice.style {
            case .chords:
                if beat % 4 == 0 { for key in chord { play(key, Double(beat), 3.8, voice.velocity - 20) } }
            case .melody:
                let key = chord[(beat * 7 + beat / 3) % 3] + (beat % 5 == 3 ? 2 : 0)
                play(key, Double(beat), 0.9, voice.velocity)
                if beat % 3 == 1 { play(key + 2, Double(beat) + 0.5, 0.4, voice.velocity - 10) }
            case .arpeggio:
                for step in 0..<4 {
                    play(chord[step % 3] + (step == 3 ? 12 : 0), Double(beat) + 0.25 * Double(step), 0.3, voice.velocity - 8 * step)
                }
            case .bass:
                play(chord[0] - 12, Double(beat), 0.8, voice.velocity)
            case .drums:
                // Bass drum, snare, closed and open hi-hat, crash.
                play(beat % 2 == 0 ? 36 : 38, Double(beat), 0.2, voice.velocity)
                for step in 0..<4 { play(step == 3 ? 46 : 42, Double(beat) + 0.25 * Double(step), 0.1, voice.velocity - 30) }
                if beat % 8 == 0 { play(49, Double(beat), 0.5, voice.velocity) }
            }
        }
        return events
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func variableLength(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 127)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 127) | 128, at: 0)
            rest >>= 7
        }
        return bytes
    }
}
