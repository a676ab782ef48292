// SPDX-License-Identifier: Apache-2.0

// The part of AudioToolbox that Linnet uses: audio units, converters and files. Written from its public documentation.

#ifndef AUDIOTOOLBOX_H
#define AUDIOTOOLBOX_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

#pragma clang assume_nonnull begin

typedef unsigned char Boolean;

// Components and audio units
typedef struct OpaqueAudioComponent *AudioComponent;
typedef struct OpaqueAudioComponentInstance *AudioComponentInstance;
typedef AudioComponentInstance AudioUnit;
typedef uint32_t AudioUnitPropertyID;
typedef uint32_t AudioUnitScope;
typedef uint32_t AudioUnitElement;
typedef struct AudioComponentDescription {
    OSType componentType;
    OSType componentSubType;
    OSType componentManufacturer;
    uint32_t componentFlags;
    uint32_t componentFlagsMask;
} AudioComponentDescription;

typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioUnitRenderActionFlags : uint32_t {
    kAudioUnitRenderAction_PreRender = 4,
    kAudioUnitRenderAction_PostRender = 8,
} AudioUnitRenderActionFlags;

typedef OSStatus (*AURenderCallback)(
    void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, uint32_t bus, uint32_t frames,
    AudioBufferList *_Nullable data);
typedef struct AURenderCallbackStruct {
    AURenderCallback _Nullable inputProc;
    void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

enum : uint32_t { kAudioUnitType_Output = 'auou', kAudioUnitManufacturer_Apple = 'appl' };
// HALOutput exists on macOS, RemoteIO on the other systems.
#if __ENVIRONMENT_OS_VERSION_MIN_REQUIRED__ && defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__)
enum : uint32_t { kAudioUnitSubType_HALOutput = 'ahal' };
#else
enum : uint32_t { kAudioUnitSubType_RemoteIO = 'rioc' };
#endif
enum : uint32_t { kAudioUnitSubType_VoiceProcessingIO = 'vpio' };
enum : AudioUnitScope { kAudioUnitScope_Global = 0, kAudioUnitScope_Input = 1, kAudioUnitScope_Output = 2 };
enum : AudioUnitPropertyID {
    kAudioUnitProperty_StreamFormat = 8,
    kAudioUnitProperty_MaximumFramesPerSlice = 14,
    kAudioUnitProperty_SetRenderCallback = 23,
    kAudioOutputUnitProperty_CurrentDevice = 2000,
    kAudioOutputUnitProperty_EnableIO = 2003,
    kAudioOutputUnitProperty_SetInputCallback = 2005,
    kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108,
};
typedef enum __attribute__((enum_extensibility(open))) AUVoiceIOOtherAudioDuckingLevel : uint32_t {
    kAUVoiceIOOtherAudioDuckingLevelDefault = 0,
    kAUVoiceIOOtherAudioDuckingLevelMin = 10,
} AUVoiceIOOtherAudioDuckingLevel;
typedef struct AUVoiceIOOtherAudioDuckingConfiguration {
    Boolean mEnableAdvancedDucking;
    AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
} AUVoiceIOOtherAudioDuckingConfiguration;
enum : OSStatus { kAudioUnitErr_TooManyFramesToProcess = -10874 };

AudioComponent _Nullable AudioComponentFindNext(AudioComponent _Nullable component, const AudioComponentDescription *description);
OSStatus AudioComponentInstanceNew(AudioComponent component, AudioComponentInstance _Nullable *_Nonnull instance);
OSStatus AudioComponentInstanceDispose(AudioComponentInstance instance);
OSStatus AudioUnitInitialize(AudioUnit unit);
OSStatus AudioUnitUninitialize(AudioUnit unit);
OSStatus AudioUnitGetProperty(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element, void *data, uint32_t *size);
OSStatus AudioUnitSetProperty(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element, const void *_Nullable data, uint32_t size);
OSStatus AudioUnitRender(
    AudioUnit unit, AudioUnitRenderActionFlags *_Nullable flags, const AudioTimeStamp *time, uint32_t bus, uint32_t frames,
    AudioBufferList *data);
OSStatus AudioOutputUnitStart(AudioUnit unit);
OSStatus AudioOutputUnitStop(AudioUnit unit);

// Converters
typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef uint32_t AudioConverterPropertyID;
typedef struct AudioConverterPrimeInfo {
    uint32_t leadingFrames;
    uint32_t trailingFrames;
} AudioConverterPrimeInfo;
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef converter, uint32_t *packets, AudioBufferList *data,
    AudioStreamPacketDescription *_Nullable *_Nullable descriptions, void *_Nullable context);

enum : OSType { kAudioEncoderComponentType = 'aenc', kAudioDecoderComponentType = 'adec' };
enum : OSType { kAppleSoftwareAudioCodecManufacturer = 'appl', kAppleHardwareAudioCodecManufacturer = 'aphw' };
enum : AudioConverterPropertyID {
    kAudioConverterPropertyMaximumOutputPacketSize = 'xops',
    kAudioConverterCompressionMagicCookie = 'cmgc',
    kAudioConverterEncodeBitRate = 'brat',
    kAudioConverterApplicableEncodeBitRates = 'aebr',
    kAudioConverterCurrentOutputStreamDescription = 'acod',
    kAudioConverterPrimeInfo = 'prim',
    kAudioConverterInputChannelLayout = 'icl ',
    kAudioConverterOutputChannelLayout = 'ocl ',
};
enum : OSStatus {
    kAudioConverterErr_FormatNotSupported = 'fmt?',
    kAudioConverterErr_PropertyNotSupported = 'prop',
};

