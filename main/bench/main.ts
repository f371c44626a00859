/**
 * `npm run bench [-- NAME]`: the figures of the quality page, one JSON line each. Compare within one run:
 * a shared machine is faster at one hour than at another.
 */
import { benchDecide } from './decide.ts';

const BENCHES: Readonly<Record<string, () => unknown>> = { decide: benchDecide };

const [name] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHES, name)) {
  process.stderr.write(`There is no benchmark ${JSON.stringify(name)}. Known: ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const run of name === undefined ? Object.values(BENCHES) : [BENCHES[name]]) await run?.();
}
