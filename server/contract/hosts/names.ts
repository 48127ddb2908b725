// The names of a machine, and those that a person confirms as the host's (docs/machine-names.md).
import { z } from "zod";
import { nameKinds, namePlaces, nameSources, nameStandings } from "@/server/domain/hosts/names/names";
import { act, hostId, list, read, reason, record, sha256Digest } from "@/server/contract/define";

const kind = z.enum(nameKinds);

const hostNamesView = record({
  /** What the host is known by, what the list that it was enrolled with says, and what each source told, the newest first. */
  names: list(
    record({
      kind,
      value: z.string(),
      /** `host`: it is known by it. `list`: the list expects it. */
      source: z.enum(namePlaces),
      standing: z.enum(nameStandings),
      /** Null: not kept for what the host is known by or expected to be. */
      firstSeenAt: z.date().nullable(),
      lastSeenAt: z.date().nullable(),
      /** Who confirmed it, when and why; null: nobody. */
      confirmed: record({ at: z.date(), by: z.string(), reason: z.string() }).nullable(),
    }),
  ),
  /** What can be confirmed, by the source that told it last. */
  pending: list(
    record({
      source: z.enum(nameSources),
      names: list(record({ kind, value: z.string() })),
      /** What the source told with them that is the host's. */
      agrees: list(record({ kind, value: z.string() })),
    }),
  ),
  /** Why they cannot be confirmed; null: they can. */
  refusal: z.string().nullable(),
  /** The digest that a confirmation of exactly these names needs. */
  evidence: sha256Digest,
});
export type HostNamesView = z.infer<typeof hostNamesView>;

export const names = {
  ofHost: read({
    title: "the names of a machine: serial numbers, UUIDs and MAC addresses, by who told them",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostNamesView,
  }),
  confirm: act({
    title: "confirms that a machine with other names than the host's is the same machine",
    right: "host.dispose",
    action: "host.confirmNames",
    /** `evidence`: of the names that the person saw. */
    input: z.strictObject({ hostId, evidence: sha256Digest, reason }),
    output: record({ confirmed: list(z.string()) }),
  }),
  withdraw: act({
    title:
      "withdraws a name that was confirmed, whoever told it; a Ready host that is not in use is checked again",
    right: "host.dispose",
    action: "host.withdrawName",
    input: z.strictObject({ hostId, kind, value: z.string().min(1).max(256), reason }),
    output: record({ withdrawn: list(z.string()) }),
  }),
};
