// SPDX-License-Identifier: Apache-2.0

enum ForeignOptionHint {
    /// An option of other programs and a hint.
    private struct Entry {
        /// The foreign option, without dashes.
        let name: String
        /// The option that a command must have for the hint to apply; `nil` for any command.
        let option: String?
        let text: String
    }

    /// Options of FFmpeg, lame, fdkaac, afconvert, qaac and sox, and of version 0.1.
    private static let entries = [
        Entry(name: "i", option: nil, text: "inputs are named without it"),
        Entry(name: "y", option: "force", text: "--force replaces outputs"),
        Entry(name: "V", option: "quality", text: "a variable bit rate is -q 0 to -q 100"),
        Entry(name: "vbr", option: "quality", text: "a variable bit rate is -q 0 to -q 100"),
        Entry(name: "d", option: "codec", text: "the codec is --codec, the file format --format"),
        Entry(name: "p", option: "profile", text: "the profile is --profile lc, he or he-v2"),
        Entry(name: "m", option: "channels", text: "one channel is --channels 1"),
        Entry(name: "a", option: "rate", text: "the sample rate is --rate, the channels are --channels"),
        Entry(name: "ar", option: "rate", text: "the sample rate is --rate"),
        Entry(name: "ac", option: "channels", text: "the number of channels is --channels"),
        Entry(name: "s", option: "range", text: "a part is --range FROM-TO, such as 1:30-2:00"),
        Entry(name: "t", option: "range", text: "a part is --range FROM-TO, such as 1:30-2:00"),
        Entry(name: "to", option: "range", text: "a part is --range FROM-TO, such as 1:30-2:00"),
        Entry(name: "seconds", option: "range", text: "it is --range A-B now"),
        Entry(name: "start", option: "range", text: "it is --range A- now"),
        Entry(name: "downmix", option: "channels", text: "it is --channels 2 now"),
        Entry(name: "v", option: "quiet", text: "this command has no more to say; --json gives details"),
        Entry(name: "n", option: "force", text: "existing files are kept unless --force is given"),
        Entry(name: "tvbr", option: "quality", text: "a variable bit rate is -q 0 to -q 100"),
        Entry(name: "cvbr", option: "abr", text: "a variable bit rate around a target is --abr -b RATE"),
        Entry(name: "segment", option: nil, text: "linnet convert --split chapters writes a file for each chapter"),
        Entry(name: "name", option: "output", text: "the output is -o OUT; a title is --title TEXT"),
        Entry(name: "samplerate", option: "rate", text: "the sample rate is --rate"),
    ]

    /// Options of FFmpeg with one dash that the parser takes for a cluster of short options.
    private static let words = [
        Entry(name: "map", option: "audio-track", text: "the audio track is --audio-track N or --audio-track LANGUAGE"),
        Entry(name: "vn", option: nil, text: "video is ignored"),
        Entry(name: "sn", option: nil, text: "subtitles are ignored"),
        Entry(name: "dn", option: nil, text: "data tracks are ignored"),
        Entry(name: "af", option: nil, text: "there are no filters; --normalize sets the loudness, --channels mixes"),
        Entry(name: "filter:a", option: nil, text: "there are no filters; --normalize sets the loudness, --channels mixes"),
        Entry(name: "vol", option: nil, text: "--normalize sets the loudness"),
        Entry(name: "acodec", option: "codec", text: "the codec is --codec, the sample format --sample-format"),
        Entry(name: "codec:a", option: "codec", text: "the codec is --codec"),
        Entry(name: "ab", option: "bitrate", text: "the bit rate is -b RATE"),
        Entry(name: "aq", option: "quality", text: "a variable bit rate is -q 0 to -q 100"),
        Entry(name: "metadata", option: "tag", text: "tags are --title TEXT, --artist TEXT, … and --tag KEY=VALUE"),
        Entry(name: "loglevel", option: "quiet", text: "--quiet prints errors only"),
        Entry(name: "hide_banner", option: nil, text: "there is no banner"),
        Entry(name: "strict", option: nil, text: "it is not needed"),
    ]

    /// Returns a hint for an option with one dash that other programs write as a word; `nil` for other words.
    static func text(forWord word: String, among options: [CommandOption]) -> String? {
        words.first { entry in
            word == "-" + entry.name && (entry.option == nil || options.contains { $0.name == entry.option })
        }?.text
    }

    /// Returns a hint for an unknown option, if any.
    ///
    /// - Parameter name: The option, without dashes.
    static func text(for name: String, among options: [CommandOption]) -> String? {
        entries.first { entry in
            entry.name == name && (entry.option == nil || options.contains { $0.name == entry.option })
        }?.text
    }

    /// Returns a hint for a value such as `:a`, a stream specifier of FFmpeg (`-b:a 128k`); `nil` for other values.
    static func text(forValue value: String, of option: CommandOption, among options: [CommandOption]) -> String? {
        guard value.first == ":", value.dropFirst().first?.isLetter == true, let short = option.short else { return nil }
        let isCodec = short == "c" && options.contains { $0.name == "codec" }
        return "-\(short)\(value) is an option of FFmpeg; here it is " + (isCodec ? "--codec" : "-\(short)")
    }
}
