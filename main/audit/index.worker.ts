import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../engine/errors.ts';
import { startIndexSession } from './index-session.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.ts';

/** The thread of the audit index: its own database handle, so that the main thread never scans. */
const port = parentPort;
if (port === null) throw new Error('index.worker runs in a worker thread');
const send = (message: FromWorker): void => port.postMessage(message);

const session = startIndexSession(workerData as WorkerSetup, (tick) => send({ type: 'tick', tick }));

port.on('message', async (message: ToWorker) => {
  if (message.op === 'close') {
    session.close();
    port.close();
    return;
  }
  const { id, op, input } = message;
  try {
    send({ type: 'answer', id, value: await session.answer(op, input) });
  } catch (error) {
    const known = error instanceof UserError;
    send({
      type: 'failure',
      id,
      code: known ? error.code : null,
      message: error instanceof Error ? error.message : String(error),
      subject: known ? error.subject : null,
    });
  }
});
