// Makes a pack: the index, whose digest goes into the audit log with who made it, then every certificate with its proof under one checkpoint. Streamed, one
// certificate at a time in memory (docs/adr/0125-proof-desk.md).
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { z } from "zod";
import type { proofSelection } from "@/server/contract/assurance/proof";
import { writeAudit } from "@/server/db/audit";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import type { PublicKey } from "@/server/db/audit-log/keys";
import { readProof } from "@/server/db/audit-log/log-rows";
import { poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { formatNote } from "@/server/domain/audit-log/note";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { inclusionRanges } from "@/server/domain/audit-log/proofs";
import { formatProof, parseProof } from "@/server/domain/audit-log/tlog-proof";
import { bundleForm } from "@/server/domain/assurance/certificates/bundle";
import { certificatePdf, checkAddress } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import { standingText } from "@/server/domain/assurance/standing";
import { returnKindText } from "@/server/domain/assurance/proof/kinds";
import { monthText } from "@/server/domain/assurance/proof/month";
import { indexCsv, indexText } from "@/server/domain/assurance/proof/pack/index-form";
import type { IndexReturn, PackIndex } from "@/server/domain/assurance/proof/pack/index-form";
import { certificateFile, packFiles, readmeText } from "@/server/domain/assurance/proof/pack/layout";
import { archiveEnd, memberBytes } from "@/server/domain/assurance/proof/pack/tar";
import { packAction } from "@/server/domain/assurance/proof/pack/verify-pack";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readIndexRows } from "@/server/usecases/assurance/proof/pack/index-rows";
import { selectionOf } from "@/server/usecases/assurance/proof/search-returns";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type PackRequest = {
  readonly [Name in keyof typeof proofSelection]?: z.output<(typeof proofSelection)[Name]>;
};

