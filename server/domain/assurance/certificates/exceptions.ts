// Exceptions in a certificate: who allowed what, and whether they cover everything that is open (docs/adr/0105-exceptions-and-dispositions.md).
import { z } from "zod";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";
import type { DeviceEntry } from "@/server/domain/assurance/certificates/device-entry";
import type { Statement, WholeStatement } from "@/server/domain/assurance/certificates/statement";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";

type Stated = Pick<WholeStatement["predicate"], "gates"> & {
  readonly exceptions: readonly Pick<Statement["predicate"]["exceptions"][number], "gate" | "serial">[];
  readonly devices: readonly Pick<DeviceEntry, "serial" | "result">[];
};

const letThrough = z.object({
  exceptions: z.array(
    z.object({
      serial: z.string().optional(),
      ...{ reason: z.string(), by: z.string(), askedAt: z.string() },
      ...{ approvedBy: z.string(), approvedAt: z.string() },
      ...{ id: z.string(), until: z.iso.datetime() },
    }),
  ),
});

/** Exceptions of the gates with the status `excepted`, in the order of the gates. Pure. */
export const exceptionEntries = ({
  gates,
  exceptions: asked,
}: Pick<CertificateRecords, "gates" | "exceptions">): Statement["predicate"]["exceptions"] =>
  gates
    .filter(({ status }) => status === "excepted")
    .flatMap(({ gate, evidence }) =>
      (letThrough.safeParse(evidence).data?.exceptions ?? []).map((each) => ({
        gate,
        serial: each.serial ?? null,
        reason: each.reason,
        askedBy: { name: each.by, at: each.askedAt },
        approvedBy: { name: each.approvedBy, at: each.approvedAt },
        until: each.until,
        measure: asked.find(({ id }) => id === each.id)?.measure ?? null,
        risk: asked.find(({ id }) => id === each.id)?.risk ?? null,
      })),
    );

const mayBeExcepted: ReadonlySet<string> = new Set(
  gateNames.filter((gate) => gateTable[gate].exception !== "never"),
);

/** How gates, drives and exceptions contradict each other; null: they do not. Pure. */
export function exceptionFault({ exceptions, gates, devices }: Stated): string | null {
  const excepted = gates.filter(({ status }) => status === "excepted").map(({ gate }) => String(gate));
  const never = excepted.find((gate) => !mayBeExcepted.has(gate));
  // safety: certificate: a gate that has no exceptions
  if (never !== undefined) return `the gate ${never} is excepted, which has no exceptions`;
  const bare = excepted.find((gate) => !exceptions.some((each) => each.gate === gate));
  // safety: certificate: an excepted gate names its exception
  if (bare !== undefined) return `the gate ${bare} is excepted, and by no exception`;
  const idle = exceptions.find(({ gate }) => gate === null || !excepted.includes(gate));
  if (idle !== undefined) return `an exception is for ${idle.gate ?? "no gate"}, which is not excepted`;
  if (!excepted.includes("storageSanitized")) return null;
  const named = new Set(
    exceptions.flatMap(({ gate, serial }) =>
      gate === "storageSanitized" && serial !== null ? [serial] : [],
    ),
  );
  const open = devices.find(({ serial, result }) => result === "not sanitized" && !named.has(serial));
  // safety: certificate: an exception is for the drives that it names
  if (open !== undefined) return `drive ${open.serial} has no result, and no exception`;
  const both = devices.find(({ serial, result }) => result === "sanitized" && named.has(serial));
  return both === undefined ? null : `drive ${both.serial} is excepted, and reads sanitized`;
}
