// The options of `npm run bench`.
import { parseArgs } from "node:util";

/** A usage error in the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `npm run bench -- [options]

  --hosts N    hosts to release at once (the plan's, 300)
  --scale      instead: pages of the console and lists of nodes with 10,000 hosts, without and with history
  --console    instead: 1,000 hosts (or --hosts) cleaned by hand by filter, from the console in a browser
  --latency    instead: from a signal to its handler while a BMC hangs for 60 s
  --enrol      instead: 1,000 hosts (or --hosts) enrolled by one CSV file
  --audit      instead: the audit log under writers, and with 1,000,000 events (or --events)
  --ironic     instead: 1000 hosts of type fake over the Ironic API (--hosts N for another number)
  --guard COMMIT   instead: this checkout and an earlier commit in turns, 100 hosts (or --hosts) each; what got more than 5 % worse
  --baselines  each SKU has a baseline of BIOS, BMC and firmware, and every host is held against it
  --json       print JSON instead of tables
  --record     append the result to bench/history.jsonl
  --statements also print the statements that cost the database most
  --profile    write processor profiles of controller, web and simulator to .reclaim/bench/
  --help       this text

DATABASE_URL: use this PostgreSQL (15 or later), in a database of the bench's own, and not the embedded one.`;

export interface Options {
  readonly hosts: number | null;
  readonly scale: boolean;
  readonly latency: boolean;
  readonly ironic: boolean;
  readonly console: boolean;
  readonly enrol: boolean;
  readonly audit: boolean;
  /** The earlier commit; null: no comparison. */
  readonly guard: string | null;
  /** For `--audit`; null: a million. */
  readonly events: number | null;
  readonly baselines: boolean;
  readonly json: boolean;
  readonly record: boolean;
  readonly statements: boolean;
  readonly profile: boolean;
  readonly help: boolean;
}

function read(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        hosts: { type: "string" },
        scale: flag,
        latency: flag,
        ironic: flag,
        console: flag,
        enrol: flag,
        audit: flag,
        events: { type: "string" },
        guard: { type: "string" },
        baselines: flag,
        json: flag,
        record: flag,
        statements: flag,
        profile: flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function checkAudit(
  { audit, profile, statements }: { audit: boolean; profile: boolean; statements: boolean },
  events: string | undefined,
  hosts: string | undefined,
): void {
  if (events !== undefined && !(audit && /^\d{4,8}$/.test(events)))
    throw new UsageError("--events is for --audit: a whole number from 1000 to 99999999");
  if (audit && (hosts !== undefined || profile || statements))
    throw new UsageError(
      "--audit has no hosts and is not profiled: leave out --hosts, --profile and --statements",
    );
}

/** Throws UsageError. */
export function parseOptions(args: readonly string[]): Options {
  const { hosts: text, events, guard, ...flags } = read(args);
  if (text !== undefined && !(/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 20_000))
    throw new UsageError(`--hosts must be a whole number from 1 to 20000, not "${text}"`);
  const benches = [flags.scale, flags.latency, flags.ironic, flags.console, flags.enrol, flags.audit, guard];
  if (benches.filter(Boolean).length > 1)
    throw new UsageError(
      "--scale, --latency, --ironic, --console, --enrol, --audit and --guard are benches of their own: one at a time",
    );
  for (const name of ["console", "enrol"] as const)
    if (flags[name] && (flags.profile || flags.statements))
      throw new UsageError(`--${name} is not profiled: leave out --profile and --statements`);
  checkAudit(flags, events, text);
  if (flags.latency && (text !== undefined || flags.profile || flags.statements))
    throw new UsageError(
      "--latency has its own number of hosts and is not profiled: leave out --hosts, --profile and --statements",
    );
  if (flags.scale && (text !== undefined || flags.profile || flags.statements))
    throw new UsageError(
      "--scale has its own number of hosts and is not profiled: leave out --hosts, --profile and --statements",
    );
  if (guard !== undefined && (flags.profile || flags.statements || flags.record))
    throw new UsageError(
      "--guard compares, and is neither profiled nor recorded: leave out --profile, --statements and --record",
    );
  return {
    guard: guard ?? null,
    hosts: text === undefined ? null : Number(text),
    events: events === undefined ? null : Number(events),
    ...flags,
  };
}
