// SPDX-License-Identifier: Apache-2.0

import AudioFiles

extension FileConverterConfiguration {
    /// Creates a configuration from the options shared by `encode`, `convert` and `decode`.
    init(_ arguments: ParsedArguments) throws {
        self.init()
        range = try arguments.durationRange()
        overwrites = arguments.has("force")
        let given = try TagOptions(arguments)
        (tags, discTags, inheritsTags) = (given.tags, given.discTags, given.inheritsTags)
        try LoudnessOptions.apply(arguments, to: &decoding)
        decoding.audioTrack = try AudioTrackOption.choice(arguments)
        guard arguments.offers("raw") else { return }
        sampleRate = try arguments.perSecond("rate", example: "48000 or 48k")
        raw = try RawInputOption.format(arguments)
        loudnessTarget = try LoudnessOptions.target(arguments)
        if arguments.offers("gain") { gain = try LoudnessOptions.gain(arguments) }
    }
}
