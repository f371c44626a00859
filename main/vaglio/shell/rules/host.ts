import { sortWords } from '../options.ts';
import type { CommandFact, Rule } from '../types.ts';

const words = (c: CommandFact): string => c.args.map((arg) => arg.v).join(' ');
const asksHelp = (c: CommandFact): boolean => c.args.some((arg) => /^--(?:help|version|usage)$/.test(arg.v));

const REMOVERS: Readonly<Record<string, RegExp>> = {
  apt: /^(?:.* )?(?:remove|purge|autoremove|autopurge|full-upgrade|dist-upgrade)\b/,
  'apt-get': /^(?:.* )?(?:remove|purge|autoremove|dist-upgrade)\b/,
  aptitude: /^(?:.* )?(?:remove|purge)\b/,
  nala: /^(?:remove|purge|autoremove)\b/,
  dnf: /^(?:.* )?(?:remove|erase|autoremove|rm|swap)\b/,
  yum: /^(?:.* )?(?:remove|erase|autoremove)\b/,
  microdnf: /^(?:.* )?remove\b/,
  zypper: /^(?:.* )?(?:remove|rm|removerepo|rr)\b/,
  pacman: /(?:^| )(?:-R\w*|--remove)\b/,
  yay: /(?:^| )(?:-R\w*|--remove)\b/,
  paru: /(?:^| )(?:-R\w*|--remove)\b/,
  pamac: /^(?:remove)\b/,
  apk: /^(?:.* )?del\b/,
  opkg: /^remove\b/,
  emerge: /(?:^| )(?:-C|-c|--unmerge|--depclean)\b/,
  xbps: /./,
  'xbps-remove': /./,
  eopkg: /^(?:remove|rm)\b/,
  swupd: /^bundle-remove\b/,
  dpkg: /(?:^| )(?:-r|-P|--remove|--purge)\b/,
  rpm: /(?:^| )(?:-e\w*|--erase)\b/,
  snap: /^(?:remove|disable|revert)\b/,
  flatpak: /^(?:uninstall|remove)\b/,
  brew: /^(?:uninstall|remove|rm|zap|autoremove|cleanup|untap)\b/,
  port: /^(?:.* )?(?:uninstall|deactivate)\b/,
  pip: /^(?:.* )?uninstall\b/,
  pip3: /^(?:.* )?uninstall\b/,
  pipx: /^uninstall/,
  gem: /^(?:uninstall|cleanup)\b/,
  conda: /^(?:remove|uninstall|env remove|clean)\b/,
  mamba: /^(?:remove|uninstall|env remove)\b/,
  npm: /^(?:uninstall|remove|rm|un|unlink)\b/,
  yarn: /^(?:.* )?remove\b/,
  pnpm: /^(?:remove|rm|uninstall|un)\b/,
  bun: /^(?:remove|rm)\b/,
  composer: /^(?:.* )?remove\b/,
  cargo: /^uninstall\b/,
  choco: /^uninstall\b/,
  winget: /^(?:uninstall|remove)\b/,
  scoop: /^uninstall\b/,
  nix: /^(?:profile remove|store gc|store delete)\b/,
  'nix-env': /(?:^| )(?:-e|--uninstall|--delete-generations)\b/,
  'nix-collect-garbage': /-d|--delete-old/,
  guix: /^(?:remove|gc)\b/,
  apm: /^uninstall\b/,
  userdel: /./,
  groupdel: /./,
  deluser: /./,
  delgroup: /./,
  'update-alternatives': /--remove/,
  pkg: /^(?:delete|remove|autoremove)\b/,
  pkg_delete: /./,
  pkg_remove: /./,
  slackpkg: /^remove/,
  removepkg: /./,
  installp: /-u/,
  passwd: /(?:^| )(?:-d|-l|--delete|--lock)\b/,
  usermod: /(?:^| )(?:-L|--lock|-G|-aG|-d|-m|--expiredate)\b/,
  dscl: /-?delete\b/i,
  sysadminctl: /-deleteUser/i,
  asdf: /^(?:uninstall|plugin remove)/,
  sdk: /^uninstall/,
  rustup: /^(?:self uninstall|toolchain (?:uninstall|remove)|target remove)/,
  nvm: /^uninstall/,
  pyenv: /^uninstall/,
  rbenv: /^uninstall/,
  conan: /^remove/,
  vcpkg: /^remove/,
  code: /--uninstall-extension/,
  dotnet: /^(?:tool uninstall|remove|workload uninstall)/,
  helm: /^plugin (?:uninstall|remove)/,
  pipenv: /^(?:uninstall|--rm)/,
  poetry: /^(?:remove|env remove)/,
  uv: /^(?:remove|pip uninstall|tool uninstall|cache clean)/,
  go: /^clean .*-(?:mod)?cache/,
  deno: /^uninstall/,
};

