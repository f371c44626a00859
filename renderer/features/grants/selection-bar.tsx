import { Button } from '../../ui/button.tsx';
import { useGrantsText } from './strings.ts';

/** What can be done with the ticked rows; stands over the foot of the table while there are any. */
export function SelectionBar(props: { count: number; onRevoke: () => void; onClear: () => void }) {
  const t = useGrantsText();
  return (
    <section
      aria-label={t('select.count', { count: props.count })}
      className="flex shrink-0 items-center gap-3 border-t border-line bg-panel px-4 py-2"
    >
      <span role="status" className="font-medium">
        {t('select.count', { count: props.count })}
      </span>
      <Button look="danger" onClick={props.onRevoke}>
        {t('revoke.many', { count: props.count })}
      </Button>
      <Button look="quiet" onClick={props.onClear}>
        {t('select.none')}
      </Button>
    </section>
  );
}
