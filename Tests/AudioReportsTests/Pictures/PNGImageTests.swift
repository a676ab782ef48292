// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import AudioReports
import Foundation
import TestSupport
import Testing

@Suite struct PNGImageTests {
    @Test("FFmpeg reads compressed and stored pixels, also beyond one block", arguments: [true, false])
    func pixels(compresses: Bool) throws {
        let palette = (0..<200).map { RGBColor($0 << 16 | (255 - $0) << 8 | ($0 * 7) & 255) }
        var random = SeededRandom(seed: 3)
        let pixels = (0..<401 * 230).map { _ in UInt8.random(in: 0..<200, using: &random) }
        let image = PNGImage(width: 401, height: 230, palette: palette, pixels: pixels)
        let folder = try TemporaryFolder()
        let path = try folder.write(image.serialized(compresses: compresses), to: "a.png")
        let run = try ProgramRun(
            ProgramRun.require("ffmpeg"), ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        #expect(run.errorText.isEmpty)
        #expect(run.output == pixels.flatMap { index in [palette[Int(index)].red, palette[Int(index)].green, palette[Int(index)].blue] })
    }

    @Test("Base64 matches Foundation")
    func base64Text() {
        var random = SeededRandom(seed: 9)
        for count in 0..<20 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.string(bytes) == Data(bytes).base64EncodedString())
        }
    }

    @Test("Color scales are readable by lightness alone")
    func lightness() {
        let colors = ColorMap(ColorMap.viridis, range: 0...1, count: 64).colors
        let lightness = colors.map { 0.2126 * Double($0.red) + 0.7152 * Double($0.green) + 0.0722 * Double($0.blue) }
        #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $0 < $1 })
    }
}
