// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the program tells its caller by its exit status; listed in `linnet --help`.
enum ExitCode: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 2
    case unreadableInput = 3
    case folderInput = 4
    case unsuitableInput = 5
    case damagedInput = 6
    case outputExists = 7
    case unwritableOutput = 8
    case noSpace = 9
    case refusedSettings = 10
    case noDevice = 11
    case interrupted = 130
    case readerGone = 141

    /// When the code is used, in a few words.
    var meaning: String {
        switch self {
        case .success: "all went well"
        case .failure: "something that none of the others names"
        case .usage: "the command line is wrong"
        case .unreadableInput: "an input is missing or can't be read"
        case .folderInput: "an input is a folder"
        case .unsuitableInput: "an input is nothing that this command takes"
        case .damagedInput: "an input is damaged"
        case .outputExists: "an output exists already"
        case .unwritableOutput: "an output can't be made or written"
        case .noSpace: "the disk is full"
        case .refusedSettings: "the encoder can't do what is asked with this input"
        case .noDevice: "there is no such device or sound server, or it failed"
        case .interrupted: "stopped by Ctrl-C (143: by SIGTERM)"
        case .readerGone: "nobody reads the pipe any more"
        }
    }
}
