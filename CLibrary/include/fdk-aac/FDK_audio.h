/* SPDX-License-Identifier: Apache-2.0

   Declarations that the encoder and decoder of fdk-aac's interface share: object types, transports, channels, library information.
   Written for Linnet from the values of the binary interface. */

#ifndef LINNET_FDK_AUDIO_H
#define LINNET_FDK_AUDIO_H

#include "machine_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Transports of access units. */
typedef enum {
    TT_UNKNOWN = -1,
    TT_MP4_RAW = 0,       /* raw access units */
    TT_MP4_ADIF = 1,
    TT_MP4_ADTS = 2,
    TT_MP4_LATM_MCP1 = 6, /* AudioMuxElement with in-band configuration */
    TT_MP4_LATM_MCP0 = 7, /* AudioMuxElement with out-of-band configuration */
    TT_MP4_LOAS = 10,
    TT_DRM = 12
} TRANSPORT_TYPE;

/* Audio object types (ISO/IEC 14496-3); from 128, those of MPEG-2. Linnet encodes 2, 5, 29, 129 and 132. */
typedef enum {
    AOT_NONE = -1,
    AOT_NULL_OBJECT = 0,
    AOT_AAC_MAIN = 1,
    AOT_AAC_LC = 2,
    AOT_AAC_SSR = 3,
    AOT_AAC_LTP = 4,
    AOT_SBR = 5,
    AOT_AAC_SCAL = 6,
    AOT_ER_AAC_LC = 17,
    AOT_ER_AAC_LTP = 19,
    AOT_ER_AAC_SCAL = 20,
    AOT_ER_BSAC = 22,
    AOT_ER_AAC_LD = 23,
    AOT_PS = 29,
    AOT_ER_AAC_ELD = 39,
    AOT_USAC = 42,
    AOT_MP2_AAC_LC = 129,
    AOT_MP2_SBR = 132
} AUDIO_OBJECT_TYPE;

/* Channel modes: front, side, back and LFE channels. */
typedef enum {
    MODE_INVALID = -1,
    MODE_UNKNOWN = 0,
    MODE_1 = 1,
    MODE_2 = 2,
    MODE_1_2 = 3,
    MODE_1_2_1 = 4,
    MODE_1_2_2 = 5,
    MODE_1_2_2_1 = 6,
    MODE_1_2_2_2_1 = 7,
    MODE_6_1 = 11,
    MODE_7_1_BACK = 12,
    MODE_7_1_TOP_FRONT = 14,
    MODE_7_1_REAR_SURROUND = 33,
    MODE_7_1_FRONT_CENTER = 34,
    MODE_212 = 128
} CHANNEL_MODE;

/* Channel positions. */
typedef enum {
    ACT_NONE = 0x00,
    ACT_FRONT = 0x01,
    ACT_SIDE = 0x02,
    ACT_BACK = 0x03,
    ACT_LFE = 0x04,
    ACT_TOP = 0x10,
    ACT_FRONT_TOP = 0x11,
    ACT_SIDE_TOP = 0x12,
    ACT_BACK_TOP = 0x13,
    ACT_BOTTOM = 0x20,
    ACT_FRONT_BOTTOM = 0x21,
    ACT_SIDE_BOTTOM = 0x22,
    ACT_BACK_BOTTOM = 0x23
} AUDIO_CHANNEL_TYPE;

/* Modules of the library. */
typedef enum {
    FDK_NONE = 0,
    FDK_TOOLS = 1,
    FDK_SYSLIB = 2,
    FDK_AACDEC = 3,
    FDK_AACENC = 4,
    FDK_SBRDEC = 5,
    FDK_SBRENC = 6,
    FDK_TPDEC = 7,
    FDK_TPENC = 8,
    FDK_MPSDEC = 9,
    FDK_PCMDMX = 31,
    FDK_MPSENC = 34,
    FDK_MODULE_LAST = 39
} FDK_MODULE_ID;

/* Capabilities of FDK_AACDEC and FDK_AACENC. */
#define CAPF_AAC_LC 0x00000001
#define CAPF_ER_AAC_LD 0x00000002
#define CAPF_ER_AAC_SCAL 0x00000004
#define CAPF_ER_AAC_LC 0x00000008
#define CAPF_AAC_480 0x00000010
#define CAPF_AAC_512 0x00000020
#define CAPF_AAC_960 0x00000040
#define CAPF_AAC_1024 0x00000080
#define CAPF_AAC_HCR 0x00000100
#define CAPF_AAC_VCB11 0x00000200
#define CAPF_AAC_RVLC 0x00000400
#define CAPF_AAC_MPEG4 0x00000800
#define CAPF_AAC_DRC 0x00001000
#define CAPF_AAC_CONCEALMENT 0x00002000
#define CAPF_ER_AAC_ELD 0x00008000

/* Capabilities of FDK_SBRDEC and FDK_SBRENC. */
#define CAPF_SBR_LP 0x00000001
#define CAPF_SBR_HQ 0x00000002
#define CAPF_SBR_PS_MPEG 0x00000020

/* A module of the library. An array of FDK_MODULE_LAST entries describes all modules. */
typedef struct {
    const char *title;
    const char *build_date;
    const char *build_time;
    FDK_MODULE_ID module_id;
    INT version;
    UINT flags;
    char versionStr[32];
} LIB_INFO;

/* Combines a version number. */
#define LIB_VERSION(major, minor, patch) (((major) << 24) | ((minor) << 16) | ((patch) << 8))

/* Clears an array of FDK_MODULE_LAST entries. */
static inline void FDKinitLibInfo(LIB_INFO *info) {
    int i;
    for (i = 0; i < FDK_MODULE_LAST; i++) info[i].module_id = FDK_NONE;
}

/* Returns the capabilities of a module; 0 if it is missing. */
static inline UINT FDKlibInfo_getCapabilities(const LIB_INFO *info, FDK_MODULE_ID id) {
    int i;
    for (i = 0; i < FDK_MODULE_LAST; i++) {
        if (info[i].module_id == id) return info[i].flags;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif
