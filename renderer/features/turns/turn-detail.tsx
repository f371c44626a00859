import { FileText, Flag, SearchX, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { STAGES } from '../../../shared/domain/decision.ts';
import type { Turn } from '../../../shared/domain/turn.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { useLineText } from '../../app/line/strings.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { cx } from '../../ui/cx.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState, ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUiText } from '../../ui/strings.ts';
import { exactTime } from '../../ui/time.logic.ts';
import { STEP_GRID, StepItem } from './step-item.tsx';
import { LogText } from './step-values.tsx';
import { useTurnsText } from './strings.ts';
import { By } from './turn-line.tsx';
import { kindOf, tookText } from './turn-list.logic.ts';
import { TurnMark } from './turn-mark.tsx';
import { useTurns } from './turns.store.ts';

/** Where a turn's verdicts lie in time, Unix seconds; null when nobody says when it began. */
function spanOf({ row }: Turn): { from: number; to: number } | null {
  if (row.start_ms === null) return null;
  return { from: Math.floor(row.start_ms / 1000) - 1, to: Math.ceil((row.end_ms ?? row.last_ms) / 1000) + 2 };
}

/** One turn as it is now: it is read again whenever its row changes. */
export function TurnDetail(props: {
  turnKey: string;
  step: number | undefined;
  onStep: (step: number | undefined) => void;
  onClose: () => void;
}) {
  const t = useTurnsText();
  const ui = useUiText();
  const title = useId();
  const box = useRef<HTMLDivElement>(null);
  const { data: turn, problem, refetch } = useQuery(rpc.turns.get, { key: props.turnKey });
  const row = useTurns(({ rows }) => rows.find(({ key }) => key === props.turnKey));
  const mark = row && `${row.source} ${row.steps} ${row.last_ms} ${row.final_kind}`;
  const seen = useRef(mark);
  useEffect(() => {
    if (mark === undefined || seen.current === mark) return;
    if (seen.current !== undefined) refetch();
    seen.current = mark;
  }, [mark, refetch]);

  // Whoever looks at the end of a running turn goes on looking at its end.
  const steps = turn?.steps.length ?? 0;
  const atEnd = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step is the reason to move
  useEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [steps]);

  const gone = problem?.code === 'not-found' && !turn;
  return (
    <aside
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        props.onClose();
      }}
      className="@container flex h-full w-[min(52rem,62%)] shrink-0 flex-col border-l border-line bg-canvas max-[1100px]:absolute max-[1100px]:inset-y-0 max-[1100px]:right-0 max-[1100px]:z-20 max-[1100px]:w-[min(46rem,100%)] max-[1100px]:shadow-overlay"
    >
      <header className="flex min-h-11 items-start gap-2 border-b border-line bg-panel py-2 pr-2 pl-4">
        <h2 id={title} className="max-h-24 min-w-0 flex-1 overflow-y-auto pt-0.5 font-semibold wrap-anywhere">
          {turn && turn.row.intent !== '' ? (
            <ForeignText text={turn.row.intent} />
          ) : (
            <span className="text-faint">{turn ? t('noIntent') : ui('loading')}</span>
          )}
        </h2>
        <IconButton label={ui('close')} icon={X} onClick={props.onClose} className="-my-0.5" />
      </header>
      <div
        ref={box}
        onScroll={({ currentTarget: at }) => {
          atEnd.current = at.scrollTop > 0 && at.scrollHeight - at.scrollTop - at.clientHeight < 24;
        }}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {gone && (
          <Empty icon={SearchX} title={t('gone.title')}>
            {t('gone.text')}
          </Empty>
        )}
        {!turn && problem && !gone && <ErrorState problem={problem} onRetry={refetch} />}
        {!turn && !problem && <SkeletonRows rows={6} />}
        {turn && (
          <>
            {problem && <ErrorStrip problem={problem} onRetry={refetch} />}
            <Facts turn={turn} />
            <Timeline turn={turn} step={props.step} onStep={props.onStep} />
            <End turn={turn} />
          </>
        )}
      </div>
    </aside>
  );
}

function Fact(props: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{props.name}</dt>
      <dd className="min-w-0 wrap-anywhere">{props.children}</dd>
    </>
  );
}

