import type { ReactNode } from 'react';
import { Table, Td, Th, Tr } from '../../ui/table.tsx';

/** The table behind a chart: a name, then figures to the right. Cells have no identity but their column. */
export function FigureTable(props: {
  label: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  return (
    <div className="-mx-4 max-h-80 overflow-auto">
      <Table label={props.label}>
        <thead>
          <tr>
            {props.head.map((name, column) => (
              <Th key={name} className={column === 0 ? undefined : 'text-right'}>
                {name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <Tr key={row.key}>
              {row.cells.map((cell, column) => (
                <Td key={props.head[column]} className={column === 0 ? 'wrap-anywhere' : 'text-right'}>
                  {cell}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
