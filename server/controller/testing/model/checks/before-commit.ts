// What the checks need of the world as it was before a commit.
import type { DebtRow, HostTables } from "@/server/controller/testing/model/tables";

export interface BeforeCommit {
  readonly host: HostTables | null;
  readonly debts: readonly DebtRow[];
  readonly openInstances: readonly string[];
}
