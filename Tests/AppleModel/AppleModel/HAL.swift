// SPDX-License-Identifier: Apache-2.0

import CModel
import CoreAudio
import Darwin
import Foundation
import VirtualTime

/// HAL error codes. [A]
enum HALError {
    static let badObject: OSStatus = 0x216F_626A
    static let unknownProperty: OSStatus = 0x7768_6F3F
    static let illegalOperation: OSStatus = 0x6E6F_7065
    static let badSize: OSStatus = 0x2173_697A
}

/// The difference between the numbers of a device and of its output stream.
private let streamNumber: UInt32 = 1 << 20

/// A HAL property's value.
enum HALValue {
    case number(UInt32)
    case double(Double)
    case range(Double, Double)
    case text(String)
    case list([UInt32])
    case buffers([UInt32])

    var byteCount: Int {
        switch self {
        case .number: 4
        case .double, .text: 8
        case .range: 16
        case .list(let list): 4 * list.count
        case .buffers(let list): 8 + 16 * list.count
        }
    }

    /// Stores the value; a list is truncated to the available space. [A]
    func store(_ data: UnsafeMutableRawPointer, _ size: inout UInt32) -> OSStatus {
        if case .list(let list) = self {
            let count = min(list.count, Int(size) / 4)
            for index in 0..<count { data.storeBytes(of: list[index], toByteOffset: 4 * index, as: UInt32.self) }
            size = UInt32(4 * count)
            return noErr
        }
        guard Int(size) >= byteCount else { return HALError.badSize }
        size = UInt32(byteCount)
        switch self {
        case .number(let number): data.storeBytes(of: number, as: UInt32.self)
        case .double(let number): data.storeBytes(of: number, as: Double.self)
        case .range(let low, let high):
            data.storeBytes(of: low, as: Double.self)
            data.storeBytes(of: high, toByteOffset: 8, as: Double.self)
        case .text(let text):
            // [A] The caller releases it.
            data.storeBytes(of: Unmanaged.passRetained(CFString(text)).toOpaque(), as: UnsafeMutableRawPointer.self)
        case .buffers(let list):
            data.storeBytes(of: UInt32(list.count), as: UInt32.self)
            for (index, channels) in list.enumerated() {
                data.storeBytes(
                    of: AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: nil), toByteOffset: 8 + 16 * index,
                    as: AudioBuffer.self)
            }
        case .list: break
        }
        return noErr
    }
}

extension Machine {
    /// Returns an object's property, or an error code.
    func property(_ object: UInt32, _ address: AudioObjectPropertyAddress) -> (HALValue?, OSStatus) {
        if object == AudioObjectID(kAudioObjectSystemObject) {
            switch address.mSelector {
            case kAudioHardwarePropertyDevices: return (.list(devices.filter(\.isAlive).map(\.id)), noErr)
            case kAudioHardwarePropertyDefaultInputDevice: return (.number(device(defaultInput)?.isAlive == true ? defaultInput : 0), noErr)
            case kAudioHardwarePropertyDefaultOutputDevice:
                return (.number(device(defaultOutput)?.isAlive == true ? defaultOutput : 0), noErr)
            #if MODEL_MACOS
            case kAudioHardwarePropertyProcessObjectList: return (.list(programs.list.map(\.id)), noErr)
            #endif
            default: return (nil, HALError.unknownProperty)
            }
        }
        #if MODEL_MACOS
        if let result = programProperty(object, address.mSelector) { return result }
        #endif
        if let device = device(object &- streamNumber), address.mSelector == kAudioStreamPropertyLatency {
            return (.number(UInt32(device.streamLatency)), noErr)
        }
        guard let device = device(object), device.isAlive else { return (nil, HALError.badObject) }
        switch address.mSelector {
        case kAudioDevicePropertyDeviceUID: return (.text(device.uid), noErr)
        case kAudioObjectPropertyName: return (.text(device.name), noErr)
        case kAudioDevicePropertyIsHidden: return (.number(device.isHidden ? 1 : 0), noErr)
        case kAudioDevicePropertyDeviceIsAlive: return (.number(1), noErr)
        case kAudioDevicePropertyNominalSampleRate: return (.double(device.sampleRate), noErr)
        case kAudioDevicePropertyBufferFrameSize: return (.number(UInt32(device.bufferFrames)), noErr)
        case kAudioDevicePropertyBufferFrameSizeRange:
            return (.range(Double(device.bufferRange.lowerBound), Double(device.bufferRange.upperBound)), noErr)
        case kAudioDevicePropertyLatency:
            if address.mScope != kAudioObjectPropertyScopeOutput { violate("the latency of a scope other than the output's is requested") }
            return (.number(UInt32(device.latency)), noErr)
        case kAudioDevicePropertyStreams:
            return (
                .list(address.mScope == kAudioObjectPropertyScopeOutput && device.outputChannels > 0 ? [object + streamNumber] : []), noErr
            )
        case kAudioDevicePropertyStreamConfiguration:
            let channels = address.mScope == kAudioObjectPropertyScopeInput ? device.inputChannels : device.outputChannels
            return (.buffers(channels > 0 ? [UInt32(channels)] : []), noErr)
        default: return (nil, HALError.unknownProperty)
        }
    }
}

