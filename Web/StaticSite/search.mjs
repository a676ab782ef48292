// SPDX-License-Identifier: Apache-2.0

// The search page. A script searches an index of titles and headings, without a server.

import { readFileSync } from 'node:fs';

/** Writes the search page, its script, and the index of all pages written so far. */
export function writeSearch(site) {
    site.writeIndex('search-index.js');
    site.write('search.js', readFileSync(new URL('search.js', import.meta.url)));
    site.page('search.html', {
        section: 'search', title: 'Search', description: 'Search the titles and headings of all pages.',
        scripts: ['search-index.js', 'search.js'],
        content: `<h1>Search</h1>
<form class="search" role="search">
<label for="query">Words in titles and headings of guides, API and manual</label>
<input id="query" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus>
</form>
<noscript><p>The search needs JavaScript. <a href="documentation.html">Documentation</a> lists the guides.</p></noscript>
<p id="count" class="kind" role="status"></p>
<ol id="results" class="results"></ol>`,
    });
}
