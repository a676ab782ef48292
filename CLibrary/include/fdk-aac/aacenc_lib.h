/* SPDX-License-Identifier: Apache-2.0

   An AAC encoder with fdk-aac's interface. Written for Linnet from the values of the binary interface and the behavior of its
   callers; Documentation/Guides/CLibraries.md lists the differences. */

#ifndef LINNET_FDK_AACENC_LIB_H
#define LINNET_FDK_AACENC_LIB_H

#include "FDK_audio.h"
#include "machine_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface. */
#define AACENCODER_LIB_VL0 4
#define AACENCODER_LIB_VL1 0
#define AACENCODER_LIB_VL2 1

typedef enum {
    AACENC_OK = 0x0000,
    AACENC_INVALID_HANDLE = 0x0020,
    AACENC_MEMORY_ERROR = 0x0021,
    AACENC_UNSUPPORTED_PARAMETER = 0x0022,
    AACENC_INVALID_CONFIG = 0x0023,
    AACENC_INIT_ERROR = 0x0040,
    AACENC_INIT_AAC_ERROR = 0x0041,
    AACENC_INIT_SBR_ERROR = 0x0042,
    AACENC_INIT_TP_ERROR = 0x0043,
    AACENC_INIT_META_ERROR = 0x0044,
    AACENC_INIT_MPS_ERROR = 0x0045,
    AACENC_ENCODE_ERROR = 0x0060,
    AACENC_ENCODE_EOF = 0x0080
} AACENC_ERROR;

typedef enum {
    AACENC_AOT = 0x0100,              /* audio object type */
    AACENC_BITRATE = 0x0101,          /* bits per second */
    AACENC_BITRATEMODE = 0x0102,      /* 0: constant; 1 to 5: variable */
    AACENC_SAMPLERATE = 0x0103,       /* hertz */
    AACENC_SBR_MODE = 0x0104,         /* for AAC-ELD 0: off, 1: on, -1: from the bit rate; otherwise from the object type */
    AACENC_GRANULE_LENGTH = 0x0105,   /* 1024, or 960 for DAB+ and DRM; for AAC-LD and AAC-ELD 512 or 480 */
    AACENC_CHANNELMODE = 0x0106,      /* CHANNEL_MODE */
    AACENC_CHANNELORDER = 0x0107,     /* 0: MPEG order (center first); 1: WAV order */
    AACENC_SBR_RATIO = 0x0108,        /* 0 or 2; for AAC-ELD 1 (or 0): core at the output rate, 2: at half of it */
    AACENC_AFTERBURNER = 0x0200,      /* 0 fast, 1 balanced */
    AACENC_BANDWIDTH = 0x0203,        /* hertz; 0: from the bit rate */
    AACENC_PEAK_BITRATE = 0x0207,     /* bits per second; -1: none */
    AACENC_TRANSMUX = 0x0300,         /* TRANSPORT_TYPE */
    AACENC_HEADER_PERIOD = 0x0301,    /* access units between configurations in LATM and LOAS */
    AACENC_SIGNALING_MODE = 0x0302,   /* SBR signaling, 0: implicit, 1: backward compatible, 2: hierarchical */
    AACENC_TPSUBFRAMES = 0x0303,      /* 1 */
    AACENC_AUDIOMUXVER = 0x0304,      /* LATM version, 0 to 2 */
    AACENC_PROTECTION = 0x0306,       /* ADTS checksum */
    AACENC_ANCILLARY_BITRATE = 0x0500,
    AACENC_METADATA_MODE = 0x0600,    /* accepted, not written */
    AACENC_CONTROL_STATE = 0xFF00,    /* AACENC_CTRLFLAGS */
    AACENC_NONE = 0xFFFF
} AACENC_PARAM;

/* The first action of the next call to aacEncEncode. Linnet resets the encoder for the first two and ignores the others. */
typedef enum {
    AACENC_INIT_NONE = 0x0000,
    AACENC_INIT_CONFIG = 0x0001,
    AACENC_INIT_STATES = 0x0002,
    AACENC_INIT_TRANSPORT = 0x1000,
    AACENC_RESET_INBUFFER = 0x2000,
    AACENC_INIT_ALL = 0xFFFF
} AACENC_CTRLFLAGS;

typedef enum {
    IN_AUDIO_DATA = 0,
    IN_ANCILLRY_DATA = 1,
    IN_METADATA_SETUP = 2,
    OUT_BITSTREAM_DATA = 3,
    OUT_AU_SIZES = 4
} AACENC_BufferIdentifier;

