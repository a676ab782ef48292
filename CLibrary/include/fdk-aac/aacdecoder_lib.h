/* SPDX-License-Identifier: Apache-2.0

   An AAC decoder with fdk-aac's interface. Written for Linnet from the values of the binary interface and the behavior of its
   callers; Documentation/Guides/CLibraries.md lists the differences. */

#ifndef LINNET_FDK_AACDECODER_LIB_H
#define LINNET_FDK_AACDECODER_LIB_H

#include "FDK_audio.h"
#include "machine_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface. */
#define AACDECODER_LIB_VL0 3
#define AACDECODER_LIB_VL1 2
#define AACDECODER_LIB_VL2 0

typedef enum {
    AAC_DEC_OK = 0x0000,
    AAC_DEC_OUT_OF_MEMORY = 0x0002,
    AAC_DEC_UNKNOWN = 0x0005,
    aac_dec_sync_error_start = 0x1000,
    AAC_DEC_TRANSPORT_SYNC_ERROR = 0x1001,
    AAC_DEC_NOT_ENOUGH_BITS = 0x1002,
    aac_dec_sync_error_end = 0x1FFF,
    aac_dec_init_error_start = 0x2000,
    AAC_DEC_INVALID_HANDLE = 0x2001,
    AAC_DEC_UNSUPPORTED_AOT = 0x2002,
    AAC_DEC_UNSUPPORTED_FORMAT = 0x2003,
    AAC_DEC_UNSUPPORTED_ER_FORMAT = 0x2004,
    AAC_DEC_UNSUPPORTED_EPCONFIG = 0x2005,
    AAC_DEC_UNSUPPORTED_MULTILAYER = 0x2006,
    AAC_DEC_UNSUPPORTED_CHANNELCONFIG = 0x2007,
    AAC_DEC_UNSUPPORTED_SAMPLINGRATE = 0x2008,
    AAC_DEC_INVALID_SBR_CONFIG = 0x2009,
    AAC_DEC_SET_PARAM_FAIL = 0x200A,
    AAC_DEC_NEED_TO_RESTART = 0x200B,
    AAC_DEC_OUTPUT_BUFFER_TOO_SMALL = 0x200C,
    aac_dec_init_error_end = 0x2FFF,
    aac_dec_decode_error_start = 0x4000,
    AAC_DEC_TRANSPORT_ERROR = 0x4001,
    AAC_DEC_PARSE_ERROR = 0x4002,
    AAC_DEC_UNSUPPORTED_EXTENSION_PAYLOAD = 0x4003,
    AAC_DEC_DECODE_FRAME_ERROR = 0x4004,
    AAC_DEC_CRC_ERROR = 0x4005,
    AAC_DEC_INVALID_CODE_BOOK = 0x4006,
    AAC_DEC_UNSUPPORTED_PREDICTION = 0x4007,
    AAC_DEC_UNSUPPORTED_CCE = 0x4008,
    AAC_DEC_UNSUPPORTED_LFE = 0x4009,
    AAC_DEC_UNSUPPORTED_GAIN_CONTROL_DATA = 0x400A,
    AAC_DEC_UNSUPPORTED_SBA = 0x400B,
    AAC_DEC_TNS_READ_ERROR = 0x400C,
    AAC_DEC_RVLC_ERROR = 0x400D,
    aac_dec_decode_error_end = 0x4FFF,
    aac_dec_anc_data_error_start = 0x8000,
    AAC_DEC_ANC_DATA_ERROR = 0x8001,
    AAC_DEC_TOO_SMALL_ANC_BUFFER = 0x8002,
    AAC_DEC_TOO_MANY_ANC_ELEMENTS = 0x8003,
    aac_dec_anc_data_error_end = 0x8FFF
} AAC_DECODER_ERROR;

/* Whether there is output, decoded or concealed. */
#define IS_INIT_ERROR(error) ((error) >= aac_dec_init_error_start && (error) <= aac_dec_init_error_end)
#define IS_DECODE_ERROR(error) ((error) >= aac_dec_decode_error_start && (error) <= aac_dec_decode_error_end)
#define IS_OUTPUT_VALID(error) ((error) == AAC_DEC_OK || IS_DECODE_ERROR(error))

