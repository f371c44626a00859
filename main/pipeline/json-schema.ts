import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { isSmallEnough, schemaSize, worthOfData } from './schema-size.ts';

/** Holds args against JSON Schemas that an agent or a manifest brought. */
export interface SchemaValidator {
  /** @returns what does not fit, nothing when all does; a schema that cannot be used is a failure too. Never throws. */
  check(schema: Record<string, unknown>, args: Record<string, unknown>): { failures: string[]; badSchema: boolean };
}

const MOST_KEPT = 200;
const MOST_FAILURES = 20;
const LONGEST_PATTERN = 1000;

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  // Manifests carry words of their own, and texts in several languages where the standard has one.
  validateSchema: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
  code: { regExp: linearRegExp() },
};

interface Compiled {
  validate: ValidateFunction;
  size: number;
}

export function createSchemaValidator(): SchemaValidator {
  const byText = new Map<string, Compiled | Error>();

  const compiled = (schema: Record<string, unknown>): Compiled | Error => {
    const text = JSON.stringify(schema);
    const known = byText.get(text);
    if (known !== undefined) {
      byText.delete(text);
      byText.set(text, known);
      return known;
    }
    const made = compile(schema, text);
    for (const oldest of byText.keys()) {
      if (byText.size < MOST_KEPT) break;
      byText.delete(oldest);
    }
    byText.set(text, made);
    return made;
  };

  return {
    check: (schema, args) => {
      try {
        const made = compiled(schema);
        if (made instanceof Error) return { failures: [`the schema cannot be used: ${made.message}`], badSchema: true };
        if (!worthOfData(args, made.size))
          return { failures: ['too large to be held against its schema'], badSchema: false };
        if (made.validate(args) === true) return { failures: [], badSchema: false };
        return { failures: failuresOf(made.validate), badSchema: false };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { failures: [`the args could not be held against the schema: ${why}`], badSchema: true };
      }
    },
  };
}

function compile(schema: Record<string, unknown>, text: string): Compiled | Error {
  try {
    if (!isSmallEnough(text)) return new Error('it is too large');
    const size = schemaSize(schema);
    const draft = typeof schema.$schema === 'string' ? schema.$schema : '';
    // Names of the document itself serve no reference that we follow.
    const { $schema: _, $id: __, ...rest } = schema;
    const ajv = /2019-09|2020-12/.test(draft) ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
    ajv.removeKeyword('uniqueItems');
    ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: areUnique });
    return { validate: ajv.compile(rest), size };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Never a value: only where it stands and what is expected there. */
function failuresOf(validate: ValidateFunction): string[] {
  const errors = validate.errors ?? [];
  const lines = errors.slice(0, MOST_FAILURES).map(({ instancePath, message, params }) => {
    const key: unknown = (params as Record<string, unknown>).additionalProperty;
    const which = typeof key === 'string' ? ` (${key.slice(0, 100)})` : '';
    return `args${instancePath.replaceAll('/', '.')} ${message ?? 'does not fit'}${which}`;
  });
  if (errors.length > MOST_FAILURES) lines.push(`and ${errors.length - MOST_FAILURES} more`);
  return lines.length === 0 ? ['args do not fit the schema'] : lines;
}

/** The library's own compares each with each. */
function areUnique(wanted: boolean, items: unknown[]): boolean {
  return !wanted || new Set(items.map((item) => sortedText(item))).size === items.length;
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Patterns run in time linear to the text; one that needs more than that (look-around, back-references) is refused. */
function linearRegExp() {
  const make = (pattern: string) => {
    if (pattern.length > LONGEST_PATTERN) throw new Error('a pattern is too long');
    const regex = RE2JS.compile(pattern);
    return { test: (text: string): boolean => regex.matcher(text).find() };
  };
  // The library writes this into code that it generates for files, which we never do.
  return Object.assign(make, { code: 'new RegExp' });
}
