import { UserError } from '../engine/errors.ts';

/** The laws are missing, incomplete, or one of them cannot be applied: evaluation stops, and nothing is decided. */
export class ConstitutionUnavailable extends UserError {
  constructor(message: string, options?: ErrorOptions) {
    super('unreadable', message, 'constitution', options);
    this.name = 'ConstitutionUnavailable';
  }
}

/** `subject` is the field that is wrong. */
export class InvalidAction extends UserError {
  constructor(field: string, message: string) {
    super('bad-input', message, field);
    this.name = 'InvalidAction';
  }
}

/** The judge gave no answer that can be used; becomes a deferral, and leaves this room never. */
export class JudgeUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JudgeUnavailable';
  }
}
