import { closeSync, existsSync, fstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as macrotask } from 'node:timers/promises';
import type { Finding, Integrity } from '../../shared/domain/integrity.ts';
import {
  type ActSource,
  type ActsAsked,
  approvalActs,
  createActsStore,
  grantActs,
  panelActs,
} from '../db/acts-store.ts';
import { createChainStore } from '../db/audit-chain.ts';
import type { WriteDb } from '../db/open.ts';
import { UserError } from '../engine/errors.ts';
import { parseInstant } from '../policy/dates.ts';
import { actsHead, takeActs, verifyActs } from './acts.ts';
import { type Head, readHead, writeHead } from './head-file.ts';
import { codeOf, openRegular } from './log-files.ts';
import { createRecorder, type Recorder } from './record.ts';
import { type Difference, type FileHead, verifyFile } from './verify-file.ts';

/**
 * The record as a whole (quality page, "The record"): chain of the log, chain of the acts, head outside the database,
 * and what was found. Where the index lives in memory there is no record, and nothing is said about it.
 */
export interface AuditRecord {
  recorder: Recorder;
  state(): Integrity;
  /** In short, for the state of the index. */
  summary(): { state: Integrity['state']; verified_to: number | null; findings: number };
  /** Compares everything; one at a time, a second caller gets the answer of the first. */
  verify(): Promise<Integrity>;
  /**
   * The operator knows of these findings; what stands now is what is held to from here on. Compares first.
   * @throws UserError `not-found` or `conflict`; then nothing was done
   */
  acknowledge(ids: readonly number[], by: string): Promise<Integrity>;
  acts(asked: ActsAsked): ReturnType<ReturnType<typeof createActsStore>['page']>;
  /** Takes in new acts and writes the head, where something is new. */
  settle(): void;
}

export interface RecordPaths {
  /** Folder of the log. */
  folder: string;
  panelDb: string;
  grantsDb: string;
  approvalsDb: string;
  headFile: string;
}

const FINDINGS_SHOWN = 100;
const CHECKED_AT = 'checked_at';
const SINCE = 'since';
/** A comparison lets others work after so many bytes. */
const STEP_BYTES = 8 << 20;

/**
 * @param now Unix seconds
 * @param onChange called when the state has changed
 * @param stopped true once the work has to end
 */
