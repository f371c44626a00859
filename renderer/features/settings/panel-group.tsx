import { useState } from 'react';
import { askForNotices, useNotices } from '../../app/approvals/notices.store.ts';
import { useAppText } from '../../app/i18n/app-text.ts';
import { useInfo } from '../../app/info.store.ts';
import { choose, readTranscripts, usePreferences } from '../../app/preferences.store.ts';
import { rpc } from '../../rpc/client.ts';
import { useQuery } from '../../rpc/hooks.ts';
import { type Problem, toProblem } from '../../rpc/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorStrip } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { retentionChoices } from './retention.logic.ts';
import { SettingGroup, SettingRow } from './setting-group.tsx';
import { useSettingsText } from './strings.ts';

/** What is set here and holds at once: notices, look, and how long our own record of answers stays. */
export function PanelGroup() {
  const t = useSettingsText();
  const app = useAppText();
  const { theme, language, unsaved } = usePreferences();
  return (
    <SettingGroup title={t('panel.title')} lead={t('panel.lead')}>
      {unsaved && (
        <p role="alert" className="border-b border-line bg-deny-soft px-4 py-2 text-deny">
          {app('preferencesFailed')}
        </p>
      )}
      <Notices />
      <SettingRow name={app('language')}>
        <Segmented
          size="sm"
          label={app('language')}
          value={language}
          options={(['en', 'it'] as const).map((value) => ({ value, label: app(`language.${value}`) }))}
          onChange={(value) => void choose({ language: value })}
        />
      </SettingRow>
      <SettingRow name={app('theme')}>
        <Segmented
          size="sm"
          label={app('theme')}
          value={theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: app(`theme.${value}`) }))}
          onChange={(value) => void choose({ theme: value })}
        />
      </SettingRow>
      <Transcripts />
      <Retention />
    </SettingGroup>
  );
}

function Notices() {
  const t = useSettingsText();
  const on = usePreferences((preferences) => preferences.notifications);
  const permission = useNotices((notices) => notices.permission);
  const browser = useInfo((now) => now.info?.host === 'browser');
  return (
    <SettingRow name={t('notices')} help={t('notices.help')} testId="setting-notifications">
      <div className="flex flex-wrap items-center gap-3">
        <Switch
          checked={on}
          onChange={(value) => void choose({ notifications: value })}
          label={
            <>
              <span className="sr-only">{t('notices')}: </span>
              {t(on ? 'on' : 'off')}
            </>
          }
        />
        {on && browser && permission === 'default' && (
          <Button size="sm" onClick={() => void askForNotices()}>
            {t('notices.ask')}
          </Button>
        )}
        {on && browser && (permission === 'denied' || permission === 'unsupported') && (
          <span className="text-xs text-ask">{t(`notices.${permission}`)}</span>
        )}
      </div>
    </SettingRow>
  );
}

function Transcripts() {
  const t = useSettingsText();
  const on = usePreferences((preferences) => preferences.claude_transcripts);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function change(value: boolean) {
    setProblem(null);
    try {
      await readTranscripts(value);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }
  return (
    <SettingRow name={t('transcripts')} help={t('transcripts.help')} testId="setting-transcripts">
      <Switch
        checked={on}
        onChange={(value) => void change(value)}
        label={
          <>
            <span className="sr-only">{t('transcripts')}: </span>
            {t(on ? 'on' : 'off')}
          </>
        }
      />
      {problem && (
        <div className="mt-2">
          <ErrorStrip problem={problem} />
        </div>
      )}
    </SettingRow>
  );
}

function Retention() {
  const t = useSettingsText();
  const settings = useQuery(rpc.app.settings, {});
  const [problem, setProblem] = useState<Problem | null>(null);
  const days = settings.data?.decisions_days;
  async function change(value: string) {
    setProblem(null);
    try {
      await rpc.app.setRetention({ decisions_days: Number(value) });
    } catch (error) {
      setProblem(toProblem(error));
    }
    settings.refetch();
  }
  return (
    <SettingRow name={t('retention')} help={t('retention.help')} testId="setting-retention">
      {days === undefined ? (
        <Skeleton className="w-24" />
      ) : (
        <Select
          label={t('retention')}
          value={String(days)}
          onChange={(value) => void change(value)}
          options={retentionChoices(days).map((each) => ({
            value: String(each),
            label: each === 0 ? t('retention.none') : t('retention.days', { count: each }),
          }))}
          className="w-40"
        />
      )}
      {problem && (
        <div className="mt-2">
          <ErrorStrip problem={problem} />
        </div>
      )}
    </SettingRow>
  );
}
