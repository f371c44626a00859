import type { ReactNode } from 'react';
import type { Stats } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { PhaseSwatch } from '../../charts/phase-swatch.tsx';
import { OutcomeSign } from '../../ui/outcome-mark.tsx';
import { formatCount, formatShare } from './format.logic.ts';
import { RowsLink } from './rows-link.tsx';
import { type Interval, searchFor, type Tile, tilesOf } from './statistics.logic.ts';
import { useStatisticsText } from './strings.ts';

/** The figures on top, each with its share and its rows. */
export function Tiles(props: { stats: Stats; interval: Interval }) {
  const { stats } = props;
  return (
    <ul className="flex flex-wrap rounded-lg border border-line bg-panel">
      {tilesOf(stats).map((tile) => (
        <FigureTile key={tile.key} tile={tile} stats={stats} interval={props.interval} />
      ))}
    </ul>
  );
}

function FigureTile(props: { tile: Tile; stats: Stats; interval: Interval }) {
  const t = useStatisticsText();
  const language = useLanguage();
  const { tile, stats } = props;
  const events = Object.values(stats.events).reduce((sum, n) => sum + n, 0);
  const figure = formatCount(tile.value, language);
  let below: ReactNode = tile.share === null ? null : t('tile.share', { share: formatShare(tile.share, language) });
  if (tile.key === 'unreadable') below = t('tile.unreadable.help');
  if (tile.key === 'total' && events > 0) below = t('tile.events', { count: events });
  return (
    <li
      className="min-w-36 flex-1 border-line not-first:border-l px-4 py-3"
      data-tile={tile.key}
      data-value={tile.value}
    >
      <div className="flex items-center gap-1.5 text-xs text-faint">
        <TileMark tile={tile.key} />
        {t(`tile.${tile.key}`)}
      </div>
      <div className="mt-1 text-2xl font-semibold tracking-tight">
        {tile.key === 'unreadable' ? (
          <span className={tile.value > 0 ? 'text-ask' : 'text-faint'}>{figure}</span>
        ) : (
          <RowsLink search={{ ...searchFor(tile.key, stats), ...props.interval }} count={tile.value}>
            {figure}
          </RowsLink>
        )}
      </div>
      <div className="min-h-4 text-xs text-faint">{below}</div>
    </li>
  );
}

function TileMark(props: { tile: Tile['key'] }) {
  switch (props.tile) {
    case 'approved':
      return <OutcomeSign outcome="allowed" size={11} />;
    case 'guard':
    case 'judge':
    case 'other':
      return <PhaseSwatch phase={props.tile} />;
    default:
      return null;
  }
}
