import { PageHeader } from '../../ui/page-header.tsx';
import { AgentsGroup } from './agents-group.tsx';
import { FilesGroup } from './files-group.tsx';
import { JudgeGroup } from './judge-group.tsx';
import { PanelGroup } from './panel-group.tsx';
import { useSettingsText } from './strings.ts';

/** Agents, judge, the panel itself, and the files (ui page, "Settings"). */
export function SettingsPage() {
  const t = useSettingsText();
  return (
    <>
      <PageHeader title={t('title')} lead={<span className="max-[1100px]:hidden">{t('lead')}</span>} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-240 flex-col gap-4 p-4">
          <AgentsGroup />
          <JudgeGroup />
          <PanelGroup />
          <FilesGroup />
        </div>
      </div>
    </>
  );
}
