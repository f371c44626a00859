import { expect, test } from 'vitest';
import { isModern } from './node.mjs';
import { browserArgs, parseStart } from './options.mjs';

const none = { browser: false, noOpen: false, demo: false, installElectron: false, help: false, port: null };

test('every option, in both spellings of the port', () => {
  expect(parseStart([])).toEqual(none);
  expect(parseStart(['--browser', '--no-open', '--port', '0'])).toEqual({
    ...none,
    browser: true,
    noOpen: true,
    port: 0,
  });
  expect(parseStart(['--port=65535', '--demo'])).toEqual({ ...none, demo: true, port: 65535 });
  expect(parseStart(['--install-electron', '-h'])).toEqual({ ...none, installElectron: true, help: true });
});

test.each([['--foo'], ['serve'], ['--port'], ['--port', '65536'], ['--port', '-1'], ['--port', '80a'], ['--port=']])(
  '%s %s is refused with a sentence',
  (...args) => {
    expect(parseStart(args)).toBeTypeOf('string');
  },
);

test('the browser host gets what concerns it', () => {
  expect(browserArgs({ ...none, browser: true, noOpen: true, demo: true, port: 8 })).toEqual([
    '--port',
    '8',
    '--no-open',
    '--demo',
  ]);
  expect(browserArgs(none)).toEqual([]);
});

test('which Node is new enough', () => {
  expect(['v22.12.0', 'v22.13.1', 'v24.21.0', 'v100.0.0'].map(isModern)).toEqual([true, true, true, true]);
  expect(['v20.20.2', 'v22.11.0', 'v9.99.9', 'nonsense'].map(isModern)).toEqual([false, false, false, false]);
});
