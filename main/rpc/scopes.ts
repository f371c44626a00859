import type { Scope } from '../../shared/rpc/contract.ts';

/** The operator may do everything, an agent what is marked for agents (agents page, "Two doors, two rights"). */
export function mayCall(caller: Scope, wanted: Scope | undefined): boolean {
  if (wanted === undefined) return false;
  switch (caller) {
    case 'operator':
      return true;
    case 'agent':
      return wanted === 'agent';
    default:
      return false;
  }
}
