import { Rows3 } from 'lucide-react';
import { useState } from 'react';
import type { OutputOf } from '../../../shared/rpc/contract.ts';
import type { lineContract } from '../../../shared/rpc/line.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { DecisionMark } from '../../app/line/decision-mark.tsx';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Field } from '../../ui/input.tsx';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';
import { useTryText } from './strings.ts';
import { readSupposed, supposesAnything } from './supposed.logic.ts';
import { SupposedFields } from './supposed-fields.tsx';
import { useTryDraft } from './try.store.ts';

type Compared = OutputOf<typeof lineContract.tryMany>;
const LONGEST = 4_000_000;

function Rows(props: { compared: Compared; onlyChanged: boolean }) {
  const t = useTryText();
  const rows = props.compared.rows.filter(
    (row) => !props.onlyChanged || row.problem !== null || row.decision !== row.supposed,
  );
  if (rows.length === 0) return <p className="px-4 py-3 text-soft">{t('many.none')}</p>;
  return (
    <Table label={t('many.table')} className="table-fixed">
      <thead>
        <tr>
          <Th className="w-16 text-right">{t('col.line')}</Th>
          <Th className="w-36">{t('col.executor')}</Th>
          <Th className="w-36">{t('col.now')}</Th>
          <Th className="w-36">{t('col.then')}</Th>
          <Th>{t('col.why')}</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.line} data-line={row.line} data-changed={row.decision !== row.supposed}>
            <Td className="text-right font-mono text-xs text-faint">{row.line}</Td>
            <Td className="truncate">
              {row.executor !== null && <ForeignText mono text={row.executor} limit={120} />}
            </Td>
            <Td className="truncate">{row.decision !== null && <DecisionMark decision={row.decision} />}</Td>
            <Td className="truncate font-medium">
              {row.supposed === null ? (
                <span className="text-deny">{t('noRequest')}</span>
              ) : row.decision !== row.supposed ? (
                <DecisionMark decision={row.supposed} />
              ) : (
                <span className="font-normal text-faint">=</span>
              )}
            </Td>
            <Td className="truncate text-soft">
              <ForeignText text={row.problem ?? row.reason} limit={300} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Calls pasted as JSON lines: which of them another level or threshold would answer otherwise. */
export function ManyCalls() {
  const t = useTryText();
  const language = useLanguage();
  const { lines, supposed } = useTryDraft();
  const [compared, setCompared] = useState<Compared | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [onlyChanged, setOnlyChanged] = useState(false);
  const read = readSupposed(supposed);
  const tooLong = lines.length > LONGEST;
  const ready = read !== null && supposesAnything(read) && lines.trim() !== '' && !tooLong && !busy;

  async function run() {
    if (!ready) return;
    setBusy(true);
    try {
      setCompared(await rpc.line.tryMany({ text: lines, supposed: read }));
      setProblem(null);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex w-104 shrink-0 flex-col gap-3 overflow-y-auto border-r border-line bg-panel p-4 max-[1100px]:w-88">
        <Field
          label={t('many.text')}
          help={t('many.help')}
          error={tooLong && t('many.tooLong', { count: lines.length.toLocaleString(language) })}
        >
          {(control) => (
            <textarea
              {...control}
              name="lines"
              spellCheck={false}
              rows={14}
              placeholder={t('many.placeholder')}
              value={lines}
              onChange={(event) => useTryDraft.setState({ lines: event.target.value })}
              className="w-full resize-y rounded-md border border-control bg-raised px-2 py-1.5 font-mono text-xs leading-4.5 whitespace-pre text-ink placeholder:text-faint aria-[invalid=true]:border-deny"
            />
          )}
        </Field>
        <p className="-mb-2 text-xs font-medium text-soft">{t('many.under')}</p>
        <SupposedFields draft={supposed} onChange={(next) => useTryDraft.setState({ supposed: next })} />
        <div className="flex items-center gap-3">
          <Button look="primary" disabled={!ready} onClick={() => void run()}>
            {busy ? t('running') : t('many.run')}
          </Button>
          {read !== null && !supposesAnything(read) && <span className="text-xs text-faint">{t('many.need')}</span>}
        </div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col" aria-busy={busy}>
        {problem ? (
          <ErrorState problem={problem} onRetry={() => void run()} />
        ) : compared ? (
          <>
            <div className="flex min-h-10 flex-wrap items-center gap-x-4 border-b border-line px-4 py-1.5">
              <span role="status" className="font-medium">
                {t('many.changed', { count: compared.changed, total: compared.total.toLocaleString(language) })}
              </span>
              <Checkbox checked={onlyChanged} onChange={setOnlyChanged} label={t('many.onlyChanged')} />
              {compared.left_out > 0 && (
                <span className="text-xs text-ask">{t('many.leftOut', { count: compared.left_out })}</span>
              )}
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto">
              <Rows compared={compared} onlyChanged={onlyChanged} />
            </div>
          </>
        ) : (
          <Empty icon={Rows3} title={t('many.empty.title')}>
            {t('many.empty.text')}
          </Empty>
        )}
      </div>
    </div>
  );
}
