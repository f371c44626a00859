import type { TargetKind } from '../../../shared/domain/capability.ts';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { stateAt } from './grants.logic.ts';

/** A grant that changes nothing, because another one covers all that it does, for at least as long. */
export interface Contained {
  grant: GrantView;
  by: GrantView;
}

const PLAIN_HOST = /^(?:(?!xn--)[a-z0-9-]+\.)+(?!xn--)[a-z][a-z0-9-]*$/;

/** The targets that cover all of one, widest first, itself last; only what is certain by the text alone. */
function coveredBy(kind: TargetKind, target: string): string[] {
  if (kind === 'host') {
    const name = target.startsWith('*.') ? target.slice(2) : target;
    if (!PLAIN_HOST.test(name)) return [target];
    const labels = name.split('.');
    return [
      ...labels
        .slice(1)
        .map((_, n) => `*.${labels.slice(n + 1).join('.')}`)
        .reverse(),
      target,
    ];
  }
  if (kind !== 'path_glob' || !/^(\/|~\/)/.test(target)) return [target];
  const [root = '', ...names] = target.split('/');
  // What has to be resolved first is left alone: two spellings of one path are no matter of the text.
  if (names.some((name) => name === '' || name === '.' || name === '..')) return [target];
  const wider: string[] = [];
  for (let length = 0; length < names.length; length++) {
    const folder = names.slice(0, length);
    // `**` does not cover what begins with a dot.
    if (names.slice(length).some((name) => name.startsWith('.'))) continue;
    if (folder.some((name) => name.includes('*'))) break;
    wider.push([root, ...folder, '**'].join('/'));
  }
  return [...new Set([...wider, target])];
}

const endOf = (grant: GrantView): number => grant.expires_ms ?? Number.POSITIVE_INFINITY;
/** The one that holds longer; of two that hold as long the later one. */
const holdsLonger = (a: GrantView, b: GrantView): boolean =>
  endOf(a) === endOf(b) ? a.id > b.id : endOf(a) > endOf(b);

/**
 * Active grants that another active grant of the same channel, sender and capability contains (panel page, "Grants").
 * One that is equal in all is told of once.
 *
 * @param kinds target kind by capability
 * @param now ms
 */
export function containedGrants(
  grants: readonly GrantView[],
  kinds: ReadonlyMap<string, TargetKind>,
  now: number,
): Contained[] {
  const active = grants.filter((grant) => stateAt(grant, now) === 'active' && grant.no_effect === null);
  const keyOf = ({ channel, sender_id, capability }: GrantView, target: string): string =>
    JSON.stringify([channel, sender_id, capability, target]);
  const longest = new Map<string, GrantView>();
  for (const grant of active) {
    const key = keyOf(grant, grant.target);
    const known = longest.get(key);
    if (known === undefined || holdsLonger(grant, known)) longest.set(key, grant);
  }
  return active.flatMap((grant) => {
    const kind = kinds.get(grant.capability);
    if (kind === undefined) return [];
    for (const target of coveredBy(kind, grant.target)) {
      const by = longest.get(keyOf(grant, target));
      if (by !== undefined && by !== grant && endOf(by) >= endOf(grant)) return [{ grant, by }];
    }
    return [];
  });
}