typedef enum {
    AAC_PCM_DUAL_CHANNEL_OUTPUT_MODE = 0x0002,
    AAC_PCM_OUTPUT_CHANNEL_MAPPING = 0x0003, /* 0: MPEG order (center first); 1: WAV order (default) */
    AAC_PCM_LIMITER_ENABLE = 0x0004,
    AAC_PCM_LIMITER_ATTACK_TIME = 0x0005,
    AAC_PCM_LIMITER_RELEAS_TIME = 0x0006,
    AAC_PCM_MIN_OUTPUT_CHANNELS = 0x0011,    /* 2 turns mono into stereo */
    AAC_PCM_MAX_OUTPUT_CHANNELS = 0x0012,    /* 1 and 2 mix down */
    AAC_METADATA_PROFILE = 0x0020,
    AAC_METADATA_EXPIRY_TIME = 0x0021,
    AAC_CONCEAL_METHOD = 0x0100,
    AAC_DRC_BOOST_FACTOR = 0x0200,
    AAC_DRC_ATTENUATION_FACTOR = 0x0201,
    AAC_DRC_REFERENCE_LEVEL = 0x0202,
    AAC_DRC_HEAVY_COMPRESSION = 0x0203,
    AAC_DRC_DEFAULT_PRESENTATION_MODE = 0x0204,
    AAC_DRC_ENC_TARGET_LEVEL = 0x0205,
    AAC_UNIDRC_SET_EFFECT = 0x0206,
    AAC_UNIDRC_ALBUM_MODE = 0x0207,
    AAC_QMF_LOWPOWER = 0x0300,
    AAC_TPDEC_CLEAR_BUFFER = 0x0603          /* discards queued bytes */
} AACDEC_PARAM;

/* Flags of aacDecoder_DecodeFrame. */
#define AACDEC_CONCEAL 1                     /* conceal a lost unit */
#define AACDEC_FLUSH 2                       /* return delayed output */
#define AACDEC_INTR 4                        /* bytes were lost before this unit */
#define AACDEC_CLRHIST 8                     /* clear the history */

/* Flags of CStreamInfo. */
#define AC_ER 0x000040
#define AC_LD 0x000020
#define AC_ELD 0x000010
#define AC_SBR_PRESENT 0x008000
#define AC_PS_PRESENT 0x020000
#define AC_INDEP 0x100000

typedef struct AAC_DECODER_INSTANCE *HANDLE_AACDECODER;

typedef struct {
    INT sampleRate;                          /* hertz, of the output */
    INT frameSize;                           /* samples per channel */
    INT numChannels;                         /* of the output */
    AUDIO_CHANNEL_TYPE *pChannelType;
    UCHAR *pChannelIndices;
    INT aacSampleRate;                       /* hertz, of the core */
    INT profile;
    AUDIO_OBJECT_TYPE aot;
    INT channelConfig;
    INT bitRate;
    INT aacSamplesPerFrame;
    INT aacNumChannels;
    AUDIO_OBJECT_TYPE extAot;
    INT extSamplingRate;
    UINT outputDelay;                        /* samples per channel */
    UINT flags;
    SCHAR epConfig;
    INT numLostAccessUnits;
    INT64 numTotalBytes;
    INT64 numBadBytes;
    INT64 numTotalAccessUnits;
    INT64 numBadAccessUnits;
    SCHAR drcProgRefLev;
    SCHAR drcPresMode;
    INT outputLoudness;
} CStreamInfo;

/* Creates a decoder. Returns null if the transport is unsupported. */
HANDLE_AACDECODER aacDecoder_Open(TRANSPORT_TYPE transport, UINT layers);

/* Destroys a decoder. */
void aacDecoder_Close(HANDLE_AACDECODER decoder);

/* Passes an AudioSpecificConfig, or a StreamMuxConfig with TT_MP4_LATM_MCP0. */
AAC_DECODER_ERROR aacDecoder_ConfigRaw(HANDLE_AACDECODER decoder, UCHAR *configuration[], const UINT length[]);

/* Passes MP4 boxes, which Linnet rejects. */
AAC_DECODER_ERROR aacDecoder_RawISOBMFFData(HANDLE_AACDECODER decoder, UCHAR *buffer, UINT length);

/* Passes bytes and returns how many remain. With TT_MP4_RAW they are one access unit. */
AAC_DECODER_ERROR aacDecoder_Fill(HANDLE_AACDECODER decoder, UCHAR *buffer[], const UINT size[], UINT *bytesValid);

/* Decodes an access unit to at most `capacity` interleaved samples. */
AAC_DECODER_ERROR aacDecoder_DecodeFrame(HANDLE_AACDECODER decoder, INT_PCM *samples, const INT capacity, const UINT flags);

/* Returns the stream's properties, valid until the next call. */
CStreamInfo *aacDecoder_GetStreamInfo(HANDLE_AACDECODER decoder);

/* Sets a parameter. */
AAC_DECODER_ERROR aacDecoder_SetParam(const HANDLE_AACDECODER decoder, const AACDEC_PARAM parameter, const INT value);

/* Returns the number of bytes that aacDecoder_Fill accepts now. */
AAC_DECODER_ERROR aacDecoder_GetFreeBytes(const HANDLE_AACDECODER decoder, UINT *count);

/* Passes a buffer for ancillary data, which Linnet does not use. */
AAC_DECODER_ERROR aacDecoder_AncDataInit(HANDLE_AACDECODER decoder, UCHAR *buffer, int size);

/* Returns an element of ancillary data: always null. */
AAC_DECODER_ERROR aacDecoder_AncDataGet(HANDLE_AACDECODER decoder, int index, UCHAR **data, int *size);

/* Adds the decoder's modules to an array of FDK_MODULE_LAST entries. */
INT aacDecoder_GetLibInfo(LIB_INFO *info);

#ifdef __cplusplus
}
#endif

#endif
