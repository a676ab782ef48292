// SPDX-License-Identifier: Apache-2.0

/// Options of more than one subcommand.
extension CommandOption {
    /// The option of every subcommand that shows its help.
    package static let help = CommandOption("help", short: "h", "show this help")

    // MARK: Files

    static let output = CommandOption("output", short: "o", value: "OUT", "output path")
    static let format = CommandOption(
        "format", short: "f", value: "NAME", "output file format (default: from the extension)",
        aliases: [Alias("container")])
    static let force = CommandOption("force", short: "y", "overwrite existing outputs")
    static let range = CommandOption(
        "range", value: "A-B", "only this part, in seconds or as 1:30", detail: ", such as 10-12.5, 1:30-2:00, 60- or -5")

    static let join = CommandOption("join", "join all inputs, with a chapter each and the tags of the first")

    // MARK: Audio

    static let profile = CommandOption("profile", value: "NAME", "AAC profile")
    static let codec = CommandOption("codec", value: "NAME", "output codec")
    static let sampleFormat = CommandOption("sample-format", value: "F", "output sample format")

    static let rate = CommandOption("rate", short: "r", value: "HZ", "output sample rate", aliases: [Alias("resample")])
    static let channels = CommandOption(
        "channels", short: "c", value: "N", "output channel count", aliases: [Alias("mono", value: "1")])
    static let bitRate = CommandOption("bitrate", short: "b", value: "RATE", "bit rate in bits per second, such as 128k or 96000")
    static let quality = CommandOption("quality", short: "q", value: "0-100", "variable bit rate of this quality")
    static let lowDelay = CommandOption("low-delay", "AAC-LC without look-ahead: 21 ms less delay at 48 kHz")
    static let noDelay = CommandOption(
        "no-delay",
        "omit encoder priming, which ADTS, LOAS, MPEG-TS and HLS cannot signal; fades in the first access unit")
    static let preset = CommandOption("preset", value: "NAME", "named settings")

    static let gain = CommandOption("gain", value: "DB", "gain in decibels")

    static let loudness = CommandOption("loudness", "measure loudness and true peak (EBU R 128)")

    // MARK: Tags

    static let title = CommandOption("title", value: "TEXT", "title")

    // MARK: Devices

    static let device = CommandOption("device", short: "d", value: "NAME", "device NAME of linnet devices (default: the system's)")

    // MARK: Work and messages

    static let jobs = CommandOption(
        "jobs", short: "j", value: "N", "number of concurrent files", detail: " (default: the number of processors)")
    static let threads = CommandOption("threads", value: "N", "number of threads (default: the number of processors)")
    static let json = CommandOption("json", "print the result as JSON")
    static let quiet = CommandOption("quiet", "print only errors and warnings")
    static let verbose = CommandOption("verbose", short: "v", "print details")
}