const POWER = [
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'init',
  'telinit',
  'systemctl',
  'kexec',
  'pm-suspend',
  'pm-hibernate',
  'loginctl',
  'sc',
  'shutdown.exe',
  'sysdumpdev',
  'ipmitool',
  'suspend',
];

export const hostRules: readonly Rule[] = [
  {
    id: 'host.power',
    answer: 'mark',
    protects: 'work that is open on this machine',
    harm: 'outage',
    needs: ['verb', 'flags'],
    tools: POWER,
    when: (c) => {
      if (asksHelp(c)) return false;
      const text = words(c);
      switch (c.name) {
        case 'shutdown':
          return !/(?:^| )-c\b/.test(text);
        case 'init':
        case 'telinit':
          return /^[0156sS]\b/.test(text);
        case 'systemctl':
          return (
            /\b(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|rescue|emergency|soft-reboot|isolate|default)\b/.test(
              text,
            ) && !/\b(?:status|is-active|show|cat|list-units)\b/.test(text)
          );
        case 'loginctl':
          return /\b(?:kill-|terminate-|poweroff|reboot)/.test(text);
        case 'kexec':
          return /(?:^| )(?:-e|--exec)\b/.test(text);
        case 'ipmitool':
          return /\bpower (?:off|cycle|reset|soft)\b/.test(text);
        case 'sc':
          return /^(?:stop|delete|config)\b/.test(text);
        case 'reboot':
        case 'halt':
        case 'poweroff':
          return !/(?:^| )(?:-w|--wtmp-only)\b/.test(text);
        default:
          return true;
      }
    },
  },
  {
    id: 'host.service',
    answer: 'mark',
    protects: 'programs that run in the background',
    harm: 'outage',
    needs: ['verb', 'flags'],
    tools: [
      'systemctl',
      'service',
      'nginx',
      'apachectl',
      'apache2ctl',
      'httpd',
      'launchctl',
      'rc-service',
      'rc-update',
      'initctl',
      'stop',
      'restart',
      'sv',
      's6-svc',
      'svcadm',
      'update-rc.d',
      'chkconfig',
      'supervisorctl',
      'monit',
      'god',
      'invoke-rc.d',
      'insserv',
      'caddy',
      'haproxy',
      'rmmod',
      'modprobe',
      'setenforce',
      'ufw',
      'iptables',
      'ip6tables',
      'nft',
      'firewall-cmd',
      'pfctl',
      'ifdown',
      'crontab',
      'atrm',
      'auditctl',
      'aa-teardown',
      'aa-disable',
      'csrutil',
      'spctl',
      'swapoff',
      'timedatectl',
      'networksetup',
      'ipset',
      'ebtables',
      'tc',
    ],
    when: (c) => {
      if (asksHelp(c)) return false;
      const text = words(c);
      switch (c.name) {
        case 'systemctl':
          return (
            /(?:^| )(?:stop|restart|try-restart|reload-or-restart|disable|mask|kill|isolate|reset-failed|revert|unmask)\b/.test(
              text,
            ) && !/(?:^| )(?:status|is-active|is-enabled|show|cat|list-\S+)\b/.test(text)
          );
        case 'service':
        case 'rc-service':
        case 'invoke-rc.d':
          return / (?:stop|restart|force-reload|zap)\b/.test(text);
        case 'nginx':
        case 'caddy':
          return /(?:-s (?:stop|quit|reopen)|^stop)\b/.test(text);
        case 'apachectl':
        case 'apache2ctl':
        case 'httpd':
          return /\b(?:stop|graceful-stop|restart)\b/.test(text);
        case 'launchctl':
          return /^(?:unload|bootout|remove|stop|kill|disable|reboot)\b/.test(text);
        case 'rmmod':
          return c.args.length > 0;
        case 'modprobe':
          return /(?:^| )(?:-r|--remove)\b/.test(text);
        case 'setenforce':
          return /^(?:0|permissive)$/i.test(text);
        case 'ufw':
          return /\b(?:disable|reset|delete)\b/.test(text);
        case 'iptables':
        case 'ip6tables':
        case 'ebtables':
          return /(?:^| )(?:-F|-X|--flush|-D|--delete\S*|-Z|-P \w+ ACCEPT)\b/.test(text);
        case 'nft':
          return /\b(?:flush|delete)\b/.test(text);
        case 'ipset':
          return /^(?:destroy|flush|x|f)\b/.test(text);
        case 'firewall-cmd':
          return /--(?:remove-\w+|panic-on|complete-reload)/.test(text);
        case 'pfctl':
          return /(?:^| )-[dF]\b/.test(text);
        case 'crontab':
          return /(?:^| )-\w*r\b/.test(text);
        case 'auditctl':
          return /(?:^| )(?:-D|-e 0)\b/.test(text);
        case 'csrutil':
        case 'spctl':
          return /disable/.test(text);
        case 'update-rc.d':
        case 'chkconfig':
        case 'rc-update':
          return /\b(?:remove|disable|off|del|delete)\b/.test(text);
        case 'supervisorctl':
        case 'sv':
        case 'monit':
        case 'svcadm':
        case 'initctl':
        case 'god':
          return /\b(?:stop|restart|down|shutdown|disable|quit|remove|unmonitor)\b/.test(text);
        case 'ifdown':
        case 'atrm':
        case 'stop':
        case 'restart':
        case 'aa-teardown':
        case 'aa-disable':
          return c.args.length > 0;
        default:
          return false;
      }
    },
  },
  {
    id: 'host.processes',
    answer: 'mark',
    protects: 'programs that run now',
    harm: 'outage',
    needs: ['verb', 'flags'],
    tools: [
      'killall',
      'killall5',
      'pkill',
      'kill',
      'skill',
      'xkill',
      'fuser',
      'slay',
      'taskkill',
      'wineserver',
      'fkill',
    ],
    when: (c) => {
      const text = words(c);
      if (asksHelp(c) || /^(?:-l|--list|-L|--table)\b/.test(text)) return false;
      if (c.name === 'kill')
        return (
          /(?:^| )-1$| -1 |(?:^| )1$/.test(text) ||
          (/[\uE000-\uE002]/.test(text) && /(?:^| )-(?:9|KILL|SIGKILL|s 9|s KILL)\b/.test(text))
        );
      if (c.name === 'pkill') return !/(?:^| )-0\b/.test(text);
      if (c.name === 'fuser') return /(?:^| )(?:-\w*k|--kill)/.test(text);
      if (c.name === 'wineserver') return /-k/.test(text);
      if (c.name === 'killall') return c.args.length > 0;
      return true;
    },
  },
  {
    id: 'host.packages',
    answer: 'mark',
    protects: 'installed programs and accounts',
    harm: 'outage',
    needs: ['verb', 'flags'],
    tools: Object.keys(REMOVERS),
    when: (c) => {
      if (asksHelp(c)) return false;
      const pattern = REMOVERS[c.name];
      if (pattern === undefined) return false;
      return (
        pattern.test(words(c)) ||
        pattern.test(
          sortWords(c.args)
            .operands.map((arg) => arg.v)
            .join(' '),
        )
      );
    },
  },
];
