/* SPDX-License-Identifier: Apache-2.0

   Encodes and decodes a tone on a Cortex-M4 without an operating system, and prints memory, stack and instruction counts. This file has
   everything that the codec needs from its environment: memory, a seed, and a C library for small processors. Run by
   Scripts/Measure/bare-metal under qemu, at one instruction per nanosecond. */

#include <linnet.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Environment --------------------------------------------------------------------------------------------------------------- */

static size_t heap_used, heap_peak;

/* Allocates memory and counts it, without the allocator's overhead. */
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    if (*memory == NULL) return 12;
    heap_used += malloc_usable_size(*memory);
    if (heap_used > heap_peak) heap_peak = heap_used;
    return 0;
}

void __real_free(void *memory);

/* Frees and uncounts memory. */
void __wrap_free(void *memory) {
    if (memory == NULL) return;
    heap_used -= malloc_usable_size(memory);
    __real_free(memory);
}

/* Seeds Swift's hash tables. No secret depends on the seed. */
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 7, count); }

/* The stack canary, and the function called when it has changed. */
const uintptr_t __stack_chk_guard = 0x5AFE57AC;
_Noreturn void __stack_chk_fail(void) { abort(); }

/* ---- The processor ------------------------------------------------------------------------------------------------------------- */

extern uint32_t stack_top[], data_start[], data_end[], data_load[], bss_start[], bss_end[];
extern void initialise_monitor_handles(void);

/* The system timer, which counts down at 25 MHz: 40 instructions per tick. */
#define TIMER ((volatile uint32_t *)0xE000E010)
enum { INSTRUCTIONS_PER_TICK = 40, TIMER_PERIOD = 1 << 24 };
static volatile uint32_t timer_periods;

/* Counts a timer period. */
void count_period(void) { timer_periods++; }

/* Exits after a trap of the codec or a processor fault. */
void stop(void) {
    printf("a trap\n");
    exit(1);
}

/* Returns the number of instructions since the start. */
static uint64_t instructions(void) {
    uint32_t periods, value;
    do {
        periods = timer_periods;
        value = TIMER[2];
    } while (periods != timer_periods);
    return ((uint64_t)periods * TIMER_PERIOD + (TIMER_PERIOD - 1 - value)) * INSTRUCTIONS_PER_TICK;
}

int main(void);

/* Starts the program: variables, floating-point unit, timer. */
void reset(void) {
    memcpy(data_start, data_load, (size_t)((char *)data_end - (char *)data_start));
    memset(bss_start, 0, (size_t)((char *)bss_end - (char *)bss_start));
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20;
    __asm__ volatile("dsb\nisb");
    initialise_monitor_handles();
    TIMER[1] = TIMER_PERIOD - 1;
    TIMER[2] = 0;
    TIMER[0] = 7;
    while (TIMER[2] == 0) {}
    exit(main());
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)reset, [3] = (void *)stop, (void *)stop, (void *)stop, (void *)stop, [15] = (void *)count_period};

/* ---- The measurement ----------------------------------------------------------------------------------------------------------- */

enum { LARGEST_STACK = 2 * 1024 * 1024, PATTERN = 0x5A5A5A5A, LARGEST_UNITS = 96, LARGEST_UNIT = 1536 };
static int16_t samples[2048 * 2];
static uint8_t units[LARGEST_UNITS][LARGEST_UNIT];
static size_t sizes[LARGEST_UNITS];

/* Returns the address below the stack. */
static uintptr_t stack_end(void) { return (uintptr_t)stack_top - LARGEST_STACK; }

/* Fills the unused stack with a pattern. */
__attribute__((noinline)) static void paint_stack(void) {
    for (uintptr_t word = (uintptr_t)__builtin_frame_address(0) - 256; word > stack_end(); word -= 4) *(volatile uint32_t *)word = PATTERN;
}

/* Returns the maximum stack use in bytes. */
static size_t stack_depth(void) {
    uintptr_t word = stack_end() + 4;
    while (*(volatile uint32_t *)word == PATTERN) word += 4;
    return (uintptr_t)stack_top - word;
}

/* Prints a line of the table and starts the next measurement. */
static void report(const char *name, size_t heap_before, uint64_t begin, unsigned frames, unsigned rate) {
    uint64_t count = instructions() - begin;
    printf("  %-22s heap %4u KiB, at most %4u, stack %7u bytes", name, (unsigned)((heap_used - heap_before + 512) / 1024),
           (unsigned)((heap_peak - heap_before + 512) / 1024), (unsigned)stack_depth());
    if (frames == 0) printf(", %u million instructions\n", (unsigned)(count / 1000000));
    else printf(", %u million instructions per second of audio\n", (unsigned)(count * rate / frames / 1000000));
    heap_peak = heap_used;
    paint_stack();
}

/* Exits if a library function failed. */
static void require(int result) {
    if (result == LINNET_OK) return;
    printf("%s\n", linnet_error_text(result));
    exit(1);
}

