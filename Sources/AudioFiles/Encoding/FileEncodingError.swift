// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives
public import PCMFiles

/// What stops a file from being encoded: the step, and its own error.
public enum FileEncodingError: Error, Hashable, Sendable {
    /// The input can't be opened or read.
    case input(PCMFileError)
    /// The encoder can't do what is asked with this input.
    case settings(path: String, AACError)
    /// The input's loudspeakers are none that a channel configuration has; those it could have are listed.
    case loudspeakers(path: String, found: ChannelLayout, allowed: ChannelLayout)
    /// The sample rate in hertz can't be changed like this.
    case sampleRates(path: String, from: Int, to: Int)
    /// The library that changes the sample rate gave up.
    case resampling(path: String)
    /// The input has samples that can't be encoded.
    case samples(path: String, AACError)
    /// The container has no place for the tags, or none for a cover.
    case tags(path: String, ContainerFormat)
    /// ADTS has no place to tell of HE-AAC; decoders find it in the stream.
    case signaling(path: String)
    /// The container can't hold the stream.
    case container(path: String, ContainerError)
    /// The output can't be written.
    case output(OutputError)
    /// The caller asked to stop.
    case cancelled
}

extension FileEncodingError: CustomStringConvertible {
    /// One line: what went wrong with which file, and the way out.
    public var description: String {
        switch self {
        case .input(let error): error.description
        case .settings(let path, let error): "can't encode \(path): \(error)"
        case .loudspeakers(let path, let found, let allowed):
            "can't encode \(path): AAC has no configuration for the loudspeakers \(found.names), only for \(allowed.names)"
        case .sampleRates(let path, let from, let to): "can't encode \(path): no way from \(from) Hz to \(to) Hz"
        case .resampling(let path): "can't encode \(path): the sample rate could not be changed"
        case .samples(let path, let error): "can't encode \(path): \(error)"
        case .tags(let path, .adts), .tags(let path, .loas):
            "can't write \(path): ADTS and LOAS have no place for tags; M4A and CAF have"
        case .tags(let path, _): "can't write \(path): CAF has no place for a cover; M4A has"
        case .signaling(let path): "can't write \(path): ADTS can't signal HE-AAC explicitly"
        case .container(let path, let error): "can't write \(path): \(error)"
        case .output(let error): error.description
        case .cancelled: "stopped"
        }
    }
}

extension ChannelLayout {
    /// The speakers' usual letters, as "FL FR".
    public var names: String { speakers.map(\.abbreviation).joined(separator: " ") }
}

extension Speaker {
    /// The usual letters, as "FL".
    public var abbreviation: String {
        switch self {
        case .left: "FL"
        case .right: "FR"
        case .center: "FC"
        case .lowFrequency: "LFE"
        case .backLeft: "BL"
        case .backRight: "BR"
        case .leftOfCenter: "FLC"
        case .rightOfCenter: "FRC"
        case .backCenter: "BC"
        case .sideLeft: "SL"
        case .sideRight: "SR"
        case .topLeft: "TFL"
        case .topRight: "TFR"
        }
    }
}
