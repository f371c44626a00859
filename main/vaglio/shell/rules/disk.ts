import { optionValue, sortWords } from '../options.ts';
import { isDisk, isSomeDevice } from '../places.ts';
import { pathParts, placeOf } from '../targets.ts';
import type { Arg, CommandFact, Rule, Session } from '../types.ts';

/** For each program that destroys what its device held: when it does, and which words are the device. */
interface Wiper {
  readonly when?: (args: string) => boolean;
  readonly device?: (c: CommandFact) => readonly Arg[];
}

const lastOperand = (c: CommandFact): readonly Arg[] => sortWords(c.args).operands.slice(-1);
const has = (pattern: RegExp) => (args: string) => pattern.test(args);

const WIPERS: Readonly<Record<string, Wiper>> = {
  mkfs: {},
  mke2fs: { when: (a) => !/ -n /.test(a) },
  mkdosfs: {},
  mkntfs: {},
  mkexfatfs: {},
  mkreiserfs: {},
  mkudffs: {},
  mkswap: {},
  newfs: {},
  shred: {},
  gshred: {},
  scrub: {},
  wipe: {},
  srm: {},
  nwipe: {},
  blkdiscard: {},
  dcfldd: {},
  sdelete: {},
  bcwipe: {},
  wipefs: { when: has(/ (?:-[a-z]*[ao]|--all|--offset)/) },
  badblocks: { when: has(/ -[a-z]*w/) },
  sgdisk: { when: has(/ (?:-[a-zA-Z]*[oZzgld]\b|--(?:clear|zap|zap-all|mbrtogpt|load-backup|delete)\b)/) },
  sfdisk: { when: (a) => !/ (?:-[dlgsFVJ]|--(?:dump|list|show|verify|json|backup)\S*) /.test(a) },
  parted: { when: has(/ (?:mklabel|mktable|mkpart|rm|resizepart|rescue) /) },
  hdparm: {
    when: has(
      / --(?:security-erase|security-erase-enhanced|trim-sector-ranges|make-bad-sector|write-sector|repair-sector|yes-i-know-what-i-am-doing|dco-restore|sanitize)/,
    ),
  },
  nvme: { when: has(/ (?:format|sanitize|write-zeroes|write-uncor|delete-ns|dsm) /) },
  cryptsetup: { when: has(/ (?:luksFormat|luksErase|erase|reencrypt|luksKillSlot) /i) },
  mdadm: { when: has(/ --(?:zero-superblock|create)| -C /) },
  ddrescue: {
    device: (c) =>
      sortWords(c.args, new Set(['-b', '-c', '-i', '-o', '-r', '-s', '-S', '-K', '-T'])).operands.slice(1, 2),
  },
  dd_rescue: { device: lastOperand },
  bmaptool: { when: has(/ copy /), device: lastOperand },
  ntfsclone: { when: has(/ (?:-O|--overwrite|-r)/) },
  'partclone.restore': {},
  'partclone.dd': {},
  partimage: { when: has(/ restore /) },
  fsarchiver: { when: has(/ rest/) },
  xfs_copy: {},
  sg_format: {},
  sg_sanitize: {},
  pvcreate: {},
  pvremove: {},
  'make-bcache': {},
  'ms-sys': {},
  'install-mbr': {},
  'dvd+rw-format': {},
  bcachefs: { when: has(/ format /) },
  'ceph-volume': { when: has(/ zap /) },
  stratis: { when: has(/ pool create /) },
  vdo: { when: has(/ create /) },
  btrfs: { when: has(/ (?:device add|replace start) /) },
  mt: { when: has(/ erase /) },
  'rpi-imager': {},
  caligula: { when: has(/ burn /) },
  asr: { when: has(/ (?:--erase|-erase)/) },
  zpool: { when: has(/ (?:create|labelclear|add|attach|replace) /) },
  flashcp: {},
  nandwrite: {},
  flash_erase: {},
  flash_eraseall: {},
  mtd_debug: { when: has(/ (?:erase|write) /) },
  grub_install: {},
  raw2iso: {},
  partclone: {},
  ufiformat: {},
  fdformat: {},
  'mkfs.erofs': {},
  growisofs: { when: has(/-[ZM]/) },
};

const DISKUTIL =
  /^(?:erasedisk|erasevolume|eraseoptical|zerodisk|randomdisk|secureerase|partitiondisk|reformat|resetfusion|deletecontainer)$/;

