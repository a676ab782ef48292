// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The keys and values of the audio session, shared by the type check and the Core Audio model.

#if !os(macOS) && !MODEL_MACOS
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

extension AVAudioSession {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    }
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    }
    public struct CategoryOptions: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
        @available(tvOS, unavailable) public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        @available(iOS 26, *) @available(tvOS, unavailable) public static let bluetoothHighQualityRecording = CategoryOptions(
            rawValue: 1 << 19)
    }
    public struct SetActiveOptions: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }
    public enum ErrorCode: Int, Sendable { case insufficientPriority = 561_017_449 }
    public enum InterruptionType: UInt, Sendable { case ended = 0, began = 1 }
    public enum InterruptionReason: UInt, Sendable { case `default` = 0, appWasSuspended = 1, builtInMicMuted = 2, routeDisconnected = 4 }
    public struct InterruptionOptions: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
}
#endif
