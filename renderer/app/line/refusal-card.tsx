import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { Stage } from '../../../shared/domain/decision.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useUiText } from '../../ui/strings.ts';
import { useLanguage } from '../i18n/i18n.ts';
import { ruleSentence } from '../i18n/rule-words.ts';
import { refusalOf } from './refusal.logic.ts';
import { StageMark } from './stage-mark.tsx';
import { useLineText } from './strings.ts';

/** A refusal as a card (pipeline page, "Approvals"): which stage, which rule, why it exists, what to do instead. */
export function RefusalCard(props: {
  stage: Stage;
  rule: string;
  /** The level at which it would not be stopped. */
  needs?: AutonomyLevel | null;
}) {
  const t = useLineText();
  const ui = useUiText();
  const language = useLanguage();
  const kind = refusalOf(props.stage, props.rule);
  const protects = kind === 'guard' ? ruleSentence(language, props.rule) : null;
  return (
    <section
      data-testid="refusal"
      data-rule={props.rule}
      className="overflow-hidden rounded-md border border-line border-l-2 border-l-deny bg-raised"
    >
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-3 py-2">
        <span className="font-medium">
          <span className="sr-only">{t('refusal.stage')}: </span>
          <StageMark stage={props.stage} />
        </span>
        <ForeignText mono text={props.rule} limit={400} className="min-w-0 text-soft wrap-anywhere" />
      </header>
      <dl className="flex flex-col gap-2 px-3 py-2">
        {protects !== null && <Said name={t('refusal.protects')}>{protects}</Said>}
        <Said name={t('refusal.why')}>{t(`why.${kind}`)}</Said>
        <Said name={t('refusal.instead')}>
          {t(`instead.${kind}`)}
          {props.needs != null && ` ${t('refusal.needs', { level: ui(props.needs) })}`}
        </Said>
      </dl>
    </section>
  );
}

function Said(props: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-faint">{props.name}</dt>
      <dd className="wrap-anywhere text-pretty">{props.children}</dd>
    </div>
  );
}
