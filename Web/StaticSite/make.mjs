// SPDX-License-Identifier: Apache-2.0

// Builds the static site. Scripts/site runs it in the repository folder.
//
//     node Web/StaticSite/make.mjs FOLDER VERSION CODEC INTERFACE MANUAL...
//
// CODEC is the output of Scripts/Package/webassembly, INTERFACE the output of Scripts/document, MANUAL folders of manual pages.

import { readFileSync } from 'node:fs';
import { writeCodecPages } from './codec-pages.mjs';
import { writeFrontPage } from './front.mjs';
import { writeInterface } from './interface.mjs';
import { Site } from './layout.mjs';
import { writeManual } from './manual.mjs';
import { writeDocuments } from './markdown.mjs';
import { documents, Links, writeSources } from './repository.mjs';
import { writeSearch } from './search.mjs';

const [folder, version, codec, symbols, ...manuals] = process.argv.slice(2);
const site = new Site(folder, version);
const links = new Links();

writeFrontPage(site, links);
writeDocuments(site, links, documents());
writeManual(site, ...manuals);
writeInterface(site, symbols);
writeCodecPages(site, codec);
writeSources(site, links);
writeSearch(site);
for (const path of links.pictures) site.write(links.pictureOf(path), readFileSync(path));
const styles = ['../Site/page/colors.css', 'bar.css', 'document.css', 'front.css', 'search.css'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'));
site.write('site.css', styles.join('\n'));
