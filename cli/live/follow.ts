// Follows hosts live: prints a line whenever one changes, until all have reached the goal, or forever.
import type { HostRow } from "@/server/surfaces/trpc/types";
import { toCommandError } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { createAsk } from "@/cli/http";
import { readChanges } from "@/cli/live/changes";
import { pause } from "@/cli/live/pause";
import { coloured } from "@/cli/output/table";
import { plain } from "@/cli/output/text";
import type { Printer } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

export const goals = ["ready", "manageable", "failed", "gone"] as const;
export type Goal = (typeof goals)[number];

export interface Followed {
  readonly id: string;
  readonly name: string;
  /** The host must have moved past this state version to count. Null: its current state counts. */
  readonly after: string | null;
}

/** How a host stands relative to the goal. */
type Place = "there" | "failed" | "in progress";

/** A failed host cannot reach `Ready` or `Manageable` by itself: somebody has to act. Pure. */
export function placeOf(
  row: Pick<HostRow, "state" | "stateVersion">,
  goal: Goal,
  after: string | null,
): Place {
  if (after !== null && BigInt(row.stateVersion) <= BigInt(after)) return "in progress";
  const failed = row.state.startsWith("Failed/");
  switch (goal) {
    case "ready":
      return row.state === "Ready" ? "there" : failed ? "failed" : "in progress";
    case "manageable":
      return row.state === "Manageable" ? "there" : failed ? "failed" : "in progress";
    // A host that has left has no row.
    case "gone":
      return failed ? "failed" : "in progress";
    case "failed":
      return failed ? "there" : "in progress";
  }
}

export interface Following {
  /** The hosts to follow; with `filter`, others may join. */
  readonly hosts: readonly Followed[];
  /** Null: no others join. */
  readonly filter?: string | null;
  /** Null: forever. */
  readonly goal: Goal | null;
  readonly timeoutMs: number | null;
  /** Prints changes to stdout as the result; otherwise to stderr, as messages. */
  readonly events?: boolean;
}

/** The server's maximum per request. */
const maxAtOnce = 500;

function lineOf(row: HostRow, printer: Printer, at: Date, colour: boolean): string {
  const step = row.step === null ? "" : `  ${row.step}${row.percent === null ? "" : ` ${row.percent} %`}`;
  const detail = row.brief === null ? "" : `  ${row.brief}`;
  return `${printer.time(at)}  ${plain(row.name)}  ${coloured(plain(row.state), row.tone, colour)}${plain(step + detail)}`;
}

/** The parts of a row whose change is visible. */
const seenOf = (row: HostRow): string =>
  JSON.stringify([row.state, row.stateVersion, row.step, row.percent, row.detail, row.health.words]);

const againAfterMs = 2_000;

/** Retries while the server is unreachable, such as during a restart. */
async function whenReachable<Value>(
  printer: Printer,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const problem = toCommandError(error);
      if (signal.aborted || problem?.exit !== "unreachable") throw error;
      printer.say(`${problem.message} Retrying.`);
      await pause(againAfterMs, signal);
    }
  }
}

/** The state of the followed hosts. */
class Watched {
  readonly #known: Map<string, Followed>;
  readonly #seen = new Map<string, string>();
  readonly #places = new Map<string, Place | "gone">();

  readonly #shell: Shell;
  readonly #following: Following;

  constructor(shell: Shell, following: Following) {
    this.#shell = shell;
    this.#following = following;

    this.#known = new Map(following.hosts.map((host) => [host.id, host]));
  }

  isOver(): boolean {
    return (
      this.#following.goal !== null &&
      [...this.#known.keys()].every((id) => this.#place(id) !== "in progress")
    );
  }

  async lookAtAll(): Promise<void> {
    await this.#look([...this.#known.keys()]);
  }

  async lookAt(hostIds: readonly string[]): Promise<void> {
    const { filter = null } = this.#following;
    await this.#look(hostIds.filter((id) => this.#known.has(id)));
    const others = hostIds.filter((id) => !this.#known.has(id));
    if (filter === null) return;
    for (const row of await this.#read(others, filter)) {
      this.#known.set(row.hostId, { id: row.hostId, name: row.name, after: null });
      this.#tell(row);
    }
  }

  /** Names of the hosts in these places, for a message; null if there are none. */
  names(...places: readonly (Place | "gone")[]): string | null {
    const names = [...this.#known.values()]
      .filter(({ id }) => places.includes(this.#place(id)))
      .map(({ name }) => name);
    if (names.length === 0) return null;
    return names.length > 10
      ? `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`
      : names.join(", ");
  }

  #place(id: string): Place | "gone" {
    return this.#places.get(id) ?? "in progress";
  }

  async #read(hostIds: readonly string[], filter: string): Promise<readonly HostRow[]> {
    const rows: HostRow[] = [];
    for (let from = 0; from < hostIds.length; from += maxAtOnce)
      rows.push(
        ...(await this.#shell.client.hosts.rows.query({
          hostIds: hostIds.slice(from, from + maxAtOnce),
          filter,
        })),
      );
    return rows;
  }

  async #look(hostIds: readonly string[]): Promise<void> {
    const { goal } = this.#following;
    const rows = new Map((await this.#read(hostIds, "")).map((row) => [row.hostId, row]));
    for (const id of hostIds) {
      const row = rows.get(id);
      if (row === undefined) {
        if (this.#place(id) !== "gone")
          this.#shell.printer.say(`${this.#known.get(id)?.name ?? id} is gone.`);
        this.#places.set(id, "gone");
        continue;
      }
      this.#tell(row);
      this.#places.set(
        id,
        goal === null ? "in progress" : placeOf(row, goal, this.#known.get(id)?.after ?? null),
      );
    }
  }

  #tell(row: HostRow): void {
    const { printer, surroundings } = this.#shell;
    if (this.#seen.get(row.hostId) === seenOf(row)) return;
    this.#seen.set(row.hostId, seenOf(row));
    const at = surroundings.now();
    if (this.#following.events === true)
      printer.event({ at, ...row }, lineOf(row, printer, at, printer.colour));
    else printer.say(lineOf(row, printer, at, false));
  }
}

/**
 * Throws CommandError: `otherwise` if all hosts have settled but one failed or is gone, `late` on timeout, `interrupted` on Ctrl-C.
 * With a goal, only the given hosts are followed; none joins.
 */
export async function followHosts(shell: Shell, following: Following): Promise<void> {
  const { printer, surroundings, settings } = shell;
  const { goal, timeoutMs } = following;
  const watched = new Watched(shell, following);
  const limit = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  const signal =
    limit === null ? surroundings.interrupted : AbortSignal.any([surroundings.interrupted, limit]);
  try {
    for await (const change of readChanges(createAsk(settings, signal, null), signal)) {
      if (change.kind === "lost") printer.say(`The connection is lost (${change.reason}). Retrying.`);
      else
        await whenReachable(printer, signal, () =>
          change.kind === "everything" ? watched.lookAtAll() : watched.lookAt(change.hostIds),
        );
      if (watched.isOver()) break;
    }
  } catch (error) {
    if (limit?.aborted !== true || surroundings.interrupted.aborted) throw error;
    throw new CommandError(
      "late",
      goal === null ? "Timed out." : `Not ${goal} in time: ${watched.names("in progress") ?? "none"}.`,
    );
  }
  const lost = goal === "gone" ? watched.names("failed") : watched.names("failed", "gone");
  if (lost !== null)
    throw new CommandError(
      "otherwise",
      `Not ${goal ?? "there"}: ${lost}.`,
      "`reclaim hosts show <host>` shows what went wrong and what to check next.",
    );
}
