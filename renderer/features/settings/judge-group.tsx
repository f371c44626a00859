import type { ReactNode } from 'react';
import type { JudgeSettings } from '../../../shared/rpc/app.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { OutcomeMark } from '../../ui/outcome-mark.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { JudgeTestButton } from './judge-test.tsx';
import { SettingGroup, SettingRow } from './setting-group.tsx';
import { Source } from './source.tsx';
import { useSettingsText } from './strings.ts';

/** Guard and judge as they are in force. Read-only: they change where they are written, at the next start. */
export function JudgeGroup() {
  const t = useSettingsText();
  const { data, problem, refetch } = useQuery(rpc.app.settings, {});
  return (
    <SettingGroup
      title={t('judge.title')}
      lead={
        data && (
          <>
            {t('judge.lead')} <CodeText>{data.config_file}</CodeText>
          </>
        )
      }
    >
      {problem && (
        <div className="p-4">
          <ErrorStrip problem={problem} onRetry={refetch} />
        </div>
      )}
      {!data && !problem && <SkeletonRows rows={6} />}
      {data && <Judge judge={data.judge} />}
    </SettingGroup>
  );
}

function Judge(props: { judge: JudgeSettings }) {
  const t = useSettingsText();
  const language = useLanguage();
  const { judge } = props;
  const number = (value: number) => value.toLocaleString(language);
  const row = (name: keyof JudgeSettings, value: ReactNode, help?: ReactNode) => (
    <SettingRow name={t(`judge.${name}`)} help={help} testId={`setting-${name}`}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{value}</span>
        <Source setting={judge[name]} />
      </p>
    </SettingRow>
  );
  const onOff = (on: boolean) => t(on ? 'on' : 'off');
  const rules = judge.kind.value === 'rule-based-v1';
  return (
    <>
      {row('kind', t(rules ? 'kind.rules' : 'kind.model'), t(rules ? 'kind.rules.help' : 'kind.model.help'))}
      {row('threshold', judge.threshold.value.toFixed(2), t('judge.threshold.help'))}
      {row('threshold_llm', judge.threshold_llm.value.toFixed(2))}
      <Model model={judge.model} />
      {row('daily_calls', number(judge.daily_calls.value), t('judge.daily_calls.help'))}
      {row('timeout_ms', t('seconds', { seconds: number(judge.timeout_ms.value / 1000) }))}
      {row('safe_verb_shortcut', onOff(judge.safe_verb_shortcut.value), t('judge.safe_verb_shortcut.help'))}
      {row(
        'structure',
        <OutcomeMark outcome={judge.structure.value ? 'allowed' : 'denied'} word={onOff(judge.structure.value)} />,
        t(judge.structure.value ? 'judge.structure.help' : 'judge.structure.offHelp'),
      )}
    </>
  );
}

function Model(props: { model: JudgeSettings['model'] }) {
  const t = useSettingsText();
  const { value } = props.model;
  return (
    <SettingRow name={t('judge.model')} testId="setting-model">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">
          {value === null ? (
            t('model.none')
          ) : (
            <ForeignText mono text={`${value.provider} / ${value.model}`} limit={200} />
          )}
        </span>
        <Source setting={props.model} />
      </div>
      {value !== null && (
        <dl className="mt-1 grid grid-cols-[6rem_minmax(0,1fr)] gap-y-0.5 text-xs">
          <dt className="text-faint">{t('model.address')}</dt>
          <dd className="wrap-anywhere">
            {value.base_url === null ? t('model.ownAddress') : <ForeignText mono text={value.base_url} limit={400} />}
          </dd>
          <dt className="text-faint">{t('model.tier')}</dt>
          <dd>
            <ForeignText text={value.tier} limit={80} />
          </dd>
          <dt className="text-faint">{t('model.key')}</dt>
          <dd className={value.needs_key && !value.has_key ? 'text-deny' : undefined}>
            {t(value.has_key ? 'key.there' : value.needs_key ? 'key.missing' : 'key.notNeeded')}{' '}
            <CodeText className="text-faint">{value.key_variables.join(', ')}</CodeText>
          </dd>
        </dl>
      )}
      <JudgeTestButton />
    </SettingRow>
  );
}
