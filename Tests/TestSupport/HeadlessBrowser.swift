// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Chromium without a window.
public enum HeadlessBrowser {
    /// Returns the arguments for a browser with its data in a folder.
    public static func arguments(data: String) -> [String] {
        [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=\(data)",
        ]
    }

    /// A rendered page.
    public struct Picture {
        /// The size in pixels.
        public let (width, height): (Int, Int)
        /// Three bytes per pixel.
        public let pixels: [UInt8]
        /// The console messages of the page's scripts.
        public let messages: [String]

        /// Returns the color of a pixel.
        public func color(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
            let index = 3 * (y * width + x)
            return (Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
        }
    }

    /// Opens a page from a file and returns its picture after its scripts have run.
    public static func picture(of path: String, width: Int, height: Int) throws -> Picture {
        let folder = try TemporaryFolder()
        let run = try open(
            path, in: folder,
            ["--window-size=\(width),\(height)", "--hide-scrollbars", "--screenshot=\(folder.path("page.png"))"])
        let frame = try ProgramRun(
            ProgramRun.require("ffmpeg"), ["-v", "error", "-i", folder.path("page.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        return Picture(width: width, height: height, pixels: frame.output, messages: messages(run))
    }

    /// Opens a page from a file and returns its HTML and console messages after its scripts have run.
    public static func elements(of path: String) throws -> (text: String, messages: [String]) {
        let run = try open(path, in: try TemporaryFolder(), ["--dump-dom"])
        return (run.text, messages(run))
    }

    private static func open(_ path: String, in folder: TemporaryFolder, _ options: [String]) throws -> ProgramRun {
        try ProgramRun(
            ProgramRun.require("chromium"),
            arguments(data: folder.path("data")) + ["--enable-logging=stderr", "--virtual-time-budget=5000"] + options
                + [URL(fileURLWithPath: path).absoluteString])
    }

    /// Returns the log lines of the page's scripts and their errors.
    private static func messages(_ run: ProgramRun) -> [String] {
        run.errorText.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
    }
}
