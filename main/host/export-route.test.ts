import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type { AuditService } from '../engine/services.ts';
import { sampleServices } from '../rpc/services.stand-in.ts';
import { type BrowserHost, startBrowserHost } from './browser-host.ts';
import { exportResponse } from './export-route.ts';

let folder: string;
let host: BrowserHost;
let audit: AuditService;
let cookie: string;
let asked: Parameters<AuditService['page']>[0][];
/** Rows that the log has; each page is as long as it is asked for. */
let rows = 1200;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-export-'));
  mkdirSync(join(folder, 'renderer'));
  writeFileSync(join(folder, 'renderer/index.html'), '');
  const services = sampleServices();
  const index = (await services.audit.page({ limit: 1 })).index;
  const sample = (await services.audit.page({ limit: 1 })).rows[0] as VerdictRow;
  asked = [];
  rows = 1200;
  services.audit.page = (input) => {
    asked.push(input);
    const from = input.before === undefined ? rows : input.before;
    const count = Math.min(input.limit, from);
    const page = Array.from({ length: count }, (_, n) => ({
      ...sample,
      seq: from - 1 - n,
      intent: `=row ${from - 1 - n}`,
    }));
    return { rows: page, more: from > count, index };
  };
  services.audit.counts = () => ({ rows: [], total: rows });
  audit = services.audit;
  host = await startBrowserHost({ services, rendererDir: join(folder, 'renderer'), port: 0, log: () => undefined });
  const entered = await open(host.newLink().slice(host.newLink().indexOf('/enter')), {});
  cookie = String(entered.headers['set-cookie']?.[0]).split(';')[0] ?? '';
  entered.resume();
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(path: string, headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false }, done).on('error', fail).end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
}

test('a file of what is shown, with its filter, its name and how many rows there will be', async () => {
  const response = await open('/export?format=csv&executor=shell_exec&from_ts=5&outcome=denied', { Cookie: cookie });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="vaglio-audit.csv"',
    'vaglio-rows': '1200',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const lines = (await textOf(response)).split('\r\n').slice(0, -1);
  expect(lines).toHaveLength(1201);
  expect(lines[1]).toContain(`"'=row 1199"`);
  expect(asked[0]).toMatchObject({ filter: { executor: 'shell_exec', from_ts: 5, outcome: 'denied' } });
  const lookup = await open('/export?format=jsonl&text=x', { Cookie: cookie }, 'HEAD');
  expect(lookup.headers['vaglio-rows']).toBeUndefined();
  expect(await textOf(lookup)).toBe('');
});

test.each([
  ['no session', '/export?format=csv', 401, {}],
  ['no format', '/export', 400, { own: true }],
  ['a format that there is not', '/export?format=xml', 400, { own: true }],
  ['a number that is none', '/export?format=csv&from_ts=x', 400, { own: true }],
  ['a filter that there is not', '/export?format=csv&where=1', 400, { own: true }],
  ['another site', '/export?format=csv', 403, { own: true, Origin: 'http://evil.example' }],
])('%s is refused', async (_what, path, status, { own, ...headers }: { own?: boolean; Origin?: string }) => {
  const response = await open(path, { ...(own === true ? { Cookie: cookie } : {}), ...headers });
  expect(response.statusCode).toBe(status);
  response.resume();
  expect(asked).toEqual([]);
});

test('whoever goes away ends it: no further page is asked for', async () => {
  rows = 10_000_000;
  const response = await open('/export?format=jsonl', { Cookie: cookie });
  await new Promise((done) => response.once('data', done));
  response.destroy();
  await new Promise((done) => setTimeout(done, 100));
  const then = asked.length;
  await new Promise((done) => setTimeout(done, 100));
  expect(asked.length).toBe(then);
  expect(then).toBeLessThan(2000);
});

test('a log that cannot be read is a fault, and not an empty file', async () => {
  rows = -1;
  asked.push = () => {
    throw new Error('unreadable');
  };
  await expect(open('/export?format=jsonl', { Cookie: cookie }).then(textOf)).rejects.toThrowError();
});

test('in the window it comes at the pace of its reader, and ends when he goes', async () => {
  rows = 10_000_000;
  const response = await exportResponse(audit, 'format=jsonl', 'GET', { 'X-Frame-Options': 'DENY' });
  expect(response?.headers.get('x-frame-options')).toBe('DENY');
  expect(response?.headers.get('vaglio-rows')).toBe('10000000');
  const reader = response?.body?.getReader();
  await reader?.read();
  expect(asked.length).toBeLessThan(5);
  await reader?.cancel();
  const then = asked.length;
  await new Promise((done) => setTimeout(done, 50));
  expect(asked.length).toBe(then);
});

test('in the window it is the same file', async () => {
  const sent = await open('/export?format=csv&executor=shell_exec', { Cookie: cookie });
  const inWindow = await exportResponse(audit, '?format=csv&executor=shell_exec', 'GET', {});
  expect(await inWindow?.text()).toBe(await textOf(sent));
  const head = await exportResponse(audit, '?format=csv', 'HEAD', {});
  expect(await head?.text()).toBe('');
  expect(await exportResponse(audit, '?format=xml', 'GET', {})).toBeNull();
});

test('in the window a log that cannot be read any further breaks off the file', async () => {
  const response = await exportResponse(audit, 'format=jsonl', 'GET', {});
  asked.push = () => {
    throw new Error('unreadable');
  };
  await expect(response?.text()).rejects.toThrowError('unreadable');
});
