// Whom an auditor or a deployment trusts (https://c2sp.org/tlog-policy): keys of logs, keys of witnesses, and how many witnesses must cosign.
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { cosignedBy } from "@/server/domain/audit-log/cosignature";
import { parseKey } from "@/server/domain/audit-log/note";
import type { Signed, VerifierKey } from "@/server/domain/audit-log/note";

export interface PolicyWitness {
  readonly name: string;
  readonly key: VerifierKey;
  /** Where the witness takes checkpoints, without a trailing slash; null: it is not asked. */
  readonly url: string | null;
}

interface Group {
  /** How many members must cosign. */
  readonly least: number;
  readonly members: readonly string[];
}

export interface Policy {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: readonly PolicyWitness[];
  readonly groups: ReadonlyMap<string, Group>;
  /** The name of a witness or a group, or `none`. */
  readonly quorum: string;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  /** Includes the line number. */
  | { readonly ok: false; readonly why: string };

const none = "none";
const maxLines = 1_000;

const sameKey = (one: VerifierKey, other: VerifierKey): boolean => Buffer.compare(one.raw, other.raw) === 0;

/** A policy being parsed. Each method returns what is wrong with the line, or null. */
class PolicyDraft {
  readonly logs: VerifierKey[] = [];
  readonly witnesses: PolicyWitness[] = [];
  readonly groups = new Map<string, Group>();
  readonly #members = new Set<string>();
  quorum: string | null = null;

  #isDefined(name: string): boolean {
    return this.groups.has(name) || this.witnesses.some((witness) => witness.name === name);
  }

  take([word = "", ...items]: readonly string[]): string | null {
    switch (word) {
      case "log":
        return this.#log(items);
      case "witness":
        return this.#witness(items);
      case "group":
        return this.#group(items);
      case "quorum":
        return this.#quorum(items);
      default:
        return `${word} is not log, witness, group or quorum`;
    }
  }

  #log([text = "", ...more]: readonly string[]): string | null {
    const key = parseKey(text);
    if (key?.type !== "ed25519" || more.length > 1) return "must be: log <public key of a log> [<address>]";
    if (this.logs.some((log) => sameKey(log, key))) return "names a key of a log again";
    this.logs.push(key);
    return null;
  }

  #witness([name = "", text = "", url, ...more]: readonly string[]): string | null {
    const key = parseKey(text);
    if (key === null || key.type === "ed25519" || more.length > 0)
      return "must be: witness <name> <public key of a witness> [<address>]";
    if (name === none || this.#isDefined(name)) return `uses the name ${name} again`;
    if (this.witnesses.some((witness) => sameKey(witness.key, key))) return "names a key of a witness again";
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      return `${url} is not an address`;
    this.witnesses.push({ name, key, url: url?.replace(/\/+$/, "") ?? null });
    return null;
  }

  #group([name = "", asked = "", ...members]: readonly string[]): string | null {
    const least = asked === "any" ? 1 : asked === "all" ? members.length : Number(asked);
    if (members.length === 0 || !/^(any|all|[1-9]\d{0,3})$/.test(asked) || least > members.length)
      return "must be: group <name> <all, any or how many> <members>";
    if (name === none || this.#isDefined(name)) return `uses the name ${name} again`;
    for (const member of members) {
      if (!this.#isDefined(member)) return `${member} is not defined above`;
      if (this.#members.has(member)) return `${member} is already a member of a group`;
      this.#members.add(member);
    }
    this.groups.set(name, { least, members });
    return null;
  }

  #quorum([name = "", ...more]: readonly string[]): string | null {
    if (this.quorum !== null) return "is a second quorum";
    if (more.length > 0 || (name !== none && !this.#isDefined(name))) return `${name} is not defined above`;
    this.quorum = name;
    return null;
  }
}

export function parsePolicy(text: string): ParsedPolicy {
  const lines = text.split("\n");
  if (lines.length > maxLines) return { ok: false, why: `has more than ${maxLines} lines` };
  const draft = new PolicyDraft();
  for (const [at, line] of lines.entries()) {
    const items = line.split(/[ \t]+/).filter((item) => item !== "");
    if (items.length === 0 || items[0]?.startsWith("#") === true) continue;
    // Lines end with \n only; other control characters have no meaning in a policy.
    const why = /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)
      ? "has a control character"
      : draft.take(items);
    if (why !== null) return { ok: false, why: `line ${at + 1}: ${why}` };
  }
  const { logs, witnesses, groups, quorum } = draft;
  return quorum === null
    ? { ok: false, why: "has no quorum line; `quorum none` asks for no witness" }
    : { ok: true, policy: { logs, witnesses, groups, quorum } };
}

/** Trust in single keys instead of a policy: log keys sign, witness keys are reported, and no witness is required. */
export const policyOfKeys = (keys: readonly VerifierKey[]): Policy => ({
  logs: keys.filter(({ type }) => type === "ed25519"),
  witnesses: keys
    .filter(({ type }) => type !== "ed25519")
    .map((key) => ({ name: `${key.name}+${key.id}`, key, url: null })),
  groups: new Map(),
  quorum: none,
});

export interface Quorum {
  /** Whether as many witnesses cosigned as the policy requires. */
  readonly met: boolean;
  /** Witnesses of the policy whose cosignature is valid. */
  readonly witnesses: readonly PolicyWitness[];
  /** Witnesses whose cosignature is present but invalid. */
  readonly forged: readonly PolicyWitness[];
  /** Witnesses whose cosignature this browser cannot check. They do not count. */
  readonly unchecked: readonly PolicyWitness[];
}

/** Which witnesses of a policy cosigned a checkpoint. */
export async function quorumOf(
  checkpoint: Checkpoint,
  { witnesses, groups, quorum }: Policy,
): Promise<Quorum> {
  const told = await Promise.all(
    witnesses.map(async (witness) => ({ witness, how: await cosignedBy(checkpoint, witness.key) })),
  );
  const of = (wanted: Signed) => told.flatMap(({ witness, how }) => (how === wanted ? [witness] : []));
  const signed = of("signed");
  const holds = (name: string): boolean => {
    const group = groups.get(name);
    if (group === undefined) return signed.some((witness) => witness.name === name);
    return group.members.filter(holds).length >= group.least;
  };
  return {
    met: quorum === none || holds(quorum),
    witnesses: signed,
    forged: of("forged"),
    unchecked: of("unchecked"),
  };
}

/** A witness to send requests to. One address may have several keys. */
export interface AskedWitness {
  readonly url: string;
  readonly keys: readonly VerifierKey[];
}

/** The witnesses that have an address. */
export function askedWitnesses({ witnesses }: Policy): readonly AskedWitness[] {
  const byUrl = new Map<string, VerifierKey[]>();
  for (const { url, key } of witnesses) if (url !== null) byUrl.set(url, [...(byUrl.get(url) ?? []), key]);
  return [...byUrl].map(([url, keys]) => ({ url, keys }));
}
