// State of which a process has exactly one. Next makes a bundle of each route and esbuild one of the server program, so what a module keeps
// for itself exists once per bundle (docs/adr/0017-one-per-process.md). `npm run lint` finds such state in what Next bundles.
import type { Pool } from "pg";
import type { Database } from "@/server/db/prisma";
import type { Sql } from "@/server/db/sql";
import type { ConsoleServer } from "@/server/surfaces/console/console-server";
import type { PdfBudget } from "@/server/surfaces/web/certificates/pdf-budget";
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

/** What is read once for all who ask within a short time, by the name of its cache. */
export interface Cached {
  readonly sessionPersons: KnownPerson | null;
  readonly tokens: KnownToken | null;
  readonly endedSessions: boolean;
  /** Sessions whose use was noted. */
  readonly seenSessions: true;
  /** Emails of those who have signed in from an address. */
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

/** Everything that bundles share. It is kept here whole, so that this file answers what a process has one of. */
export interface ProcessState {
  /** What the console's server code stands on. */
  readonly webBackend: WebBackend;
  /** What Next's pages and routes call; made by the server program before Next takes its first request. */
  readonly consoleServer: ConsoleServer;
  /** The connections under each client of Prisma. */
  readonly databasePools: WeakMap<object, Pool>;
  /** Names of the builder's statements: they count against what a connection keeps prepared. */
  readonly sqlStatementNames: (text: string) => string;
  /** The SQL builder on each client and transaction of Prisma's. */
  readonly sqlBuilders: WeakMap<object, Sql>;
  /** Limits of sign-ins, for the console and the Ironic API together. */
  readonly signInGuard: SignInGuard;
  /** Refusals of wrong tokens, until they are logged. */
  readonly unknownCallers: UnknownCallers;
  /** How often people, sessions or tokens were changed here: what was read before is not asked any more. */
  readonly accessChanges: { count: number };
  /** Files of evidence that are being received. */
  readonly evidenceUploads: UploadPlaces;
  /** PDFs of certificates that may still be asked for. */
  readonly certificatePdfs: PdfBudget;
  /** Answers that may be a little old, by their name. */
  readonly caches: Caches;
}

declare global {
  // A name that all bundles share; `var` is what puts it on globalThis.
  var reclaimProcess: { -readonly [Name in keyof ProcessState]?: ProcessState[Name] } | undefined;
}

/** The process's own, made by whoever asks first. */
export function perProcess<Name extends keyof ProcessState>(
  name: Name,
  make: () => ProcessState[Name],
): ProcessState[Name] {
  const state = (globalThis.reclaimProcess ??= {});
  return (state[name] ??= make());
}
