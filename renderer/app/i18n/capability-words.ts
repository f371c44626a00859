import type { CapabilityName } from '../../../shared/domain/capability.ts';

/** What each capability means to a person (policy page, section 1): a few words for a label, a sentence for help. */
interface Words {
  label: string;
  sentence: string;
}

export const capabilityWords: Record<'en' | 'it', Record<CapabilityName, Words>> = {
  en: {
    'fs:read': { label: 'Read files', sentence: 'Reads local files inside the patterns you allow.' },
    'fs:write': { label: 'Write files', sentence: 'Creates or changes local files inside the patterns you allow.' },
    'code:exec': { label: 'Run commands', sentence: 'Runs a shell command from the whitelist.' },
    'network:http': { label: 'Use the web', sentence: 'Sends HTTP and HTTPS requests to the hosts you allow.' },
    'llm:local': { label: 'Local model', sentence: 'Asks a language model on this machine. Costs nothing.' },
    'llm:online': { label: 'Online model', sentence: 'Asks a language model over the network. Costs money.' },
    'mail:read': { label: 'Read mail', sentence: 'Reads a mailbox you allow.' },
    'mail:send': { label: 'Send mail', sentence: 'Sends an e-mail. It cannot be taken back.' },
    'channel:in': { label: 'Receive messages', sentence: 'Takes messages that come in over a channel.' },
    'channel:out': { label: 'Send messages', sentence: 'Sends a message to one channel you allow.' },
    'time:read': { label: 'Clock', sentence: 'Reads the time and the time zones.' },
    'parse:local': { label: 'Parse data', sentence: 'Takes known formats apart on this machine.' },
    'calendar:read': { label: 'Read calendar', sentence: 'Reads a calendar you allow.' },
  },
  it: {
    'fs:read': { label: 'Leggere file', sentence: 'Legge i file locali che rientrano nei modelli consentiti.' },
    'fs:write': { label: 'Scrivere file', sentence: 'Crea o modifica i file locali nei modelli consentiti.' },
    'code:exec': { label: 'Eseguire comandi', sentence: 'Esegue un comando di shell tra quelli in elenco.' },
    'network:http': { label: 'Usare il web', sentence: 'Invia richieste HTTP e HTTPS agli host consentiti.' },
    'llm:local': { label: 'Modello locale', sentence: 'Interroga un modello su questo computer. Non costa nulla.' },
    'llm:online': { label: 'Modello online', sentence: 'Interroga un modello in rete. Ha un costo.' },
    'mail:read': { label: 'Leggere la posta', sentence: 'Legge una casella consentita.' },
    'mail:send': { label: 'Inviare posta', sentence: 'Invia un’e-mail. Non si può annullare.' },
    'channel:in': { label: 'Ricevere messaggi', sentence: 'Riceve i messaggi che arrivano da un canale.' },
    'channel:out': { label: 'Inviare messaggi', sentence: 'Invia un messaggio a un canale consentito.' },
    'time:read': { label: 'Orologio', sentence: 'Legge l’ora e i fusi orari.' },
    'parse:local': { label: 'Analizzare dati', sentence: 'Scompone formati noti su questo computer.' },
    'calendar:read': { label: 'Leggere il calendario', sentence: 'Legge un calendario consentito.' },
  },
};
