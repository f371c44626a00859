import type { Catalogue } from './catalogue.ts';
import type { SchemaValidator } from './json-schema.ts';
import { denied, passed, type StageResult, type Step, skipped } from './stage.ts';

export interface ValidationDeps {
  catalogue: Pick<Catalogue, 'find'>;
  /** Made when the first schema comes along: most steps have none. */
  validator(): SchemaValidator | Promise<SchemaValidator>;
}

/** Stage 1 (pipeline page), which also looks the executor up: do the args fit the executor's JSON Schema, when the request or the catalogue has one? */
export function validation(step: Step, deps: ValidationDeps): StageResult | Promise<StageResult> {
  step.entry = deps.catalogue.find(step.request.executor);
  const schemas = [step.request.args_schema, step.entry?.schema].filter(
    (schema) => schema !== undefined && schema !== null,
  );
  if (schemas.length === 0) return skipped('validation:no-schema', 'there is no schema for the args');
  const validator = deps.validator();
  return validator instanceof Promise
    ? validator.then((made) => hold(step, schemas, made))
    : hold(step, schemas, validator);
}

function hold(step: Step, schemas: readonly Record<string, unknown>[], validator: SchemaValidator): StageResult {
  for (const schema of schemas) {
    const { failures, badSchema } = validator.check(schema, step.request.args);
    if (failures.length === 0) continue;
    const logged = badSchema ? 'validation failed: unusable schema' : `validation failed: ${failures.length}`;
    return denied(
      badSchema ? 'validation:schema' : 'validation:args',
      `validation failed: ${failures.join('; ')}`,
      logged,
    );
  }
  return passed('validation:schema-fits', 'the args fit their schema');
}