/* Generates a block of a tone with noise. */
static void make_signal(unsigned block, unsigned frames, unsigned channels) {
    static uint32_t random = 1;
    for (unsigned frame = 0; frame < frames; frame++) {
        int32_t x = (int32_t)((block * frames + frame) * 52000000u) >> 16;
        for (unsigned channel = 0; channel < channels; channel++) {
            random = random * 1664525u + 1013904223u;
            samples[frame * channels + channel] = (int16_t)((x * (32768 - abs(x)) >> 17) + ((int32_t)random >> 21));
        }
    }
}

/* Encodes one second and stores the access units. Returns their number. */
static unsigned encode(linnet_encoder *encoder, unsigned length, unsigned channels, unsigned rate) {
    unsigned count = 0;
    for (unsigned block = 0; block < rate / length; block++) {
        make_signal(block, length, channels);
        for (size_t offset = 0, taken; offset < length; offset += taken) {
            linnet_unit unit;
            require(linnet_encoder_write_int16(encoder, samples + offset * channels, length - offset, &taken));
            require(linnet_encoder_next(encoder, &unit));
            if (unit.size == 0 || count == LARGEST_UNITS || unit.size > LARGEST_UNIT) continue;
            memcpy(units[count], unit.bytes, unit.size);
            sizes[count++] = unit.size;
        }
    }
    return count;
}

/* Measures an encoder and its decoder. */
static void measure(const char *name, uint32_t rate, uint32_t channels, uint32_t profile, uint32_t effort, uint32_t bit_rate) {
    linnet_encoder_settings settings;
    linnet_encoder *encoder;
    linnet_decoder *decoder;
    const uint8_t *configuration;
    size_t size, heap = heap_used;
    uint64_t begin = instructions();

    printf("%s\n", name);
    heap_peak = heap_used;
    require(linnet_encoder_settings_init(&settings, rate, channels));
    settings.profile = profile;
    settings.effort = effort;
    settings.bit_rate = bit_rate;
    paint_stack();
    require(linnet_encoder_create(&settings, &encoder));
    report("creating an encoder", heap, begin, 0, rate);
    begin = instructions();
    unsigned length = profile == LINNET_PROFILE_LC ? 1024 : profile >= LINNET_PROFILE_LD ? 512 : 2048;
    unsigned count = encode(encoder, length, channels, rate);
    report("encoding", heap, begin, rate / length * length, rate);

    require(linnet_encoder_configuration(encoder, &configuration, &size));
    size_t encoder_heap = heap_used;
    begin = instructions();
    require(linnet_decoder_create(configuration, size, LINNET_MIX_NONE, &decoder));
    report("creating a decoder", encoder_heap, begin, 0, rate);
    begin = instructions();
    unsigned frames = 0;
    for (unsigned index = 0; index < count; index++) {
        linnet_audio audio;
        require(linnet_decoder_decode(decoder, units[index], sizes[index], &audio));
        frames += audio.frames;
    }
    report("decoding", encoder_heap, begin, frames, rate);
    linnet_encoder_destroy(encoder);
    linnet_decoder_destroy(decoder);
    printf("  %-22s heap %4u KiB\n", "permanent tables", (unsigned)((heap_used - heap + 512) / 1024));
}

int main(void) {
    measure("AAC-LC, mono, 64 kbit/s, fast", 48000, 1, LINNET_PROFILE_LC, LINNET_EFFORT_FAST, 64000);
    measure("AAC-LC, mono, 64 kbit/s, balanced", 48000, 1, LINNET_PROFILE_LC, LINNET_EFFORT_BALANCED, 64000);
    measure("AAC-LC, stereo, 128 kbit/s, fast", 48000, 2, LINNET_PROFILE_LC, LINNET_EFFORT_FAST, 128000);
    measure("HE-AAC, mono, 32 kbit/s, fast", 48000, 1, LINNET_PROFILE_HE, LINNET_EFFORT_FAST, 32000);
    measure("HE-AAC v2, stereo, 32 kbit/s, fast", 48000, 2, LINNET_PROFILE_HE_V2, LINNET_EFFORT_FAST, 32000);
    measure("AAC-LD, mono, 16 kHz, 32 kbit/s, fast", 16000, 1, LINNET_PROFILE_LD, LINNET_EFFORT_FAST, 32000);
    measure("AAC-ELD, mono, 16 kHz, 24 kbit/s, fast", 16000, 1, LINNET_PROFILE_ELD, LINNET_EFFORT_FAST, 24000);
    measure("AAC-ELD, mono, 48 kHz, 64 kbit/s, fast", 48000, 1, LINNET_PROFILE_ELD, LINNET_EFFORT_FAST, 64000);
    measure("AAC-ELD with SBR at dual rate, stereo, 48 kHz, 64 kbit/s, fast", 48000, 2, LINNET_PROFILE_ELD, LINNET_EFFORT_FAST, 64000);
    return 0;
}
