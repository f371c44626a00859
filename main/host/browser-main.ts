import { demoOrUser } from '../demo/demo-or-user.ts';
import { runBrowserMode } from './browser-mode.ts';

const here = new URL('.', import.meta.url);
// The bundle lies beside the built panel; a run from source uses the built panel too.
const isSource = import.meta.url.endsWith('.ts');
const built = new URL(isSource ? '../../dist/renderer' : '../renderer', here);

await runBrowserMode({
  args: process.argv.slice(2),
  ...demoOrUser(process.argv),
  rendererDir: process.env.VAGLIO_RENDERER_DIR || built,
});
