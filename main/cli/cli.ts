/**
 * The command line: one program, a command a verb. Data on stdout, words for people on stderr; exit 2 for a command
 * that was not understood. A command's module is loaded when it is called.
 */
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { StreamContext } from './context.ts';

type Register = (program: Command, ctx: StreamContext) => void;

const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  audit: async () => (await import('./commands/audit.ts')).registerAudit,
  approvals: async () => (await import('./commands/approvals.ts')).registerApprovals,
  decide: async () => (await import('./commands/decide.ts')).registerDecide,
  evaluate: async () => (await import('./commands/evaluate.ts')).registerEvaluate,
  doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
  hook: async () => (await import('./commands/hook.ts')).registerHook,
  install: async () => (await import('./commands/install.ts')).registerInstall,
  judge: async () => (await import('./commands/judge.ts')).registerJudge,
  level: async () => (await import('./commands/level.ts')).registerLevel,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
  policy: async () => (await import('./commands/policy.ts')).registerPolicy,
  serve: async () => (await import('./commands/serve.ts')).registerServe,
  uninstall: async () => (await import('./commands/install.ts')).registerUninstall,
};

/**
 * Runs one command.
 * @param args what stands after the program's name
 */
export async function runCli(args: readonly string[], ctx: StreamContext): Promise<void> {
  const program = new Command('vaglio')
    .description('what an AI agent may do, and what it did')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ctx.out(text.trimEnd()),
      writeErr: (text) => ctx.err(text.trimEnd()),
    });
  const name = args[0] ?? '';
  const wanted = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const register of await Promise.all(wanted.map((each) => COMMANDS[each]?.()))) register?.(program, ctx);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) ctx.setExit(2);
  }
}
