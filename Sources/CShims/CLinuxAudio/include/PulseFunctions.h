// SPDX-License-Identifier: Apache-2.0

// libpulse.so.0, as in version 16.

#ifndef LINNET_PULSEFUNCTIONS_H
#define LINNET_PULSEFUNCTIONS_H

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef uint64_t pa_usec_t;
typedef struct pa_context pa_context;
typedef struct pa_mainloop_api pa_mainloop_api;
typedef struct pa_operation pa_operation;
typedef struct pa_proplist pa_proplist;
typedef struct pa_spawn_api pa_spawn_api;
typedef struct pa_stream pa_stream;
typedef struct pa_threaded_mainloop pa_threaded_mainloop;

typedef enum {
    PA_SAMPLE_S16LE = 3,
    PA_SAMPLE_FLOAT32LE = 5,
    PA_SAMPLE_S32LE = 7,
    PA_SAMPLE_S24LE = 9,
    PA_SAMPLE_INVALID = -1,
} pa_sample_format_t;

typedef struct pa_sample_spec {
    pa_sample_format_t format;
    uint32_t rate;
    uint8_t channels;
} pa_sample_spec;

enum { PA_CHANNELS_MAX = 32 };

typedef enum {
    PA_CHANNEL_POSITION_INVALID = -1,
    PA_CHANNEL_POSITION_FRONT_LEFT = 1,
    PA_CHANNEL_POSITION_FRONT_RIGHT,
    PA_CHANNEL_POSITION_FRONT_CENTER,
    PA_CHANNEL_POSITION_REAR_CENTER,
    PA_CHANNEL_POSITION_REAR_LEFT,
    PA_CHANNEL_POSITION_REAR_RIGHT,
    PA_CHANNEL_POSITION_LFE,
    PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER,
    PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER,
    PA_CHANNEL_POSITION_SIDE_LEFT,
    PA_CHANNEL_POSITION_SIDE_RIGHT,
    PA_CHANNEL_POSITION_TOP_FRONT_LEFT = 45,
    PA_CHANNEL_POSITION_TOP_FRONT_RIGHT,
} pa_channel_position_t;

typedef enum { PA_CHANNEL_MAP_WAVEEX = 3 } pa_channel_map_def_t;

typedef struct pa_channel_map {
    uint8_t channels;
    pa_channel_position_t map[32];
} pa_channel_map;

typedef struct pa_cvolume {
    uint8_t channels;
    uint32_t values[32];
} pa_cvolume;

typedef struct pa_buffer_attr {
    uint32_t maxlength, tlength, prebuf, minreq, fragsize;
} pa_buffer_attr;

typedef enum { PA_CONTEXT_NOFLAGS = 0 } pa_context_flags_t;
typedef enum { PA_CONTEXT_READY = 4, PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED } pa_context_state_t;
typedef enum { PA_STREAM_CREATING = 1, PA_STREAM_READY } pa_stream_state_t;

typedef enum {
    PA_STREAM_INTERPOLATE_TIMING = 0x0002,
    PA_STREAM_AUTO_TIMING_UPDATE = 0x0008,
    PA_STREAM_NO_REMIX_CHANNELS = 0x0020,
    PA_STREAM_DONT_MOVE = 0x0200,
    PA_STREAM_ADJUST_LATENCY = 0x2000,
} pa_stream_flags_t;

typedef enum { PA_SEEK_RELATIVE = 0 } pa_seek_mode_t;
typedef enum { PA_ERR_KILLED = 12 } pa_error_code_t;

typedef enum {
    PA_SUBSCRIPTION_MASK_SINK = 0x0001,
    PA_SUBSCRIPTION_MASK_SOURCE = 0x0002,
    PA_SUBSCRIPTION_MASK_SINK_INPUT = 0x0004,
    PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT = 0x0008,
    PA_SUBSCRIPTION_MASK_SERVER = 0x0080,
} pa_subscription_mask_t;

typedef enum {
    PA_SUBSCRIPTION_EVENT_SINK = 0x0000,
    PA_SUBSCRIPTION_EVENT_SOURCE = 0x0001,
    PA_SUBSCRIPTION_EVENT_SINK_INPUT = 0x0002,
    PA_SUBSCRIPTION_EVENT_SOURCE_OUTPUT = 0x0003,
    PA_SUBSCRIPTION_EVENT_SERVER = 0x0007,
    PA_SUBSCRIPTION_EVENT_FACILITY_MASK = 0x000F,
    PA_SUBSCRIPTION_EVENT_REMOVE = 0x0020,
    PA_SUBSCRIPTION_EVENT_TYPE_MASK = 0x0030,
} pa_subscription_event_type_t;

typedef struct pa_server_info {
    const char *user_name, *host_name, *server_version, *server_name;
    pa_sample_spec sample_spec;
    const char *default_sink_name, *default_source_name;
    // Further members.
} pa_server_info;

