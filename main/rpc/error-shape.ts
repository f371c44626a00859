import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { type ErrorCode, UserError } from '../engine/errors.ts';

/** What the panel knows of an error: a code it has a sentence for, and what is meant. */
export interface ErrorForClient {
  message: string;
  userCode: ErrorCode | 'internal';
  /** The field, file or method that is meant, when there is one. */
  subject: string | null;
}

/** The transport's status for each kind of error. */
export function statusOf(code: ErrorCode): TRPCError['code'] {
  switch (code) {
    case 'bad-input':
      return 'BAD_REQUEST';
    case 'not-found':
      return 'NOT_FOUND';
    case 'refused':
      return 'FORBIDDEN';
    case 'confirmation-needed':
      return 'PRECONDITION_FAILED';
    case 'conflict':
      return 'CONFLICT';
    case 'locked':
    case 'damaged':
    case 'unreadable':
    case 'read-only':
    case 'newer':
      return 'SERVICE_UNAVAILABLE';
    default:
      return code satisfies never;
  }
}

/** A fault of ours goes out without its inside: a message could carry a path, a value, a stack. */
const INTERNAL: ErrorForClient = {
  message: 'The engine failed at this request. Its own output says more.',
  userCode: 'internal',
  subject: null,
};

/** @param error as tRPC hands it to its formatter */
export function describeError(error: TRPCError): ErrorForClient {
  const { cause } = error;
  if (cause instanceof UserError) return { message: cause.message, userCode: cause.code, subject: cause.subject };
  switch (error.code) {
    case 'BAD_REQUEST':
      return cause instanceof z.ZodError ? fromIssues(cause) : badInput('The request does not fit the method.');
    case 'PARSE_ERROR':
    case 'UNPROCESSABLE_CONTENT':
      return badInput('The request is no message that the engine can read.');
    case 'NOT_FOUND':
      return { message: 'There is no such method.', userCode: 'not-found', subject: null };
    case 'METHOD_NOT_SUPPORTED':
      return badInput('The method is of another kind (query, mutation or subscription).');
    default:
      return INTERNAL;
  }
}

function badInput(message: string, subject: string | null = null): ErrorForClient {
  return { message, userCode: 'bad-input', subject };
}

function fromIssues(error: z.ZodError): ErrorForClient {
  const lines = error.issues.map((issue) => {
    const field = issue.path.map(String).join('.');
    return field === '' ? issue.message : `${field}: ${issue.message}`;
  });
  const field = error.issues[0]?.path.map(String).join('.') ?? '';
  return badInput(lines.join('; '), field === '' ? null : field);
}
