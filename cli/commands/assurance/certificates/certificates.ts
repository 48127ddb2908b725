// `reclaim certificates` and `reclaim verify`: lists certificates, downloads their bundles, and verifies a bundle offline.
import { z } from "zod";
import { list as listOf, record } from "@/server/contract/define";
import { certificates as contract } from "@/server/contract/assurance/certificates";
import type { CertificateLine } from "@/server/contract/assurance/certificates";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Policy } from "@/server/domain/audit-log/policy";
import { standings } from "@/server/domain/assurance/standing";
import { isPdf } from "@/server/domain/assurance/certificates/pdf/is-pdf";
import { measuredBootFault, measuredBootOf } from "@/server/domain/assurance/certificates/verify-measured";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";
import { certificateResult, packResult } from "@/server/domain/assurance/proof/check-result";
import type { CheckResult } from "@/server/domain/assurance/proof/check-result";
import { writeLogFile } from "@/cli/commands/audit-log/files";
import { readTrust, trustOptions } from "@/cli/commands/audit-log/trust";
import { readTrustFile } from "@/cli/commands/assurance/certificates/trust-file";
import { isPackFile, verifyPackFile } from "@/cli/commands/assurance/certificates/verify-pack-file";
import { command, list } from "@/cli/define/command";
import { arg, choice, flag, moment, needed, opt, since } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { refusedBy } from "@/cli/http";
import type { Ask } from "@/cli/http";
import type { Column, Printer } from "@/cli/output/printer";
import { standingColumn } from "@/cli/output/standing";
import { readBytes, readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<CertificateLine>[] = [
  { name: "id", value: (row) => row.id, whole: true },
  { name: "type", value: (row) => row.type, whole: true },
  standingColumn,
  { name: "host", value: (row) => row.host ?? row.hostId },
  { name: "made", value: (row) => row.madeAt },
  { name: "signed", value: (row) => row.signedAt },
  { name: "instance", value: (row) => row.instanceId, extra: true },
  { name: "reclamation", value: (row) => row.reclamationId, extra: true },
  { name: "sha256", value: (row) => row.sha256, extra: true },
];

const faultColumns: readonly Column<CheckResult["faults"][number]>[] = [
  { name: "what", value: (row) => row.what, whole: true },
  { name: "why", value: (row) => row.why, long: true },
];

async function checkpointSize(file: string, surroundings: Surroundings): Promise<number> {
  const parsed = parseCheckpoint(await readText("kept checkpoint", file, surroundings));
  if (parsed === null) throw new CommandError("usage", `${file} is not a checkpoint.`);
  return parsed.size;
}

async function readPdf(ask: Ask, id: string): Promise<Uint8Array> {
  const response = await ask(`/api/certificates/${encodeURIComponent(id)}.pdf`);
  if (response.status !== 200) throw await refusedBy(response);
  return new Uint8Array(await response.arrayBuffer());
}

/** Says what was found. Throws for faults, and for anything that a script must not mistake for plain proof. */
function tell({ verdict, says, lines: [first, ...lines], faults }: CheckResult, printer: Printer): void {
  printer.list(faults, faultColumns, first ?? "");
  if (verdict !== "tampered") for (const line of lines) printer.say(line);
  if (verdict === "holds") return;
  throw new CommandError(
    verdict,
    says,
    verdict === "unknownSigner" ? "`reclaim trust add` keeps a key that you trust; --key names one." : null,
  );
}

/** Checks the quote in it again, and the values that the bundle of the measured boot expects. */
function withMeasuredBoot(verified: VerifiedCertificate, printer: Printer): VerifiedCertificate {
  const { statement, faults } = verified;
  const measured = statement === null ? null : measuredBootOf(statement);
  if (statement === null || measured === null) return verified;
  const why = measuredBootFault(statement);
  if (why !== null)
    return {
      ...verified,
      faults: [...faults, { what: "statement", why: `its measured boot does not hold: ${why}` }],
    };
  printer.say(
    `Boot ${measured.boot} was measured: the quote in it is by the key in it, and its values are those of the bundle ${measured.bundle.name}.`,
  );
  return verified;
}

/** Verifies a bundle, or a PDF that contains one. */
async function verifyFile(
  given: Uint8Array,
  policy: Policy,
  kept: string | null,
  printer: Printer,
): Promise<VerifiedCertificate> {
  if (!isPdf(given))
    return withMeasuredBoot(await verifyBundle(Buffer.from(given).toString("utf8"), policy, kept), printer);
  // The PDF renderer takes longer to load than the rest of the command.
  const { verifyPdf } = await import("@/server/domain/assurance/certificates/pdf/verify-pdf");
  const verified = await verifyPdf(given, policy, kept);
  if (verified.faults.length === 0)
    printer.say(
      `The pages match the bundle. The code on them leads to ${verified.address ?? "nowhere"}; that address is not signed.`,
    );
  return withMeasuredBoot(verified, printer);
}

export const certificates = [
  list("certificates list", {
    of: "certificates.list",
    options: {
      host: opt("<host>", "name, id or serial number, also of a host that has left"),
      tenant: opt("<tenant>", "name or organization"),
      site: opt("<site>", "name of a site"),
      sku: opt("<sku>", "name of a SKU"),
      instance: opt("<instance>", "name or id"),
      standing: choice("<standing>", "what was proven", standings),
      since: since("made since then: 2h, 7d or 2026-11-22T08:00"),
      until: moment("made before then: 2026-11-22T08:00"),
    },
    input: ({ since: from, until, ...given }) => ({
      ...given,
      since: from?.toISOString(),
      until: until?.toISOString(),
    }),
    rows: "rows",
    columns,
    perPage: 500,
    none: "No certificates.",
    // A host that nobody knows is a typing mistake, not a host without certificates.
    before: async ({ rows, given: { host } }, { client }) => {
      if (rows.length === 0 && host !== undefined) await findHost(client, host);
    },
  }),
  command("certificates get", {
    title: contract.get.title,
    uses: ["certificates.get"],
    args: { id: arg("<id>", "certificate id from `certificates list`") },
    options: {
      to: needed(opt("<file>", "where to save it")),
      pdf: flag("a PDF to read and to print, with the bundle inside"),
      checkpoint: opt(
        "<file>",
        "a checkpoint that you kept: the bundle proves that the log still begins with it",
      ),
    },
    run: async ({ ask, client, printer, surroundings }, { id, to, pdf, checkpoint }) => {
      if (pdf === true) {
        if (checkpoint !== undefined)
          throw new CommandError("usage", "A PDF has no proof for --checkpoint: use only one of the two.");
        await writeLogFile(".", to, await readPdf(ask, id));
      } else {
        const keptSize =
          checkpoint === undefined ? undefined : await checkpointSize(checkpoint, surroundings);
        const { bundle } = await client.certificates.get.query({ id, keptSize });
        await writeLogFile(".", to, `${bundle}\n`);
      }
      printer.say(`Saved to ${to}. \`reclaim verify ${to}\` checks it, without any server.`);
    },
  }),
  command("verify", {
    title:
      "checks a certificate, as a bundle or a PDF, or a pack of them, without network or database, and says what it proves",
    shape: listOf(record({ what: z.string(), why: z.string() })),
    signedIn: false,
    args: { file: arg("<file>", "a file from `certificates get` or `proof pack`; - for stdin") },
    options: {
      ...trustOptions,
      checkpoint: opt("<file>", "a checkpoint that you kept: proves that the log was not rewritten since"),
    },
    run: async ({ printer, surroundings }, { file, checkpoint, ...asked }) => {
      const named: Policy = await readTrust(asked, surroundings);
      const kept = await readTrustFile(surroundings);
      const policy = named.logs.length > 0 ? named : { ...named, logs: kept };
      if (await isPackFile(file)) {
        if (checkpoint !== undefined)
          throw new CommandError(
            "usage",
            "A pack has no proof for --checkpoint: check single certificates with it.",
          );
        return tell(packResult(await verifyPackFile(file, policy)), printer);
      }
      const before =
        checkpoint === undefined ? null : await readText("kept checkpoint", checkpoint, surroundings);
      const given = await readBytes("certificate", file, surroundings);
      tell(certificateResult(await verifyFile(given, policy, before, printer)), printer);
    },
  }),
];
