import { readFileSync } from 'node:fs';

/** @typedef {{name: string, reason: string | null}} Skip */
/** @typedef {{passed: number, failed: number, skipped: Skip[]}} Tally */

/** @param {string} file @returns {Tally | null} null when the runner never wrote it */
export function readVitest(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @typedef {{type: string, description?: string}} Annotation
 * @typedef {{status: string, projectName?: string, annotations?: Annotation[]}} PlaywrightTest
 * @typedef {{title: string, file?: string, tests: PlaywrightTest[]}} Spec
 * @typedef {{title: string, specs?: Spec[], suites?: Suite[]}} Suite
 */

/** @param {Suite} suite @param {string} path @param {Tally} tally */
function addSuite(suite, path, tally) {
  const title = path === '' ? suite.title : `${path} > ${suite.title}`;
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) {
      if (test.status === 'expected' || test.status === 'flaky') tally.passed += 1;
      else if (test.status === 'skipped') {
        const reason = test.annotations?.find((note) => note.type === 'skip' || note.type === 'fixme')?.description;
        tally.skipped.push({ name: `${title} > ${spec.title}`, reason: reason ?? null });
      } else tally.failed += 1;
    }
  }
  for (const child of suite.suites ?? []) addSuite(child, title, tally);
}

/**
 * @param {string} text Playwright's JSON report
 * @returns {Tally}
 */
export function countPlaywright(text) {
  /** @type {{suites?: Suite[], errors?: unknown[]}} */
  const report = JSON.parse(text);
  /** @type {Tally} */
  const tally = { passed: 0, failed: report.errors?.length ?? 0, skipped: [] };
  for (const suite of report.suites ?? []) addSuite(suite, '', tally);
  return tally;
}

/** @param {string} file @returns {Tally | null} null when the runner never wrote it */
export function readPlaywright(file) {
  try {
    return countPlaywright(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Tally} tally */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}
