import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleServices } from '../rpc/services.stand-in.ts';
import { type BrowserHost, startBrowserHost } from './browser-host.ts';

let folder: string;
let host: BrowserHost;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-host-'));
  const rendererDir = join(folder, 'renderer');
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>panel</title>');
  writeFileSync(join(rendererDir, 'assets/index-abc.js'), 'export {};');
  writeFileSync(join(rendererDir, 'assets/source.ts'), 'secret source');
  writeFileSync(join(folder, 'secret.txt'), 'outside');
  symlinkSync(join(folder, 'secret.txt'), join(rendererDir, 'assets/link.txt'));
  host = await startBrowserHost({ services: sampleServices(), rendererDir, port: 0, log: () => undefined });
});

afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      done({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    asked.on('error', fail);
    asked.end();
  });
}

const pathOf = (link: string): string => link.slice(link.indexOf('/enter'));

async function signIn(): Promise<string> {
  const { headers } = await ask(pathOf(host.newLink()));
  return String(headers['set-cookie']?.[0]).split(';')[0] ?? '';
}

const upgrade = (headers: Record<string, string>, path = '/trpc'): Promise<Answer> =>
  ask(path, {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
    ...headers,
  });

test('the link lets a browser in once: a strict cookie named after the port, then the panel', async () => {
  const link = host.newLink();
  const entered = await ask(pathOf(link));
  expect(entered).toMatchObject({ status: 303, headers: { location: '/' } });
  expect(entered.headers['set-cookie']).toHaveLength(1);
  expect(entered.headers['set-cookie']?.[0]).toMatch(
    new RegExp(`^vaglio-${host.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
  );
  const cookie = String(entered.headers['set-cookie']?.[0]).split(';')[0] ?? '';
  expect(await ask('/', { Cookie: cookie })).toMatchObject({
    status: 200,
    body: '<!doctype html><title>panel</title>',
  });
  expect(await ask('/assets/index-abc.js', { Cookie: cookie })).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
});

test.each([
  ['no token and no cookie', '/', 401],
  ['no token at the door', '/enter', 403],
  ['a wrong token', '/enter?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 403],
  ['an empty token', '/enter?token=', 403],
])('%s is refused with a page that says what to do', async (_, path, status) => {
  const answer = await ask(path);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain('npm start');
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('a used token is refused', async () => {
  const path = pathOf(host.newLink());
  expect((await ask(path)).status).toBe(303);
  const again = await ask(path);
  expect(again).toMatchObject({ status: 403 });
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('a look ahead or a HEAD does not use a link up', async () => {
  const path = pathOf(host.newLink());
  expect((await ask(path, {}, 'HEAD')).headers['set-cookie']).toBeUndefined();
  expect((await ask(path, { 'Sec-Purpose': 'prefetch' })).headers['set-cookie']).toBeUndefined();
  expect((await ask(path)).status).toBe(303);
});

test('a link followed from another program goes on from inside the site, since a strict cookie is held back', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const answer = await ask(pathOf(host.newLink()), headers);
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toHaveLength(1);
  expect(answer.body).toContain('http-equiv="refresh"');
});

test('a cookie of another port or a made-up one is refused', async () => {
  const value = (await signIn()).split('=')[1];
  expect((await ask('/', { Cookie: `vaglio-${host.port + 1}=${value}` })).status).toBe(401);
  expect((await ask('/', { Cookie: `vaglio-${host.port}=guess` })).status).toBe(401);
  expect((await ask('/', { Cookie: `vaglio-${host.port}` })).status).toBe(401);
});

test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example:80'])(
  'the name %s is refused, with a good cookie too (DNS rebinding)',
  async (name) => {
    const cookie = await signIn();
    expect((await ask('/', { Host: name, Cookie: cookie })).status).toBe(403);
    expect((await ask(pathOf(host.newLink()), { Host: name })).status).toBe(403);
    expect((await upgrade({ Host: name, Origin: `http://${name}`, Cookie: cookie })).status).toBe(403);
  },
);

test('localhost is the panel as well', async () => {
  const cookie = await signIn();
  const name = `localhost:${host.port}`;
  expect((await ask('/', { Host: name, Cookie: cookie })).status).toBe(200);
  expect((await upgrade({ Host: name, Origin: `http://${name}`, Cookie: cookie })).status).toBe(101);
});

test.each([
  ['another site', 'https://evil.example'],
  ['a page on another port', 'http://127.0.0.1:1'],
  ['a sandboxed frame or a file', 'null'],
  ['https on our port', 'https://127.0.0.1'],
])('the origin of %s is refused on HTTP and on the upgrade', async (_, origin) => {
  const cookie = await signIn();
  expect((await ask('/', { Origin: origin, Cookie: cookie })).status).toBe(403);
  expect((await upgrade({ Origin: origin, Cookie: cookie })).status).toBe(403);
});

test('the upgrade needs a cookie, an origin and the right path', async () => {
  const cookie = await signIn();
  const origin = `http://127.0.0.1:${host.port}`;
  expect((await upgrade({ Origin: origin, Cookie: cookie })).status).toBe(101);
  expect((await upgrade({ Origin: origin })).status).toBe(403);
  expect((await upgrade({ Cookie: cookie })).status).toBe(403);
  expect((await upgrade({ Origin: origin, Cookie: cookie }, '/other')).status).toBe(404);
});

test.each([
  [
    'a fetch from another site',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' },
  ],
  [
    'a script tag on another port',
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
  ],
  [
    'a frame (clickjacking)',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
  ],
])('%s is refused', async (_, headers) => {
  expect((await ask('/', { ...headers, Cookie: await signIn() })).status).toBe(403);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused (CSRF)', async (method) => {
  expect(await ask('/', { Cookie: await signIn() }, method)).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
});

test('every answer carries the policy: no inline script, no frame, no sniffing, no referrer', async () => {
  const cookie = await signIn();
  for (const answer of [
    await ask('/', { Cookie: cookie }),
    await ask('/'),
    await ask('/nothing', { Cookie: cookie }),
  ]) {
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/%252e%252e/secret.txt',
  '//etc/passwd',
  '/etc/passwd',
  '/assets/link.txt',
  '/assets/source.ts',
  '/index.html%00.js',
  '/assets',
  '/%',
])('%s leads to no file', async (path) => {
  const answer = await ask(path, { Cookie: await signIn() });
  expect(answer.status).toBe(404);
  expect(answer.body).not.toMatch(/outside|root:|secret source/);
});

test('an absolute request line and a broken one get no file', async () => {
  expect((await ask('http://evil.example/', { Cookie: await signIn() })).status).toBe(404);
  const closed = await new Promise<boolean>((done) => {
    const socket = createConnection(host.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
    socket.on('close', () => done(true)).on('error', () => undefined);
    socket.resume();
  });
  expect(closed).toBe(true);
  expect((await ask('/', { Cookie: await signIn() })).status).toBe(200);
});

test('it listens on the loopback address alone', async () => {
  const refused = await new Promise<string>((done) => {
    const socket = createConnection(host.port, '127.0.0.2');
    socket.on('connect', () => done('connected')).on('error', (error: NodeJS.ErrnoException) => done(error.code ?? ''));
  });
  expect(refused).not.toBe('connected');
});

test('a port in use is named, with what to do', async () => {
  const second = startBrowserHost({
    services: sampleServices(),
    rendererDir: folder,
    port: host.port,
    log: () => undefined,
  });
  await expect(second).rejects.toThrow(`Port ${host.port} is in use by another program. Choose another with --port N`);
});
