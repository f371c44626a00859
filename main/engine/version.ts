import manifest from '../../package.json' with { type: 'json' };

/** Of this program; the build puts it into the bundle. */
export const VERSION: string = manifest.version;