function devicesOf(c: CommandFact): readonly Arg[] {
  return sortWords(c.args).operands;
}

function wiped(c: CommandFact, s: Session): Arg | boolean {
  if (/^(?:format|format-volume|clear-disk|initialize-disk)$/.test(c.name)) {
    return c.args.find((arg) => /^[a-z]:\\?$|^-(?:driveletter|number|disknumber)$/i.test(arg.v)) ?? false;
  }
  if (c.name === 'diskutil') {
    const [first, second] = c.args.filter((arg) => !arg.v.startsWith('-'));
    const verb = /^(?:apfs|cs|corestorage|appleraid)$/i.test(first?.v ?? '') ? second : first;
    return verb !== undefined && DISKUTIL.test(verb.v.toLowerCase()) ? verb : false;
  }
  const wiper =
    (Object.hasOwn(WIPERS, c.name) ? WIPERS[c.name] : undefined) ??
    (/^(?:mkfs|newfs|partclone)[._]/.test(c.name) ? {} : undefined);
  if (wiper === undefined) return false;
  if (wiper.when?.(` ${c.args.map((arg) => arg.v).join(' ')} `) === false) return false;
  for (const arg of wiper.device?.(c) ?? devicesOf(c)) {
    if (pathParts(arg.v).some((part) => isSomeDevice(placeOf(part, c, s)))) return arg;
  }
  return false;
}

function outputFile(c: CommandFact): Arg | undefined {
  const of = c.args.find((arg) => /^(?:of|hof|wipe)=/.test(arg.v));
  return of === undefined ? undefined : { ...of, v: of.v.slice(of.v.indexOf('=') + 1) };
}

/** The word that a program writes its data to. */
function writtenTo(c: CommandFact): readonly Arg[] {
  switch (c.name) {
    case 'dd':
    case 'gdd':
    case 'dcfldd':
    case 'dc3dd': {
      const of = outputFile(c);
      return of === undefined ? [] : [of];
    }
    case 'tee':
    case 'gtee':
    case 'sponge':
    case 'truncate':
      return sortWords(c.args).operands;
    case 'curl':
    case 'wget':
    case 'aria2c': {
      const out = optionValue(c.args, ['-o', '-O', '--output', '--output-document', '--out']);
      return out === undefined ? [] : [out];
    }
    case 'socat':
      return c.args.map((arg) => ({ ...arg, v: arg.v.replace(/^\w+:/, '').split(',')[0] ?? '' }));
    default:
      return lastOperand(c);
  }
}

const WRITE = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;

