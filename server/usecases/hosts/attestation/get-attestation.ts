// What is known of a host's TPM.
import type { HostAttestationView } from "@/server/contract/hosts/attestation";
import { acceptances, certificateVerdict, identityProblems } from "@/server/domain/attestation/verdict";
import { tpmStanding } from "@/server/domain/attestation/standing";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { measurementOf } from "@/server/usecases/hosts/attestation/measurement-of";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const oneOf = <Name extends string>(names: readonly Name[], name: string | null): Name | null =>
  names.find((each) => each === name) ?? null;

async function modeOf(database: Database, hostId: string): Promise<HostAttestationView["mode"]> {
  const host = await database.host.findUnique({
    where: { id: hostId },
    select: { site: { select: { id: true, policyVersion: true } } },
  });
  if (host === null) return "off";
  const { id: siteId, policyVersion: version } = host.site;
  const policy = await database.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId, version } },
    select: { body: true },
  });
  return storedPolicy.parse(policy.body).attestation;
}

export async function getAttestation(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<HostAttestationView>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const hostId = found.value.id;
  const [row, mode, measurement] = await Promise.all([
    database.hostTpm.findUnique({ where: { hostId } }),
    modeOf(database, hostId),
    measurementOf(database, hostId),
  ]);
  if (row === null)
    return done({
      ...{ mode, ...tpmStanding(mode, null) },
      ...{ bootEpoch: null, toldAt: null, key: null, accepted: null, measurement },
    });
  // What another release stored and this one cannot read vouches for nothing.
  const verdict = row.verdict === null ? null : certificateVerdict.parse(row.verdict);
  const acceptedAs = oneOf(acceptances, row.acceptedAs);
  const problemKind = oneOf(identityProblems, row.problemKind);
  const { acceptedDigest, acceptedAt, acceptedEpoch } = row;
  return done({
    ...{ mode, ...tpmStanding(mode, { ...row, verdict, acceptedAs, problemKind }) },
    ...{ bootEpoch: row.bootEpoch, toldAt: row.toldAt, measurement },
    key:
      row.keyDigest === null
        ? null
        : { digest: row.keyDigest, certificate: verdict, activatedAt: row.activatedAt },
    accepted:
      acceptedDigest === null || acceptedAs === null || acceptedAt === null || acceptedEpoch === null
        ? null
        : {
            ...{ digest: acceptedDigest, as: acceptedAs, at: acceptedAt, bootEpoch: acceptedEpoch },
            ...{ by: row.acceptedBy, provenAt: row.provenAt, provenEpoch: row.provenEpoch },
          },
  });
}
