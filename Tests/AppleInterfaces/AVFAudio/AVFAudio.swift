// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of AVFAudio that Linnet uses, written from its public documentation, with optional results as documented.

@_exported public import CoreAudioTypes
@_exported public import Foundation

public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat = 0, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

open class AVAudioFormat: NSObject, @unchecked Sendable {
    public init?(commonFormat: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {}
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {}
    open var commonFormat: AVAudioCommonFormat { fatalError() }
    open var sampleRate: Double { fatalError() }
    open var channelCount: AVAudioChannelCount { fatalError() }
    open var isInterleaved: Bool { fatalError() }
}

open class AVAudioBuffer: NSObject {
    open var format: AVAudioFormat { fatalError() }
}

open class AVAudioPCMBuffer: AVAudioBuffer {
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
    open var frameLength: AVAudioFrameCount {
        get { fatalError() }
        set {}
    }
    open var stride: Int { fatalError() }
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { fatalError() }
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { fatalError() }
}

open class AVAudioTime: NSObject {
    public init(hostTime: UInt64) {}
    open class func seconds(forHostTime time: UInt64) -> Double { fatalError() }
    open class func hostTime(forSeconds seconds: Double) -> UInt64 { fatalError() }
}

open class AVAudioApplication: NSObject {
    public enum recordPermission: Int, Sendable { case undetermined, denied, granted }
    open class var shared: AVAudioApplication { fatalError() }
    open var recordPermission: recordPermission { fatalError() }
    open class func requestRecordPermission(completionHandler: @escaping @Sendable (Bool) -> Void) {}
}

open class AVAudioNode: NSObject {
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError() }
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock
    ) {}
}

open class AVAudioInputNode: AVAudioNode {}
open class AVAudioMixerNode: AVAudioNode {}
open class AVAudioPlayerNode: AVAudioNode {
    public override init() { super.init() }
    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: (@Sendable () -> Void)? = nil) {}
    open func play(at time: AVAudioTime?) {}
}

open class AVAudioEngine: NSObject {
    open var inputNode: AVAudioInputNode { fatalError() }
    open var mainMixerNode: AVAudioMixerNode { fatalError() }
    open func attach(_ node: AVAudioNode) {}
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
    open func start() throws {}
}

#if !os(macOS)
open class AVAudioSessionChannelDescription: NSObject {}

open class AVAudioSessionPortDescription: NSObject {
    open var uid: String { fatalError() }
    open var portName: String { fatalError() }
    open var channels: [AVAudioSessionChannelDescription]? { fatalError() }
}

open class AVAudioSessionRouteDescription: NSObject {
    open var inputs: [AVAudioSessionPortDescription] { fatalError() }
    open var outputs: [AVAudioSessionPortDescription] { fatalError() }
}

open class AVAudioSession: NSObject {
    open class func sharedInstance() -> AVAudioSession { fatalError() }
    open class var interruptionNotification: Notification.Name { fatalError() }
    open class var routeChangeNotification: Notification.Name { fatalError() }
    open class var mediaServicesWereLostNotification: Notification.Name { fatalError() }
    open class var mediaServicesWereResetNotification: Notification.Name { fatalError() }
    open var category: Category { fatalError() }
    open var mode: Mode { fatalError() }
    open var categoryOptions: CategoryOptions { fatalError() }
    open var preferredInput: AVAudioSessionPortDescription? { fatalError() }
    open var prefersNoInterruptionsFromSystemAlerts: Bool { fatalError() }
    open var currentRoute: AVAudioSessionRouteDescription { fatalError() }
    open var availableInputs: [AVAudioSessionPortDescription]? { fatalError() }
    open var isInputAvailable: Bool { fatalError() }
    open var sampleRate: Double { fatalError() }
    open var ioBufferDuration: Double { fatalError() }
    open var outputLatency: Double { fatalError() }
    open var maximumInputNumberOfChannels: Int { fatalError() }
    open var maximumOutputNumberOfChannels: Int { fatalError() }
    open var inputNumberOfChannels: Int { fatalError() }
    open var outputNumberOfChannels: Int { fatalError() }
    open func setPreferredInput(_ port: AVAudioSessionPortDescription?) throws {}
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
    open func setPreferredSampleRate(_ rate: Double) throws {}
    open func setPreferredIOBufferDuration(_ duration: Double) throws {}
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {}
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {}
    open func setPrefersNoInterruptionsFromSystemAlerts(_ value: Bool) throws {}
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}
#endif
