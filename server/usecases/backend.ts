// The dependencies of every use case.
import type { Pool } from "pg";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import type { Database } from "@/server/db/prisma";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { NetworkAnswer, NetworkSite } from "@/server/domain/hosts/network/controller-answer";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** Connections with prepared statements, for requests that machines and their clients make by the hundred (docs/design/datapath.md). */
export type HotPool = Pool;

export interface Backend {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Store for new evidence files; defaults to the database. */
  readonly evidenceStore?: BlobStore | undefined;
  /** Whether hosts of type `fake` may be enrolled (`RECLAIM_ENABLE_FAKE`); defaults to no. */
  readonly fakeHardware?: boolean;
  /** Whether health is read from BMCs (`RECLAIM_BMC_HEALTH_MS` is not 0); defaults to yes. */
  readonly readsBmcHealth?: boolean;
  /** The organisation that is both provider and tenant (`RECLAIM_SERVICE_ACCOUNT_ORG`); omitted if there is none. */
  readonly serviceAccountOrg?: string | undefined;
  /** Address where people open the console (`RECLAIM_BASE_URL`); if omitted, it is not known and no passkey is accepted. */
  readonly publicUrl?: string | undefined;
  /** Witnesses that cosign the audit log, and how many cosignatures proofs carry (`RECLAIM_AUDIT_POLICY`); omitted if there are none. */
  readonly auditPolicy?: Policy | undefined;
  /**
   * Checks whether a site's network controller accepts requests for a host's network, without changing anything there. Never takes longer than
   * `timeoutMs`. If omitted, this process makes no such checks.
   */
  readonly askNetworkController?: (
    site: NetworkSite,
    hostId: string,
    timeoutMs: number,
  ) => Promise<NetworkAnswer>;
}
