// SPDX-License-Identifier: Apache-2.0

// libasound.so.2, as in version 1.2.

#ifndef LINNET_ALSAFUNCTIONS_H
#define LINNET_ALSAFUNCTIONS_H

#include "CRuntimeLibraries.h"

typedef unsigned long snd_pcm_uframes_t;
typedef long snd_pcm_sframes_t;
typedef struct _snd_pcm snd_pcm_t;
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;
typedef void (*snd_lib_error_handler_t)(const char *file, int line, const char *function, int error, const char *format, ...);

typedef enum { SND_PCM_STREAM_PLAYBACK, SND_PCM_STREAM_CAPTURE } snd_pcm_stream_t;
typedef enum { SND_PCM_ACCESS_RW_INTERLEAVED = 3 } snd_pcm_access_t;

typedef enum {
    SND_PCM_FORMAT_UNKNOWN = -1,
    SND_PCM_FORMAT_S16_LE = 2,
    SND_PCM_FORMAT_S32_LE = 10,
    SND_PCM_FORMAT_FLOAT_LE = 14,
    SND_PCM_FORMAT_S24_3LE = 32,
} snd_pcm_format_t;

#define LINNET_ALSA_FUNCTIONS(FUNCTION) \
    FUNCTION(int, snd_device_name_free_hint, (void **hints)) \
    FUNCTION(char *, snd_device_name_get_hint, (const void *hint, const char *key)) \
    FUNCTION(int, snd_device_name_hint, (int card, const char *interface, void ***hints)) \
    FUNCTION(int, snd_lib_error_set_handler, (snd_lib_error_handler_t handler)) \
    FUNCTION(int, snd_pcm_close, (snd_pcm_t *pcm)) \
    FUNCTION(int, snd_pcm_delay, (snd_pcm_t *pcm, snd_pcm_sframes_t *frames)) \
    FUNCTION(int, snd_pcm_drain, (snd_pcm_t *pcm)) \
    FUNCTION(int, snd_pcm_drop, (snd_pcm_t *pcm)) \
    FUNCTION(int, snd_pcm_hw_params, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings)) \
    FUNCTION(int, snd_pcm_hw_params_any, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings)) \
    FUNCTION(void, snd_pcm_hw_params_free, (snd_pcm_hw_params_t *settings)) \
    FUNCTION(int, snd_pcm_hw_params_malloc, (snd_pcm_hw_params_t **settings)) \
    FUNCTION(int, snd_pcm_hw_params_set_access, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, snd_pcm_access_t access)) \
    FUNCTION(int, snd_pcm_hw_params_set_buffer_size_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, snd_pcm_uframes_t *frames)) \
    FUNCTION(int, snd_pcm_hw_params_set_channels_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, unsigned *channels)) \
    FUNCTION(int, snd_pcm_hw_params_set_format, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, snd_pcm_format_t format)) \
    FUNCTION(int, snd_pcm_hw_params_set_period_size_near, \
        (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, snd_pcm_uframes_t *frames, int *direction)) \
    FUNCTION(int, snd_pcm_hw_params_set_rate_near, (snd_pcm_t *pcm, snd_pcm_hw_params_t *settings, unsigned *rate, int *direction)) \
    FUNCTION(int, snd_pcm_open, (snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode)) \
    FUNCTION(int, snd_pcm_prepare, (snd_pcm_t *pcm)) \
    FUNCTION(snd_pcm_sframes_t, snd_pcm_readi, (snd_pcm_t *pcm, void *target, snd_pcm_uframes_t frames)) \
    FUNCTION(int, snd_pcm_recover, (snd_pcm_t *pcm, int error, int silent)) \
    FUNCTION(int, snd_pcm_start, (snd_pcm_t *pcm)) \
    FUNCTION(int, snd_pcm_wait, (snd_pcm_t *pcm, int timeout)) \
    FUNCTION(snd_pcm_sframes_t, snd_pcm_writei, (snd_pcm_t *pcm, const void *source, snd_pcm_uframes_t frames)) \
    FUNCTION(const char *, snd_strerror, (int error))

/// Suppresses ALSA's own messages on standard error.
LINNET_LIBRARY(LinnetALSAFunctions, LINNET_ALSA_FUNCTIONS, linnet_alsa_functions)

#endif
