/* SPDX-License-Identifier: Apache-2.0

   What linnet.wasm exports beside the functions of linnet.h: figures and pictures of a coded signal. The rules are those of linnet.h. */

#ifndef LINNET_ANALYSIS_H
#define LINNET_ANALYSIS_H

#include "../../include/linnet.h"

/* Coding tools of a unit, of all its channels together. */
typedef struct linnet_tools {
    uint32_t channels;                /* coded channels; 0 if the unit was damaged */
    uint32_t window_sequence;         /* of the first channel: 0 only long, 1 long start, 2 eight short, 3 long stop */
    uint32_t short_channels;          /* channels with eight short windows */
    uint32_t bits;                    /* of the elements, without SBR */
    uint32_t sbr_bits;
    uint32_t bands;                   /* scale factor bands sent, of all groups' first windows and channels */
    uint32_t mid_side_bands;
    uint32_t noise_bands;
} linnet_tools;

/* Gives the tools of the unit that was decoded last. */
int linnet_decoder_tools(linnet_decoder *decoder, linnet_tools *tools);

/* Figures of a signal against its reference; ratios are of noise to masking threshold, in decibels. */
typedef struct linnet_comparison_figures {
    double mean;                      /* over the frames; -100 if all are silent */
    double percentile_95;             /* which 5 % of the frames exceed */
    double audible_share;             /* of frames above 0 dB, 0 to 1 */
    double reference_bandwidth;       /* hertz */
    double test_bandwidth;            /* hertz */
    double interval;                  /* seconds from one frame to the next */
    uint32_t frames;
    uint32_t bands;
} linnet_comparison_figures;

typedef struct linnet_comparison linnet_comparison;

/* Compares a signal with its reference. Both are planar: the samples of the first channel, then of the second. */
int linnet_comparison_create(
    const float *reference, const float *test, size_t frames, uint32_t channels, uint32_t sample_rate, linnet_comparison **comparison);

/* Destroys a comparison; null is allowed. */
void linnet_comparison_destroy(linnet_comparison *comparison);

/* Gives the figures. */
int linnet_comparison_figures_get(linnet_comparison *comparison, linnet_comparison_figures *figures);

/* Gives the ratios of the worst channel, middle or side: frames * bands values, frame by frame, -30 to about 60. */
int linnet_comparison_ratios(linnet_comparison *comparison, const float **ratios);

/* Gives the edges of the bands in hertz, one more than there are bands. */
int linnet_comparison_edges(linnet_comparison *comparison, const double **edges);

#endif
