// SPDX-License-Identifier: Apache-2.0

// Channel layouts: labels, bitmaps, tags.

#ifndef LINNET_AUDIO_CHANNEL_LAYOUT_H
#define LINNET_AUDIO_CHANNEL_LAYOUT_H

#include <stdint.h>

/// The role of a channel.
typedef uint32_t AudioChannelLabel;
/// A layout tag. The low 16 bits are the channel count.
typedef uint32_t AudioChannelLayoutTag;

/// Channel roles.
enum : AudioChannelLabel {
    kAudioChannelLabel_Unknown = 0xFFFFFFFF,
    kAudioChannelLabel_Unused = 0,
    kAudioChannelLabel_UseCoordinates = 100,
    kAudioChannelLabel_Left = 1,
    kAudioChannelLabel_Right = 2,
    kAudioChannelLabel_Center = 3,
    kAudioChannelLabel_LFEScreen = 4,
    kAudioChannelLabel_LeftSurround = 5,
    kAudioChannelLabel_RightSurround = 6,
    kAudioChannelLabel_LeftCenter = 7,
    kAudioChannelLabel_RightCenter = 8,
    kAudioChannelLabel_CenterSurround = 9,
    kAudioChannelLabel_LeftSurroundDirect = 10,
    kAudioChannelLabel_RightSurroundDirect = 11,
    kAudioChannelLabel_TopCenterSurround = 12,
    kAudioChannelLabel_VerticalHeightLeft = 13,
    kAudioChannelLabel_VerticalHeightCenter = 14,
    kAudioChannelLabel_VerticalHeightRight = 15,
    kAudioChannelLabel_RearSurroundLeft = 33,
    kAudioChannelLabel_RearSurroundRight = 34,
    kAudioChannelLabel_Mono = 42,
    kAudioChannelLabel_Discrete = 400,
};

/// A set of channels.
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioChannelBitmap : uint32_t {
    kAudioChannelBit_Left = 1U << 0,
    kAudioChannelBit_Right = 1U << 1,
    kAudioChannelBit_Center = 1U << 2,
    kAudioChannelBit_LFEScreen = 1U << 3,
    kAudioChannelBit_LeftSurround = 1U << 4,
    kAudioChannelBit_RightSurround = 1U << 5,
    kAudioChannelBit_LeftCenter = 1U << 6,
    kAudioChannelBit_RightCenter = 1U << 7,
    kAudioChannelBit_CenterSurround = 1U << 8,
    kAudioChannelBit_LeftSurroundDirect = 1U << 9,
    kAudioChannelBit_RightSurroundDirect = 1U << 10,
    kAudioChannelBit_TopCenterSurround = 1U << 11,
    kAudioChannelBit_VerticalHeightLeft = 1U << 12,
    kAudioChannelBit_VerticalHeightCenter = 1U << 13,
    kAudioChannelBit_VerticalHeightRight = 1U << 14,
} AudioChannelBitmap;

/// The coordinate system of a channel.
typedef enum __attribute__((flag_enum, enum_extensibility(open))) AudioChannelFlags : uint32_t {
    kAudioChannelFlags_AllOff = 0,
    kAudioChannelFlags_RectangularCoordinates = 1U << 0,
    kAudioChannelFlags_SphericalCoordinates = 1U << 1,
    kAudioChannelFlags_Meters = 1U << 2,
} AudioChannelFlags;

