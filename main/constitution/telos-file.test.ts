import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LARGEST_TELOS, lookAtTelos, readEmas, saveTelos, telosInForce } from './telos-file.ts';
import { TELOS } from './world.stand-in.ts';

let folder: string;
let file: string;
let emas: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-telos-'));
  file = join(folder, 'workspace', 'TELOS.md');
  emas = join(folder, 'telos_ema.json');
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
const inForce = () => telosInForce({ telos: file, emas }, (line) => logged.push(line));

describe('TELOS.md in force', () => {
  test('is read anew each time', () => {
    expect(inForce()).toEqual({ text: null, teloi: [], problem: null, emas: {} });
    put(TELOS);
    expect(inForce()).toMatchObject({ text: TELOS, problem: null, teloi: [{ id: 't.salute' }, {}, {}] });
    put(TELOS.replace('peso: 5', 'peso: five'));
    expect(inForce()).toMatchObject({
      text: null,
      teloi: [],
      problem: 'TELOS.md, line 4: the weight "five" is no number above 0',
    });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['no text', Buffer.from(`${TELOS}\xff`, 'latin1'), 'no UTF-8'],
    ['far too much', ' '.repeat(LARGEST_TELOS + 1), 'larger than'],
  ])('of %s counts as none', (_, content, says) => {
    put(content);
    expect(inForce()).toMatchObject({ text: null, teloi: [], problem: expect.stringContaining(says) });
  });

  test('that is a folder counts as none', () => {
    mkdirSync(file, { recursive: true });
    expect(inForce()).toMatchObject({ text: null, problem: `${file} is not a file.` });
  });
});

describe('EMAs', () => {
  const read = () => readEmas(emas, (line) => logged.push(line));
  test('none without a file; those that are none are left out', () => {
    expect(read()).toEqual({});
    writeFileSync(emas, '{"t.salute": 1.25, "t.lavoro": 0, "a": -1, "b": 11, "c": "1", "d": null, "__proto__": 2}');
    expect(read()).toEqual({ 't.salute': 1.25, 't.lavoro': 0, ['__proto__']: 2 });
    expect(logged).toEqual([]);
  });
  test.each(['no json', '[]', 'null', ' '.repeat(70_000)])('%.10s counts as none, and that is told', (text) => {
    writeFileSync(emas, text);
    expect(read()).toEqual({});
    expect(logged).toHaveLength(1);
  });
});

describe('saving', () => {
  test('makes folder and file for the user alone, and leaves nothing beside it', () => {
    const saved = saveTelos(file, TELOS, lookAtTelos(file).version);
    expect(saved).toMatchObject({ text: TELOS, problems: [], unreadable: null });
    expect(readFileSync(file, 'utf8')).toBe(TELOS);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['TELOS.md']);
  });

  test('keeps the mode, and a link a link', () => {
    const real = join(folder, 'real.md');
    writeFileSync(real, TELOS);
    chmodSync(real, 0o640);
    mkdirSync(dirname(file));
    symlinkSync(real, file);
    saveTelos(file, `${TELOS}\n`, lookAtTelos(file).version);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe(`${TELOS}\n`);
    expect(statSync(real).mode & 0o777).toBe(0o640);
  });

  test('refuses a text with problems, and a file that changed meanwhile; nothing is written then', () => {
    put(TELOS);
    const { version } = lookAtTelos(file);
    expect(() => saveTelos(file, '# nothing', version)).toThrowError(expect.objectContaining({ code: 'bad-input' }));
    put(`${TELOS}changed`);
    expect(() => saveTelos(file, TELOS, version)).toThrowError(expect.objectContaining({ code: 'conflict' }));
    expect(readFileSync(file, 'utf8')).toBe(`${TELOS}changed`);
    expect(readdirSync(dirname(file))).toEqual(['TELOS.md']);
  });

  test('says so where nothing can be written', () => {
    put(TELOS);
    const { version } = lookAtTelos(file);
    const inFile = join(file, 'below', 'TELOS.md');
    expect(() => saveTelos(inFile, TELOS, lookAtTelos(inFile).version)).toThrowError(
      expect.objectContaining({ code: 'read-only', subject: inFile }),
    );
    expect(lookAtTelos(file).version).toBe(version);
  });
});
