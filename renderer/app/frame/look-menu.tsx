import { SunMoon } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuChoices, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { useAppText } from '../i18n/app-text.ts';
import { choose, usePreferences } from '../preferences.store.ts';

export function LookMenu() {
  const t = useAppText();
  const { theme, language, unsaved } = usePreferences();
  return (
    <Menu align="end" trigger={<IconButton label={t('look')} icon={SunMoon} />}>
      <MenuLabel>{t('theme')}</MenuLabel>
      <MenuChoices
        value={theme}
        onChange={(value) => void choose({ theme: value })}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`theme.${value}`) }))}
      />
      <MenuSeparator />
      <MenuLabel>{t('language')}</MenuLabel>
      <MenuChoices
        value={language}
        onChange={(value) => void choose({ language: value })}
        options={(['en', 'it'] as const).map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      {unsaved && <p className="max-w-56 px-2 py-1.5 text-xs text-deny">{t('preferencesFailed')}</p>}
    </Menu>
  );
}
