import type { SettingSource } from '../../../shared/rpc/app.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { useSettingsText } from './strings.ts';

/** Where a value comes from, and where it can be changed. */
export function Source(props: { setting: { source: SettingSource; key: string | null; variable: string | null } }) {
  const t = useSettingsText();
  const { source, key, variable } = props.setting;
  const places = [key, variable].filter((place) => place !== null);
  return (
    <span className="text-xs text-faint">
      {source.kind === 'environment' && (
        <>
          {t('source.environment')} <CodeText>{source.variable}</CodeText>
        </>
      )}
      {source.kind === 'file' && t('source.file', { line: source.line })}
      {source.kind === 'default' && t('source.default')}
      {places.length > 0 && source.kind !== 'environment' && (
        <>
          {' · '}
          {t('source.change')} <CodeText>{places[0]}</CodeText>
          {places[1] !== undefined && (
            <>
              {' '}
              {t('source.or')} <CodeText>{places[1]}</CodeText>
            </>
          )}
        </>
      )}
    </span>
  );
}
