// SPDX-License-Identifier: Apache-2.0

// Saves files for the user.

/** Saves bytes or text as a file. */
export function saveFile(name, content, type) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
