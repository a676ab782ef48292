// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// What stops a file of coded sound from being read.
public enum CodedFileError: Error, Hashable, Sendable {
    /// The file is nothing that access units can be read from; `format` says what it is, if it has a name here.
    case unsuitableFormat(path: String, format: ContainerFormat?)
    /// The container is damaged, or holds no AAC.
    case container(path: String, ContainerError)
}

extension CodedFileError: CustomStringConvertible {
    /// One line: what could not be read, and why.
    public var description: String {
        switch self {
        case .unsuitableFormat(let path, let format): "\(path) holds no AAC that can be read\(Self.clause(format))"
        case .container(let path, .noAACAudio(let codec?)): "\(path) holds \(codec.codecName) audio, not AAC"
        case .container(let path, .noAACAudio(nil)): "\(path) holds no audio"
        case .container(let path, let error): "\(path) is damaged: \(error)"
        }
    }

    private static func clause(_ format: ContainerFormat?) -> String {
        switch format {
        case .transportStream: "; it is an MPEG transport stream"
        case .mpegAudio: "; it is MPEG audio of layer 1 to 3"
        case let format? where format.isPCMFile || format == .matroska: "; it is a \(format.name) file"
        default: ""
        }
    }
}
