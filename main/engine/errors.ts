/** What kind of thing went wrong; the panel has a sentence for each, the transports a status. */
export type ErrorCode =
  | 'bad-input'
  | 'not-found'
  | 'refused'
  | 'confirmation-needed'
  | 'locked'
  | 'damaged'
  | 'unreadable'
  | 'read-only'
  | 'newer'
  | 'conflict';

/**
 * An error that is meant for a person: says what, names the thing, and what to do. Anything else that
 * reaches a door is a fault of ours and is shown without its inside.
 */
export class UserError extends Error {
  readonly code: ErrorCode;
  /** The field or file that is meant, when there is one. */
  readonly subject: string | null;
  constructor(code: ErrorCode, message: string, subject: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
    this.code = code;
    this.subject = subject;
  }
}

/** A setting that stops the start (constitution page, section 5); names the variable, or the file and the line. */
export class VaglioConfigError extends UserError {
  constructor(message: string, subject: string | null, options?: ErrorOptions) {
    super('bad-input', message, subject, options);
    this.name = 'VaglioConfigError';
  }
}
