import { create } from 'zustand';

export type NoticePermission = 'unsupported' | 'default' | 'granted' | 'denied';

function now(): NoticePermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Whether the browser lets the panel show notices on the desktop. */
export const useNotices = create<{ permission: NoticePermission }>(() => ({ permission: now() }));

/** Asks the browser; only ever called from a press of a person. */
export async function askForNotices(): Promise<void> {
  if (typeof Notification === 'undefined') return;
  await Notification.requestPermission();
  useNotices.setState({ permission: now() });
}