export function openRecord(
  db: WriteDb,
  paths: RecordPaths,
  now: () => number,
  onChange: () => void,
  stopped: () => boolean,
): AuditRecord {
  const chain = createChainStore(db);
  const acts = createActsStore(db);
  const ownActs = panelActs(db);
  const sources: ActSource[] = [
    ownActs,
    grantActs(paths.grantsDb, parseInstant),
    approvalActs(paths.approvalsDb, parseInstant),
  ];
  const outside = readHead(paths.headFile);
  const recorder = createRecorder(chain, now, (file) => outside?.files[file] ?? null);
  let written = outside === null ? '' : JSON.stringify(outside);
  const stamps = new Map<ActSource, string>();
  let running: Promise<Integrity> | null = null;
  let progress: Integrity['progress'] = null;
  let checkedAt = numberOf(chain.get(CHECKED_AT));

  const since = (): number => {
    const known = numberOf(chain.get(SINCE)) ?? outside?.since ?? null;
    if (known !== null) return known;
    const began = now();
    chain.set(SINCE, String(began));
    return began;
  };

  const state = (): Integrity => {
    const { lines, last_at } = recorder.totals();
    const findings = chain.findings('open', FINDINGS_SHOWN);
    return {
      state:
        running !== null ? 'checking' : findings.length > 0 ? 'finding' : checkedAt === null ? 'unchecked' : 'verified',
      verified_to: checkedAt === null ? null : last_at,
      checked_at: checkedAt,
      since: numberOf(chain.get(SINCE)),
      lines,
      acts: acts.last().count,
      findings,
      acknowledged: chain.findings('acknowledged', FINDINGS_SHOWN),
      progress,
    };
  };
  /** Findings that the last comparison came upon, again or for the first time. */
  let standing = new Set<number>();

  /** What the head says otherwise than the database, kept until it was compared with the log. */
  const open = { files: new Map<string, FileHead>(), acts: null as Head['acts'] | null };
  const known = recorder.heads();
  for (const [file, head] of Object.entries(outside?.files ?? {}))
    if (known[file]?.link !== head.link || known[file]?.bytes !== head.bytes) open.files.set(file, head);
  if (outside !== null && outside.acts.link !== actsHead(acts).link) open.acts = outside.acts;

  const headNow = (): Head => {
    const heads = recorder.heads();
    // A file that the database had lost was compared while it was indexed again.
    for (const file of open.files.keys())
      if (known[file] === undefined && heads[file] !== undefined) open.files.delete(file);
    const files = { ...heads, ...Object.fromEntries(open.files) };
    return { version: 1, since: since(), files, acts: open.acts ?? actsHead(acts) };
  };

  const compare = async (): Promise<Integrity> => {
    const head = readHead(paths.headFile);
    const files = [...new Set([...chain.files(), ...Object.keys(head?.files ?? {})])].sort().reverse();
    if (files.length > 0) refuseMissing(paths.folder);
    const found: Difference[] = [];
    const opened = files.map((file) => ({ file, fd: tryOpen(join(paths.folder, file)) }));
    try {
      const total = opened.reduce((sum, { fd }) => sum + (fd === null ? 0 : fstatSync(fd).size), 0);
      progress = { done: 0, total };
      for (const { file, fd } of opened) {
        const steps = verifyFile(file, fd, chain.blocks(file), head?.files[file] ?? null);
        let sinceRest = 0;
        for (let step = steps.next(); ; step = steps.next()) {
          if (step.done === true) {
            found.push(...step.value);
            open.files.delete(file);
            break;
          }
          progress.done += step.value;
          sinceRest += step.value;
          if (sinceRest < STEP_BYTES) continue;
          sinceRest = 0;
          onChange();
          await macrotask();
          if (stopped()) return state();
        }
      }
    } finally {
      for (const { fd } of opened) if (fd !== null) closeSync(fd);
      progress = null;
    }
    found.push(...verifyActs(acts, sources, head?.acts ?? null, basename(paths.panelDb)));
    open.acts = null;
    standing = new Set(found.map((difference) => chain.addFinding({ ...difference, found_at: now() })));
    chain.forgetSeen(standing);
    checkedAt = now();
    chain.set(CHECKED_AT, String(checkedAt));
    running = null;
    onChange();
    return state();
  };

  const verify = (): Promise<Integrity> => {
    running ??= compare().finally(() => {
      running = null;
    });
    return running;
  };

  const knownFinding = (id: number): Finding => {
    const finding = chain.finding(id);
    if (finding === null) throw new UserError('not-found', `There is no finding ${id}.`, String(id));
    return finding;
  };

  /** @returns files whose record still says otherwise than they do, with all that differs in them acknowledged */
  const filesOf = (ids: readonly number[]): { file: string; isGone: boolean }[] => {
    const differing = [...standing].map(knownFinding).filter(({ kind }) => kind !== 'act');
    const files = new Set(ids.map((id) => knownFinding(id).file));
    return [...files].flatMap((file) => {
      const its = differing.filter((finding) => finding.file === file);
      const more = its.find(({ id, acknowledged_at }) => acknowledged_at === null && !ids.includes(id));
      if (more !== undefined) throw changedMeanwhile(file, more.detail);
      return its.length === 0 ? [] : [{ file, isGone: its.some(({ kind }) => kind === 'deleted') }];
    });
  };

  return {
    recorder,
    state,
    async acknowledge(ids, by) {
      for (const id of ids) knownFinding(id);
      await verify();
      const files = filesOf(ids).map((each) => ({ ...each, fd: tryOpen(join(paths.folder, each.file)) }));
      try {
        for (const { file, isGone, fd } of files)
          if ((fd === null) !== isGone) throw changedMeanwhile(file, isGone ? 'It is there again.' : 'It is gone.');
        db.transaction(() => {
          for (const { file, fd } of files) recorder.holdTo(file, fd, fd === null ? 0 : fstatSync(fd).size);
          chain.acknowledge(ids, now(), by);
          takeActs(acts, [ownActs]);
        }).immediate();
      } finally {
        for (const { fd } of files) if (fd !== null) closeSync(fd);
      }
      onChange();
      return state();
    },
    summary() {
      const findings = chain.countFindings();
      const is =
        running !== null ? 'checking' : findings > 0 ? 'finding' : checkedAt === null ? 'unchecked' : 'verified';
      return { state: is, verified_to: checkedAt === null ? null : recorder.totals().last_at, findings };
    },
    verify,
    acts: (asked) => acts.page(asked),
    settle() {
      const changed = sources.filter((source) => stamps.get(source) !== source.stamp());
      if (changed.length > 0) {
        const seen = changed.map((source) => source.stamp());
        db.transaction(() => takeActs(acts, changed)).immediate();
        for (const [n, source] of changed.entries()) stamps.set(source, seen[n] ?? '');
      }
      const head = headNow();
      const text = JSON.stringify(head);
      if (text === written) return;
      writeHead(paths.headFile, head);
      written = text;
    },
  };
}

/** It may only be unmounted: then nothing can be said of its files. */
function refuseMissing(folder: string): void {
  if (existsSync(folder)) return;
  throw new UserError(
    'unreadable',
    `${folder} is not there, so nothing can be compared with the record. Bring it back and try again.`,
    folder,
  );
}

function changedMeanwhile(file: string, what: string): UserError {
  const advice = 'Look at what is found now, and acknowledge all of this file together.';
  return new UserError('conflict', `More of ${file} differs than is acknowledged: ${what} ${advice}`, file);
}

function tryOpen(path: string): number | null {
  try {
    return openRegular(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function numberOf(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
