// Reads the advice for one failed host, as its page has it, without the rest of the page.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { adviceOf } from "@/server/domain/hosts/advice/advice";
import { describeState } from "@/server/domain/lifecycle/state-table";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { eraseColumn, toEraseFacts } from "@/server/usecases/hosts/host-facts";
import { failureOf } from "@/server/usecases/hosts/one/failure-of";
import type { FailingHost } from "@/server/usecases/hosts/one/failure-of";
import { readTried } from "@/server/usecases/hosts/one/read-tried";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";

interface Row extends FailingHost {
  readonly since: Date;
  readonly erase: unknown;
}

/** Three statements. @param causes null: only text describes the failure. Null: the host is gone, or nothing is to be done. */
export async function readAdvice(
  reader: SqlReader,
  hostId: string,
  { state, causes }: { readonly state: StoredState; readonly causes: Causes | null },
): Promise<string | null> {
  const [host] = await queryRows(
    reader,
    sql<Row>`
    SELECT h.id::text, h.name, h.model, h.bmc_address AS "bmcAddress", h.macs, r.state_since AS since, ${eraseColumn}
    FROM host h JOIN host_run r ON r.host_id = h.id WHERE h.id = ${hostId}::uuid`,
  );
  if (host === undefined) return null;
  const { since, erase } = host;
  const unaccounted = await readUnaccounted(reader, hostId);
  const tried = await readTried(reader, { hostId, state, since, causes, unaccounted, latest: null });
  const failure =
    causes === null
      ? null
      : failureOf({ state, causes, alike: null }, host, toEraseFacts(erase).eraseUntilMs);
  const usual = failure?.checkNext ?? describeState(state).checkNext;
  return adviceOf(usual, causes?.[0] ?? null, tried)?.text ?? null;
}
