// SPDX-License-Identifier: Apache-2.0

// The part of CoreAudioTypes that Linnet uses, written from its public documentation.

#ifndef COREAUDIOTYPES_H
#define COREAUDIOTYPES_H

#include <stdint.h>

#pragma clang assume_nonnull begin

typedef int32_t OSStatus;
typedef uint32_t OSType;
enum : OSStatus { noErr = 0, kAudio_ParamError = -50 };

typedef uint32_t AudioFormatID;
typedef uint32_t AudioFormatFlags;
enum : AudioFormatID {
    kAudioFormatLinearPCM = 'lpcm',
    kAudioFormatFLAC = 'flac',
    kAudioFormatAppleLossless = 'alac',
    kAudioFormatULaw = 'ulaw',
    kAudioFormatALaw = 'alaw',
    kAudioFormatMPEGLayer1 = '.mp1',
    kAudioFormatMPEGLayer2 = '.mp2',
    kAudioFormatMPEGLayer3 = '.mp3',
};
// FLAC also uses these flags.
enum : AudioFormatFlags {
    kAppleLosslessFormatFlag_16BitSourceData = 1,
    kAppleLosslessFormatFlag_20BitSourceData = 2,
    kAppleLosslessFormatFlag_24BitSourceData = 3,
    kAppleLosslessFormatFlag_32BitSourceData = 4,
};
enum : AudioFormatFlags {
    kAudioFormatFlagIsFloat = 1,
    kAudioFormatFlagIsBigEndian = 2,
    kAudioFormatFlagIsSignedInteger = 4,
    kAudioFormatFlagIsPacked = 8,
    kAudioFormatFlagIsNonInterleaved = 32,
};

typedef struct AudioStreamBasicDescription {
    double mSampleRate;
    AudioFormatID mFormatID;
    AudioFormatFlags mFormatFlags;
    uint32_t mBytesPerPacket;
    uint32_t mFramesPerPacket;
    uint32_t mBytesPerFrame;
    uint32_t mChannelsPerFrame;
    uint32_t mBitsPerChannel;
    uint32_t mReserved;
} AudioStreamBasicDescription;

typedef struct AudioStreamPacketDescription {
    int64_t mStartOffset;
    uint32_t mVariableFramesInPacket;
    uint32_t mDataByteSize;
} AudioStreamPacketDescription;

typedef struct AudioBuffer {
    uint32_t mNumberChannels;
    uint32_t mDataByteSize;
    void *_Nullable mData;
} AudioBuffer;

typedef struct AudioBufferList {
    uint32_t mNumberBuffers;
    AudioBuffer mBuffers[1];
} AudioBufferList;

typedef struct AudioValueRange {
    double mMinimum;
    double mMaximum;
} AudioValueRange;

typedef uint32_t AudioChannelLabel;
typedef uint32_t AudioChannelLayoutTag;
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioChannelFlags : uint32_t {
    kAudioChannelFlags_AllOff = 0,
} AudioChannelFlags;
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioChannelBitmap : uint32_t {
    kAudioChannelBit_Left = 1,
} AudioChannelBitmap;
typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel;
    AudioChannelFlags mChannelFlags;
    float mCoordinates[3];
} AudioChannelDescription;
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;
    AudioChannelBitmap mChannelBitmap;
    uint32_t mNumberChannelDescriptions;
    AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;
enum : AudioChannelLayoutTag { kAudioChannelLayoutTag_UseChannelDescriptions = 0 };
enum : AudioChannelLabel {
    kAudioChannelLabel_Left = 1,
    kAudioChannelLabel_Right = 2,
    kAudioChannelLabel_Center = 3,
    kAudioChannelLabel_LFEScreen = 4,
    kAudioChannelLabel_LeftSurround = 5,
    kAudioChannelLabel_RightSurround = 6,
    kAudioChannelLabel_LeftCenter = 7,
    kAudioChannelLabel_RightCenter = 8,
    kAudioChannelLabel_CenterSurround = 9,
    kAudioChannelLabel_VerticalHeightLeft = 13,
    kAudioChannelLabel_VerticalHeightRight = 15,
    kAudioChannelLabel_RearSurroundLeft = 33,
    kAudioChannelLabel_RearSurroundRight = 34,
};

typedef struct AudioClassDescription {
    OSType mType;
    OSType mSubType;
    OSType mManufacturer;
} AudioClassDescription;

typedef struct SMPTETime {
    int16_t mSubframes, mSubframeDivisor;
    uint32_t mCounter, mType, mFlags;
    int16_t mHours, mMinutes, mSeconds, mFrames;
} SMPTETime;

typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioTimeStampFlags : uint32_t {
    kAudioTimeStampSampleTimeValid = 1,
    kAudioTimeStampHostTimeValid = 2,
} AudioTimeStampFlags;

typedef struct AudioTimeStamp {
    double mSampleTime;
    uint64_t mHostTime;
    double mRateScalar;
    uint64_t mWordClockTime;
    SMPTETime mSMPTETime;
    AudioTimeStampFlags mFlags;
    uint32_t mReserved;
} AudioTimeStamp;

#pragma clang assume_nonnull end
#endif
