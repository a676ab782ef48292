// SPDX-License-Identifier: Apache-2.0

/// The options that more than one subcommand has.
extension CommandOption {
    /// Shows the help; every subcommand has it.
    package static let help = CommandOption("help", short: "h", "show this help")

    // MARK: Files

    /// The output's path.
    static let output = CommandOption("output", short: "o", value: "OUT", "where to write")
    /// The output's file format.
    static let format = CommandOption(
        "format", short: "f", value: "NAME", "file format of the output, if not the one of its extension",
        aliases: [Alias("container")])
    /// Permission to replace files.
    static let force = CommandOption("force", short: "y", "overwrite existing outputs")
    /// A part of the input in time.
    static let range = CommandOption(
        "range", value: "A-B", "only this part, in seconds or as 1:30", detail: ": 10-12.5, 1:30-2:00, 60- or -5")

    // MARK: Audio

    /// The codec.
    static let codec = CommandOption("codec", value: "NAME", "codec of the output")
    /// The format of PCM samples.
    static let sampleFormat = CommandOption("sample-format", value: "F", "sample format of the output")

    /// The output's sample rate.
    static let rate = CommandOption("rate", short: "r", value: "HZ", "sample rate of the output", aliases: [Alias("resample")])
    /// The output's number of channels.
    static let channels = CommandOption(
        "channels", short: "c", value: "N", "number of channels of the output", aliases: [Alias("mono", value: "1")])
    /// The bit rate.
    static let bitRate = CommandOption("bitrate", short: "b", value: "RATE", "bit rate in bits per second, such as 128k or 96000")
    /// The quality of a variable bit rate.
    static let quality = CommandOption("quality", short: "q", value: "0-100", "variable bit rate with this quality")
    /// An encoder without look-ahead.
    static let lowDelay = CommandOption("low-delay", "AAC-LC without look-ahead: 21 ms less delay at 48 kHz")
    /// A stream that begins with the first sample.
    static let noDelay = CommandOption(
        "no-delay",
        "begin with the first sample in ADTS, LOAS, MPEG-TS and HLS too, which can't tell a delay: the first access unit is faded in")
    /// Settings under a name.
    static let preset = CommandOption("preset", value: "NAME", "settings under one name")

    /// The loudness of a file.
    static let loudness = CommandOption("loudness", "measure loudness and true peak (EBU R 128)")

    // MARK: Tags

    /// The title.
    static let title = CommandOption("title", value: "TEXT", "title")

    // MARK: Devices

    /// The device to record from or play to.
    static let device = CommandOption("device", short: "d", value: "NAME", "the device, as linnet devices lists it; else the default one")

    // MARK: Work and messages

    /// The number of files processed at a time.
    static let jobs = CommandOption(
        "jobs", short: "j", value: "N", "number of files processed at a time", detail: " (default: the number of processors)")
    /// The number of threads of one file.
    static let threads = CommandOption("threads", value: "N", "number of threads (default: the number of processors)")
    /// Results for programs.
    static let json = CommandOption("json", "print the result as JSON")
    /// Only errors.
    static let quiet = CommandOption("quiet", "print nothing but errors and warnings")
    /// Details.
    static let verbose = CommandOption("verbose", short: "v", "print details")
}
