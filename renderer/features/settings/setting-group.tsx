import { type ReactNode, useId } from 'react';

/** Settings that belong together, under a heading. */
export function SettingGroup(props: { title: string; lead?: ReactNode; tools?: ReactNode; children: ReactNode }) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="rounded-lg border border-line bg-raised">
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2">
        <h2 id={title} className="font-semibold">
          {props.title}
        </h2>
        {props.lead !== undefined && <p className="min-w-0 text-xs text-faint wrap-anywhere">{props.lead}</p>}
        {props.tools !== undefined && <div className="ml-auto flex items-center gap-2">{props.tools}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** One setting: its name, its value or control, and what it means. */
export function SettingRow(props: { name: ReactNode; help?: ReactNode; children: ReactNode; testId?: string }) {
  return (
    <div
      data-testid={props.testId}
      className="grid grid-cols-[13rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 last:border-b-0 max-[1040px]:grid-cols-[10rem_minmax(0,1fr)]"
    >
      <div className="text-soft">{props.name}</div>
      <div className="min-w-0">
        {props.children}
        {props.help !== undefined && (
          <p className="mt-0.5 text-xs text-faint text-pretty wrap-anywhere">{props.help}</p>
        )}
      </div>
    </div>
  );
}
