// SPDX-License-Identifier: Apache-2.0

// A worker that delegates to a nested worker.

const nested = new Worker('./package-nested.js', { type: 'module' });
nested.onmessage = ({ data }) => self.postMessage(data);
nested.onerror = (event) => self.postMessage({ problems: [`the nested worker: ${event.message} ${event.filename}:${event.lineno}`] });
self.onmessage = () => nested.postMessage('start');
