// What a self-audit found, counted by kind. The first of each kind are stored, with a digest of all of them (docs/adr/0111-the-self-audit-replays-states.md).
import { z } from "zod";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";

export const findingKinds = [
  "log",
  "stateHistory",
  "unprovenReady",
  "unprovenAssignment",
  "boundReady",
  "changedHistory",
  "missingDigest",
  "missingCertificate",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** The label of each kind, and what to do about it. */
export const findingTable = {
  log: {
    label: "Audit log",
    next: "Check the log with your own keys under Verify, and keep a copy of the database as it is.",
  },
  stateHistory: {
    label: "State history",
    next: "Compare the host's history with a backup: transitions are missing, or were changed outside Reclaim.",
  },
  unprovenReady: {
    label: "Ready without proof",
    next: "Take the host to Manageable and provide it again: it is cleaned and proven anew.",
  },
  unprovenAssignment: {
    label: "Assigned without proof",
    next: "Tell the tenant, and find out who wrote to the database.",
  },
  boundReady: {
    label: "Ready with a tenant",
    next: "Set maintenance on the host, and find out who has it.",
  },
  changedHistory: {
    label: "History changed",
    next: "Compare the reclamation with a backup: the audit log proves what it was when it ended.",
  },
  missingDigest: {
    label: "No digest",
    next: "Read the server's log: the digest of a reclamation is logged within seconds of its end.",
  },
  missingCertificate: {
    label: "No certificate",
    next: "Read the server's log: a certificate is written when its reclamation ends.",
  },
} as const satisfies Record<FindingKind, { readonly label: string; readonly next: string }>;

export interface Finding {
  readonly kind: FindingKind;
  /** Equal for the same fault in every check, and different for different faults. */
  readonly key: string;
  readonly hostId: string | null;
  readonly reclamationId: string | null;
  /** A sentence without its subject. */
  readonly says: string;
}

/** Maximum number of findings of a kind that are named; the others are only counted. */
export const namedOfKind = 20;
const longestSentence = 240;
/** For all named findings: the check's event is a log entry that has to hold its facts. */
const bytesOfNamed = 45_000;
/** Allowance for a host's name and the JSON around it. */
const bytesOfName = 300;

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const digestText = (text: string): string => hex(sha256(new TextEncoder().encode(text)));

/** The key includes what is wrong, so that acknowledging one fault of a subject does not acknowledge the next. */
export const keyOf = (kind: FindingKind, subject: string, says: string): string =>
  `${kind}:${subject}:${digestText(says).slice(0, 16)}`;

export const kindCount = z.object({
  kind: z.string(),
  count: z.int().min(0),
  /** Over all keys in order: equal for equal faults. */
  digest: z.string(),
  /** Whether all faults of the kind are counted. Only then can they be acknowledged at once. */
  complete: z.boolean().default(true),
  /** How many of the unnamed ones were acknowledged before. */
  unnamedKnown: z.int().default(0),
});
export type KindCount = z.infer<typeof kindCount>;

interface FoundOfKind {
  count: number;
  digest: string;
  /** The first that are not acknowledged, and the first of those that are. */
  readonly open: Finding[];
  readonly known: Finding[];
  knownCount: number;
}

const bytesOf = (finding: Finding): number =>
  new TextEncoder().encode(JSON.stringify(finding)).length + bytesOfName;

/** Collects findings in the order of the check, in constant memory. */
export class Findings {
  readonly #kinds = new Map<FindingKind, FoundOfKind>();
  readonly #acknowledged: ReadonlySet<string>;

  /** @param acknowledged keys of acknowledged findings; all others are named first */
  constructor(acknowledged: ReadonlySet<string> = new Set()) {
    this.#acknowledged = acknowledged;
  }

  readonly #uncounted = new Set<FindingKind>();

  add(finding: Finding): void {
    const none = { count: 0, digest: "", open: [], known: [], knownCount: 0 };
    const kind: FoundOfKind = this.#kinds.get(finding.kind) ?? none;
    kind.count += 1;
    kind.digest = digestText(`${kind.digest}\n${finding.key}`);
    // safety: self-audit: a new fault is named before those that somebody has acknowledged (false)
    const isKnown = this.#acknowledged.has(finding.key);
    if (isKnown) kind.knownCount += 1;
    const named = isKnown ? kind.known : kind.open;
    if (named.length < namedOfKind) named.push({ ...finding, says: finding.says.slice(0, longestSentence) });
    this.#kinds.set(finding.kind, kind);
  }

  /** More were found than were added. Each check reports this as a new finding, because nobody knows whether they are the same. */
  addUncounted(kind: FindingKind, check: string, says: string): void {
    this.#uncounted.add(kind);
    this.add({ kind, key: `${kind}:more:${check}`, hostId: null, reclamationId: null, says });
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.add(finding);
  }

  get count(): number {
    return [...this.#kinds.values()].reduce((total, { count }) => total + count, 0);
  }

  countOf(kind: FindingKind): number {
    return this.#kinds.get(kind)?.count ?? 0;
  }

  get kinds(): readonly KindCount[] {
    const { named } = this;
    return findingKinds.flatMap((kind) => {
      const found = this.#kinds.get(kind);
      if (found === undefined) return [];
      const namedKnown = named.filter((one) => one.kind === kind && this.#acknowledged.has(one.key)).length;
      const complete = !this.#uncounted.has(kind);
      const unnamedKnown = found.knownCount - namedKnown;
      return [{ kind, count: found.count, digest: found.digest, complete, unnamedKnown }];
    });
  }

  /** By kind. Every kind gets its first finding before any gets its second, as far as the event has room. */
  get named(): readonly Finding[] {
    const byKind = findingKinds.map((kind) => {
      const { open = [], known = [] } = this.#kinds.get(kind) ?? {};
      return [...open, ...known].slice(0, namedOfKind);
    });
    const fitting = new Set<Finding>();
    let room = bytesOfNamed;
    for (let place = 0; place < namedOfKind; place += 1)
      for (const finding of byKind.flatMap((named) => named[place] ?? [])) {
        room -= bytesOf(finding);
        if (room >= 0) fitting.add(finding);
      }
    return byKind.flat().filter((finding) => fitting.has(finding));
  }
}

/**
 * A finding of the log check.
 * @param instance distinguishes it from an earlier finding with the same text, so that it counts as not acknowledged
 */
export const logFinding = (what: string, why: string, instance = ""): Finding => ({
  kind: "log",
  key: `log:${digestText([what, why, ...(instance === "" ? [] : [instance])].join("\n")).slice(0, 32)}`,
  hostId: null,
  reclamationId: null,
  says: `${what} ${why}`,
});
