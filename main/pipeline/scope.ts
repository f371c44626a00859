import type { DeclaredCapability } from '../../shared/domain/decision.ts';
import type { Need } from '../engine/ask.ts';
import { expandPath, pathSegments } from '../policy/glob.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { argTargets } from './arg-targets.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { besideClaim, type Derivation, derive } from './derive.ts';
import { denied, passed, type StageResult, type Step } from './stage.ts';
import type { VaglioCall } from './vaglio.ts';

export interface ScopeDeps {
  world: MatchWorld;
  /** The guard alone: why it blocks, or null. Asked about where a link leads. */
  guard(call: VaglioCall): { rule: string; reason: string } | null;
}

/**
 * Stage 2 (pipeline page): what does the step need, and does it stay inside what its executor declares? What cannot be
 * told is denied, never guessed as harmless. A capability or target that the request names comes on top of what the
 * catalogue or the executor's name says: it can make the outcome stricter, never laxer.
 */
export function scope(step: Step, { world, guard }: ScopeDeps): StageResult {
  const { request, entry } = step;
  const derivation = derive(request.executor, request.args);
  const catalogued = entry === null ? [] : neededOf(entry, step);
  if (entry === null && talksAway(derivation, request)) return unknown(derivation);
  const claimed = claimOf(step, [...(derivation.derived?.needs ?? []), ...catalogued]);
  if ('end' in claimed) return claimed;
  const needs = unique([...(derivation.derived?.needs ?? []), ...catalogued, ...claimed.needs]);
  if (needs.length === 0) return unknown(derivation);
  step.needs = needs;
  step.verb = derivation.derived?.verb ?? 'use';
  const forbidden = ledAstray(step, { world, guard });
  if (forbidden !== null) return forbidden;
  const declared = [entry?.capabilities, request.capabilities].filter((list) => list !== undefined);
  for (const list of declared) {
    const outside = firstOutside(needs, list, world, request.executor);
    if (outside !== null) return outside;
  }
  const both =
    request.capability !== undefined &&
    !agrees(request.capability, [...(derivation.derived?.needs ?? []), ...catalogued]);
  if (both) return passed('scope:stricter-counts', differs(request.capability ?? '', derivation, catalogued));
  const how = entry !== null ? 'catalogue' : derivation.derived !== null ? 'name' : 'request';
  return passed(`scope:${how}`, `needs ${names(needs)}, as the ${says(how)}`);
}

/** The guard reads texts, and a link may lead from a harmless one to what it forbids. */
function ledAstray({ request, needs }: Step, { world, guard }: ScopeDeps): StageResult | null {
  for (const { capability, target } of needs) {
    if (target === null || capabilityNamed(capability)?.target_kind !== 'path_glob') continue;
    const path = expandPath(target, world.home);
    if (path === null) continue;
    const real = world.realpath(path);
    // First the cheap look: most paths stand as they are resolved.
    if (real === path && !path.includes('/.') && !path.includes('//')) continue;
    if (real === `/${pathSegments(path).join('/')}`) continue;
    const { intent, executor, context = {} } = request;
    const found = guard({ intent, executor, args: { path: real }, context });
    if (found === null) continue;
    return denied(found.rule, `${target} leads to ${real}: ${found.reason}`, 'a link leads to what the guard forbids');
  }
  return null;
}

/**
 * Would the request's own word stand in the place of what the executor's name says? It may name the target that the args
 * leave out, of that same capability, and nothing else.
 */
function talksAway(derivation: Derivation, { capability, target }: Step['request']): boolean {
  if (derivation.derived !== null || derivation.known === null) return false;
  const { known } = derivation;
  return known.isUnreadable || capability !== known.capability || target === undefined || target === '';
}

function unknown(derivation: Derivation): StageResult {
  const why = derivation.derived === null ? derivation.why : 'it needs nothing that is known';
  const reason = `it cannot be told what this step needs: ${why}`;
  return denied('scope:unknown', reason, 'it cannot be told what this step needs');
}

/** What the manifest's capabilities need, with the targets that the args name for their kind. */
function neededOf(entry: CatalogueEntry, { request }: Step): Need[] {
  const applying = entry.capabilities.filter(({ when }) => when === null || holds(when, request.args));
  return applying.flatMap(({ name }) => needsFor(name, request.args));
}

function holds({ arg, values }: { arg: string; values: unknown[] }, args: Record<string, unknown>): boolean {
  return Object.hasOwn(args, arg) && values.includes(args[arg]);
}