typedef struct AACENCODER *HANDLE_AACENCODER;

typedef struct {
    UINT maxOutBufBytes;              /* maximum output size in bytes */
    UINT maxAncBytes;
    UINT inBufFillLevel;              /* buffered samples per channel */
    UINT inputChannels;
    UINT frameLength;                 /* samples per channel */
    UINT nDelay;                      /* samples per channel, encoder and decoder */
    UINT nDelayCore;                  /* without the decoder's SBR */
    UCHAR confBuf[64];                /* AudioSpecificConfig, or StreamMuxConfig for LATM */
    UINT confSize;
} AACENC_InfoStruct;

typedef struct {
    INT numBufs;
    void **bufs;
    INT *bufferIdentifiers;
    INT *bufSizes;                    /* bytes */
    INT *bufElSizes;                  /* bytes per element */
} AACENC_BufDesc;

typedef struct {
    INT numInSamples;                 /* all channels; -1: flush */
    INT numAncBytes;
} AACENC_InArgs;

typedef struct {
    INT numOutBytes;
    INT numInSamples;                 /* consumed, all channels */
    INT numAncBytes;
    INT bitResState;
} AACENC_OutArgs;

typedef enum {
    AACENC_METADATA_DRC_NONE = 0,
    AACENC_METADATA_DRC_FILMSTANDARD = 1,
    AACENC_METADATA_DRC_FILMLIGHT = 2,
    AACENC_METADATA_DRC_MUSICSTANDARD = 3,
    AACENC_METADATA_DRC_MUSICLIGHT = 4,
    AACENC_METADATA_DRC_SPEECH = 5,
    AACENC_METADATA_DRC_NOT_PRESENT = 256
} AACENC_METADATA_DRC_PROFILE;

/* Stream metadata, which Linnet accepts and ignores. */
typedef struct {
    AACENC_METADATA_DRC_PROFILE drc_profile;
    AACENC_METADATA_DRC_PROFILE comp_profile;
    INT drc_TargetRefLevel;
    INT comp_TargetRefLevel;
    INT prog_ref_level_present;
    INT prog_ref_level;
    UCHAR PCE_mixdown_idx_present;
    UCHAR ETSI_DmxLvl_present;
    SCHAR centerMixLevel;
    SCHAR surroundMixLevel;
    UCHAR dolbySurroundMode;
    UCHAR drcPresentationMode;
    struct {
        UCHAR extAncDataEnable;
        UCHAR extDownmixLevelEnable;
        UCHAR extDownmixLevel_A;
        UCHAR extDownmixLevel_B;
        UCHAR dmxGainEnable;
        INT dmxGain5;
        INT dmxGain2;
        UCHAR lfeDmxEnable;
        UCHAR lfeDmxLevel;
    } ExtMetaData;
} AACENC_MetaData;

/* Creates an encoder with default parameters. The arguments limit it; 0 means all. The second byte of maxChannels is for SBR. */
AACENC_ERROR aacEncOpen(HANDLE_AACENCODER *encoder, UINT modules, UINT maxChannels);

/* Destroys an encoder and sets the handle to null. */
AACENC_ERROR aacEncClose(HANDLE_AACENCODER *encoder);

/* Encodes samples. With four null pointers it only initializes the encoder from its parameters. */
AACENC_ERROR aacEncEncode(
    HANDLE_AACENCODER encoder, const AACENC_BufDesc *input, const AACENC_BufDesc *output, const AACENC_InArgs *inputArguments,
    AACENC_OutArgs *outputArguments);

/* Returns the properties of an initialized encoder. */
AACENC_ERROR aacEncInfo(HANDLE_AACENCODER encoder, AACENC_InfoStruct *info);

/* Sets a parameter, which takes effect with the next call to aacEncEncode. */
AACENC_ERROR aacEncoder_SetParam(HANDLE_AACENCODER encoder, AACENC_PARAM parameter, UINT value);

/* Returns a parameter; after initialization, the value in use. */
UINT aacEncoder_GetParam(HANDLE_AACENCODER encoder, AACENC_PARAM parameter);

/* Adds the encoder's modules to an array of FDK_MODULE_LAST entries. */
AACENC_ERROR aacEncGetLibInfo(LIB_INFO *info);

#ifdef __cplusplus
}
#endif

#endif
