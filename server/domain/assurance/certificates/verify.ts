// Verifies a certificate's bundle: signature, event, inclusion, checkpoint, and that the statement is consistent. Works without network or database, in Node
// and in browsers (docs/assurance/certificates.md#check-a-certificate).
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Standing } from "@/server/domain/assurance/standing";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { verifySignature } from "@/server/domain/audit-log/crypto/verify-signature";
import { isAsWritten, parseEntry } from "@/server/domain/audit-log/entry";
import { fromBase64, parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import type { Policy } from "@/server/domain/audit-log/policy";
import { isConsistent } from "@/server/domain/audit-log/proofs";
import { parseHash, parseProof } from "@/server/domain/audit-log/tlog-proof";
import { bundleForm, issueAction, signedBytes } from "@/server/domain/assurance/certificates/bundle";
import type { Bundle } from "@/server/domain/assurance/certificates/bundle";
import { exceptionFault } from "@/server/domain/assurance/certificates/exceptions";
import { claimFault, readAs } from "@/server/domain/assurance/certificates/supported";
import { anyStatement, isWhole } from "@/server/domain/assurance/certificates/statement";
import type {
  AnyStatement,
  CertificateType,
  StatedType,
} from "@/server/domain/assurance/certificates/statement";

/** Which part of a bundle is wrong. */
export type CertificateFault = {
  readonly what: "pdf" | "bundle" | "statement" | "signature" | "key" | "event" | "proof" | "checkpoint";
  readonly why: string;
};

export interface VerifiedCertificate {
  /** Empty: nothing is wrong. */
  readonly faults: readonly CertificateFault[];
  readonly statement: AnyStatement | null;
  /** As it is to be read: never better than what its gates and drives support. */
  readonly type: StatedType | null;
  readonly standing: Standing | null;
  /** Who signed; null: no trusted key was given, or the signature does not verify. */
  readonly signer: VerifierKey | null;
  /** Number of the event in the log. */
  readonly index: number;
  readonly size: number;
  readonly witnesses: readonly string[];
  /** SHA-256 of the statement. */
  readonly digest: string | null;
}

const nothing = {
  statement: null,
  type: null,
  standing: null,
  signer: null,
  index: 0,
  size: 0,
  witnesses: [],
  digest: null,
} as const;

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Only a demo site lets a host pass gates that are not implemented. */
function unbuilt(
  type: CertificateType,
  gates: readonly { readonly gate: string; readonly status: string }[],
): readonly string[] {
  const open = gates.find(({ status }) => status === "not implemented");
  // safety: certificate: a gate that is not implemented is of a demo only
  if (open !== undefined && (type === "certificate" || type === "withExceptions"))
    return [`it is of the type ${type}, and the gate ${open.gate} is not implemented`];
  return [];
}

/** Contradictions within the statement. */
function contradictions(said: AnyStatement): readonly string[] {
  const claim = claimFault(said);
  const claims = claim === null ? [] : [claim];
  if (!isWhole(said)) return [...unbuilt(said.predicate.certificate.type, said.predicate.gates), ...claims];
  const { certificate, devices, gates, reclamation, missing, exceptions, policy } = said.predicate;
  const wrong: string[] = [...unbuilt(certificate.type, gates), ...claims];
  const ready = reclamation.outcome === "ready";
  if (ready === (certificate.type === "nonConformance"))
    wrong.push(`it is of the type ${certificate.type}, and the reclamation ended as ${reclamation.outcome}`);
  const unsatisfied = gates.find(({ status }) => status === "unsatisfied");
  if (ready && unsatisfied !== undefined) wrong.push(`the gate ${unsatisfied.gate} is unsatisfied`);
  const excepted = gates.some(({ status }) => status === "excepted") || exceptions.length > 0;
  if (ready && policy.demo !== (certificate.type === "demo"))
    wrong.push("its type does not say whether its site is a demo");
  if (
    ready &&
    !policy.demo &&
    !("standing" in certificate) &&
    excepted !== (certificate.type === "withExceptions")
  )
    wrong.push("its type does not say what its gates say of exceptions");
  const fault = ready ? exceptionFault(said.predicate) : null;
  // safety: certificate: its exceptions are its gates'
  if (fault !== null) wrong.push(fault);
  const sanitized = gates.some(({ gate, status }) => gate === "storageSanitized" && status === "satisfied");
  // safety: certificate: a drive counts by its gate
  if (!ready && !sanitized && devices.some(({ result }) => result === "sanitized"))
    wrong.push("a drive is sanitized, and the gate storageSanitized is not satisfied");
  const open = devices.find(({ result }) => result === "not sanitized");
  if (ready && sanitized && open !== undefined) wrong.push(`drive ${open.serial} has no result`);
  if (ready && sanitized && missing.length > 0) wrong.push("a drive is missing");
  const measured = gates.some(({ gate, status }) => gate === "attestationPassed" && status === "satisfied");
  // safety: certificate: a measured boot counts by its gate
  if (said.predicate.agentIdentity === "measured boot" && !measured)
    wrong.push("its agent is identified by a measured boot, and the gate attestationPassed is not satisfied");
  const claimed = devices.find(({ result, technique }) => result === "sanitized" && technique === null);
  if (claimed !== undefined) wrong.push(`drive ${claimed.serial} is sanitized by no technique`);
  if (said.subject.length !== devices.length + 1) wrong.push("its subjects are not its host and its drives");
  return wrong;
}

const issued = z.object({ certificate: z.string(), sha256: z.string() });

/** A well-formed bundle, with nothing in it verified yet. */
export interface OpenedBundle {
  readonly bundle: Bundle;
  readonly payload: Uint8Array;
  readonly statement: AnyStatement;
}

/** Parses a bundle, or says why it is malformed. */
export function openBundle(text: string): OpenedBundle | CertificateFault {
  const parsed = bundleForm.safeParse(json(text));
  if (!parsed.success)
    return { what: "bundle", why: `it is not a bundle of a certificate: ${z.prettifyError(parsed.error)}` };
  const payload = fromBase64(parsed.data.envelope.payload);
  if (payload === null) return { what: "bundle", why: "the statement in it is not base64" };
  const written = Buffer.from(payload).toString("utf8");
  const value = json(written);
  const said = anyStatement.safeParse(value);
  if (!said.success)
    return { what: "statement", why: `it is not of a known form: ${z.prettifyError(said.error)}` };
  if (canonicalize(value) !== written)
    return { what: "statement", why: "it is not written in canonical JSON" };
  return { bundle: parsed.data, payload, statement: said.data };
}

async function signatureFaults(
  { bundle, payload }: OpenedBundle,
  key: VerifierKey | null,
  { logs }: Policy,
): Promise<readonly CertificateFault[]> {
  if (key?.type !== "ed25519") return [{ what: "key", why: "it is not a key that signs certificates" }];
  const [signature] = bundle.envelope.signatures;
  const bytes = fromBase64(signature?.sig ?? "");
  const faults: CertificateFault[] = [];
  // safety: certificate: signed by a trusted key
  if (logs.length > 0 && !logs.some(({ name, id }) => name === key.name && id === key.id))
    faults.push({ what: "key", why: `${key.name}, ${key.id}, is none of the keys that you trust` });
  if (signature?.keyid !== `${key.name}+${key.id}`)
    faults.push({ what: "signature", why: "it names another key than the bundle" });
  const good =
    bytes === null ? false : await verifySignature("Ed25519", key.raw, signedBytes(payload), bytes);
  // safety: certificate: the signature is of the statement
  if (good !== true)
    faults.push({
      what: "signature",
      why: good === null ? "this browser cannot check Ed25519" : "it is not of this statement",
    });
  return faults;
}

function eventFaults({ bundle, statement }: OpenedBundle, digest: string): readonly CertificateFault[] {
  const entry = parseEntry(Buffer.from(bundle.entry, "utf8"));
  if (entry === null) return [{ what: "event", why: "it is not an event of the audit log" }];
  if (isAsWritten(entry) === false)
    return [{ what: "event", why: "its body was changed before it was numbered" }];
  const facts = issued.safeParse(entry.after);
  const id = isWhole(statement) ? statement.predicate.certificate.id : statement.predicate.receipt.id;
  // safety: certificate: the event is of this statement
  return entry.action === issueAction &&
    entry.outcome === "done" &&
    facts.success &&
    facts.data.sha256 === digest &&
    facts.data.certificate === id
    ? []
    : [{ what: "event", why: "the log has another statement in its place" }];
}

/** Whether the log of the proof extends the checkpoint that somebody kept. */
async function keptFaults(
  { bundle }: OpenedBundle,
  kept: string,
  { logs }: Policy,
): Promise<readonly CertificateFault[]> {
  const before = parseCheckpoint(kept);
  const now = parseProof(bundle.proof)?.checkpoint;
  const fault = (why: string): readonly CertificateFault[] => [{ what: "checkpoint", why }];
  if (before === null) return fault("the one that you kept is not a checkpoint");
  if (now === undefined) return [];
  if (before.origin !== now.origin) return fault(`the one that you kept is of ${before.origin}`);
  if (logs.length > 0 && !(await signerOf(before, logs)).ok)
    return fault("the one that you kept is signed by no key that you trust");
  const hashes = (bundle.consistency?.hashes ?? []).flatMap((hash) => parseHash(hash) ?? []);
  const same = before.size === now.size;
  if (!same && bundle.consistency?.size !== before.size)
    return fault(
      `the bundle says nothing of the log of ${before.size} events that you kept: get it again with --checkpoint`,
    );
  // safety: certificate: the log begins with what was kept (always)
  return isConsistent(before, now, same ? [] : hashes)
    ? []
    : fault("the log was rewritten since the one that you kept");
}

/**
 * @param text the bundle
 * @param policy the trusted keys and the required quorum of witnesses; without keys the signer stays unknown
 * @param kept a checkpoint that somebody kept
 */
export async function verifyBundle(
  text: string,
  policy: Policy,
  kept: string | null,
): Promise<VerifiedCertificate> {
  const opened = openBundle(text);
  if ("what" in opened) return { ...nothing, faults: [opened] };
  const { bundle, payload, statement } = opened;
  const digest = hex(sha256(payload));
  const key = parseKey(bundle.key);
  const proof = await checkProof(Buffer.from(bundle.entry, "utf8"), bundle.proof, policy);
  const signature = await signatureFaults(opened, key, policy);
  const faults: CertificateFault[] = [
    ...contradictions(statement).map((why) => ({ what: "statement" as const, why })),
    ...signature,
    ...eventFaults(opened, digest),
    ...proof.faults.map((why) => ({
      what: why.startsWith("the checkpoint") ? ("checkpoint" as const) : ("proof" as const),
      why,
    })),
    ...(kept === null ? [] : await keptFaults(opened, kept, policy)),
  ];
  if (proof.origin !== null && key !== null && proof.origin !== key.name)
    faults.push({ what: "checkpoint", why: `it is of ${proof.origin}, and the key is of ${key.name}` });
  return {
    faults,
    statement,
    ...readAs(statement),
    signer: signature.length === 0 && policy.logs.length > 0 ? key : null,
    index: proof.index,
    size: proof.size,
    witnesses: proof.witnesses,
    digest,
  };
}
