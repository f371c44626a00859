import type { Migration } from '../migrate.ts';

/** What is no list of objects has no stages, and must not keep the file from being opened. */
const STAGES = "json_each(iif(json_valid(stages), stages, '[]'))";
const of = (key: string): string => `CASE type WHEN 'object' THEN value ->> '${key}' END`;

/**
 * Which cell of the matrix answered a kept answer, and how often by quarters of a day (ui page, "Matrix"). `fate` is what became
 * of the call there; null: no cell answered it.
 */
export const cells: Migration = {
  name: 'cells',
  up: (db) =>
    db.exec(`
ALTER TABLE decisions ADD COLUMN fate TEXT;
CREATE TABLE cell_counts (
  slot INTEGER NOT NULL,
  channel TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  capability TEXT NOT NULL,
  level TEXT NOT NULL,
  fate TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (slot, channel, sender_id, capability, level, fate)
) STRICT, WITHOUT ROWID;
WITH told AS (
  SELECT id, decision, stage, rule, grant_id,
    (SELECT ${of('outcome')} FROM ${STAGES} WHERE ${of('stage')} = 'policy' ORDER BY key DESC LIMIT 1) AS answer,
    (SELECT ${of('rule')} FROM ${STAGES} WHERE ${of('stage')} = 'policy' ORDER BY key DESC LIMIT 1) AS by,
    EXISTS (SELECT 1 FROM ${STAGES} WHERE ${of('stage')} = 'approval') AS came_to_a_person
  FROM decisions
  WHERE rule <> 'policy:revoked' AND level IN ('ReadOnly', 'Supervised', 'Full')
    AND capability IN ('fs:read', 'fs:write', 'code:exec', 'network:http', 'llm:local', 'llm:online', 'mail:read',
      'mail:send', 'channel:in', 'channel:out', 'time:read', 'parse:local', 'calendar:read')
)
UPDATE decisions SET fate = CASE
    WHEN told.stage = 'vaglio' AND told.decision = 'denied' THEN CASE
      WHEN substr(told.rule, 1, 6) = 'judge:' THEN 'judge'
      WHEN told.rule IN ('vaglio:error', 'vaglio:refused') THEN 'unclear'
      ELSE 'guard' END
    WHEN told.stage = 'approval' AND substr(told.rule, 1, 9) <> 'approval:' AND substr(told.rule, 1, 7) <> 'policy:' THEN 'guard'
    WHEN told.by IN ('policy:rate', 'policy:error') THEN 'unclear'
    WHEN told.decision = 'allowed' THEN iif(told.grant_id IS NULL, 'passed', 'lifted')
    WHEN told.stage = 'policy' THEN 'denied'
    WHEN told.answer = 'asked' OR told.came_to_a_person THEN 'asked'
    ELSE 'unclear' END
  FROM told WHERE told.id = decisions.id AND told.answer IS NOT NULL;
INSERT INTO cell_counts (slot, channel, sender_id, capability, level, fate, calls)
  SELECT at / 21600000, channel, sender_id, capability, level, fate, count(*) FROM decisions WHERE fate IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
CREATE INDEX decisions_cell ON decisions (level, capability) WHERE fate IS NOT NULL;
`),
};
