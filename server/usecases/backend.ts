// What every use case stands on.
import type { Pool } from "pg";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import type { Database } from "@/server/db/prisma";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { NetworkAnswer, NetworkSite } from "@/server/domain/network/controller-answer";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** The connections of prepared statements, for what machines and their clients ask by the hundred (docs/design/datapath.md). */
export type HotPool = Pool;

export interface Backend {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Where new files of evidence go; left out: into the database. */
  readonly evidenceStore?: BlobStore | undefined;
  /** Whether hosts of type `fake` may be enrolled (`RECLAIM_ENABLE_FAKE`); left out: they may not. */
  readonly fakeHardware?: boolean;
  /** The organisation that is provider and tenant in one (`RECLAIM_SERVICE_ACCOUNT_ORG`); left out: none is. */
  readonly serviceAccountOrg?: string | undefined;
  /** The address at which people open the console (`RECLAIM_BASE_URL`); left out: not known, so no passkey is taken. */
  readonly publicUrl?: string | undefined;
  /** Which witnesses cosign the audit log, and how many of them proofs carry (`RECLAIM_AUDIT_POLICY`); left out: none. */
  readonly auditPolicy?: Policy | undefined;
  /**
   * Asks a site's network controller for nothing, only whether it takes requests for a host's network: it changes nothing there. Never takes longer
   * than `timeoutMs`. Left out: this process asks none.
   */
  readonly askNetworkController?: (
    site: NetworkSite,
    hostId: string,
    timeoutMs: number,
  ) => Promise<NetworkAnswer>;
}
