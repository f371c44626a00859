/**
 * What each rule of the structural layer is about, in one sentence for a person (vaglio page, section 2). A rule has one
 * of these ids, so that none is without its sentences.
 */
export const STRUCTURAL_RULES = {
  'secret.path': {
    en: 'Reaches one of the places that are always closed: keys, credentials, accounts, system internals.',
    it: 'Raggiunge uno dei luoghi sempre chiusi: chiavi, credenziali, account, interni del sistema.',
  },
  'secret.maybe': {
    en: 'A pattern in this command may also meet a closed place.',
    it: 'Un modello in questo comando può comprendere anche un luogo chiuso.',
  },
  'secret.in-code': {
    en: 'A small program in this command opens one of the closed places.',
    it: 'Un piccolo programma in questo comando apre uno dei luoghi chiusi.',
  },
  'secret.mentioned': {
    en: 'A text in this command names one of the closed places; whether it is opened cannot be told.',
    it: 'Un testo in questo comando nomina uno dei luoghi chiusi; non si può dire se verrà aperto.',
  },
  'secret.tree': {
    en: 'Takes a whole tree that also holds accounts and keys.',
    it: 'Prende un intero albero che contiene anche account e chiavi.',
  },
  'secret.folder': {
    en: 'Takes a whole folder that holds credentials.',
    it: 'Prende un’intera cartella che contiene credenziali.',
  },
  'secret.raw-disk': {
    en: 'Reads a disk directly, past the permissions of its files.',
    it: 'Legge un disco direttamente, scavalcando i permessi dei file.',
  },
  'secret.accounts-editor': {
    en: 'Edits the accounts or the administrators of this machine directly.',
    it: 'Modifica direttamente gli account o gli amministratori della macchina.',
  },
  'delete.root': {
    en: 'Deletes everything on this machine.',
    it: 'Cancella tutto su questa macchina.',
  },
  'delete.home': {
    en: 'Deletes a whole home folder.',
    it: 'Cancella un’intera cartella personale.',
  },
  'delete.system': {
    en: 'Deletes a folder that the system needs.',
    it: 'Cancella una cartella di cui il sistema ha bisogno.',
  },
  'delete.personal': {
    en: 'Deletes a whole personal folder, such as Documents.',
    it: 'Cancella un’intera cartella di una persona, come Documenti.',
  },
  'delete.disguised': {
    en: 'Deletes a part of the system under a path that looks temporary.',
    it: 'Cancella una parte del sistema con un percorso che sembra temporaneo.',
  },
  'delete.tree': {
    en: 'Deletes files or folders for good; there is no bin to take them back from.',
    it: 'Cancella file o cartelle per sempre; nessun cestino li conserva.',
  },
  'delete.found': {
    en: 'Deletes whatever a search finds; the list is not known beforehand.',
    it: 'Cancella tutto ciò che una ricerca trova; l’elenco non si conosce prima.',
  },
  'delete.overwrite': {
    en: 'Overwrites or empties files so that they cannot be restored.',
    it: 'Sovrascrive o svuota file in modo che non si possano recuperare.',
  },
  'delete.into-nothing': {
    en: 'Moves files to a place where they are lost.',
    it: 'Sposta file dove andranno persi.',
  },
  'disk.wipe': {
    en: 'Formats or wipes a disk or partition: everything on it is lost.',
    it: 'Formatta o azzera un disco o una partizione: tutto il contenuto va perso.',
  },
  'disk.write': {
    en: 'Writes straight onto a disk, past its file system.',
    it: 'Scrive direttamente su un disco, scavalcando il file system.',
  },
  'disk.redirect': {
    en: 'Redirects output straight onto a disk.',
    it: 'Reindirizza l’uscita direttamente su un disco.',
  },
  'disk.volume': {
    en: 'Removes, shrinks or reworks a storage volume or a partition table.',
    it: 'Rimuove, riduce o rifà un volume o una tabella delle partizioni.',
  },
  'control.files': {
    en: 'Changes the files by which people control and trace the agent.',
    it: 'Modifica i file con cui le persone controllano e tracciano l’agente.',
  },
  'control.decisions': {
    en: 'Takes a decision that belongs to the person: an approval, a grant, a level, a setting.',
    it: 'Prende una decisione che spetta alla persona: approvazione, permesso, livello, impostazione.',
  },
  'control.stop': {
    en: 'Stops the program that decides what the agent may do.',
    it: 'Ferma il programma che decide che cosa può fare l’agente.',
  },
  'permissions.system': {
    en: 'Changes owner or permissions of a whole system tree: the system stops working or stands open.',
    it: 'Cambia proprietario o permessi di un intero albero di sistema: il sistema smette di funzionare o resta aperto.',
  },
  'permissions.wide': {
    en: 'Opens files to everybody, closes them to all, or changes the owner of a whole tree.',
    it: 'Apre file a tutti, li chiude a chiunque o cambia proprietario a un intero albero.',
  },
  'system.write': {
    en: 'Writes into a folder of the system.',
    it: 'Scrive in una cartella di sistema.',
  },
  'system.crash': {
    en: 'Hands the kernel a command that stops or restarts it at once.',
    it: 'Dà al kernel un comando che lo ferma o riavvia subito.',
  },
  'git.discard': {
    en: 'Throws away changes or files that git does not hold elsewhere.',
    it: 'Butta via modifiche o file che git non conserva altrove.',
  },
  'git.history': {
    en: 'Rewrites or deletes history, branches, tags or stashed work.',
    it: 'Riscrive o cancella cronologia, rami, etichette o lavoro messo da parte.',
  },
  'vcs.discard': {
    en: 'Throws away work or history in a version system.',
    it: 'Butta via lavoro o cronologia in un sistema di versioni.',
  },
  'host.power': {
    en: 'Shuts down, restarts or halts the machine.',
    it: 'Spegne, riavvia o ferma la macchina.',
  },
  'host.service': {
    en: 'Stops, restarts or disables a service.',
    it: 'Ferma, riavvia o disattiva un servizio.',
  },
  'host.processes': {
    en: 'Ends programs by name, or all of them.',
    it: 'Chiude programmi per nome, o tutti.',
  },
  'host.packages': {
    en: 'Removes programs, packages or accounts.',
    it: 'Rimuove programmi, pacchetti o account.',
  },
  'service.destroy': {
    en: 'Deletes, resets or stops something in a service, a cluster or a database; a copy may not exist.',
    it: 'Cancella, azzera o ferma qualcosa in un servizio, un cluster o una base di dati; una copia può non esistere.',
  },
  'service.http-delete': {
    en: 'Asks a server to delete something.',
    it: 'Chiede a un server di cancellare qualcosa.',
  },
  'database.drop': {
    en: 'Drops or empties tables or databases, or changes every row.',
    it: 'Elimina o svuota tabelle o basi di dati, o cambia ogni riga.',
  },
  'code.from-network': {
    en: 'Runs code straight from the network: what it does is only known when it has run.',
    it: 'Esegue codice preso direttamente dalla rete: che cosa fa si sa solo dopo.',
  },
  'code.decoded': {
    en: 'Decodes or unpacks something and runs it: the code cannot be read beforehand.',
    it: 'Decodifica o scompatta qualcosa e lo esegue: il codice non si può leggere prima.',
  },
  'code.piped': {
    en: 'Feeds the output of another command to a shell: the commands that run do not stand here.',
    it: "Passa a una shell l'uscita di un altro comando: i comandi eseguiti non si vedono qui.",
  },
  'code.unknown-program': {
    en: 'Which program runs here is decided only at run time.',
    it: 'Quale programma viene eseguito qui si decide solo al momento.',
  },
  'code.hidden-command': {
    en: 'A text handed to this program reads like a destructive command; whether it runs cannot be told.',
    it: 'Un testo passato a questo programma sembra un comando distruttivo; non si può dire se verrà eseguito.',
  },
  'shell.unreadable': {
    en: 'The command is not well-formed and names something dangerous: what a shell makes of it is uncertain.',
    it: 'Il comando non è ben formato e nomina qualcosa di pericoloso: non è certo come lo leggerà una shell.',
  },
  'shell.too-much': {
    en: 'The command is too long or too deeply nested to be followed to its end.',
    it: 'Il comando è troppo lungo o troppo annidato per essere seguito fino in fondo.',
  },
  'shell.not-judged': {
    en: 'The structure of this call could not be judged because of a fault of the program.',
    it: 'La struttura di questa chiamata non è stata valutata per un errore del programma.',
  },
  'system.fork-bomb': {
    en: 'A function that starts itself twice at once fills the machine until it stops.',
    it: 'Una funzione che avvia due volte sé stessa riempie la macchina fino a bloccarla.',
  },
  'code.remote-shell': {
    en: 'Ties a shell or a file to a network connection: somebody else may then type the commands.',
    it: 'Collega una shell o un file a una connessione di rete: i comandi può poi scriverli qualcun altro.',
  },
  'path.secret': {
    en: 'Names one of the places that are always closed, in another spelling.',
    it: 'Indica, scritto in altro modo, uno dei luoghi sempre chiusi.',
  },
  'path.device': {
    en: 'Names a disk as if it were a file.',
    it: 'Indica un disco come se fosse un file.',
  },
  'path.control': {
    en: 'Changes a file by which people control and trace the agent.',
    it: 'Modifica un file con cui le persone controllano e tracciano l’agente.',
  },
} as const satisfies Record<string, { en: string; it: string }>;
export type StructuralRuleId = keyof typeof STRUCTURAL_RULES;
