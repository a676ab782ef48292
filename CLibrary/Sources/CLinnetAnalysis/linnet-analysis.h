/* SPDX-License-Identifier: Apache-2.0

   Further exports of linnet.wasm, for figures and pictures of an encoded signal. The rules of linnet.h apply. */

#ifndef LINNET_ANALYSIS_H
#define LINNET_ANALYSIS_H

#include "../../include/linnet.h"

/* The coding tools of an access unit, summed over its channels. */
typedef struct linnet_tools {
    uint32_t channels;                /* encoded channels; 0 if the access unit was damaged */
    uint32_t window_sequence;         /* of the first channel, 0: only long, 1: long start, 2: eight short, 3: long stop */
    uint32_t short_channels;          /* channels with eight short windows */
    uint32_t bits;                    /* bits of the elements, without SBR */
    uint32_t sbr_bits;
    uint32_t bands;                   /* transmitted scale factor bands of all window groups and channels */
    uint32_t mid_side_bands;
    uint32_t noise_bands;
} linnet_tools;

/* Returns the tools of the access unit that was decoded last. */
int linnet_decoder_tools(linnet_decoder *decoder, linnet_tools *tools);

/* Figures of a signal against its reference. Ratios are noise-to-mask ratios in decibels. */
typedef struct linnet_comparison_figures {
    double mean;                      /* mean over the frames; -100 if all are silent */
    double percentile_95;             /* exceeded by 5 % of the frames */
    double audible_share;             /* fraction of frames above 0 dB, 0 to 1 */
    double reference_bandwidth;       /* hertz */
    double test_bandwidth;            /* hertz */
    double interval;                  /* seconds between frames */
    uint32_t frames;
    uint32_t bands;
} linnet_comparison_figures;

typedef struct linnet_comparison linnet_comparison;

/* Compares a signal with its reference. Both are planar: the first channel's samples, then the second's. */
int linnet_comparison_create(
    const float *reference, const float *test, size_t frames, uint32_t channels, uint32_t sample_rate, linnet_comparison **comparison);

/* Destroys a comparison. Accepts null. */
void linnet_comparison_destroy(linnet_comparison *comparison);

/* Returns the figures. */
int linnet_comparison_figures_get(linnet_comparison *comparison, linnet_comparison_figures *figures);

/* Returns the ratios of the worst signal (channel, mid or side): frames * bands values, frame by frame, -30 to about 60. */
int linnet_comparison_ratios(linnet_comparison *comparison, const float **ratios);

/* Returns the band edges in hertz, one more than bands. */
int linnet_comparison_edges(linnet_comparison *comparison, const double **edges);

#endif
