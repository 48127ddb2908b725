// The names of a machine, side by side: what the host is known by, what the list says, and what BMC, firmware and agent told.
import type { HostNamesView } from "@/server/contract/hosts/names";
import { standingOf } from "@/server/domain/hosts/names/names";
import type { NameKind } from "@/server/domain/hosts/names/names";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { readNames } from "@/server/usecases/hosts/names/read-names";
import type { HostNames, StoredName } from "@/server/usecases/hosts/names/read-names";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type Row = HostNamesView["names"][number];

const given = (
  source: "host" | "list",
  { serial, systemUuid }: HostNames["expected"],
): readonly { source: "host" | "list"; kind: NameKind; value: string }[] => [
  ...(serial === null ? [] : [{ source, kind: "serial" as const, value: serial }]),
  ...(systemUuid === null ? [] : [{ source, kind: "uuid" as const, value: systemUuid }]),
];

const confirmedOf = ({ confirmedAt, confirmedBy, reason }: StoredName): Row["confirmed"] =>
  confirmedAt === null || confirmedBy === null || reason === null
    ? null
    : { at: confirmedAt, by: confirmedBy, reason };

function rowsOf({ own, expected, told }: HostNames): readonly Row[] {
  const fixed = [
    ...given("host", own),
    ...own.macs.map((value) => ({ source: "host" as const, kind: "mac" as const, value })),
    ...given("list", expected),
  ];
  return [
    ...fixed.map((name) => ({
      ...name,
      standing: standingOf(own, told, name),
      ...{ firstSeenAt: null, lastSeenAt: null, confirmed: null },
    })),
    ...told.map((name) => ({
      ...{ source: name.source, kind: name.kind, value: name.value },
      standing: standingOf(own, told, name),
      ...{ firstSeenAt: name.firstSeenAt, lastSeenAt: name.lastSeenAt, confirmed: confirmedOf(name) },
    })),
  ];
}

const bare = ({ kind, value }: StoredName | HostNames["pending"][number]["names"][number]) => ({
  kind,
  value,
});

export async function getNames(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<HostNamesView>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const names = await readNames(backend.database, found.value.id);
  if (names === null) return notFound("host", query.hostId);
  return done({
    names: [...rowsOf(names)],
    pending: names.pending.map(({ source, names: each, agrees }) => ({
      ...{ source, names: each.map(bare), agrees: agrees.map(bare) },
    })),
    refusal: names.pending.length === 0 ? null : (names.problem?.detail ?? null),
    evidence: names.evidence,
  });
}
