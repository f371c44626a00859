/** One figure, printed as one JSON line. Times in microseconds unless the name says otherwise. */
export interface Figure {
  name: string;
  ops_per_s?: number;
  ms?: number;
  p50_us?: number;
  p99_us?: number;
  /** What the quality page asks for, as text; a person compares. */
  budget?: string;
  [more: string]: number | string | boolean | undefined;
}

export function print(figure: Figure): void {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}

/** Rounded to what a shared machine can honestly tell. */
export function round(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Rate {
  ops_per_s: number;
  cpu_ops_per_s: number;
  p50_us: number;
  p99_us: number;
  [more: string]: number;
}

/**
 * Rate of `call` over and over, the best of several rounds (what the code can do when nobody else takes the
 * machine), with the spread over single calls. `cpu_ops_per_s` counts our processor time instead of the
 * clock's, so that a busy machine shows in the difference of the two.
 * @param call is given a running number from 0
 */
export function rate(call: (index: number) => unknown, options: { rounds?: number; roundMs?: number } = {}): Rate {
  const { rounds = 7, roundMs = 250 } = options;
  let index = 0;
  const warmUntil = performance.now() + roundMs;
  while (performance.now() < warmUntil) for (let i = 0; i < 64; i++) call(index++);
  let best = 0;
  let bestCpu = 0;
  for (let each = 0; each < rounds; each++) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    const until = from + roundMs;
    let calls = 0;
    let now = from;
    while (now < until) {
      for (let i = 0; i < 64; i++) call(index++);
      calls += 64;
      now = performance.now();
    }
    best = Math.max(best, (calls / (now - from)) * 1000);
    const used = process.cpuUsage(cpu);
    bestCpu = Math.max(bestCpu, (calls / (used.user + used.system)) * 1e6);
  }
  const single: number[] = [];
  for (let i = 0; i < 20_000; i++) {
    const from = process.hrtime.bigint();
    call(index++);
    single.push(Number(process.hrtime.bigint() - from) / 1000);
  }
  single.sort((left, right) => left - right);
  return {
    ops_per_s: round(best),
    cpu_ops_per_s: round(bestCpu),
    p50_us: round(percentile(single, 0.5)),
    p99_us: round(percentile(single, 0.99)),
  };
}

/** The shortest of several runs, ms. */
export function shortest(run: () => unknown, runs = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const from = performance.now();
    run();
    best = Math.min(best, performance.now() - from);
  }
  return best;
}
