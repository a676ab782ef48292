// SPDX-License-Identifier: Apache-2.0

// Headless Chromium, controlled with its debugging protocol over a pipe, and a static file server.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/**
 * Serves folders, with these headers in each response. The first folder that has a file serves it. Returns the address, the requested paths, and
 * a promise of the body posted to /result.
 */
export async function serve(headers, ...folders) {
    const requests = [];
    let resolveResult, giveUp;
    const result = new Promise((resolve, reject) => ([resolveResult, giveUp] = [resolve, reject]));
    // The caller may not wait for it.
    result.catch(() => {});
    const server = createServer((request, response) => {
        const path = normalize(new URL(request.url, 'http://localhost').pathname);
        requests.push(path);
        if (path === '/result') {
            let text = '';
            request.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => {
                response.writeHead(204).end();
                resolveResult(text);
            });
            return;
        }
        for (const folder of folders) {
            try {
                const body = readFileSync(join(folder, path.endsWith('/') ? `${path}index.html` : path));
                response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html', ...headers }).end(body);
                return;
            } catch {
                // Try the next folder.
            }
        }
        response.writeHead(404).end();
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { address: `http://127.0.0.1:${server.address().port}`, requests, result, giveUp, close: () => server.close() };
}

/** A running browser. */
export class Browser {
    #process;
    #data = mkdtempSync(join(tmpdir(), 'linnet-browser-'));
    #number = 0;
    #calls = new Map();
    #listeners = new Map();

    constructor(...options) {
        this.#process = spawn(
            'chromium',
            [
                '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--mute-audio',
                '--disable-background-networking', '--autoplay-policy=no-user-gesture-required', '--remote-debugging-pipe',
                `--user-data-dir=${this.#data}`, ...options,
            ],
            { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
        this.#process.stderr.resume();
        let rest = '';
        this.#process.stdio[4].setEncoding('utf8').on('data', (text) => {
            const parts = (rest + text).split('\0');
            rest = parts.pop();
            for (const part of parts) this.#receive(JSON.parse(part));
        });
        this.#process.on('exit', (code) => {
            for (const { reject } of this.#calls.values()) reject(new Error(`chromium exited with status ${code}`));
        });
    }

    #receive({ id, result, error, method, params, sessionId }) {
        if (method) return this.#listeners.get(sessionId)?.(method, params);
        const call = this.#calls.get(id);
        this.#calls.delete(id);
        if (error) call?.reject(new Error(error.message));
        else call?.resolve(result);
    }

    /** Sends a protocol command. */
    send(method, params = {}, sessionId = undefined) {
        const id = (this.#number += 1);
        this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
    }

    /** Opens a page with a window size. `script` runs before the page's own scripts. */
    async open(address, { width = 1280, height = 900, scheme = 'light', downloads, script } = {}) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId);
        this.#listeners.set(sessionId, (method, params) => page.receive(method, params));
        for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
        await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
        await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        if (downloads) await this.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
        if (script) await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `{${script}}` });
        await page.send('Page.navigate', { url: address });
        await page.until('document.readyState === "complete"');
        return page;
    }

    async close() {
        const ended = new Promise((resolve) => this.#process.on('exit', resolve));
        this.send('Browser.close').catch(() => {});
        const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
        await ended;
        clearTimeout(timer);
        rmSync(this.#data, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
}

/** A page. Records its requests and console messages. */
class Page {
    #browser;
    #session;
    #target;
    messages = [];
    requests = [];

    constructor(browser, session, target) {
        this.#browser = browser;
        this.#session = session;
        this.#target = target;
    }

    send(method, params) {
        return this.#browser.send(method, params, this.#session);
    }

    receive(method, params) {
        if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
        if (method === 'Runtime.consoleAPICalled') this.messages.push(params.args.map((argument) => argument.value ?? argument.description).join(' '));
        if (method === 'Runtime.exceptionThrown') this.messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === 'Log.entryAdded') this.messages.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    }

    /** Evaluates an expression, and awaits a promise. */
    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
            expression, awaitPromise: true, returnByValue: true, userGesture: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** Waits until an expression is true. */
    async until(expression, seconds = 240) {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
            if (await this.evaluate(`Boolean(${expression})`)) return;
            await new Promise((resolve) => setTimeout(resolve, 40));
        }
        throw new Error(`timeout after ${seconds} s: ${expression}; the page shows: ${await this.evaluate('document.body.innerText')}`);
    }

    /** Clicks the center of an element. */
    async click(selector) {
        const [x, y] = await this.evaluate(`(() => {
            const element = document.querySelector(${JSON.stringify(selector)});
            element.scrollIntoView({ block: 'center' });
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })()`);
        for (const type of ['mousePressed', 'mouseReleased']) {
            await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
        }
    }

    /** Presses a key, such as Tab, Enter, ArrowRight, or a character. */
    async press(key, modifiers = 0) {
        const codes = { Tab: 9, Enter: 13, ' ': 32, ArrowLeft: 37, ArrowRight: 39 };
        const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
        const values = { key, modifiers, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), code: key === ' ' ? 'Space' : key };
        await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', text, ...values });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...values });
    }

    /** Sets the files of an input. */
    async chooseFiles(selector, ...files) {
        const { root } = await this.send('DOM.getDocument');
        const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
        await this.send('DOM.setFileInputFiles', { nodeId, files });
    }

    /** Saves a screenshot, limited to a height. */
    async screenshot(file, { height } = {}) {
        const { cssContentSize } = await this.send('Page.getLayoutMetrics');
        const clip = { x: 0, y: 0, width: cssContentSize.width, height: Math.min(height ?? Infinity, cssContentSize.height), scale: 1 };
        const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip });
        writeFileSync(file, Buffer.from(data, 'base64'));
    }

    close() {
        return this.#browser.send('Target.closeTarget', { targetId: this.#target });
    }
}
