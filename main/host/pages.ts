/** Plain pages of the browser host, for when there is no panel to show. Fixed text only. */
function page(title: string, lines: readonly string[], head = ''): string {
  const body = lines.map((line) => `<p>${line}</p>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Vaglio</title><style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}
h1{font-size:1.15rem}code{font-family:ui-monospace,monospace}</style></head><body><h1>${title}</h1>${body}</body></html>`;
}

export const NO_SESSION_PAGE = page('This window has no access to the panel', [
  'Open the link that was printed where the panel was started. It works once; after that this browser stays let in until the panel ends.',
  'No link left? Run <code>npm start</code> again: it prints a fresh one and leaves the running panel as it is.',
]);

export const BAD_LINK_PAGE = page('This link does not work', [
  'A link to the panel works once. This one was used already, belongs to a panel that has ended, or is incomplete.',
  'Run <code>npm start</code> again: it prints a fresh link.',
]);

export const NOT_FOUND_PAGE = page('Nothing here', ['The panel is at <a href="/">the start page</a>.']);

/** Leads on from inside our own site: after a link from elsewhere the browser holds a strict cookie back. */
export const ENTERED_PAGE = page(
  'Opening the panel',
  ['<a href="/">Continue</a>'],
  '<meta http-equiv="refresh" content="0;url=/">',
);
