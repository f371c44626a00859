import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../engine/errors.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.ts';
import { startTurnsSession } from './session.ts';

/** The thread that reads the turn log, so that the main thread never does. */
const port = parentPort;
if (port === null) throw new Error('turns.worker runs in a worker thread');
const send = (message: FromWorker): void => port.postMessage(message);

const session = startTurnsSession(workerData as WorkerSetup, (tick) => send({ type: 'tick', tick }));

port.on('message', (message: ToWorker) => {
  if (message.op === 'close') {
    session.close();
    port.close();
    return;
  }
  if (message.op === 'transcripts') {
    session.followTranscripts(message.folder);
    return;
  }
  const { id, op, input } = message;
  try {
    send({ type: 'answer', id, value: session.answer(op, input) });
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
