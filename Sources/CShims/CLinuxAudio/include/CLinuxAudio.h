// SPDX-License-Identifier: Apache-2.0

// The run-time loader of libpulse and libasound.
//
// Both libraries are opened with dlopen at their first use, so that a program starts, encodes and decodes on a machine without them. Each
// table has one pointer per function, with the type of the library's own header: the compiler checks every call.

#ifndef CLINUXAUDIO_H
#define CLINUXAUDIO_H

#if defined(__linux__) && !defined(__ANDROID__)

#if !__has_include(<alsa/asoundlib.h>) || !__has_include(<pulse/pulseaudio.h>)
#error "Capture needs the headers of ALSA and PulseAudio: on Debian install libasound2-dev and libpulse-dev"
#endif
#include <alsa/asoundlib.h>
#include <pulse/pulseaudio.h>

#define LINNET_PULSE_FUNCTIONS(FUNCTION) \
    FUNCTION(pa_channel_map_init_extend) \
    FUNCTION(pa_context_connect) \
    FUNCTION(pa_context_disconnect) \
    FUNCTION(pa_context_errno) \
    FUNCTION(pa_context_is_local) \
    FUNCTION(pa_context_get_server_info) \
    FUNCTION(pa_context_get_sink_info_list) \
    FUNCTION(pa_context_get_source_info_by_index) \
    FUNCTION(pa_context_get_source_info_by_name) \
    FUNCTION(pa_context_get_source_info_list) \
    FUNCTION(pa_context_get_source_output_info) \
    FUNCTION(pa_context_get_state) \
    FUNCTION(pa_context_new_with_proplist) \
    FUNCTION(pa_context_set_state_callback) \
    FUNCTION(pa_context_set_subscribe_callback) \
    FUNCTION(pa_context_subscribe) \
    FUNCTION(pa_context_unref) \
    FUNCTION(pa_operation_get_state) \
    FUNCTION(pa_operation_cancel) \
    FUNCTION(pa_operation_unref) \
    FUNCTION(pa_proplist_free) \
    FUNCTION(pa_proplist_new) \
    FUNCTION(pa_proplist_sets) \
    FUNCTION(pa_stream_connect_playback) \
    FUNCTION(pa_stream_connect_record) \
    FUNCTION(pa_stream_cork) \
    FUNCTION(pa_stream_disconnect) \
    FUNCTION(pa_stream_drain) \
    FUNCTION(pa_stream_drop) \
    FUNCTION(pa_stream_flush) \
    FUNCTION(pa_stream_get_buffer_attr) \
    FUNCTION(pa_stream_get_channel_map) \
    FUNCTION(pa_stream_get_device_index) \
    FUNCTION(pa_stream_get_device_name) \
    FUNCTION(pa_stream_get_index) \
    FUNCTION(pa_stream_get_latency) \
    FUNCTION(pa_stream_get_sample_spec) \
    FUNCTION(pa_stream_get_state) \
    FUNCTION(pa_stream_is_suspended) \
    FUNCTION(pa_stream_new_with_proplist) \
    FUNCTION(pa_stream_peek) \
    FUNCTION(pa_stream_readable_size) \
    FUNCTION(pa_stream_set_event_callback) \
    FUNCTION(pa_stream_set_moved_callback) \
    FUNCTION(pa_stream_set_read_callback) \
    FUNCTION(pa_stream_set_state_callback) \
    FUNCTION(pa_stream_set_suspended_callback) \
    FUNCTION(pa_stream_set_write_callback) \
    FUNCTION(pa_stream_unref) \
    FUNCTION(pa_stream_writable_size) \
    FUNCTION(pa_stream_write) \
    FUNCTION(pa_strerror) \
    FUNCTION(pa_threaded_mainloop_free) \
    FUNCTION(pa_threaded_mainloop_get_api) \
    FUNCTION(pa_threaded_mainloop_lock) \
    FUNCTION(pa_threaded_mainloop_new) \
    FUNCTION(pa_threaded_mainloop_start) \
    FUNCTION(pa_threaded_mainloop_stop) \
    FUNCTION(pa_threaded_mainloop_unlock)

#define LINNET_ALSA_FUNCTIONS(FUNCTION) \
    FUNCTION(snd_device_name_free_hint) \
    FUNCTION(snd_device_name_get_hint) \
    FUNCTION(snd_device_name_hint) \
    FUNCTION(snd_pcm_close) \
    FUNCTION(snd_pcm_delay) \
    FUNCTION(snd_pcm_drain) \
    FUNCTION(snd_pcm_drop) \
    FUNCTION(snd_pcm_hw_params) \
    FUNCTION(snd_pcm_hw_params_any) \
    FUNCTION(snd_pcm_hw_params_free) \
    FUNCTION(snd_pcm_hw_params_get_channels) \
    FUNCTION(snd_pcm_hw_params_get_period_size) \
    FUNCTION(snd_pcm_hw_params_get_rate) \
    FUNCTION(snd_pcm_hw_params_malloc) \
    FUNCTION(snd_pcm_hw_params_set_access) \
    FUNCTION(snd_pcm_hw_params_set_buffer_size_near) \
    FUNCTION(snd_pcm_hw_params_set_channels_near) \
    FUNCTION(snd_pcm_hw_params_set_format) \
    FUNCTION(snd_pcm_hw_params_set_period_size_near) \
    FUNCTION(snd_pcm_hw_params_set_rate_near) \
    FUNCTION(snd_pcm_open) \
    FUNCTION(snd_pcm_prepare) \
    FUNCTION(snd_pcm_readi) \
    FUNCTION(snd_pcm_recover) \
    FUNCTION(snd_pcm_start) \
    FUNCTION(snd_pcm_state) \
    FUNCTION(snd_pcm_wait) \
    FUNCTION(snd_pcm_writei) \
    FUNCTION(snd_strerror)

#define LINNET_POINTER(name) __typeof__(&name) name;

/// The functions of libpulse that are used.
typedef struct LinnetPulseFunctions {
    LINNET_PULSE_FUNCTIONS(LINNET_POINTER)
} LinnetPulseFunctions;

/// The functions of libasound that are used.
typedef struct LinnetALSAFunctions {
    LINNET_ALSA_FUNCTIONS(LINNET_POINTER)
} LinnetALSAFunctions;

#undef LINNET_POINTER

/// The functions of libpulse, or NULL if the library is missing or too old; loaded once, at the first call.
const LinnetPulseFunctions *linnet_pulse_functions(void);

/// The functions of libasound, or NULL if the library is missing or too old; loaded once, at the first call.
/// ALSA's own messages to standard error are suppressed: failures are reported by their codes.
const LinnetALSAFunctions *linnet_alsa_functions(void);

#endif
#endif
