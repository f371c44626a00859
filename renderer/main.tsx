import './app/no-eval.ts';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './app/theme.css';
import { start } from './app/start.tsx';

start(document.getElementById('root'));
