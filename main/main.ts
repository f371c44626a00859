import { startDesktop } from './app/desktop.ts';
import { demoOrUser } from './demo/demo-or-user.ts';

startDesktop({ args: process.argv, ...demoOrUser(process.argv), bundleDir: import.meta.dirname });