export const diskRules: readonly Rule[] = [
  {
    id: 'disk.wipe',
    answer: 'block',
    protects: 'whole disks and partitions',
    harm: 'disk-loss',
    needs: ['verb', 'flags', 'targets'],
    tools: [
      ...Object.keys(WIPERS),
      'diskutil',
      'format',
      'format-volume',
      'clear-disk',
      'initialize-disk',
      'mkfs.*',
      'newfs_*',
      'partclone.*',
    ],
    when: wiped,
  },
  {
    id: 'disk.write',
    answer: 'block',
    protects: 'whole disks and partitions',
    harm: 'disk-loss',
    needs: ['verb', 'targets'],
    tools: [
      'dd',
      'gdd',
      'dcfldd',
      'dc3dd',
      'tee',
      'gtee',
      'sponge',
      'cp',
      'gcp',
      'mv',
      'install',
      'truncate',
      'curl',
      'wget',
      'aria2c',
      'socat',
      'pv',
      'qemu-img',
      'rsync',
      'scp',
      'ln',
      'zstd',
      'xz',
      'gzip',
      'balena',
      'etcher',
      'split',
    ],
    when: (c, s) => {
      for (const arg of writtenTo(c)) {
        const path = placeOf(arg.v, c, s);
        if (isDisk(path) || (/^(?:dd|gdd|dcfldd|dc3dd)$/.test(c.name) && isSomeDevice(path))) return arg;
      }
      return false;
    },
  },
  {
    id: 'disk.redirect',
    answer: 'block',
    protects: 'whole disks and partitions',
    harm: 'disk-loss',
    needs: ['redirects'],
    tools: '*',
    when: (c, s) => c.redirects.find((r) => WRITE.test(r.op) && isDisk(placeOf(r.target.v, c, s)))?.target ?? false,
  },
  {
    id: 'disk.volume',
    answer: 'mark',
    protects: 'volumes, pools and partition tables',
    harm: 'data-loss',
    needs: ['verb', 'flags'],
    tools: [
      'lvremove',
      'lvreduce',
      'lvresize',
      'vgremove',
      'vgreduce',
      'pvremove',
      'pvcreate',
      'pvmove',
      'vgcfgrestore',
      'zpool',
      'zfs',
      'btrfs',
      'mdadm',
      'dmsetup',
      'fdisk',
      'gdisk',
      'cfdisk',
      'cgdisk',
      'parted',
      'sfdisk',
      'sgdisk',
      'diskutil',
      'resize2fs',
      'cryptsetup',
      'dmraid',
      'e2fsck',
      'xfs_repair',
      'debugfs',
      'grub-install',
      'losetup',
      'tune2fs',
      'hdiutil',
      'badblocks',
      'testdisk',
      'nvme',
      'vdo',
      'stratis',
      'multipath',
      'bcachefs',
      'growpart',
      'swapoff',
      'umount',
      'fsfreeze',
      'gparted',
      'lvconvert',
      'vgsplit',
      'dmeventd',
    ],
    when: (c) => {
      const text = ` ${c.args.map((arg) => arg.v).join(' ')} `;
      if (/ --(?:help|version) /.test(text)) return false;
      switch (c.name) {
        case 'zpool':
        case 'zfs':
          return / (?:destroy|rollback|detach|offline|remove|split|labelclear|create|clear|reguid) /.test(text);
        case 'btrfs':
          return (
            / (?:delete|del|remove|replace|balance|device|resize) /.test(text) &&
            !/ (?:list|show|status|usage|stats) /.test(text)
          );
        case 'mdadm':
          return / (?:--stop|-S|--remove|--fail|--zero-superblock|-r|-f|--create|-C|--grow|-G) /.test(text);
        case 'dmsetup':
          return / (?:remove|remove_all|wipe_table|suspend|clear) /.test(text);
        case 'diskutil':
          return (
            / (?:delete\w*|apfs (?:delete|erase)\w*|mergePartitions|resizeVolume|splitPartition|appleRAID delete|coreStorage delete) /i.test(
              text,
            ) || / apfs (?:delete|erase)/i.test(text)
          );
        case 'fdisk':
          return !/ (?:-l|--list|-s|-x|-V|-h) /.test(text) && /\/dev\//.test(text);
        case 'gdisk':
        case 'cfdisk':
        case 'cgdisk':
        case 'gparted':
          return !/ (?:-l|--list) /.test(text) && /\/dev\//.test(text);
        case 'parted':
          return !/ (?:print|-l|--list|unit|align-check|help) /.test(text) && /\/dev\//.test(text);
        case 'sfdisk':
          return !/ (?:-[dlgsFVJ]|--(?:dump|list|show|verify|json)\S*) /.test(text);
        case 'sgdisk':
          return !/ (?:-[pivO]|--(?:print|info|verify|backup)\S*) /.test(text);
        case 'cryptsetup':
          return / (?:luksRemoveKey|luksKillSlot|luksHeaderRestore|resize|luksErase|erase|reencrypt|luksFormat) /i.test(
            text,
          );
        case 'resize2fs':
          return / -M /.test(text);
        case 'e2fsck':
        case 'xfs_repair':
          return / -L /.test(text);
        case 'debugfs':
          return / -w /.test(text);
        case 'tune2fs':
          return / -O \^/.test(text);
        case 'losetup':
          return / (?:-D|--detach-all) /.test(text);
        case 'hdiutil':
          return / (?:eraseKeys|compact|resize|burn) /i.test(text);
        case 'badblocks':
          return / -[a-z]*[nw]/.test(text);
        case 'nvme':
          return / (?:format|sanitize|delete-ns|detach-ns) /.test(text);
        case 'umount':
        case 'swapoff':
          return / -[a-z]*a/.test(text) || / --all /.test(text);
        case 'stratis':
        case 'vdo':
        case 'bcachefs':
          return / (?:destroy|remove|format) /.test(text);
        case 'multipath':
          return / -F /.test(text);
        case 'fsfreeze':
          return / (?:-f|--freeze) /.test(text);
        case 'lvresize':
          return / -[a-zA-Z]*L\s*-|--size[= ]-/.test(text);
        default:
          return c.args.length > 0;
      }
    },
  },
];
