// Hosts that are due much later, for tests of what is due now.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { addIdleHosts } from "@/server/db/testing/rows";

/** Adds this many hosts, due in ten minutes. */
export const addLaterHosts = (pool: Pool, siteId: string, hosts: number): Promise<void> =>
  addIdleHosts(
    pool,
    siteId,
    Array.from({ length: hosts }, () => randomUUID()),
    600_000,
  );
