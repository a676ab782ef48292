// SPDX-License-Identifier: Apache-2.0

// The part of the macOS HAL that Linnet uses, written from its public documentation.

#ifndef COREAUDIO_H
#define COREAUDIO_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

#pragma clang assume_nonnull begin

typedef uint32_t AudioObjectID;
typedef AudioObjectID AudioDeviceID;
typedef uint32_t AudioObjectPropertySelector;
typedef uint32_t AudioObjectPropertyScope;
typedef uint32_t AudioObjectPropertyElement;
typedef struct AudioObjectPropertyAddress {
    AudioObjectPropertySelector mSelector;
    AudioObjectPropertyScope mScope;
    AudioObjectPropertyElement mElement;
} AudioObjectPropertyAddress;

enum : AudioObjectPropertyScope {
    kAudioObjectPropertyScopeGlobal = 'glob',
    kAudioObjectPropertyScopeInput = 'inpt',
    kAudioObjectPropertyScopeOutput = 'outp',
};
enum : AudioObjectPropertyElement { kAudioObjectPropertyElementMain = 0 };
enum : AudioObjectID { kAudioObjectSystemObject = 1 };
enum : AudioObjectPropertySelector {
    kAudioObjectPropertyName = 'lnam',
    kAudioHardwarePropertyDevices = 'dev#',
    kAudioHardwarePropertyDefaultInputDevice = 'dIn ',
    kAudioHardwarePropertyDefaultOutputDevice = 'dOut',
    kAudioHardwarePropertyServiceRestarted = 'srst',
    kAudioDevicePropertyDeviceUID = 'uid ',
    kAudioDevicePropertyNominalSampleRate = 'nsrt',
    kAudioDevicePropertyStreamConfiguration = 'slay',
    kAudioDevicePropertyBufferFrameSize = 'fsiz',
    kAudioDevicePropertyBufferFrameSizeRange = 'fsz#',
    kAudioDevicePropertyDeviceIsAlive = 'livn',
    kAudioDevicePropertyIsHidden = 'hidn',
    kAudioDevicePropertyLatency = 'ltnc',
    kAudioDevicePropertyStreams = 'stm#',
    kAudioStreamPropertyLatency = kAudioDevicePropertyLatency,
    kAudioHardwarePropertyProcessObjectList = 'prs#',
    kAudioProcessPropertyPID = 'ppid',
    kAudioProcessPropertyBundleID = 'pbid',
    kAudioProcessPropertyIsRunningOutput = 'piro',
};
// Keys of an aggregate device description.
#define kAudioAggregateDeviceUIDKey "uid"
#define kAudioAggregateDeviceNameKey "name"
#define kAudioAggregateDeviceIsPrivateKey "private"
#define kAudioAggregateDeviceTapListKey "taps"
#define kAudioAggregateDeviceTapAutoStartKey "tapautostart"
#define kAudioSubTapUIDKey "uid"
#define kAudioSubTapDriftCompensationKey "drift"

OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID object, const AudioObjectPropertyAddress *address, uint32_t qualifier_size, const void *_Nullable qualifier, uint32_t *size);
OSStatus AudioObjectGetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, uint32_t qualifier_size, const void *_Nullable qualifier,
    uint32_t *size, void *data);
OSStatus AudioObjectSetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, uint32_t qualifier_size, const void *_Nullable qualifier,
    uint32_t size, const void *data);

typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID object, uint32_t count, const AudioObjectPropertyAddress *addresses, void *_Nullable context);
OSStatus AudioObjectAddPropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address, AudioObjectPropertyListenerProc listener, void *_Nullable context);
OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address, AudioObjectPropertyListenerProc listener, void *_Nullable context);

OSStatus AudioHardwareDestroyAggregateDevice(AudioObjectID device);
OSStatus AudioHardwareDestroyProcessTap(AudioObjectID tap);

#pragma clang assume_nonnull end
#endif
