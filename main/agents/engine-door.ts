import type { ResourceHealth } from '../../shared/domain/health.ts';
import type { Clock } from '../engine/clock.ts';
import type { Paths } from '../engine/paths.ts';
import { VERSION } from '../engine/version.ts';
import type { AgentLine } from './agent-methods.ts';
import { agentSocketPath } from './socket-file.ts';
import { type AgentDoor, openAgentDoor } from './socket-server.ts';
import { createTurnLog } from './turn-log.ts';

/** How long after a failure the door is tried again, ms: whoever has its place may go. */
const AGAIN_MS = 5000;

/** The agent door of one engine. An engine without it still shows and decides; its health says why. */
export interface EngineDoor {
  health(): ResourceHealth;
  /** Answers whoever waits, writes unfinished turns. */
  close(): Promise<void>;
}

/** Never throws: a door that cannot be opened is told by `health` and in one line to `log`. */
export async function openEngineDoor(options: {
  paths: Pick<Paths, 'stateDir' | 'turnLog'>;
  line: AgentLine;
  clock: Clock;
  log: (line: string) => void;
}): Promise<EngineDoor> {
  const { paths, line, clock, log } = options;
  const path = agentSocketPath(paths.stateDir, process.platform);
  const turns = createTurnLog({ folder: paths.turnLog, clock, log });
  let door: AgentDoor | null = null;
  let refused: string | null = null;
  let isClosed = false;
  let again: NodeJS.Timeout | null = null;
  const open = async (): Promise<void> => {
    try {
      const opened = await openAgentDoor({ path, line, turns, version: VERSION, log });
      if (isClosed) await opened.close();
      else door = opened;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      if (cause !== refused) log(`Agents cannot ask this engine: ${cause}`);
      refused = cause;
      if (!isClosed) again = setTimeout(() => void open(), AGAIN_MS).unref();
    }
  };
  await open();
  return {
    health: () => {
      const detail = door === null ? refused : door.problem();
      const state = detail === null ? 'ok' : 'failed';
      return { name: 'agent-door', path, state, advice: state, detail };
    },
    close: async () => {
      isClosed = true;
      if (again !== null) clearTimeout(again);
      await door?.close();
      turns.close();
    },
  };
}
