import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { bridgeSocket } from '../rpc/bridge-socket.ts';
import { rpc } from '../rpc/client.ts';
import { connect, socketUrl } from '../rpc/connect.ts';
import { useInfo } from './info.store.ts';
import { applyPreferences } from './preferences.store.ts';
import { createPanelRouter } from './router.tsx';

/** The window shows itself by then even when the engine has not answered; in ms. */
const WAIT_FOR_LOOK_MS = 300;

/** Sets up the line to the engine and draws the panel, in the kept theme and language when they come in time. */
export function start(element: HTMLElement | null): void {
  if (!element) throw new Error('the page has no place for the panel');
  connect(
    window.vaglio
      ? { url: 'vaglio://ipc', WebSocket: bridgeSocket(window.vaglio) }
      : { url: socketUrl(window.location) },
  );
  applyPreferences(null);
  const info = rpc.app.info({}).then(
    (answer) => {
      useInfo.setState({ info: answer });
      applyPreferences(answer.preferences);
    },
    // The frame says that the engine is not reached; the look stays the system's.
    () => undefined,
  );
  const late = new Promise<void>((resolve) => setTimeout(resolve, WAIT_FOR_LOOK_MS));
  const root = createRoot(element);
  const router = createPanelRouter();
  void Promise.race([info, late]).then(() => {
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    );
  });
}
