import { writeFileSync } from 'node:fs';

/**
 * Counts what ran, for the closing line, and keeps why a test was skipped: the note of `context.skip(note)`,
 * else the line `skipped: ...` that the test's file printed.
 */
export default class TallyReporter {
  /** @type {Map<string, string>} reasons by the file that printed them */
  #printed = new Map();

  /** @param {{content: string, taskId?: string, origin?: string}} log */
  onUserConsoleLog(log) {
    const reason = /^skipped: (.+)$/m.exec(log.content)?.[1];
    // A task's id starts with its file's; a file that prints while it is loaded has that alone.
    const file = log.taskId?.split('_')[0];
    if (reason && file) this.#printed.set(file, reason);
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    /** @type {import('./tally.mjs').Tally} */
    const tally = { passed: 0, failed: unhandled.length, skipped: [] };
    for (const module of modules) {
      tally.failed += module.errors().length;
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') tally.passed += 1;
        else if (result.state === 'skipped') {
          const reason = result.note ?? this.#printed.get(module.id) ?? null;
          tally.skipped.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason });
        } else tally.failed += 1;
      }
    }
    const file = process.env.VAGLIO_TALLY;
    if (file) writeFileSync(file, JSON.stringify(tally));
  }
}
