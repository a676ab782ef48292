// SPDX-License-Identifier: Apache-2.0

/// A generated signal that is hard to encode, identical in every run.
struct KillerSignal {
    /// File name without its extension.
    let name: String
    /// The duration, in seconds.
    let seconds: Double
    /// Fills the channels of a silent canvas.
    let draw: (inout Canvas) -> Void

    init(_ name: String, seconds: Double = 5, draw: @escaping (inout Canvas) -> Void) {
        self.name = name
        self.seconds = seconds
        self.draw = draw
    }

    /// All critical signals.
    static var all: [KillerSignal] { pulses + tones + noises + levels + images }

    /// Returns left and right at 48 kHz.
    ///
    /// The seed is derived from the name.
    func samples() -> [[Float]] {
        let seed = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var canvas = Canvas(frameCount: Int(seconds * Canvas.rate), seed: seed)
        draw(&canvas)
        return canvas.channels.map { $0.map { Float($0) } }
    }
}