extension Machine {
    /// Returns a device's cycle length in this process: the smallest one that a unit requests, or the device's own. [P]
    func bufferFrames(of device: Device) -> Int {
        units.filter { !$0.isDisposed && $0.device()?.id == device.id }.compactMap(\.wantedFrames).min() ?? device.bufferFrames
    }
}

@_cdecl("AudioObjectGetPropertyDataSize")
func objectPropertySize(
    _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?,
    _ size: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let (value, status) = machine.property(object, address.pointee)
    if let value { size.pointee = UInt32(value.byteCount) }
    return status
}

@_cdecl("AudioObjectGetPropertyData")
func objectProperty(
    _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?,
    _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer
) -> OSStatus {
    let (value, status) = machine.property(object, address.pointee)
    return value?.store(data, &size.pointee) ?? status
}

struct Listener {
    var object: UInt32
    var selector: UInt32
    var scope: UInt32
    var procedure: AudioObjectPropertyListenerProc
    var context: UnsafeMutableRawPointer?

    func isSame(_ object: UInt32, _ address: AudioObjectPropertyAddress, _ context: UnsafeMutableRawPointer?) -> Bool {
        self.object == object && selector == address.mSelector && scope == address.mScope && self.context == context
    }
}

@_cdecl("AudioObjectAddPropertyListener")
func addListener(
    _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ procedure: AudioObjectPropertyListenerProc,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    if object != AudioObjectID(kAudioObjectSystemObject), machine.device(object) == nil { return HALError.badObject }
    if let context { model_order_release(context) }
    machine.listeners.append(
        Listener(
            object: object, selector: address.pointee.mSelector, scope: address.pointee.mScope, procedure: procedure, context: context))
    return noErr
}

@_cdecl("AudioObjectRemovePropertyListener")
func removeListener(
    _ object: UInt32, _ address: UnsafePointer<AudioObjectPropertyAddress>, _ procedure: AudioObjectPropertyListenerProc,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let index = machine.listeners.firstIndex(where: { $0.isSame(object, address.pointee, context) }) else {
        // An object's listeners disappear with it; the system object's listeners may disappear with the server.
        if machine.device(object) != nil || object == AudioObjectID(kAudioObjectSystemObject) && !machine.serverHasRestarted {
            machine.violate("a listener is removed that was not added")
        }
        return HALError.badObject
    }
    machine.listeners.remove(at: index)
    return noErr
}

extension Machine {
    /// Calls a property's listeners shortly afterwards on a HAL thread, in an unspecified order. [P]
    func notify(_ object: UInt32, _ selector: UInt32, _ scope: UInt32 = kAudioObjectPropertyScopeGlobal) {
        let called = listeners.filter { $0.object == object && $0.selector == selector && $0.scope == scope }
        noticeCount += 1
        // When reversed, a later notification of the same moment comes first.
        let delay = behaviour.listenersAreReversed ? 0.005 - 0.000_1 * Double(noticeCount % 40) : 0.005
        for listener in called {
            Scheduler.shared.after(seconds: delay) {
                Scheduler.shared.start("HAL") { [self] in
                    var address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: 0)
                    guard behaviour.callsRemovedListeners || listeners.contains(where: { $0.isSame(object, address, listener.context) })
                    else { return }
                    if let context = listener.context { model_order_acquire(context) }
                    _ = listener.procedure(object, 1, &address, listener.context)
                }
            }
        }
    }
}