/// Layout tags: a number, and the channel count in the low 16 bits.
enum : AudioChannelLayoutTag {
    kAudioChannelLayoutTag_UseChannelDescriptions = (0U << 16) | 0,
    kAudioChannelLayoutTag_UseChannelBitmap = (1U << 16) | 0,
    kAudioChannelLayoutTag_Mono = (100U << 16) | 1,
    kAudioChannelLayoutTag_Stereo = (101U << 16) | 2,
    kAudioChannelLayoutTag_StereoHeadphones = (102U << 16) | 2,
    kAudioChannelLayoutTag_MatrixStereo = (103U << 16) | 2,
    kAudioChannelLayoutTag_MidSide = (104U << 16) | 2,
    kAudioChannelLayoutTag_XY = (105U << 16) | 2,
    kAudioChannelLayoutTag_Binaural = (106U << 16) | 2,
    kAudioChannelLayoutTag_Ambisonic_B_Format = (107U << 16) | 4,
    kAudioChannelLayoutTag_Quadraphonic = (108U << 16) | 4,
    kAudioChannelLayoutTag_Pentagonal = (109U << 16) | 5,
    kAudioChannelLayoutTag_Hexagonal = (110U << 16) | 6,
    kAudioChannelLayoutTag_Octagonal = (111U << 16) | 8,
    kAudioChannelLayoutTag_Cube = (112U << 16) | 8,
    kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono,
    kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo,
    kAudioChannelLayoutTag_MPEG_3_0_A = (113U << 16) | 3,
    kAudioChannelLayoutTag_MPEG_3_0_B = (114U << 16) | 3,
    kAudioChannelLayoutTag_MPEG_4_0_A = (115U << 16) | 4,
    kAudioChannelLayoutTag_MPEG_4_0_B = (116U << 16) | 4,
    kAudioChannelLayoutTag_MPEG_5_0_A = (117U << 16) | 5,
    kAudioChannelLayoutTag_MPEG_5_0_B = (118U << 16) | 5,
    kAudioChannelLayoutTag_MPEG_5_0_C = (119U << 16) | 5,
    kAudioChannelLayoutTag_MPEG_5_0_D = (120U << 16) | 5,
    kAudioChannelLayoutTag_MPEG_5_1_A = (121U << 16) | 6,
    kAudioChannelLayoutTag_MPEG_5_1_B = (122U << 16) | 6,
    kAudioChannelLayoutTag_MPEG_5_1_C = (123U << 16) | 6,
    kAudioChannelLayoutTag_MPEG_5_1_D = (124U << 16) | 6,
    kAudioChannelLayoutTag_MPEG_6_1_A = (125U << 16) | 7,
    kAudioChannelLayoutTag_MPEG_7_1_A = (126U << 16) | 8,
    kAudioChannelLayoutTag_MPEG_7_1_B = (127U << 16) | 8,
    kAudioChannelLayoutTag_MPEG_7_1_C = (128U << 16) | 8,
    kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic,
    kAudioChannelLayoutTag_AudioUnit_5_0 = kAudioChannelLayoutTag_MPEG_5_0_B,
    kAudioChannelLayoutTag_AudioUnit_5_1 = kAudioChannelLayoutTag_MPEG_5_1_A,
    kAudioChannelLayoutTag_AAC_3_0 = kAudioChannelLayoutTag_MPEG_3_0_B,
    kAudioChannelLayoutTag_AAC_4_0 = kAudioChannelLayoutTag_MPEG_4_0_B,
    kAudioChannelLayoutTag_AAC_5_0 = kAudioChannelLayoutTag_MPEG_5_0_D,
    kAudioChannelLayoutTag_AAC_5_1 = kAudioChannelLayoutTag_MPEG_5_1_D,
    kAudioChannelLayoutTag_AAC_7_1 = kAudioChannelLayoutTag_MPEG_7_1_B,
    kAudioChannelLayoutTag_ITU_2_1 = (131U << 16) | 3,
    kAudioChannelLayoutTag_ITU_2_2 = (132U << 16) | 4,
    kAudioChannelLayoutTag_DVD_4 = (133U << 16) | 3,
    kAudioChannelLayoutTag_WAVE_2_1 = kAudioChannelLayoutTag_DVD_4,
    kAudioChannelLayoutTag_WAVE_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,
    kAudioChannelLayoutTag_WAVE_4_0_A = kAudioChannelLayoutTag_ITU_2_2,
    kAudioChannelLayoutTag_WAVE_4_0_B = (185U << 16) | 4,
    kAudioChannelLayoutTag_WAVE_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A,
    kAudioChannelLayoutTag_WAVE_5_0_B = (186U << 16) | 5,
    kAudioChannelLayoutTag_WAVE_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A,
    kAudioChannelLayoutTag_DiscreteInOrder = (147U << 16) | 0,
    kAudioChannelLayoutTag_AAC_7_1_B = (183U << 16) | 8,
    kAudioChannelLayoutTag_AAC_7_1_C = (184U << 16) | 8,
    kAudioChannelLayoutTag_WAVE_5_1_B = (187U << 16) | 6,
    kAudioChannelLayoutTag_WAVE_6_1 = (188U << 16) | 7,
    kAudioChannelLayoutTag_WAVE_7_1 = (189U << 16) | 8,
    kAudioChannelLayoutTag_Unknown = 0xFFFF0000,
};

/// The role and position of one channel.
typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel;
    AudioChannelFlags mChannelFlags;
    float mCoordinates[3];
} AudioChannelDescription;

/// A layout by tag, bitmap or descriptions.
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;
    AudioChannelBitmap mChannelBitmap;
    uint32_t mNumberChannelDescriptions;
    AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;

#endif