// Codec properties, which the converter forwards to its codec.
typedef uint32_t AudioCodecPropertyID;
enum : AudioCodecPropertyID {
    kAudioCodecPropertyBitRateControlMode = 'acbf',
    kAudioCodecPropertySoundQualityForVBR = 'vbrq',
};
enum : uint32_t {
    kAudioCodecBitRateControlMode_Constant = 0,
    kAudioCodecBitRateControlMode_LongTermAverage = 1,
    kAudioCodecBitRateControlMode_VariableConstrained = 2,
    kAudioCodecBitRateControlMode_Variable = 3,
};

OSStatus AudioConverterNew(
    const AudioStreamBasicDescription *source, const AudioStreamBasicDescription *destination,
    AudioConverterRef _Nullable *_Nonnull converter);
OSStatus AudioConverterNewSpecific(
    const AudioStreamBasicDescription *source, const AudioStreamBasicDescription *destination, uint32_t count,
    const AudioClassDescription *descriptions, AudioConverterRef _Nullable *_Nonnull converter);
OSStatus AudioConverterDispose(AudioConverterRef converter);
OSStatus AudioConverterReset(AudioConverterRef converter);
OSStatus AudioConverterGetPropertyInfo(
    AudioConverterRef converter, AudioConverterPropertyID property, uint32_t *_Nullable size, Boolean *_Nullable writable);
OSStatus AudioConverterGetProperty(AudioConverterRef converter, AudioConverterPropertyID property, uint32_t *size, void *data);
OSStatus AudioConverterSetProperty(AudioConverterRef converter, AudioConverterPropertyID property, uint32_t size, const void *data);
OSStatus AudioConverterFillComplexBuffer(
    AudioConverterRef converter, AudioConverterComplexInputDataProc input, void *_Nullable context, uint32_t *packets,
    AudioBufferList *output, AudioStreamPacketDescription *_Nullable descriptions);

// Files accessed through callbacks
typedef struct OpaqueAudioFileID *AudioFileID;
typedef uint32_t AudioFileTypeID;
typedef uint32_t AudioFilePropertyID;
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioFileFlags : uint32_t {
    kAudioFileFlags_EraseFile = 1,
    kAudioFileFlags_DontPageAlignAudioData = 2,
} AudioFileFlags;
typedef OSStatus (*AudioFile_ReadProc)(void *context, int64_t position, uint32_t requested, void *buffer, uint32_t *actual);
typedef OSStatus (*AudioFile_WriteProc)(void *context, int64_t position, uint32_t requested, const void *buffer, uint32_t *actual);
typedef int64_t (*AudioFile_GetSizeProc)(void *context);
typedef OSStatus (*AudioFile_SetSizeProc)(void *context, int64_t size);
enum : AudioFileTypeID {
    kAudioFileAIFFType = 'AIFF',
    kAudioFileAIFCType = 'AIFC',
    kAudioFileWAVEType = 'WAVE',
    kAudioFileCAFType = 'caff',
    kAudioFileNextType = 'NeXT',
    kAudioFileFLACType = 'flac',
};
enum : AudioFilePropertyID { kAudioFilePropertyFileFormat = 'ffmt' };
enum : OSStatus {
    kAudioFileUnspecifiedError = 'wht?',
    kAudioFileUnsupportedFileTypeError = 'typ?',
    kAudioFileUnsupportedDataFormatError = 'fmt?',
    kAudioFileInvalidFileError = 'dta?',
};

OSStatus AudioFileOpenWithCallbacks(
    void *context, AudioFile_ReadProc read, AudioFile_WriteProc _Nullable write, AudioFile_GetSizeProc getSize,
    AudioFile_SetSizeProc _Nullable setSize, AudioFileTypeID typeHint, AudioFileID _Nullable *_Nonnull file);
OSStatus AudioFileInitializeWithCallbacks(
    void *context, AudioFile_ReadProc read, AudioFile_WriteProc write, AudioFile_GetSizeProc getSize, AudioFile_SetSizeProc setSize,
    AudioFileTypeID type, const AudioStreamBasicDescription *format, AudioFileFlags flags, AudioFileID _Nullable *_Nonnull file);
OSStatus AudioFileClose(AudioFileID file);
OSStatus AudioFileGetProperty(AudioFileID file, AudioFilePropertyID property, uint32_t *size, void *data);

// Files combined with a converter
typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef uint32_t ExtAudioFilePropertyID;
enum : ExtAudioFilePropertyID {
    kExtAudioFileProperty_FileDataFormat = 'ffmt',
    kExtAudioFileProperty_ClientDataFormat = 'cfmt',
    kExtAudioFileProperty_FileLengthFrames = '#frm',
};

// Swift imports Apple's Boolean as Bool in function parameters.
OSStatus ExtAudioFileWrapAudioFileID(AudioFileID file, _Bool isForWriting, ExtAudioFileRef _Nullable *_Nonnull extended);
OSStatus ExtAudioFileDispose(ExtAudioFileRef extended);
OSStatus ExtAudioFileRead(ExtAudioFileRef extended, uint32_t *frames, AudioBufferList *data);
OSStatus ExtAudioFileWrite(ExtAudioFileRef extended, uint32_t frames, const AudioBufferList *data);
OSStatus ExtAudioFileSeek(ExtAudioFileRef extended, int64_t frame);
OSStatus ExtAudioFileGetProperty(ExtAudioFileRef extended, ExtAudioFilePropertyID property, uint32_t *size, void *data);
OSStatus ExtAudioFileSetProperty(ExtAudioFileRef extended, ExtAudioFilePropertyID property, uint32_t size, const void *data);

#pragma clang assume_nonnull end
#endif
