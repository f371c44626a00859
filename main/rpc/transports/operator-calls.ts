import { callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import { z } from 'zod';
import type { Services } from '../../engine/services.ts';
import { describeError, type ErrorForClient } from '../error-shape.ts';
import { appRouter } from '../router.ts';
import { reportInternal } from './report.ts';

const requestSchema = z.object({
  /** `domain.verb` of the contract. */
  method: z.string().max(200),
  kind: z.enum(['query', 'mutation']),
  input: z.unknown(),
});
export type OperatorRequest = z.infer<typeof requestSchema>;
export type OperatorAnswer = { ok: true; value: unknown } | { ok: false; error: ErrorForClient };

/**
 * The operator's door for the command line: one question, one answer, through the one router. Whoever offers it has
 * made sure that an operator asks. Never rejects; there are no streams.
 *
 * @param options.log one line about a fault that the answer only names
 */
export function createOperatorCalls(options: { services: Services; log: (line: string) => void }) {
  const { services, log } = options;
  const report = reportInternal(log);
  return async (asked: unknown): Promise<OperatorAnswer> => {
    const request = requestSchema.safeParse(asked);
    if (!request.success) {
      return { ok: false, error: { message: 'The request is no call.', userCode: 'bad-input', subject: null } };
    }
    const { method, kind, input } = request.data;
    try {
      const value = await callTRPCProcedure({
        router: appRouter,
        path: method,
        type: kind,
        ctx: { scope: 'operator', services, room: () => Promise.resolve() },
        getRawInput: async () => input,
        signal: undefined,
        batchIndex: 0,
      });
      return { ok: true, value };
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      report({ error, path: method });
      return { ok: false, error: describeError(error) };
    }
  };
}
