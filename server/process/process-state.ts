// State of which a process has exactly one. Next makes a bundle of each route, and esbuild one of the server program, so a module's own
// state exists once per bundle (docs/adr/0017-one-per-process.md). `npm run lint` finds such state in what Next bundles.
import type { Pool } from "pg";
import type { Database } from "@/server/db/prisma";
import type { HeldSecurityEvents } from "@/server/db/security-events";
import type { Sql } from "@/server/db/sql";
import type { ConsoleServer } from "@/server/surfaces/console/console-server";
import type { PdfBudget } from "@/server/surfaces/web/certificates/pdf-budget";
import type { PackLimit } from "@/server/surfaces/web/proof/pack-limit";
import type { UploadPlaces } from "@/server/surfaces/web/evidence/upload-places";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import type { KnownToken } from "@/server/usecases/access/authenticate-token";
import type { KnownPerson } from "@/server/usecases/access/read-actor";
import type { ProvenPassword } from "@/server/surfaces/machine/ironic/wire/caller";
import type { UnknownCallers } from "@/server/usecases/access/unknown-callers";
import type { SignInGuard } from "@/server/usecases/access/sign-in-guard";
import type { BulkCounts } from "@/server/usecases/bulk/bulk-progress";
import type { StagedLine } from "@/server/usecases/enrolment/enrolment-lines";
import type { MeasuredTrip } from "@/server/domain/hosts/forecast";
import type { FleetFailures, FleetRacks, FleetSummary } from "@/server/contract/answers/fleet";
import type { Capacity } from "@/server/usecases/fleet/capacity";
import type { Trends } from "@/server/usecases/fleet/trends";
import type { HostCounts } from "@/server/usecases/fleet/host-counts";
import type { Returns, SlowReturns } from "@/server/usecases/fleet/returns";
import type { AskedOfNetwork } from "@/server/usecases/network/validate-network";
import type { KnownProposals } from "@/server/usecases/skus/proposals";
import type { TimedCache } from "@/server/usecases/timed-cache";

/** Values that are read once for everyone who asks within a short time, by the name of their cache. */
export interface Cached {
  readonly sessionPersons: KnownPerson | null;
  readonly tokens: KnownToken | null;
  readonly endedSessions: boolean;
  /** Sessions whose use has been recorded. */
  readonly seenSessions: true;
  /** Emails of people who have signed in from an address. */
  readonly signInAddresses: ReadonlySet<string>;
  readonly provenPasswords: ProvenPassword;
  readonly tenantNames: ReadonlyMap<string, string>;
  readonly bulkCounts: BulkCounts;
  readonly enrolmentLines: readonly StagedLine[];
  readonly skuProposals: KnownProposals;
  readonly capacity: Capacity;
  readonly networkAnswers: AskedOfNetwork;
  readonly trends: Trends;
  readonly forecast: FleetSummary["forecast"];
  readonly measuredTrips: readonly MeasuredTrip[];
  readonly fleetFailures: FleetFailures;
  readonly fleetRacks: FleetRacks;
  readonly returns: Returns;
  readonly slowReturns: SlowReturns;
  readonly stateCounts: HostCounts;
}

export type Caches = { [Name in keyof Cached]?: WeakMap<Database, TimedCache<Cached[Name]>> };

/** Everything that bundles share, listed here in one place. */
export interface ProcessState {
  /** Backend of the console's server code. */
  readonly webBackend: WebBackend;
  /** Called by Next's pages and routes; made by the server program before Next's first request. */
  readonly consoleServer: ConsoleServer;
  /** The connections of each Prisma client. */
  readonly databasePools: WeakMap<object, Pool>;
  /** Names of the SQL builder's statements, which count towards what a connection keeps prepared. */
  readonly sqlStatementNames: (text: string) => string;
  /** The SQL builder for each Prisma client, transaction, pool and connection. */
  readonly sqlBuilders: WeakMap<object, Sql>;
  /** Rate limits of sign-ins, shared by the console and the Ironic API. */
  readonly signInGuard: SignInGuard;
  /** Refusals of wrong tokens, until they are logged. */
  readonly unknownCallers: UnknownCallers;
  /** Repeats of security events, until they are written. */
  readonly heldSecurityEvents: HeldSecurityEvents;
  /** Counts changes of people, sessions and tokens in this process; a change makes earlier cached reads stale. */
  readonly accessChanges: { count: number };
  /** Uploads of evidence files in progress. */
  readonly evidenceUploads: UploadPlaces;
  /** How many PDFs of certificates may still be requested. */
  readonly certificatePdfs: PdfBudget;
  /** Packs that are being made. */
  readonly packs: PackLimit;
  /** Files that are being checked. */
  readonly fileChecks: PackLimit;
  /** Cached answers by name, which may be slightly stale. */
  readonly caches: Caches;
}

declare global {
  // All bundles share this name; only `var` puts it on globalThis.
  var reclaimProcess: { -readonly [Name in keyof ProcessState]?: ProcessState[Name] } | undefined;
}

/** The process's own value, made by the first caller. */
export function perProcess<Name extends keyof ProcessState>(
  name: Name,
  make: () => ProcessState[Name],
): ProcessState[Name] {
  const state = (globalThis.reclaimProcess ??= {});
  return (state[name] ??= make());
}
