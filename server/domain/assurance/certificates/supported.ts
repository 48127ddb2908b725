// The standing that a statement supports by its own gates and drives, and the type that it therefore has: one of an earlier form may claim more.
import { statusAsOfNow } from "@/server/domain/reclamations/gates/gate-names";
import { standingOf, standings, worseOf } from "@/server/domain/assurance/standing";
import type { Standing, StandingFacts } from "@/server/domain/assurance/standing";
import { isWhole, receiptOf, typeOfStanding } from "@/server/domain/assurance/certificates/statement";
import type {
  AnyStatement,
  CertificateType,
  ReceiptStatement,
  StatedType,
  WholeStatement,
} from "@/server/domain/assurance/certificates/statement";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";

type Gates = readonly { readonly gate: GateName; readonly status: GateStatus }[];

/** An empty list of drives proves nothing, except by the gate, which had asked the SKU. Of the current form, the SKU's own number counts, too. */
const mayHaveDrives = (
  devices: readonly unknown[],
  gates: Gates,
  skuDrives: number | null | undefined,
): boolean =>
  skuDrives === undefined
    ? devices.length > 0 ||
      !gates.some(({ gate, status }) => gate === "storageSanitized" && status === "satisfied")
    : skuDrives !== 0;

/** What a recheck rests on. Earlier forms do not say it, so such a recheck is proven with exceptions at best. */
function restsOnOf({ predicate: { reclamation, gates } }: WholeStatement): StandingFacts["restsOn"] {
  if ("restsOn" in reclamation) return reclamation.restsOn?.standing;
  return reclamation.kind === "recheck" &&
    gates.some(({ gate, status }) => gate === "cleanupCompleted" && status === "not required")
    ? "provenWithExceptions"
    : undefined;
}

/** In today's words. */
export const gatesOf = ({ predicate }: WholeStatement): Gates =>
  predicate.gates.map(({ gate, status, reason }) => ({
    gate,
    status: statusAsOfNow(status, reason) ?? status,
  }));

/** How many drives the SKU has, for a receipt; null: the statement does not say that it has none. */
export function skuDrivesOf(said: WholeStatement): number | null {
  const { devices, host } = said.predicate;
  if ("skuDrives" in host) return host.skuDrives;
  return mayHaveDrives(devices, gatesOf(said), undefined) ? null : 0;
}

function ofWhole(said: WholeStatement): Standing {
  const { devices, host, missing, reclamation } = said.predicate;
  const gates = gatesOf(said);
  return standingOf({
    ...{
      kind: reclamation.kind,
      outcome: reclamation.outcome,
      fake: host.hardwareType === fakeHardwareType,
      gates,
    },
    drives: devices.map(({ result }) => result),
    missing: missing.length,
    skuHasDrives: mayHaveDrives(devices, gates, "skuDrives" in host ? host.skuDrives : undefined),
    restsOn: restsOnOf(said),
  });
}

/** Gates that apply to every machine that a tenant returns: in a receipt of an earlier form, which gives no reasons, they can only have been left out. */
const alwaysApply: ReadonlySet<GateName> = new Set([
  "cleanupCompleted",
  "storageSanitized",
  "memoryOverwritten",
  "platformAtBaseline",
  "attestationPassed",
]);

function ofReceipt({ predicate: { devices, machine, gates: stated } }: ReceiptStatement): Standing {
  const current = "skuDrives" in machine;
  const gates: Gates = stated.map(({ gate, status }) => ({
    gate,
    status: !current && status === "not required" && alwaysApply.has(gate) ? "waived" : status,
  }));
  return standingOf({
    ...{ kind: "release", outcome: "ready", fake: false, gates, missing: 0 },
    drives: devices.map(({ result }) => result),
    skuHasDrives: mayHaveDrives(devices, gates, current ? machine.skuDrives : undefined),
  });
}

/** The standing by its gates and drives. Pure. */
export const supportedStanding = (said: AnyStatement): Standing =>
  isWhole(said) ? ofWhole(said) : ofReceipt(said);

/** A claim and what it may be read as: never better than what the statement supports. */
interface Claim {
  readonly standing: Standing;
  readonly type: CertificateType;
}

const leastOf: Readonly<Record<CertificateType, Standing>> = {
  certificate: "proven",
  withExceptions: "provenWithExceptions",
  notSanitized: "notSanitized",
  nonConformance: "notProven",
  demo: "provenWithExceptions",
};

/** The standing and the type of the certificate, or of that which a receipt is derived from, as far as the statement supports them. Pure. */
export function claimOf(said: AnyStatement): Claim {
  const { certificate } = said.predicate;
  const claimed = "standing" in certificate ? certificate.standing : leastOf[certificate.type];
  const standing = worseOf(claimed, supportedStanding(said));
  const { type } = certificate;
  // safety: certificate: it is read as no more than it supports (never)
  return type === "demo" || type === "nonConformance"
    ? { standing, type }
    : { standing, type: typeOfStanding(standing, true, false) };
}

/** The type and the standing of a statement, as far as it supports them. Pure. */
export function readAs(said: AnyStatement): { readonly type: StatedType; readonly standing: Standing } {
  const { type, standing } = claimOf(said);
  return { type: isWhole(said) ? type : receiptOf(type), standing };
}

/** How the stated standing and type contradict its gates and drives; null: they do not. Statements of earlier forms state no standing. Pure. */
export function claimFault(said: AnyStatement): string | null {
  const { certificate } = said.predicate;
  if (!("standing" in certificate)) return null;
  const supported = supportedStanding(said);
  // safety: certificate: its standing is its gates' and drives'
  if (standings.indexOf(certificate.standing) < standings.indexOf(supported))
    return `it says ${certificate.standing}, and its gates and drives say ${supported}`;
  const { type, standing } = certificate;
  const wanted = isWhole(said)
    ? typeOfStanding(standing, said.predicate.reclamation.outcome === "ready", said.predicate.policy.demo)
    : typeOfStanding(standing, true, type === "demo");
  // safety: certificate: its type is that of its standing
  return type === wanted ? null : `it is of the type ${type}, and its standing is ${standing}`;
}
