// SPDX-License-Identifier: Apache-2.0

// Installs the npm package from its tarball, and uses it in Node, and in Chromium and Firefox with a strict content security policy.
//
//     node package.mjs TARBALL

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serve } from './browser.mjs';

const tarball = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'linnet-package-'));
const tests = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

/** Installs with npm or, if it is missing, as npm would install a tarball without dependencies. */
function install() {
    const npm = spawnSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], { cwd: folder, stdio: 'inherit' });
    if (npm.error?.code !== 'ENOENT') return assert.equal(npm.status, 0, 'npm install');
    const target = join(folder, 'node_modules', 'linnet');
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['--extract', '--gzip', '--strip-components=1', '--directory', target, '--file', tarball]);
}

function testNode() {
    writeFileSync(join(folder, 'package.json'), '{"name":"user","version":"1.0.0","private":true,"type":"module"}');
    install();
    const program = `
        import { readFileSync } from 'node:fs';
        import { fileURLToPath } from 'node:url';
        import { Linnet } from 'linnet';
        import { LinnetAudioEncoder } from 'linnet/webcodecs';
        import { registerLinnet } from 'linnet/mediabunny';
        const linnet = await Linnet.load(readFileSync(fileURLToPath(import.meta.resolve('linnet/linnet.wasm'))));
        const file = linnet.encode([new Float32Array(48000)], { sampleRate: 48000, bitRate: 64000 });
        console.log(linnet.decode(file).channels[0].length, typeof LinnetAudioEncoder, typeof registerLinnet);`;
    writeFileSync(join(folder, 'program.js'), program);
    assert.equal(execFileSync('node', ['program.js'], { cwd: folder, encoding: 'utf8' }).trim(), '48000 function function');
}

/** Opens the page in a browser and waits for its report. */
async function testBrowser(name, command, ...options) {
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; media-src blob:; img-src data:";
    const server = await serve({ 'content-security-policy': policy }, join(folder, 'node_modules'), tests);
    const data = mkdtempSync(join(tmpdir(), 'linnet-browser-'));
    const profile = options.map((option) => option.replace('DATA', data));
    // Firefox's sandboxes need privileges that containers lack.
    const sandboxes = ['CONTENT', 'RDD', 'UTILITY', 'GMP', 'SOCKET_PROCESS'].map((name) => [`MOZ_DISABLE_${name}_SANDBOX`, '1']);
    const environment = { ...process.env, HOME: data, ...Object.fromEntries(sandboxes) };
    const browser = spawn(command, [...profile, `${server.address}/package.html`], { stdio: 'ignore', env: environment, detached: true });
    const timer = setTimeout(() => server.giveUp(new Error(`no report from ${name} within 300 s`)), 300_000);
    browser.on('error', (error) => server.giveUp(error));
    try {
        assert.deepEqual(JSON.parse(await server.result), [], name);
    } finally {
        clearTimeout(timer);
        server.close();
        const ended = new Promise((resolve) => browser.on('exit', resolve));
        process.kill(-browser.pid, 'SIGKILL');
        await ended;
        rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
}

try {
    testNode();
    await testBrowser(
        'Chromium', 'chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--mute-audio',
        '--autoplay-policy=no-user-gesture-required', '--user-data-dir=DATA');
    await testBrowser('Firefox', 'firefox-esr', '--headless', '--no-remote', '--profile', 'DATA');
    const files = readdirSync(join(folder, 'node_modules', 'linnet')).length;
    console.log(`npm package: ${files} files, used in Node, Chromium and Firefox, and with a stand-in for mediabunny`);
} finally {
    rmSync(folder, { recursive: true, force: true });
}
