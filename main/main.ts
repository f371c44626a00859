import { homedir } from 'node:os';
import { startDesktop } from './app/desktop.ts';

startDesktop({ args: process.argv, env: process.env, home: homedir(), bundleDir: import.meta.dirname });
