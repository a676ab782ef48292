// SPDX-License-Identifier: Apache-2.0

/// Options of more than one subcommand.
extension CommandOption {
    /// The option of every subcommand that shows its help.
    package static let help = CommandOption("help", short: "h", "show this help")

    // MARK: Files

    static let output = CommandOption("output", short: "o", value: "OUT", "where to write")
    static let format = CommandOption(
        "format", short: "f", value: "NAME", "file format of the output, if not the one of its extension",
        aliases: [Alias("container")])
    static let force = CommandOption("force", short: "y", "overwrite existing outputs")
    static let range = CommandOption(
        "range", value: "A-B", "only this part, in seconds or as 1:30", detail: ": 10-12.5, 1:30-2:00, 60- or -5")

    // MARK: Audio

    static let codec = CommandOption("codec", value: "NAME", "codec of the output")
    static let sampleFormat = CommandOption("sample-format", value: "F", "sample format of the output")

    static let rate = CommandOption("rate", short: "r", value: "HZ", "sample rate of the output", aliases: [Alias("resample")])
    static let channels = CommandOption(
        "channels", short: "c", value: "N", "number of channels of the output", aliases: [Alias("mono", value: "1")])
    static let bitRate = CommandOption("bitrate", short: "b", value: "RATE", "bit rate in bits per second, such as 128k or 96000")
    static let quality = CommandOption("quality", short: "q", value: "0-100", "variable bit rate with this quality")
    static let lowDelay = CommandOption("low-delay", "AAC-LC without look-ahead: 21 ms less delay at 48 kHz")
    static let noDelay = CommandOption(
        "no-delay",
        "begin with the first sample in ADTS, LOAS, MPEG-TS and HLS too, which can't tell a delay: the first access unit is faded in")
    static let preset = CommandOption("preset", value: "NAME", "settings under one name")

    static let loudness = CommandOption("loudness", "measure loudness and true peak (EBU R 128)")

    // MARK: Tags

    static let title = CommandOption("title", value: "TEXT", "title")

    // MARK: Devices

    static let device = CommandOption("device", short: "d", value: "NAME", "the device, as linnet devices lists it; else the default one")

    // MARK: Work and messages

    static let jobs = CommandOption(
        "jobs", short: "j", value: "N", "number of files processed at a time", detail: " (default: the number of processors)")
    static let threads = CommandOption("threads", value: "N", "number of threads (default: the number of processors)")
    static let json = CommandOption("json", "print the result as JSON")
    static let quiet = CommandOption("quiet", "print nothing but errors and warnings")
    static let verbose = CommandOption("verbose", short: "v", "print details")
}
