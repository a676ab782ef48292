// SPDX-License-Identifier: Apache-2.0

// Stream descriptions, buffers, packets and time stamps.

#ifndef LINNET_AUDIO_STRUCTURES_H
#define LINNET_AUDIO_STRUCTURES_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// A Core Audio status. 0 is success.
typedef int32_t OSStatus;
/// A four-character code.
typedef uint32_t FourCharCode;
/// A four-character code that names a type.
typedef uint32_t OSType;

/// A four-character code of an audio format.
typedef uint32_t AudioFormatID;
/// The PCM sample format, or flags that a codec defines.
typedef uint32_t AudioFormatFlags;
/// A four-character code of a file type.
typedef uint32_t AudioFileTypeID;

/// The format of a stream.
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

/// The offset and length of a packet in a buffer.
typedef struct AudioStreamPacketDescription {
    int64_t mStartOffset;
    uint32_t mVariableFramesInPacket;
    uint32_t mDataByteSize;
} AudioStreamPacketDescription;

/// The samples of one channel, or interleaved samples of several.
typedef struct AudioBuffer {
    uint32_t mNumberChannels;
    uint32_t mDataByteSize;
    void *_Nullable mData;
} AudioBuffer;

/// A list of `mNumberBuffers` buffers.
typedef struct AudioBufferList {
    uint32_t mNumberBuffers;
    AudioBuffer mBuffers[1];
} AudioBufferList;

/// A range of values.
typedef struct AudioValueRange {
    double mMinimum;
    double mMaximum;
} AudioValueRange;

/// An SMPTE time.
typedef struct SMPTETime {
    int16_t mSubframes;
    int16_t mSubframeDivisor;
    uint32_t mCounter;
    uint32_t mType;
    uint32_t mFlags;
    int16_t mHours;
    int16_t mMinutes;
    int16_t mSeconds;
    int16_t mFrames;
} SMPTETime;

/// The valid fields of a time stamp.
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioTimeStampFlags : uint32_t {
    kAudioTimeStampNothingValid = 0,
    kAudioTimeStampSampleTimeValid = 1U << 0,
    kAudioTimeStampHostTimeValid = 1U << 1,
    kAudioTimeStampRateScalarValid = 1U << 2,
    kAudioTimeStampWordClockTimeValid = 1U << 3,
    kAudioTimeStampSMPTETimeValid = 1U << 4,
    kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid,
} AudioTimeStampFlags;

/// A time on several clocks.
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
