/**
 * `npm run bench [-- NAME [OPTIONS]]`: the figures of the quality page, one JSON line each. Compare within one
 * run: a shared machine is faster at one hour than at another.
 */
import { UserError } from '../engine/errors.ts';
import { benchAudit } from './audit.ts';
import { benchCells } from './cells.ts';
import { benchConstitution } from './constitution.ts';
import { benchDecide } from './decide.ts';
import { runGuardBench } from './guard-bench.ts';
import { benchHook } from './hook.ts';
import { benchLine } from './line.ts';

type Bench = (args: readonly string[]) => unknown;

const BENCHES: Readonly<Record<string, Bench>> = {
  audit: benchAudit,
  cells: benchCells,
  constitution: benchConstitution,
  decide: benchDecide,
  hook: benchHook,
  line: benchLine,
};
/** Those that measure something of the caller's and so run only by name. */
const ON_DEMAND: Readonly<Record<string, Bench>> = { guard: runGuardBench };

const [name, ...args] = process.argv.slice(2);
const known = { ...BENCHES, ...ON_DEMAND };
// Whoever reads our output may leave before we do.
process.stdout.on('error', () => process.exit(1));
try {
  if (name !== undefined && !Object.hasOwn(known, name)) {
    const names = Object.keys(known).join(', ');
    throw new UserError('bad-input', `There is no benchmark ${JSON.stringify(name)}. Known: ${names}.`, name);
  }
  for (const run of name === undefined ? Object.values(BENCHES) : [known[name]]) {
    const code = await run?.(args);
    if (typeof code === 'number') process.exitCode = code;
  }
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