typedef struct pa_sink_info {
    const char *name;
    uint32_t index;
    const char *description;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    uint32_t owner_module;
    pa_cvolume volume;
    int mute;
    // Further members.
} pa_sink_info;

typedef struct pa_source_info {
    const char *name;
    uint32_t index;
    const char *description;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    uint32_t owner_module;
    pa_cvolume volume;
    int mute;
    uint32_t monitor_of_sink;
    // Further members.
} pa_source_info;

typedef struct pa_client_info {
    uint32_t index;
    const char *name;
    uint32_t owner_module;
    const char *driver;
    pa_proplist *proplist;
} pa_client_info;

typedef struct pa_sink_input_info {
    uint32_t index;
    const char *name;
    uint32_t owner_module, client, sink;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    pa_cvolume volume;
    pa_usec_t buffer_usec, sink_usec;
    const char *resample_method, *driver;
    int mute;
    pa_proplist *proplist;
    int corked;
    // Further members.
} pa_sink_input_info;

typedef struct pa_source_output_info {
    uint32_t index;
    const char *name;
    uint32_t owner_module, client, source;
    pa_sample_spec sample_spec;
    pa_channel_map channel_map;
    pa_usec_t buffer_usec, source_usec;
    const char *resample_method, *driver;
    pa_proplist *proplist;
    int corked;
    pa_cvolume volume;
    int mute;
    // Further members.
} pa_source_output_info;

typedef void (*pa_free_cb_t)(void *bytes);
typedef void (*pa_context_notify_cb_t)(pa_context *context, void *user_data);
typedef void (*pa_context_success_cb_t)(pa_context *context, int success, void *user_data);
typedef void (*pa_context_subscribe_cb_t)(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *user_data);
typedef void (*pa_server_info_cb_t)(pa_context *context, const pa_server_info *info, void *user_data);
typedef void (*pa_client_info_cb_t)(pa_context *context, const pa_client_info *info, int end, void *user_data);
typedef void (*pa_sink_input_info_cb_t)(pa_context *context, const pa_sink_input_info *info, int end, void *user_data);
typedef void (*pa_sink_info_cb_t)(pa_context *context, const pa_sink_info *info, int end, void *user_data);
typedef void (*pa_source_info_cb_t)(pa_context *context, const pa_source_info *info, int end, void *user_data);
typedef void (*pa_source_output_info_cb_t)(pa_context *context, const pa_source_output_info *info, int end, void *user_data);
typedef void (*pa_stream_notify_cb_t)(pa_stream *stream, void *user_data);
typedef void (*pa_stream_success_cb_t)(pa_stream *stream, int success, void *user_data);
typedef void (*pa_stream_request_cb_t)(pa_stream *stream, size_t count, void *user_data);
typedef void (*pa_stream_event_cb_t)(pa_stream *stream, const char *name, pa_proplist *properties, void *user_data);

