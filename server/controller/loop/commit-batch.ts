// Commits everything that one pass decided: in one statement, or host by host if the database refuses that.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { LeaseRelease } from "@/server/db/hot/fleet/lease";
import { commitHosts } from "@/server/db/hot/host/commit";
import { outageOf } from "@/server/db/outage";
import { commitRows } from "@/server/controller/loop/commit-rows";
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { ControllerObserver } from "@/server/controller/loop/observer";

/** When a host is looked at again after a decision that could not be made or stored. */
export const brokenHostMs = 30_000;
/** Retry interval while the database refuses work for a transient reason. */
export const outageRetryMs = 1_000;

interface Committer {
  readonly pool: Pool;
  readonly observer: ControllerObserver;
  readonly controllerId: string;
  /** Called if the database takes no work for now. */
  readonly failed: (what: string, error: unknown) => void;
}

interface Committed {
  /** Hosts whose decision was stored. */
  readonly written: ReadonlySet<string>;
  /** Leases of the other hosts, to be given back. */
  readonly refused: readonly LeaseRelease[];
}

/** Commits the batch in one statement; if the database refuses it, host by host, so that one bad host stops no other. */
export async function commitBatch(committer: Committer, decided: readonly Decided[]): Promise<Committed> {
  if (decided.length === 0) return { written: new Set(), refused: [] };
  const { observer } = committer;
  const written = new Set<string>();
  const refused: LeaseRelease[] = [];
  const store = async (batch: readonly Decided[]): Promise<unknown> => {
    try {
      for (const host of await commitHosts(
        committer.pool,
        committer.controllerId,
        commitRows(batch, randomUUID),
      ))
        written.add(host);
      observer.commit("written");
      return null;
    } catch (error) {
      observer.commit("refused");
      return error ?? new Error("the commit failed");
    }
  };
  const error = await store(decided);
  if (outageOf(error) !== null) {
    committer.failed("a commit failed", error);
    // No host is to blame: all are decided again when the database takes work.
    return { written, refused: decided.map((item) => leaseOf(item, outageRetryMs, null)) };
  }
  if (error !== null) {
    if (decided.length > 1)
      observer.error(`a batch of ${decided.length} hosts was refused; repeated host by host`, error);
    for (const item of decided) {
      const single = decided.length === 1 ? error : await store([item]);
      if (single !== null) refused.push(refusedByDatabase(observer, item, single));
    }
  }
  const given = new Set(refused.map(({ hostId }) => hostId));
  for (const item of decided) {
    const { hostId } = item.view.run;
    if (written.has(hostId) || given.has(hostId)) continue;
    // The fence was lost, or evidence moved since the claim; the next decision sees it.
    observer.lostFence(hostId);
    refused.push(leaseOf(item, 0, null));
  }
  return { written, refused };
}

const leaseOf = ({ view: { run } }: Decided, afterMs: number, message: string | null): LeaseRelease => ({
  hostId: run.hostId,
  generation: run.generation,
  afterMs,
  message,
});

function refusedByDatabase(observer: ControllerObserver, item: Decided, error: unknown): LeaseRelease {
  observer.error(`the decision about host ${item.view.run.hostId} was refused by the database`, error);
  const message = error instanceof Error ? error.message : String(error);
  return leaseOf(item, brokenHostMs, `refused by the database: ${message}`);
}
