/**
 * @typedef {object} StartOptions
 * @property {boolean} browser
 * @property {boolean} noOpen
 * @property {boolean} demo
 * @property {boolean} installElectron
 * @property {boolean} help
 * @property {number | null} port null: any free one
 */

export const USAGE = `Usage: npm start [-- options]

Starts the panel: as a window of its own where Electron can run, otherwise in the browser.

  --browser           the browser, even where Electron can run
  --no-open           open no window, only print the link (browser)
  --port N            the port to serve on, 0 to 65535; 0, the default, takes a free one (browser)
  --demo              sample data in a temporary home; touches nothing of yours
  --install-electron  download Electron's binary first, then start
  --help              this text
`;

/**
 * @param {readonly string[]} args
 * @returns {StartOptions | string} the options, or a sentence that says what is wrong with them
 */
export function parseStart(args) {
  /** @type {StartOptions} */
  const options = { browser: false, noOpen: false, demo: false, installElectron: false, help: false, port: null };
  const rest = args.flatMap((arg) => (arg.startsWith('--port=') ? ['--port', arg.slice('--port='.length)] : [arg]));
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--browser') options.browser = true;
    else if (arg === '--no-open') options.noOpen = true;
    else if (arg === '--demo') options.demo = true;
    else if (arg === '--install-electron') options.installElectron = true;
    else if (arg === '--help' || arg === '-h') options.help = true;
    else if (arg === '--port') {
      const text = rest.shift();
      if (text === undefined || !/^\d{1,5}$/.test(text) || Number(text) > 65535) {
        return `--port needs a number from 0 to 65535${text === undefined ? '' : `, not ${JSON.stringify(text)}`}.`;
      }
      options.port = Number(text);
    } else return `There is no option ${JSON.stringify(arg)}.`;
  }
  return options;
}

/**
 * What the browser host is started with.
 * @param {StartOptions} options
 * @returns {string[]}
 */
export function browserArgs(options) {
  return [
    ...(options.port === null ? [] : ['--port', String(options.port)]),
    ...(options.noOpen ? ['--no-open'] : []),
    ...(options.demo ? ['--demo'] : []),
  ];
}
