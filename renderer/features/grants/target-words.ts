import type { Capability } from '../../../shared/domain/capability.ts';

/** Which strings a target is asked for with: by what it is, where the capability says so, else by its kind. */
export function targetWords(capability: Capability | null) {
  switch (capability?.name) {
    case 'mail:read':
      return words('form.target.mail', 'form.target.mail.placeholder', 'form.target.exact.help');
    case 'calendar:read':
      return words('form.target.calendar', 'form.target.calendar.placeholder', 'form.target.exact.help');
    case 'channel:out':
      return words('form.target.channelOut', 'form.target.channelOut.placeholder', 'form.target.exact.help');
  }
  switch (capability?.target_kind) {
    case 'path_glob':
      return words('form.target.path_glob', 'form.target.path_glob.placeholder', 'form.target.path_glob.help');
    case 'host':
      return words('form.target.host', 'form.target.host.placeholder', 'form.target.host.help');
    case 'exact':
      return words('form.target.exact', 'form.target.exact.placeholder', 'form.target.exact.help');
    default:
      return words('form.target.exact', 'form.target.exact.placeholder', 'form.target.later');
  }
}

function words<L extends string, P extends string, H extends string>(label: L, placeholder: P, help: H) {
  return { label, placeholder, help };
}
