import { forEachChild, type Function as ShellFunction, type SyntaxNode } from 'unbash';

/** A function that starts itself twice at once: both ends of a pipe, or beside itself in the background. */
export function forksItself(node: ShellFunction, name: string): boolean {
  let calls = 0;
  let apart = false;
  let seen = 0;
  const isSelf = (child: SyntaxNode): boolean => child.type === 'Command' && child.name?.value === name;
  const visit = (child: SyntaxNode): void => {
    if (++seen > 500) return;
    if (isSelf(child)) calls++;
    if (child.type === 'Pipeline' && child.commands.filter(isSelf).length >= 2) apart = true;
    if (child.type === 'Statement' && child.background === true && isSelf(child.command)) apart = true;
    forEachChild(child, visit);
  };
  visit(node.body);
  return calls >= 2 && apart;
}

const DANGER =
  /(?:^|[^\w-])(?:rm|dd|shred|wipefs|mkfs|mke2fs|blkdiscard|find|chmod|chown|mv|sudo|eval|curl|wget|git|passwd|shadow|\.ssh|\.aws|\.gnupg)(?![\w-])/;

/** Does a text that the grammar could not read hold a word that makes it worth a look? */
export function hasSyntaxDanger(source: string): boolean {
  return DANGER.test(source);
}

const COMMAND_WORD =
  /(?:^|[^\w.-])(?:rm|dd|shred|wipefs|mkfs(?:\.\w+)?|mke2fs|mkswap|blkdiscard|find|chmod|chown|mv|cat|tee|git|reboot|shutdown|poweroff|halt|docker|kubectl|terraform|sh|bash)\s+\S/;

/** Could this argument of an unknown program be a command line? A cheap filter before it is parsed. */
export function looksLikeCommand(text: string): boolean {
  return text.length < 4096 && COMMAND_WORD.test(text);
}