#define LINNET_PULSE_FUNCTIONS(FUNCTION) \
    FUNCTION(pa_channel_map *, pa_channel_map_init_extend, (pa_channel_map *map, unsigned channels, pa_channel_map_def_t definition)) \
    FUNCTION(int, pa_context_connect, (pa_context *context, const char *server, pa_context_flags_t flags, const pa_spawn_api *api)) \
    FUNCTION(void, pa_context_disconnect, (pa_context *context)) \
    FUNCTION(int, pa_context_errno, (const pa_context *context)) \
    FUNCTION(pa_operation *, pa_context_get_client_info_list, (pa_context *context, pa_client_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_server_info, (pa_context *context, pa_server_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_sink_info_list, (pa_context *context, pa_sink_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_sink_input_info_list, \
        (pa_context *context, pa_sink_input_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_source_info_by_index, \
        (pa_context *context, uint32_t index, pa_source_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_source_info_list, (pa_context *context, pa_source_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_get_source_output_info, \
        (pa_context *context, uint32_t index, pa_source_output_info_cb_t receive, void *user_data)) \
    FUNCTION(pa_context_state_t, pa_context_get_state, (const pa_context *context)) \
    FUNCTION(int, pa_context_is_local, (const pa_context *context)) \
    FUNCTION(pa_context *, pa_context_new_with_proplist, (pa_mainloop_api *api, const char *name, const pa_proplist *properties)) \
    FUNCTION(void, pa_context_set_state_callback, (pa_context *context, pa_context_notify_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_context_set_subscribe_callback, (pa_context *context, pa_context_subscribe_cb_t notify, void *user_data)) \
    FUNCTION(pa_operation *, pa_context_subscribe, \
        (pa_context *context, pa_subscription_mask_t mask, pa_context_success_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_context_unref, (pa_context *context)) \
    FUNCTION(void, pa_operation_cancel, (pa_operation *operation)) \
    FUNCTION(void, pa_operation_unref, (pa_operation *operation)) \
    FUNCTION(void, pa_proplist_free, (pa_proplist *properties)) \
    FUNCTION(const char *, pa_proplist_gets, (const pa_proplist *properties, const char *key)) \
    FUNCTION(pa_proplist *, pa_proplist_new, (void)) \
    FUNCTION(int, pa_proplist_sets, (pa_proplist *properties, const char *key, const char *value)) \
    FUNCTION(int, pa_stream_connect_playback, \
        (pa_stream *stream, const char *device, const pa_buffer_attr *attributes, pa_stream_flags_t flags, const pa_cvolume *volume, \
         pa_stream *master)) \
    FUNCTION(int, pa_stream_connect_record, \
        (pa_stream *stream, const char *device, const pa_buffer_attr *attributes, pa_stream_flags_t flags)) \
    FUNCTION(pa_operation *, pa_stream_cork, (pa_stream *stream, int pauses, pa_stream_success_cb_t notify, void *user_data)) \
    FUNCTION(int, pa_stream_disconnect, (pa_stream *stream)) \
    FUNCTION(pa_operation *, pa_stream_drain, (pa_stream *stream, pa_stream_success_cb_t notify, void *user_data)) \
    FUNCTION(int, pa_stream_drop, (pa_stream *stream)) \
    FUNCTION(pa_operation *, pa_stream_flush, (pa_stream *stream, pa_stream_success_cb_t notify, void *user_data)) \
    FUNCTION(const pa_buffer_attr *, pa_stream_get_buffer_attr, (pa_stream *stream)) \
    FUNCTION(uint32_t, pa_stream_get_device_index, (const pa_stream *stream)) \
    FUNCTION(const char *, pa_stream_get_device_name, (const pa_stream *stream)) \
    FUNCTION(uint32_t, pa_stream_get_index, (const pa_stream *stream)) \
    FUNCTION(int, pa_stream_get_latency, (pa_stream *stream, pa_usec_t *latency, int *is_negative)) \
    FUNCTION(const pa_sample_spec *, pa_stream_get_sample_spec, (pa_stream *stream)) \
    FUNCTION(pa_stream_state_t, pa_stream_get_state, (const pa_stream *stream)) \
    FUNCTION(int, pa_stream_is_suspended, (const pa_stream *stream)) \
    FUNCTION(pa_stream *, pa_stream_new_with_proplist, \
        (pa_context *context, const char *name, const pa_sample_spec *spec, const pa_channel_map *map, pa_proplist *properties)) \
    FUNCTION(int, pa_stream_peek, (pa_stream *stream, const void **bytes, size_t *count)) \
    FUNCTION(size_t, pa_stream_readable_size, (const pa_stream *stream)) \
    FUNCTION(void, pa_stream_set_event_callback, (pa_stream *stream, pa_stream_event_cb_t notify, void *user_data)) \
    FUNCTION(int, pa_stream_set_monitor_stream, (pa_stream *stream, uint32_t sink_input)) \
    FUNCTION(void, pa_stream_set_moved_callback, (pa_stream *stream, pa_stream_notify_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_stream_set_read_callback, (pa_stream *stream, pa_stream_request_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_stream_set_state_callback, (pa_stream *stream, pa_stream_notify_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_stream_set_suspended_callback, (pa_stream *stream, pa_stream_notify_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_stream_set_write_callback, (pa_stream *stream, pa_stream_request_cb_t notify, void *user_data)) \
    FUNCTION(void, pa_stream_unref, (pa_stream *stream)) \
    FUNCTION(size_t, pa_stream_writable_size, (const pa_stream *stream)) \
    FUNCTION(int, pa_stream_write, \
        (pa_stream *stream, const void *bytes, size_t count, pa_free_cb_t release, int64_t offset, pa_seek_mode_t mode)) \
    FUNCTION(const char *, pa_strerror, (int error)) \
    FUNCTION(void, pa_threaded_mainloop_free, (pa_threaded_mainloop *loop)) \
    FUNCTION(pa_mainloop_api *, pa_threaded_mainloop_get_api, (pa_threaded_mainloop *loop)) \
    FUNCTION(void, pa_threaded_mainloop_lock, (pa_threaded_mainloop *loop)) \
    FUNCTION(pa_threaded_mainloop *, pa_threaded_mainloop_new, (void)) \
    FUNCTION(int, pa_threaded_mainloop_start, (pa_threaded_mainloop *loop)) \
    FUNCTION(void, pa_threaded_mainloop_stop, (pa_threaded_mainloop *loop)) \
    FUNCTION(void, pa_threaded_mainloop_unlock, (pa_threaded_mainloop *loop))

LINNET_LIBRARY(LinnetPulseFunctions, LINNET_PULSE_FUNCTIONS, linnet_pulse_functions)

#endif
