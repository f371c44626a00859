import type { TRPCError } from '@trpc/server';
import { UserError } from '../../engine/errors.ts';

/**
 * What a client only sees as `internal` is told in full to whoever runs the engine. The input stays
 * out: it may hold what a person typed.
 *
 * @param write one line, without its newline
 */
export function reportInternal(write: (line: string) => void) {
  return ({ error, path }: { error: TRPCError; path: string | undefined }): void => {
    if (error.cause instanceof UserError || error.code !== 'INTERNAL_SERVER_ERROR') return;
    write(`engine fault in ${path ?? 'a message'}: ${error.cause?.stack ?? error.stack ?? error.message}`);
  };
}
