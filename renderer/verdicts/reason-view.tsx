import { useLanguage } from '../app/i18n/i18n.ts';
import { ruleSentence } from '../app/i18n/rule-words.ts';
import { foreignToPlain } from '../ui/foreign-text.logic.ts';
import { ForeignText } from '../ui/foreign-text.tsx';
import { ScoreBar } from '../ui/score-bar.tsx';
import { Section } from '../ui/side-panel.tsx';
import { type JudgeNote, parseReason, type Reason } from './reason.logic.ts';
import { useVerdictText } from './strings.ts';

/** The one signal of the judge that its notes do not name: `context.critical === false`. */
const NOT_CRITICAL = 0.05;

/** The judge starts here (vaglio page, section 3). */
const BASE_SCORE = 0.7;

function useSentence(): (reason: Reason, text: string) => string {
  const t = useVerdictText();
  return (reason, text) => {
    switch (reason.kind) {
      case 'guard-path':
      case 'guard-shell':
      case 'guard-structure':
      case 'guard-unreadable':
        return t(`reason.${reason.kind}`);
      case 'judge-below':
        return t('reason.judge-below', {
          score: reason.score.toFixed(2),
          threshold: reason.threshold.toFixed(2),
        });
      case 'approved':
        return t('reason.approved', { score: reason.score.toFixed(2) });
      case 'safe-verb':
        return t('reason.safe-verb', { verb: foreignToPlain(reason.verb) });
      case 'other':
        return text === '' ? t('reason.none') : t('reason.other');
      default:
        return reason satisfies never;
    }
  };
}

function Note(props: { note: JudgeNote }) {
  const t = useVerdictText();
  const { note } = props;
  switch (note.kind) {
    case 'mentions':
      return t('detail.mentions', { token: foreignToPlain(note.token) });
    case 'traversal':
      return t('detail.traversal');
    case 'odd-key':
      return t('detail.oddKey', { key: foreignToPlain(note.key) });
    case 'other':
      return <ForeignText text={note.text} limit={400} />;
    default:
      return note satisfies never;
  }
}

function signed(effect: number): string {
  return `${effect < 0 ? '−' : '+'}${Math.abs(effect).toFixed(2)}`;
}

/** Why, for people, and word for word; the rule; the score and what moved it. */
export function ReasonView(props: {
  text: string;
  rule: string | null;
  score: number | null;
  judgeKind: string;
  contextKeys: readonly string[];
  threshold: number | null;
}) {
  const t = useVerdictText();
  const language = useLanguage();
  const sentence = useSentence();
  const reason = parseReason(props.text);
  const scored = reason.kind === 'judge-below' || reason.kind === 'approved';
  const threshold = reason.kind === 'judge-below' ? reason.threshold : props.threshold;
  const score = props.score ?? (scored ? reason.score : 0);
  const explained = scored
    ? reason.notes.reduce((sum, note) => sum + (note.kind === 'other' ? 0 : note.effect), BASE_SCORE)
    : 0;
  const notCritical = props.contextKeys.includes('critical') && Math.abs(score - explained - NOT_CRITICAL) < 0.001;
  const ruleWords = props.rule === null ? null : ruleSentence(language, props.rule);
  return (
    <>
      <Section title={t('detail.reason')}>
        <p className="text-pretty">{sentence(reason, props.text)}</p>
        {props.text !== '' && (
          <p className="mt-1 text-xs text-faint wrap-anywhere">
            {t('detail.exact')} <ForeignText mono text={props.text} className="text-soft" />
          </p>
        )}
      </Section>
      {props.rule !== null && (
        <Section title={t('detail.rule')}>
          <p className="wrap-anywhere">
            <ForeignText mono text={props.rule} />
          </p>
          {ruleWords !== null && <p className="mt-0.5 text-soft">{ruleWords}</p>}
        </Section>
      )}
      {scored && (
        <Section title={t('detail.score')}>
          <ScoreBar wide score={score} threshold={threshold} />
          {props.judgeKind === 'rule-based-v1' && (
            <ul className="mt-1.5 text-xs text-soft">
              <li className="grid grid-cols-[3rem_1fr]">
                <span className="font-mono">{BASE_SCORE.toFixed(2)}</span>
                <span>{t('detail.base')}</span>
              </li>
              {reason.notes.map((note, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the notes of one line never move
                <li key={index} className="grid grid-cols-[3rem_1fr]">
                  <span className="font-mono">{note.kind === 'other' ? '' : signed(note.effect)}</span>
                  <span className="wrap-anywhere">
                    <Note note={note} />
                  </span>
                </li>
              ))}
              {notCritical && (
                <li className="grid grid-cols-[3rem_1fr]">
                  <span className="font-mono">{signed(NOT_CRITICAL)}</span>
                  <span>{t('detail.notCritical')}</span>
                </li>
              )}
            </ul>
          )}
        </Section>
      )}
    </>
  );
}
