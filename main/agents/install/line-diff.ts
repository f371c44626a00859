const CONTEXT = 3;

/**
 * How a text changes, a line each: `-` goes, `+` comes, ` ` stays. One stretch, from the first line that differs to the
 * last, with a little of what stands around it. Empty when nothing changes.
 */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const first = Math.max(0, head - CONTEXT);
  return [
    `@@ line ${first + 1} @@`,
    ...old.slice(first, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, Math.min(old.length, old.length - tail + CONTEXT)).map((line) => ` ${line}`),
  ];
}
