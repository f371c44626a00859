import { create } from 'zustand';
import type { appContract } from '../../shared/rpc/app.ts';
import type { OutputOf } from '../../shared/rpc/contract.ts';

export type AppInfo = OutputOf<typeof appContract.info>;

/** What the engine says of itself; null until it has answered. */
export const useInfo = create<{ info: AppInfo | null }>(() => ({ info: null }));
