-- What `server/db/retention.ts` looks for: by time, in tables that only grow at their end. A BRIN index costs an insert almost nothing.
CREATE INDEX "effect_created" ON "effect" USING brin ("created_at");
CREATE INDEX "agent_log_at" ON "agent_log" USING brin ("at");
CREATE INDEX "boot_window_opened" ON "boot_window" USING brin ("opened_at");
CREATE INDEX "agent_session_registered" ON "agent_session" USING brin ("registered_at");
CREATE INDEX "intent_refusal_at" ON "intent_refusal" USING brin ("at");
CREATE INDEX "step_attempt_started" ON "step_attempt" USING brin ("started_at");
CREATE INDEX "ended_session_expires" ON "ended_session" ("expires_at");
