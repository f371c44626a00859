import { useRef, useState } from 'react';
import type { FreezeView, FrozenRequest, LevelScope } from '../../../shared/domain/level.ts';
import { rpc } from '../../rpc/client.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { foreignToPlain } from '../../ui/foreign-text.logic.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { LevelMark } from '../../ui/level-mark.tsx';
import { Section } from '../../ui/side-panel.tsx';
import { exactTime } from '../../ui/time.logic.ts';
import { showToast } from '../../ui/toast.store.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { pairingName, scopeKey } from './level.logic.ts';
import { takeLevelState, useLevels } from './level.store.ts';
import { useLevelText } from './strings.ts';
import { useUnfreezing } from './unfreeze.store.ts';

const ROW = 'flex min-h-8 items-center gap-3 border-b border-line px-3 py-1 last:border-b-0';

function ScopeText(props: { scope: LevelScope }) {
  const t = useLevelText();
  const pairings = useLevels((levels) => levels.state?.pairings ?? null);
  const { scope } = props;
  if (scope.kind === 'default') return t('default');
  const pairing = pairings?.find((each) => each.channel === scope.channel && each.sender_id === scope.sender_id);
  return <ForeignText text={pairing ? pairingName(pairing) : `${scope.channel} / ${scope.sender_id}`} limit={120} />;
}

function Request(props: { request: FrozenRequest }) {
  const t = useLevelText();
  const { request } = props;
  return (
    <li className={ROW}>
      <span className="w-36 shrink-0 truncate text-soft">
        <ForeignText text={`${request.channel} / ${request.sender_id}`} limit={80} />
      </span>
      <span className="min-w-0 flex-1 truncate">
        <ForeignText mono text={request.executor} limit={120} />
        {request.capability !== null && (
          <ForeignText mono text={request.capability} limit={80} className="ml-2 text-faint" />
        )}
      </span>
      <span className={request.fate === 'denied' ? 'text-xs text-deny' : 'text-xs text-soft'}>
        {t(`unfreeze.fate.${request.fate}`)}
      </span>
    </li>
  );
}

/** Unfreezing opens, so it is a gesture of its own: what comes back is shown, and a box says that it was read. */
function Unfreeze(props: { frozen: FreezeView; onClose: () => void }) {
  const t = useLevelText();
  const language = useLanguage();
  const cancel = useRef<HTMLButtonElement>(null);
  const [read, setRead] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const { frozen, onClose } = props;
  // Another confirmation is another list: the box is empty again.
  const ready = read === frozen.confirmation && !busy;

  async function unfreeze() {
    if (!ready) return;
    setBusy(true);
    setProblem(null);
    try {
      takeLevelState(await rpc.level.unfreeze({ confirmation: frozen.confirmation }));
      showToast({ text: t('unfreeze.done'), detail: t('raisedDetail') });
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setRead(null);
      rpc.level.state({}).then(takeLevelState, () => undefined);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('unfreeze.title')}
      description={t('unfreeze.lead', {
        when: exactTime(frozen.since_ms, language),
        who: foreignToPlain(frozen.who),
      })}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        cancel.current?.focus();
      }}
      footer={
        <>
          <span className="mr-auto">
            <Checkbox
              checked={read === frozen.confirmation}
              onChange={(on) => setRead(on ? frozen.confirmation : null)}
              label={t('unfreeze.read')}
            />
          </span>
          <Button ref={cancel} onClick={onClose}>
            {t('unfreeze.cancel')}
          </Button>
          <Button look="primary" disabled={!ready} onClick={() => void unfreeze()}>
            {t('unfreeze.confirm')}
          </Button>
        </>
      }
    >
      {problem && (
        <div className="mb-3">
          <ErrorStrip problem={problem} />
        </div>
      )}
      {frozen.restores.length === 0 ? (
        <p className="mb-4 text-soft">{t('unfreeze.restoresNone')}</p>
      ) : (
        <Section title={t('unfreeze.restores', { count: frozen.restores.length })}>
          <ul className="overflow-hidden rounded-md border border-line">
            {frozen.restores.map(({ scope, to }) => (
              <li key={scopeKey(scope)} className={ROW}>
                <span className="min-w-0 flex-1 truncate">
                  <ScopeText scope={scope} />
                </span>
                <LevelMark level={to} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {frozen.requests.length === 0 ? (
        <p className="text-soft">{t('unfreeze.requestsNone')}</p>
      ) : (
        <Section title={t('unfreeze.requests', { count: frozen.requests.length })}>
          <ul className="overflow-hidden rounded-md border border-line">
            {frozen.requests.map((request, index) => (
              <Request key={request.token ?? index} request={request} />
            ))}
          </ul>
        </Section>
      )}
    </Dialog>
  );
}

/** Stands once in the frame; opened from the button, the strip and the level switch. */
export function UnfreezeDialog() {
  const open = useUnfreezing((state) => state.open);
  const frozen = useLevels((levels) => levels.state?.frozen ?? null);
  const close = () => useUnfreezing.setState({ open: false });
  return open && frozen ? <Unfreeze frozen={frozen} onClose={close} /> : null;
}
