// A person confirms the certificate that a BMC showed; from then on the BMC must show this one (docs/adr/0051-certificates-of-bmcs.md).
import { sql } from "kysely";
import { host as contract } from "@/server/contract/hosts/host";
import { queryRows } from "@/server/db/sql";
import { onlyAuthorities, formatRefusal, seenCertificate } from "@/server/domain/hardware/certificate";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { askedAgain } from "@/server/usecases/hosts/enrolment/again";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { refused } from "@/server/usecases/problem";

interface CertificateRow {
  readonly pinned: string | null;
  readonly seen: unknown;
  readonly by: string;
}

export const confirmCertificate = defineAct({
  ...contract.confirmCertificate,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const [row] = await queryRows(
      tx,
      sql<CertificateRow>`SELECT h.bmc_certificate AS pinned, h.certificate_seen AS seen, s.bmc_trust AS by
        FROM host h JOIN site s ON s.id = h.site_id WHERE h.id = ${hostId}::uuid FOR UPDATE OF h`,
    );
    const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
    return row === undefined || facts === null
      ? null
      : { id: hostId, belongs: { tenantId: null }, value: { row, facts } };
  },
  run: async ({ tx, by }, { row, facts }, { hostId, sha256 }) => {
    const seen = row.seen === null ? null : seenCertificate.parse(row.seen);
    if (seen === null)
      return refused("notAllowedNow", "The BMC has not presented a certificate yet: verify the host first.");
    // safety: certificate: what is confirmed is what was shown
    if (seen.sha256 !== sha256)
      return refused(
        "conflict",
        "The BMC now presents another certificate. Reload the host and compare again.",
        "sha256",
      );
    // safety: certificate: a site of authorities has no other confirmed
    if (row.by === "authority" && !seen.trusted)
      return refused(
        "notAllowedNow",
        `The certificate cannot be confirmed: ${onlyAuthorities}, and ${formatRefusal(seen.refusal)}.`,
      );
    const signals = await askedAgain(tx, facts, by);
    // Already pinned: only asks the host again, as after a confirmation that was not completed.
    if (row.pinned === sha256 && signals.length === 0) return unchanged({ accepted: true as const });
    await tx.host.update({
      where: { id: hostId },
      data: { bmcCertificate: sha256, updatedAt: new Date() },
      select: { id: true },
    });
    return acted({
      value: { accepted: true as const },
      targetId: hostId,
      tenantId: null,
      before: { certificate: row.pinned },
      after: { certificate: sha256, subject: seen.subject },
      tell: {
        signals,
        feed: [{ hostId, tenantId: null, what: "settings" }],
      },
    });
  },
});