/** A target that the args do not name is null: a person may be asked, and no grant covers it. */
function needsFor(capability: string, args: Record<string, unknown>): Need[] {
  const kind = capabilityNamed(capability)?.target_kind;
  const isFile = kind === 'path_glob';
  const found = argTargets(args, { fileKeys: isFile });
  const targets = ((): readonly string[] => {
    switch (kind) {
      case 'none':
        return ['*'];
      case 'path_glob':
        return found.paths.map(({ path }) => path);
      case 'host':
        return found.hosts;
      case 'exact':
        if (capability === 'code:exec') return found.command === null ? [] : [found.command];
        return [...found.recipients, ...found.names];
      case undefined:
        return [];
      default:
        return kind satisfies never;
    }
  })();
  const needs: Need[] = targets.map((target) => ({ capability, target }));
  return needs.length === 0 || found.unreadable !== null ? [...needs, { capability, target: null }] : needs;
}

/** What the request itself says that it needs. */
function claimOf({ request }: Step, known: readonly Need[]): { needs: Need[] } | (StageResult & { end: unknown }) {
  const { capability, target } = request;
  if (known.length === 0 && capability !== undefined) {
    // Nothing but its own word says that it is harmless, and its args name more than that.
    const named = capabilityNamed(capability);
    const more = named?.default_approval === 'none' ? besideClaim(named.name, request.args) : [];
    if (more.length > 0) return { needs: [{ capability, target: target || '*' }, ...more] };
  }
  if (capability === undefined) {
    if (target === undefined || known.length === 0) return { needs: [] };
    // A target alone is one more target of what the step is known to need.
    const targeted = [...new Set(known.filter((need) => need.target !== '*').map((need) => need.capability))];
    return { needs: targeted.map((one) => ({ capability: one, target })) };
  }
  if (target !== undefined && target !== '') return { needs: [{ capability, target }] };
  if (capabilityNamed(capability)?.target_kind === 'none') return { needs: [{ capability, target: '*' }] };
  const sameKnown = known.some((need) => need.capability === capability);
  if (sameKnown) return { needs: [] };
  const found = needsFor(capability, request.args);
  if (capabilityNamed(capability) === null || found.some((need) => need.target !== null)) return { needs: found };
  // `none` never asks, so its target does not matter.
  if (capabilityNamed(capability)?.default_approval === 'none') return { needs: [{ capability, target: '*' }] };
  return denied('scope:no-target', `no target says at what ${capability} is aimed`);
}

function unique(needs: readonly Need[]): readonly Need[] {
  if (needs.length < 2) return needs;
  const seen = new Map<string, Need>();
  for (const need of needs) seen.set(`${need.capability}\0${need.target ?? '\0'}`, need);
  return [...seen.values()];
}

function firstOutside(
  needs: readonly Need[],
  declared: readonly DeclaredCapability[],
  world: MatchWorld,
  executor: string,
): StageResult | null {
  for (const { capability, target } of needs) {
    const same = declared.filter(({ name }) => name === capability);
    if (same.length === 0) {
      const what = `outside allowed scope: ${capability} is not declared`;
      return denied('scope:capability', `${what} by ${executor}`, what);
    }
    const hints = same.flatMap((one) => one.hints ?? []);
    const isFree = same.some((one) => (one.hints ?? []).length === 0);
    if (isFree) continue;
    if (target === null) {
      const what = `outside allowed scope: no target says at what ${capability} is aimed`;
      return denied('scope:no-target', what);
    }
    if (!hints.some((hint) => isInside(capability, hint, target, world))) {
      const what = `outside allowed scope: ${capability}`;
      return denied('scope:hint', `${what} at ${target} is outside ${hints.join(', ')}`, what);
    }
  }
  return null;
}

function isInside(capability: string, hint: string, target: string, world: MatchWorld): boolean {
  const kind = capabilityNamed(capability)?.target_kind;
  if (kind === undefined) return false;
  return targetCovers(compileTarget(kind, hint, world), prepareTarget(kind, target, world));
}

function agrees(capability: string, known: readonly Need[]): boolean {
  return known.length === 0 || known.every((need) => need.capability === capability);
}

function differs(claimed: string, derivation: Derivation, catalogued: readonly Need[]): string {
  const known = [...catalogued, ...(derivation.derived?.needs ?? [])];
  return `the request says ${claimed}, the executor needs ${names(known)}: the stricter of both counts`;
}

function names(needs: readonly Need[]): string {
  const [first] = needs;
  if (needs.length === 1 && first !== undefined) return first.capability;
  return [...new Set(needs.map(({ capability }) => capability))].join(', ');
}

function says(how: 'catalogue' | 'name' | 'request'): string {
  switch (how) {
    case 'catalogue':
      return 'catalogue and the executor say';
    case 'name':
      return "executor's name and args say";
    case 'request':
      return 'request says';
    default:
      return how satisfies never;
  }
}