function Facts(props: { turn: Turn }) {
  const t = useTurnsText();
  const language = useLanguage();
  const now = useNow();
  const { turn } = props;
  const took = tookText(turn.row.start_ms, turn.row.end_ms, language);
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-0.5 border-b border-line px-4 py-3">
      <Fact name={t('outcome')}>
        <TurnMark row={turn.row} now={now} />
      </Fact>
      <Fact name={t('turn.by')}>
        <By row={turn.row} />
        {turn.owner_user_id !== null && turn.owner_user_id !== turn.row.sender && (
          <span className="text-faint">
            {' ('}
            <ForeignText text={turn.owner_user_id} limit={80} />)
          </span>
        )}
      </Fact>
      <Fact name={t('turn.when')}>
        {turn.row.start_ms === null ? t('noTime') : exactTime(turn.row.start_ms, language)}
        {took !== null && <span className="text-faint">{`, ${took}`}</span>}
      </Fact>
      {turn.mode !== null && (
        <Fact name={t('turn.mode')}>
          <ForeignText text={turn.mode} limit={80} />
        </Fact>
      )}
      <Fact name={t('turn.source')}>
        {turn.row.source === 'claude-code' && `${t('turn.source.claude-code')} `}
        {turn.place === null ? t('turn.source.line') : <CodeText>{t('at', { ...turn.place })}</CodeText>}
      </Fact>
    </dl>
  );
}

function Timeline(props: { turn: Turn; step: number | undefined; onStep: (step: number | undefined) => void }) {
  const t = useTurnsText();
  const line = useLineText();
  const { turn, step: open } = props;
  const { from, to } = spanOf(turn) ?? {};
  const latest = useRef(props);
  latest.current = props;
  const toggle = useCallback((index: number) => {
    const { step, onStep } = latest.current;
    onStep(step === index ? undefined : index);
  }, []);
  if (turn.steps.length === 0) return <p className="px-4 py-6 text-center text-soft">{t('turn.noSteps')}</p>;
  return (
    <section aria-label={t('turn.timeline')}>
      <div
        aria-hidden
        className={cx(STEP_GRID, 'sticky top-0 z-10 h-7 border-b border-line bg-canvas px-4 text-2xs text-faint')}
      >
        <span className="col-span-2">{t('turn.timeline')}</span>
        {STAGES.map((stage) => (
          <span key={stage} className="truncate text-center">
            <span className="hidden @min-[40rem]:inline">{line(`stage.${stage}`)}</span>
            <span className="@min-[40rem]:hidden">{line(`stage.${stage}`).charAt(0)}</span>
          </span>
        ))}
        <span className="truncate text-right">{t('step.execMs')}</span>
      </div>
      <ol aria-label={t('turn.timeline')}>
        {turn.steps.map((step) => (
          <StepItem
            key={step.index}
            turnKey={turn.row.key}
            from={from}
            to={to}
            step={step}
            open={step.index === open}
            onToggle={toggle}
          />
        ))}
      </ol>
      {turn.left_out > 0 && (
        <p className="px-4 py-1 text-xs text-faint">{t('turn.leftOut', { count: turn.left_out })}</p>
      )}
    </section>
  );
}

/** How it ended, as far as it has. */
function End(props: { turn: Turn }) {
  const t = useTurnsText();
  const now = useNow();
  const [line, setLine] = useState(false);
  const { turn } = props;
  const running = kindOf(turn.row, now) === 'running';
  return (
    <div className="border-t border-line px-4 py-3">
      {running ? (
        <p role="status" className="text-soft">
          {t('turn.running')}
        </p>
      ) : turn.final_message === null ? (
        <p className="text-faint">{t('turn.noFinal')}</p>
      ) : (
        <section className="flex gap-3">
          <Flag aria-hidden size={14} strokeWidth={1.75} className="mt-0.75 shrink-0 text-faint" />
          <div className="min-w-0 flex-1">
            <h3 className="text-xs font-medium text-faint">{t('turn.final')}</h3>
            <p className="whitespace-pre-wrap wrap-anywhere select-text">
              <ForeignText lines text={turn.final_message} limit={10_000} />
            </p>
          </div>
        </section>
      )}
      {turn.place !== null && (
        <div className="mt-3">
          {turn.other_keys.length > 0 && (
            <p className="mb-1.5 text-xs text-faint wrap-anywhere">
              {t('turn.other', { keys: '' })}
              <ForeignText mono text={turn.other_keys.join(', ')} limit={400} />
            </p>
          )}
          <Button size="sm" icon={FileText} aria-expanded={line} onClick={() => setLine(!line)}>
            {t(line ? 'turn.hideLine' : 'turn.showLine')}
          </Button>
          {line && <Line turnKey={turn.row.key} />}
        </div>
      )}
    </div>
  );
}

function Line(props: { turnKey: string }) {
  const t = useTurnsText();
  const { data, problem, refetch } = useQuery(rpc.turns.raw, { key: props.turnKey });
  if (problem) return <ErrorStrip problem={problem} onRetry={refetch} />;
  if (!data?.text) return <p className="mt-2 text-xs text-faint">{data?.problem}</p>;
  return <LogText title={t('turn.lineHelp')} text={data.text} left={data.left} />;
}