export interface Pack {
  readonly fileName: string;
  readonly certificates: number;
  /** The archive. Reading it to its end takes about a tenth of a second for each PDF. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** "Tenant Acme, October 2026 UTC". */
function selectionText(asked: PackRequest, tenant: string | null): string {
  const parts = [
    asked.text === undefined || asked.text === "" ? null : `“${asked.text}”`,
    tenant === null ? null : `tenant ${tenant}`,
    asked.month === undefined ? null : `returned in ${monthText(asked.month)}`,
    asked.site === undefined ? null : `site ${asked.site}`,
    asked.sku === undefined ? null : `SKU ${asked.sku}`,
    asked.standing === undefined ? null : standingText[asked.standing].toLowerCase(),
    asked.kind === undefined ? null : returnKindText[asked.kind].toLowerCase(),
    asked.exception === undefined ? null : asked.exception ? "with an exception" : "without an exception",
  ].filter((part) => part !== null);
  const text = parts.length === 0 ? "all returns" : parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const fileNameOf = ({ tenant, month, site }: PackRequest, org: string | null): string =>
  `${[org ?? tenant, month, site]
    .flatMap((part) =>
      part === undefined || part === null ? [] : part.replace(/[^\w.-]+/g, "-").slice(0, 40),
    )
    .concat("proof")
    .slice(0, 3)
    .join("-")}.pack.tar`;

/** The key of each day: a key is in use until the next one is made. */
function keysText(keys: readonly PublicKey[]): string {
  const oldest = [...keys].reverse();
  return oldest
    .map(({ key, createdAt }, place) => {
      const until = oldest[place + 1]?.createdAt.toISOString() ?? "now";
      return `# in use from ${createdAt.toISOString()} until ${until}\n${key}\n`;
    })
    .join("");
}

interface Making {
  readonly actor: Actor;
  readonly request: Request;
  readonly index: PackIndex;
  readonly certificates: number;
  /** Whose returns only; null: all tenants'. */
  readonly tenantId: string | null;
}

/** Writes who made the pack, and the digest of its index, into the audit log. Returns the event's id. */
async function recordMaking(
  database: Database,
  { actor, request, index, certificates, tenantId }: Making,
): Promise<string> {
  const eventId = randomUUID();
  await writeAudit(database, {
    id: eventId,
    actor: { kind: actor.kind, id: actor.kind === "local" ? null : actor.personId, name: actor.name },
    action: packAction,
    targetId: tenantId ?? "all",
    tenantId,
    requestId: request.requestId,
    address: request.address,
    outcome: "done",
    before: null,
    after: {
      index: Buffer.from(sha256(utf8(indexText(index)))).toString("hex"),
      selection: index.selection,
      ...{ returns: index.returns.length, certificates, pdf: index.pdf },
    },
  });
  return eventId;
}

/** The log numbers and signs an event within about two seconds. */
const patienceMs = 20_000;
const pauseMs = 250;

type Made = NonNullable<Awaited<ReturnType<typeof proofOfMaking>>>;

/** The pack's event with its proof, and the checkpoint that the proof ends in; null: not signed in time. */
async function proofOfMaking({ database, auditPolicy }: Backend, eventId: string) {
  const end = Date.now() + patienceMs;
  for (;;) {
    const made = await readEventProof(poolOf(database), eventId, auditPolicy);
    if (made !== null) {
      const checkpoint = parseProof(made.proof)?.checkpoint;
      return checkpoint === undefined
        ? null
        : { ...made, checkpoint: { note: formatNote(checkpoint.note), size: checkpoint.size } };
    }
    if (Date.now() > end) return null;
    await sleep(pauseMs);
  }
}

/** The bundle with its proof under the pack's checkpoint. */
async function freshBundle(
  pool: Pool,
  text: string,
  seq: number,
  checkpoint: { readonly size: number; readonly note: string },
): Promise<string> {
  const { consistency: _other, ...bundle } = bundleForm.parse(JSON.parse(text));
  const hashes = await readProof(pool, inclusionRanges(seq, checkpoint.size));
  return JSON.stringify({ ...bundle, proof: formatProof(seq, hashes, checkpoint.note) });
}

async function readBundle(
  database: Database,
  id: string,
): Promise<{ readonly bundle: string; readonly seq: string }> {
  const [row] = await queryRows(
    database,
    sql<{ bundle: string; seq: string }>`
    SELECT k.bundle, l.seq::text FROM certificate k JOIN audit_leaf l ON l.event_id = k.event_id WHERE k.id = ${id}::uuid AND k.bundle IS NOT NULL`,
  );
  if (row === undefined) throw new Error(`certificate ${id} is in the index and has no bundle`);
  return row;
}

async function* certificatePieces(
  { database, publicUrl }: Backend,
  { returns, pdf }: PackIndex,
  checkpoint: { readonly size: number; readonly note: string },
): AsyncGenerator<Uint8Array> {
  const certified = returns.flatMap(({ certificate }: IndexReturn) => certificate ?? []);
  for (const { id, number } of certified) {
    const { bundle, seq } = await readBundle(database, id);
    const fresh = await freshBundle(poolOf(database), bundle, Number(seq), checkpoint);
    yield memberBytes({ name: certificateFile(number, "json"), bytes: utf8(fresh) });
    if (!pdf) continue;
    const startedAt = Date.now();
    const address = checkAddress(publicUrl ?? "", id);
    const made = address === null ? null : await certificatePdf(fresh, address);
    // A stream that breaks is refused as cut off; one without the file would look complete.
    if (made === null) throw new Error(`the PDF of certificate ${id} cannot be made`);
    yield memberBytes({ name: certificateFile(number, "pdf"), bytes: made });
    // Drawing blocks this process, so others get as much of it as this pack.
    await sleep(Date.now() - startedAt);
  }
}

async function* packPieces(
  backend: Backend,
  index: PackIndex,
  keys: readonly PublicKey[],
  { entry, proof, checkpoint }: Made,
): AsyncGenerator<Uint8Array> {
  const head = [
    [packFiles.readme, readmeText(index)],
    [packFiles.index, indexText(index)],
    [packFiles.csv, indexCsv(index)],
    [packFiles.made, JSON.stringify({ entry, proof })],
    [packFiles.keys, keysText(keys)],
    [packFiles.checkpoint, checkpoint.note],
  ] as const;
  for (const [name, content] of head) yield memberBytes({ name, bytes: utf8(content) });
  yield* certificatePieces(backend, index, checkpoint);
  yield archiveEnd;
}

/** @param pdf with a PDF of each certificate */
export async function makePack(
  backend: Backend,
  actor: Actor,
  request: Request,
  { pdf, ...asked }: PackRequest & { readonly pdf: boolean },
): Promise<Outcome<Pack>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const { database, publicUrl } = backend;
  if (pdf && checkAddress(publicUrl ?? "", randomUUID()) === null)
    return refused(
      "notAllowedNow",
      "The public address (RECLAIM_BASE_URL) cannot be written into a PDF. Make the pack without PDFs.",
    );
  const selection = await selectionOf(database, scope.value, { ...asked, text: asked.text ?? "" });
  if (!selection.ok) return selection;
  const rows = await readIndexRows(database, scope.value, selection.value);
  if (!rows.ok) return rows;
  const keys = await readPublicKeys(database);
  const [newest] = keys;
  if (newest === undefined)
    return refused("notAllowedNow", "The audit log has no key yet. Retry in a few seconds.");
  const tenantId = scope.value.kind === "tenant" ? scope.value.tenantId : selection.value.tenantId;
  const tenant =
    tenantId === null
      ? null
      : await database.tenant.findUnique({ where: { id: tenantId }, select: { name: true, org: true } });
  const index: PackIndex = {
    format: "urn:reclaim:proof-pack:1",
    log: newest.origin,
    selection: selectionText(asked, tenant?.name ?? null),
    selectedAt: new Date().toISOString(),
    pdf,
    returns: [...rows.value],
  };
  const certificates = rows.value.filter(({ certificate }) => certificate !== null).length;
  const eventId = await recordMaking(database, { actor, request, index, certificates, tenantId });
  const made = await proofOfMaking(backend, eventId);
  if (made === null)
    return refused(
      "notAllowedNow",
      "The audit log has not signed this pack yet. Check that the controller runs, and retry.",
    );
  return done({
    fileName: fileNameOf(asked, tenant?.org ?? null),
    certificates,
    pieces: packPieces(backend, index, keys, made),
  });
}
