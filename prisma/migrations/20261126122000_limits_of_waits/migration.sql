-- Hosts that already waited for a procedure or its sign-off when these states got their limit of 24 hours have none until something of them changes. They get it
-- now, counted from when they entered the state: `peopleMs` (server/domain/lifecycle/state-table.ts), and as `isExcluded` (host-filter-sql.ts) none where an
-- alert takes the host out of time limits.
UPDATE "host_run" SET "limit_at" = "state_since" + interval '24 hours'
WHERE "limit_at" IS NULL
  AND "state" IN ('ReturnToAllocation/AwaitingProcedure', 'ReturnToAllocation/AwaitingSignOff')
  AND NOT coalesce("health" @> '{"classifications": ["ExcludeFromStateMachineSla"]}', false);
