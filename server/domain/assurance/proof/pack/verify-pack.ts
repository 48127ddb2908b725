// Verifies a pack as a whole, without network or database: the index by its entry in the log, every certificate, and that all are under one checkpoint.
import { z } from "zod";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { isAsWritten, parseEntry } from "@/server/domain/audit-log/entry";
import { parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import type { Policy } from "@/server/domain/audit-log/policy";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";
import { bundleForm } from "@/server/domain/assurance/certificates/bundle";
import { isWhole } from "@/server/domain/assurance/certificates/statement";
import type { AnyStatement } from "@/server/domain/assurance/certificates/statement";
import { verifyPdf } from "@/server/domain/assurance/certificates/pdf/verify-pdf";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import { worseOf } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { indexCsv, packIndex } from "@/server/domain/assurance/proof/pack/index-form";
import type { IndexReturn, PackIndex } from "@/server/domain/assurance/proof/pack/index-form";
import { filesOf, maxBytesOf, packFiles, readmeText } from "@/server/domain/assurance/proof/pack/layout";
import { bestStanding } from "@/server/domain/assurance/proof/pack/stated-standing";
import { readMembers, TarFault } from "@/server/domain/assurance/proof/pack/tar";
import type { Member } from "@/server/domain/assurance/proof/pack/tar";

/** Action of the audit event of a pack. */
export const packAction = "proof.pack";

export interface PackFault {
  /** A file of the pack, or `archive`. */
  readonly what: string;
  readonly why: string;
}

export interface VerifiedPack {
  readonly faults: readonly PackFault[];
  readonly index: PackIndex | null;
  /** Certificates that hold, by what they state. */
  readonly held: Readonly<Record<Standing, number>>;
  readonly certificates: number;
  readonly madeBy: string | null;
  readonly madeAt: string | null;
  readonly size: number;
  /** Null: no key is trusted. */
  readonly signer: VerifierKey | null;
}

class PackError extends Error {
  constructor(
    readonly what: string,
    why: string,
  ) {
    super(why);
  }
}

const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const hexOf = (bytes: Uint8Array): string => Buffer.from(sha256(bytes)).toString("hex");

const madeForm = z.strictObject({ entry: z.string().max(65_535), proof: z.string().max(300_000) });
const madeFacts = z.object({ index: z.string() });

function parseJson<T>(form: z.ZodType<T>, { name, bytes }: Member): T {
  let value: unknown;
  try {
    value = JSON.parse(utf8(bytes));
  } catch {
    throw new PackError(name, "it is not JSON");
  }
  const parsed = form.safeParse(value);
  if (!parsed.success) throw new PackError(name, "it is not of a known form");
  return parsed.data;
}

/** What the statement and the index say of the same return. */
function disagreement(row: IndexReturn, said: AnyStatement): string | null {
  const { predicate } = said;
  const whole = isWhole(said) ? said.predicate : null;
  const id = whole === null ? null : whole.reclamation.id;
  const serial = "host" in predicate ? predicate.host.serial : predicate.machine.serial;
  const certificate = "receipt" in predicate ? predicate.receipt.id : predicate.certificate.id;
  const drives = predicate.devices.map((device) => device.serial);
  if (certificate !== row.certificate?.id) return "the index names another certificate";
  if ((id !== null && id !== row.id) || serial !== row.serial)
    return "the index says another return or host of it";
  if (drives.some((drive) => !row.drives.includes(drive))) return "the index names other drives";
  const best = bestStanding(said);
  if (worseOf(row.standing, best) !== row.standing)
    return `the index says ${row.standing}, and the certificate ${best}`;
  return null;
}

class Verifier {
  readonly faults: PackFault[] = [];
  readonly held: Record<Standing, number> = {
    ...{ proven: 0, provenWithExceptions: 0, notSanitized: 0, notProven: 0, notChecked: 0 },
  };
  certificates = 0;
  madeBy: string | null = null;
  madeAt: string | null = null;
  size = 0;
  signer: VerifierKey | null = null;
  #checkpoint: string | null = null;

  constructor(readonly policy: Policy) {}

  #fault(what: string, why: string): void {
    this.faults.push({ what, why });
  }

  /** The entry of the log that says which index it is. */
  async #made(made: Member, index: Member): Promise<void> {
    const { entry, proof } = parseJson(madeForm, made);
    const bytes = Buffer.from(entry, "utf8");
    const event = parseEntry(bytes);
    const checked = await checkProof(bytes, proof, this.policy);
    for (const why of checked.faults) this.#fault(made.name, why);
    const facts = madeFacts.safeParse(event?.after);
    if (
      event === null ||
      event.action !== packAction ||
      event.outcome !== "done" ||
      isAsWritten(event) === false
    )
      this.#fault(made.name, "it is not the entry of a pack");
    // safety: pack: the index is the one in the log
    if (facts.data?.index !== hexOf(index.bytes))
      this.#fault(
        index.name,
        "it is not the index that the log has of this pack: a return was changed, added or left out",
      );
    this.#checkpoint = parseProof(proof)?.checkpoint.note.text ?? null;
    this.madeBy = event?.actorName ?? null;
    this.madeAt = event?.at ?? null;
    this.size = checked.size;
    this.signer = checked.signer;
  }

  #keys({ name, bytes }: Member): void {
    const lines = utf8(bytes)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const keys = lines.map(parseKey);
    if (keys.includes(null)) this.#fault(name, "a line of it is not a key");
    else if (this.signer !== null && !keys.some((key) => key?.id === this.signer?.id))
      this.#fault(name, `it lacks the key ${this.signer.id}, which signed the checkpoint`);
  }

  async head(members: Readonly<Record<keyof typeof packFiles, Member>>): Promise<PackIndex> {
    const index = parseJson(packIndex, members.index);
    await this.#made(members.made, members.index);
    const note = parseCheckpoint(utf8(members.checkpoint.bytes));
    if (note === null || note.note.text !== this.#checkpoint)
      this.#fault(members.checkpoint.name, `it is not the checkpoint that ${packFiles.made} is proven by`);
    this.#keys(members.keys);
    if (indexCsv(index) !== utf8(members.csv.bytes))
      this.#fault(members.csv.name, `it is not the table of ${packFiles.index}`);
    if (readmeText(index) !== utf8(members.readme.bytes))
      this.#fault(members.readme.name, `it is not what belongs to ${packFiles.index}`);
    return index;
  }

  /** Returns the text of the bundle, for its PDF. */
  async certificate(row: IndexReturn, { name, bytes }: Member): Promise<string> {
    const text = utf8(bytes);
    const verified = await verifyBundle(text, this.policy, null);
    const before = this.faults.length;
    for (const { what, why } of verified.faults) this.#fault(name, `${what}: ${why}`);
    if (verified.statement !== null) {
      if (verified.digest !== row.certificate?.sha256)
        this.#fault(name, "it is not the one that the index names");
      const why = disagreement(row, verified.statement);
      if (why !== null) this.#fault(name, why);
      const bundle = bundleForm.safeParse(JSON.parse(text)).data;
      if (bundle === undefined || parseProof(bundle.proof)?.checkpoint.note.text !== this.#checkpoint)
        this.#fault(name, "it is not proven by the checkpoint of the pack");
    }
    this.certificates += 1;
    if (this.faults.length === before) this.held[row.standing] += 1;
    return text;
  }

  async pdf(bundle: string, { name, bytes }: Member): Promise<void> {
    const verified = await verifyPdf(bytes, this.policy, null);
    for (const { what, why } of verified.faults) this.#fault(name, `${what}: ${why}`);
    if (verified.bundle !== bundle) this.#fault(name, "the certificate in it is not the one beside it");
  }
}

/** The files must come in the only order that a pack has, so none can be missing, added or doubled. */
async function nextNamed(members: AsyncGenerator<Member>, name: string): Promise<Member> {
  const next = await members.next();
  // safety: pack: no file is missing
  if (next.done === true) throw new PackError(name, "it is missing");
  // safety: pack: no file is added, doubled or in place of another
  if (next.value.name !== name) throw new PackError(name, `${next.value.name} is in its place`);
  return next.value;
}

async function verifyMembers(verifier: Verifier, members: AsyncGenerator<Member>): Promise<PackIndex> {
  const readme = await nextNamed(members, packFiles.readme);
  const index = await nextNamed(members, packFiles.index);
  const csv = await nextNamed(members, packFiles.csv);
  const made = await nextNamed(members, packFiles.made);
  const keys = await nextNamed(members, packFiles.keys);
  const checkpoint = await nextNamed(members, packFiles.checkpoint);
  const read = await verifier.head({ readme, index, csv, made, keys, checkpoint });
  for (const row of read.returns) {
    let bundle = "";
    for (const name of filesOf(row, read.pdf)) {
      const member = await nextNamed(members, name);
      if (name.endsWith(".pdf")) await verifier.pdf(bundle, member);
      else bundle = await verifier.certificate(row, member);
    }
  }
  const more = await members.next();
  if (more.done !== true) throw new PackError(more.value.name, "the index does not name it");
  return read;
}

/** @param pieces the archive's bytes, of which one file at a time is kept in memory */
export async function verifyPack(pieces: AsyncIterable<Uint8Array>, policy: Policy): Promise<VerifiedPack> {
  const verifier = new Verifier(policy);
  let index: PackIndex | null = null;
  try {
    index = await verifyMembers(verifier, readMembers(pieces, maxBytesOf));
  } catch (error) {
    if (error instanceof TarFault) verifier.faults.push({ what: "archive", why: error.message });
    else if (error instanceof PackError) verifier.faults.push({ what: error.what, why: error.message });
    else throw error;
  }
  const { faults, held, certificates, madeBy, madeAt, size, signer } = verifier;
  return { faults, index, held, certificates, madeBy, madeAt, size, signer };
}
