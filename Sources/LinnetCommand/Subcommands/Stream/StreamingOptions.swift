// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
package import LiveAudio
package import LiveStreaming

/// The live server options of `linnet record` and `linnet stream`.
package enum StreamingOptions {
    static let options = [
        CommandOption(
            "adaptive", value: "LOW-HIGH",
            "adapt the bit rate to slow servers within this range, such as 32k-128k"),
        CommandOption(
            "queue", value: "S", "maximum queued audio per server, in seconds (default: 10); the oldest is discarded"),
        CommandOption("timeout", value: "S", "time limit for connecting and for each answer, in seconds (default: 10)"),
        CommandOption.title.with(", also for Icecast listeners"),
        CommandOption("title-file", value: "FILE", "take the title from the first line of this file, also after changes"),
        CommandOption("hls-type", value: "TYPE", "HLS playlist: live (the last segments, default), event (all) or vod (at the end)"),
        CommandOption("hls-format", value: "NAME", "HLS segments: fmp4 (fragmented MP4, default) or packed (ADTS)"),
        CommandOption("hls-segment", value: "S", "duration of an HLS segment in seconds (default: 6)"),
        CommandOption("hls-part", value: "S", "also write parts of this duration, for low latency"),
        CommandOption(
            "hls-rates", value: "RATE,…",
            "write HLS at several bit rates, such as 32k,64k,128k, with the best profile for each (default) or --profile"),
        CommandOption("hls-window", value: "N", "segments in a live HLS playlist (default: 6)"),
    ]

    /// Throws if an option of live destinations was given without one, or a file format without a file.
    ///
    /// - Parameter outputs: The outputs, for which `--format` names the format.
    static func refuse(_ arguments: ParsedArguments, for outputs: [String], also others: [String]) throws(CommandFailure) {
        if arguments.has("format"), outputs.allSatisfy({ StreamingAddress.isAddress($0) }) {
            throw arguments.failure("--format applies to files; an address determines the format of its stream")
        }
        let addresses = (outputs + others).filter { StreamingAddress.isAddress($0) }
        let hasFolder = addresses.contains { $0.lowercased().hasPrefix("hls:") }
        // `linnet record` tags files with the title, too.
        let tagsFiles = arguments.offers("tags-from")
        for option in options.map(\.name) where arguments.has(option) && !(tagsFiles && option == CommandOption.title.name) {
            if option.hasPrefix("hls-"), !hasFolder { throw arguments.failure("--\(option) needs an HLS folder; add -o hls:FOLDER") }
            if addresses.isEmpty { throw arguments.failure("--\(option) applies to servers, not to files; add -o with an address") }
            if option.hasPrefix("title"), !addresses.contains(where: { $0.lowercased().hasPrefix("icecast") }) {
                throw arguments.failure("--\(option) applies to Icecast servers only")
            }
        }
    }

    /// The help about addresses.
    static let addressHelp = """
        Servers are rtmp://host/app/key and rtmps://…, icecast://source:password@host:8000/talk.aac (talk.opus with --codec opus) and
        icecasts://…, srt://host:9000?latency=200&passphrase=… (also mode=listener), rtp://host:5004 and srtp://host:5004?key={file:PATH}
        (also units=N, format=latm and sdp=FILE for the session description, rtp-PORT.sdp by default), and hls:FOLDER for any web server.
        Each reconnects after a failure without delaying the others; losses are reported.
        """

    /// An unreachable time limit.
    static let unlimited = Duration.seconds(Int32.max)

    static func limits(_ arguments: ParsedArguments) throws(CommandFailure) -> StreamingLimits {
        var limits = StreamingLimits()
        if let seconds = try arguments.number("queue", in: 0.1...3600) { limits.queueDuration = .seconds(seconds) }
        if let seconds = try arguments.number("timeout", in: 0.1...600) { limits.step = .seconds(seconds) }
        return limits
    }

    /// Returns the bit rate range of `--adaptive`, if given.
    static func adaptiveRange(_ arguments: ParsedArguments) throws(CommandFailure) -> ClosedRange<Int>? {
        guard let text = arguments.text("adaptive") else { return nil }
        for option in ["bitrate", "quality"] { try arguments.exclude("adaptive", option) }
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { ParsedArguments.rate($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else {
            throw arguments.failure("invalid --adaptive value '\(text)'; use two bit rates like 32k-128k")
        }
        return bounds[0]...bounds[1]
    }

    package static func sink(_ text: String, _ arguments: ParsedArguments) throws -> (sink: RecorderSink, streams: [StreamingSink]) {
        if text.lowercased().hasPrefix("srtp://"), text.contains("key="), !text.contains("key={") {
            SecretArgument.hide(text)
            throw arguments.failure("write the key of srtp as key={env:NAME} or key={file:PATH}, to hide it from the list of processes")
        }
        let resolved = try SecretArgument.resolve(text, arguments)
        SecretArgument.hide(text)
        var address: StreamingAddress
        do throws(StreamingError) {
            address = try StreamingAddress(resolved)
        } catch {
            throw arguments.failure(error.description)
        }
        var limits = try limits(arguments)
        if case .hls(var folder) = address.kind {
            folder = try withOptions(folder, arguments)
            address = .hls(folder)
            // A stream on demand is written as fast as it is encoded, and must be complete.
            if folder.playlistKind == .onDemand, !arguments.has("queue") { limits.closing = unlimited }
            if let bitRates = try bitRates(arguments) {
                let settings = try EncoderOptions.settings(arguments, presetProfile: .automatic)
                return folder.variants(bitRates: bitRates, settings: settings, limits: limits)
            }
        }
        let stream = StreamingSink(address, limits: limits)
        stream.title = try title(arguments)
        return (.accessUnits(to: stream), [stream])
    }

    /// Returns the bit rates of HLS variants; `nil` for a single stream.
    private static func bitRates(_ arguments: ParsedArguments) throws(CommandFailure) -> [Int]? {
        guard let text = arguments.text("hls-rates") else { return nil }
        if let codec = arguments.text(OpusOptions.codec.name), codec != "aac" {
            throw arguments.failure("--hls-rates writes AAC; omit --\(OpusOptions.codec.name) \(codec)")
        }
        let rates = text.split(separator: ",", omittingEmptySubsequences: false).map { ParsedArguments.rate($0) }
        let found = rates.compactMap { $0 }
        guard found.count == rates.count else {
            throw arguments.failure("invalid --hls-rates value '\(text)'; use bit rates like 32k,64k,128k")
        }
        return found
    }

    private static func title(_ arguments: ParsedArguments) throws -> String? {
        try arguments.exclude("title", "title-file")
        if let path = arguments.text("title-file") { return try TextFile.firstLine(path) }
        return arguments.text("title")
    }

    /// Returns an HLS folder with the settings of the command line.
    static func withOptions(_ folder: HLSFolder, _ arguments: ParsedArguments) throws(CommandFailure) -> HLSFolder {
        var folder = folder
        let kinds = [("live", HLSFolder.PlaylistKind.live), ("event", .event), ("vod", .onDemand)]
        if let kind = try arguments.choice("hls-type", kinds) { folder.playlistKind = kind }
        if let format = try arguments.choice("hls-format", [("fmp4", HLSFolder.SegmentFormat.fragmentedMP4), ("packed", .packedAudio)]) {
            folder.segmentFormat = format
        }
        if let seconds = try arguments.number("hls-segment", in: 0.5...60) { folder.segmentDuration = .seconds(seconds) }
        let segment = folder.segmentDuration.inSeconds
        if let interval = try arguments.number("access-points", in: 0.1...60), interval > segment {
            throw arguments.failure(
                "--access-points \(Format.short(interval)) is longer than an HLS segment, which starts at an access point; "
                    + "use at most \(Format.short(segment)), or a longer --hls-segment")
        }
        if let seconds = try arguments.number("hls-part", in: 0.2...10) {
            guard seconds <= segment else {
                throw arguments.failure(
                    "--hls-part \(Format.short(seconds)) is longer than an HLS segment; use at most \(Format.short(segment))")
            }
            folder.partDuration = .seconds(seconds)
        }
        if let count = try arguments.integer("hls-window", in: 3...10_000) {
            guard folder.playlistKind == .live else { throw arguments.failure("--hls-window applies to --hls-type live only") }
            folder.windowLength = count
        }
        return folder
    }
}
