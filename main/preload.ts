import { contextBridge, ipcRenderer } from 'electron';
import { createBridge } from './app/bridge.ts';

contextBridge.exposeInMainWorld('vaglio', createBridge(ipcRenderer));
