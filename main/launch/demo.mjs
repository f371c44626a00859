// The same launcher with sample data: it reads its options from the command line.
process.argv.push('--demo');
await import('./start.mjs');
