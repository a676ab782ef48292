// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if MODEL_IOS
import AppleModel
public import Foundation

open class AVAudioSessionChannelDescription: NSObject {}

open class AVAudioSessionPortDescription: NSObject {
    public let uid: String
    public let portName: String
    private let channelCount: Int
    init(_ device: Machine.Device) {
        uid = device.uid
        portName = device.name
        channelCount = device.inputChannels
    }
    open var channels: [AVAudioSessionChannelDescription]? { (0..<channelCount).map { _ in AVAudioSessionChannelDescription() } }
}

open class AVAudioSessionRouteDescription: NSObject {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]
    init(_ inputs: [AVAudioSessionPortDescription], _ outputs: [AVAudioSessionPortDescription]) {
        self.inputs = inputs
        self.outputs = outputs
    }
}

open class AVAudioSession: NSObject {
    public static let interruptionNotification = Notification.Name(rawValue: "AVAudioSessionInterruptionNotification")
    public static let routeChangeNotification = Notification.Name(rawValue: "AVAudioSessionRouteChangeNotification")
    public static let mediaServicesWereLostNotification = Notification.Name(rawValue: "AVAudioSessionMediaServicesWereLostNotification")
    public static let mediaServicesWereResetNotification = Notification.Name(rawValue: "AVAudioSessionMediaServicesWereResetNotification")

    nonisolated(unsafe) private static let instance = AVAudioSession()
    open class func sharedInstance() -> AVAudioSession { instance }

    public private(set) var category = Category.soloAmbient
    public private(set) var mode = Mode.default
    public private(set) var categoryOptions: CategoryOptions = []
    public private(set) var prefersNoInterruptionsFromSystemAlerts = false

    open var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(
            machine.session.canRecord ? machine.routeInput().map { [AVAudioSessionPortDescription($0)] } ?? [] : [],
            outputs.map { AVAudioSessionPortDescription($0) })
    }
    private var outputs: [Machine.Device] {
        guard machine.session.canPlay else { return [] }
        guard machine.session.playsEverywhere else { return machine.routeOutput().map { [$0] } ?? [] }
        return machine.devices.reversed().filter { $0.isAlive && $0.outputChannels > 0 }
    }
    /// The inputs that the category and mode permit. [A]
    open var availableInputs: [AVAudioSessionPortDescription]? {
        guard machine.session.canRecord else { return [] }
        return machine.devices.filter { $0.isAlive && $0.inputChannels > 0 }.map { AVAudioSessionPortDescription($0) }
    }
    open var preferredInput: AVAudioSessionPortDescription? {
        machine.devices.first { $0.uid == machine.session.preferredInput }.map { AVAudioSessionPortDescription($0) }
    }
    open var isInputAvailable: Bool { machine.devices.contains { $0.isAlive && $0.inputChannels > 0 } }
    open var sampleRate: Double { (machine.session.canRecord ? machine.routeInput() : machine.routeOutput())?.sampleRate ?? 48000 }
    open var outputLatency: Double { machine.routeOutput().map { Double($0.latency + $0.streamLatency) / $0.sampleRate } ?? 0 }
    open var maximumInputNumberOfChannels: Int { machine.routeInput()?.inputChannels ?? 0 }
    open var maximumOutputNumberOfChannels: Int { machine.routeOutput()?.outputChannels ?? 0 }
    open var inputNumberOfChannels: Int { min(maximumInputNumberOfChannels, machine.session.inputChannels) }
    open var outputNumberOfChannels: Int { min(maximumOutputNumberOfChannels, machine.session.outputChannels) }
    open var ioBufferDuration: Double { Double(machine.session.frames) / sampleRate }

    open func setPreferredInput(_ port: AVAudioSessionPortDescription?) throws { try check(machine.setPreferredInput(port?.uid)) }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        let records = [.playAndRecord, .record, .multiRoute].contains(category)
        // [A] Only playAndRecord permits defaultToSpeaker.
        if options.contains(.defaultToSpeaker), category != .playAndRecord { machine.violate("defaultToSpeaker without playAndRecord") }
        if options.contains(.bluetoothHighQualityRecording), mode != .default {
            machine.violate("high-quality Bluetooth recording needs the default mode")
        }
        try check(machine.setCategory(records: records, plays: category != .record, mixes: options.contains(.mixWithOthers)))
        (self.category, self.mode, categoryOptions) = (category, mode, options)
    }
    open func setPreferredSampleRate(_ rate: Double) throws { try check(rate > 0 && rate <= 192_000 ? nil : -50) }
    open func setPreferredIOBufferDuration(_ duration: Double) throws { try check(machine.setPreferredDuration(duration)) }
    open func setPreferredInputNumberOfChannels(_ count: Int) throws { try check(machine.setPreferredChannels(count, ofInput: true)) }
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws { try check(machine.setPreferredChannels(count, ofInput: false)) }
    open func setPrefersNoInterruptionsFromSystemAlerts(_ value: Bool) throws { prefersNoInterruptionsFromSystemAlerts = value }
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws { try check(machine.setActive(active)) }

    private func check(_ code: Int?) throws { if let code { throw NSError(domain: "NSOSStatusErrorDomain", code: code) } }

    /// Posts the machine's events as notifications of the session.
    public static func connectToMachine() {
        machine.post = { event in
            let center = NotificationCenter.default
            switch event {
            case .interruptionBegan(let reason):
                center.post(
                    interruptionNotification,
                    [AVAudioSessionInterruptionTypeKey: UInt(1), AVAudioSessionInterruptionReasonKey: reason ?? 0])
            case .interruptionEnded(let shouldResume):
                center.post(
                    interruptionNotification,
                    [AVAudioSessionInterruptionTypeKey: UInt(0), AVAudioSessionInterruptionOptionKey: UInt(shouldResume ? 1 : 0)])
            case .routeChanged(let reason): center.post(routeChangeNotification, [AVAudioSessionRouteChangeReasonKey: UInt(reason)])
            case .servicesLost:
                if !machine.behaviour.sessionKeepsProperties { instance.category = .soloAmbient }
                center.post(mediaServicesWereLostNotification)
            case .servicesReset: center.post(mediaServicesWereResetNotification)
            case .becameActive: center.post(Notification.Name(rawValue: "UIApplicationDidBecomeActiveNotification"))
            }
        }
    }
}
#endif
