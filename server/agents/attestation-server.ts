// The server side of the identity of TPMs: asks for keys, makes the credential that the TPM has to open, and stores what was proven
// (docs/adr/0147-tpm-identity.md). The session is that of a registered agent: nothing that comes before its registration gets here.
import type { Pool } from "pg";
import type { AgentServer } from "@/server/agents/agent-server";
import { askedBy, type Caller } from "@/server/agents/calls";
import { granted, refused, type AuditRefusal, type Outcome, type Refused } from "@/server/agents/refusal";
import {
  activateTpm,
  askAttestation,
  noteTpmProblem,
  offerTpm,
  type AttestationAskedRow,
} from "@/server/db/hot/agent/attestation";
import {
  askedQuote,
  askQuote,
  refuseQuote,
  storeQuote,
  type QuoteAskedRow,
} from "@/server/db/hot/agent/measurement";
import { findSession, type SessionRow } from "@/server/db/hot/agent/session";
import { offerCredential, secretHash, type OfferedIdentity } from "@/server/domain/attestation/identity";
import { measuredPcrs, nonceBytes } from "@/server/domain/attestation/limits";
import { verifyQuote } from "@/server/domain/attestation/measured/verify-quote";
import { readEventLog, unexplained } from "@/server/domain/attestation/measured/event-log";
import type { IdentityProblem } from "@/server/domain/attestation/verdict";
import type {
  ActivationAnswer,
  ActivationBody,
  IdentityAnswer,
  IdentityBody,
  QuoteAnswer,
  QuoteBody,
  WantedAnswer,
} from "@/server/domain/attestation/protocol";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import type { RefusalCode } from "@/server/domain/problems";
import { tpmAuthoritiesOf } from "@/server/domain/sites/authorities";

interface AttestationServerOptions {
  readonly pool: Pool;
  readonly machineUrl: string;
  readonly agents: Pick<AgentServer, "strange">;
  readonly audit: AuditRefusal;
  readonly random: (count: number) => Uint8Array;
  /** The wall clock, for the validity of certificates. */
  readonly now: () => Date;
}

const isAsked = (row: AttestationAskedRow | undefined): row is AttestationAskedRow =>
  row?.mode === "observe" || row?.mode === "required";
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const stored = (message: string): Outcome<IdentityAnswer> => granted({ credential: null, message });

interface CheckedQuote extends Omit<Extract<QuoteBody, { kind: "quote" }>, "kind" | "pcrs"> {
  readonly pcrs: PcrValues;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A text: why the quote is refused. */
function checkQuote(
  body: Extract<QuoteBody, { kind: "quote" }>,
  asked: QuoteAskedRow,
): CheckedQuote | string {
  const { message, signature, eventLog } = body;
  const claim = {
    message: Buffer.from(message, "base64"),
    signature: Buffer.from(signature, "base64"),
    pcrs: body.pcrs,
    eventLog: eventLog === null ? null : Buffer.from(eventLog, "base64"),
  };
  try {
    const request = { nonce: asked.nonce, pcrs: measuredPcrs };
    const { pcrs, ...facts } = verifyQuote(asked.attestation_key, request, claim);
    // Without a log the values are as much proven, and nobody sees what they were made of.
    const left = claim.eventLog === null ? [] : unexplained(readEventLog(claim.eventLog), pcrs);
    // safety: attestation: an event log that leads elsewhere
    if (left.length > 0)
      return `its event log does not lead to the values of ${left.length === 1 ? "register" : "registers"} ${left.join(", ")}`;
    return { message, signature, pcrs, eventLog, facts };
  } catch (error) {
    if (error instanceof TpmFault) return error.message;
    throw error;
  }
}

export class AttestationServer {
  readonly #options: AttestationServerOptions;

  constructor(options: AttestationServerOptions) {
    this.#options = options;
  }

  async wanted(caller: Caller): Promise<Outcome<WantedAnswer>> {
    const session = await this.#session(caller);
    if ("ok" in session) return session;
    const asked = await this.#asked(session);
    const identity = isAsked(asked);
    return granted({
      identity,
      ...(identity && asked.mode === "required" ? { clearLocked: asked.cleaning } : {}),
    });
  }

  /** Answers with the credential for the keys, or stores why there is none. */
  async identity(caller: Caller, body: IdentityBody): Promise<Outcome<IdentityAnswer>> {
    const session = await this.#session(caller);
    if ("ok" in session) return session;
    const asked = await this.#asked(session);
    if (!isAsked(asked)) return refused("notAsked");
    if (body.kind === "none") return this.#noteProblem(session, body.why, body.message);
    const offered = this.#offer(body, asked);
    return typeof offered === "string"
      ? this.#noteProblem(session, "refused", offered)
      : this.#store(session, offered);
  }

  /** Compares what the TPM read with the secret of its credential. */
  async activation(caller: Caller, body: ActivationBody): Promise<Outcome<ActivationAnswer>> {
    const session = await this.#session(caller);
    if ("ok" in session) return session;
    const asked = await this.#asked(session);
    if (asked === undefined) return refused("attestationOver");
    const { host_id: hostId, boot_epoch: bootEpoch } = session;
    const hash = secretHash(Buffer.from(body.secret, "base64")).toString("hex");
    const [row] = await activateTpm(this.#options.pool, hostId, bootEpoch, hash);
    if (row === undefined) {
      await this.#tell(caller, session, null, "credentialWrong", {});
      return refused("credentialWrong");
    }
    const { key_digest: keyDigest, accepted_digest: acceptedDigest, tenant_id: tenantId } = row;
    const quote = isAsked(asked) ? await this.#askQuote(session) : null;
    if (keyDigest === acceptedDigest) return granted({ activated: true, message: "proven", quote });
    const facts = { keyDigest, acceptedDigest };
    await this.#tell(caller, session, tenantId, "endorsementKeyChanged", facts);
    return granted({ activated: true, message: "proven, and another key counts as this host's", quote });
  }

  /** Checks what the TPM signed in this boot, and judges it by the site's bundles. */
  async quote(caller: Caller, body: QuoteBody): Promise<Outcome<QuoteAnswer>> {
    const session = await this.#session(caller);
    if ("ok" in session) return session;
    const { host_id: hostId, boot_epoch: bootEpoch } = session;
    const { pool } = this.#options;
    const [asked] = await askedQuote(pool, hostId, bootEpoch);
    if (asked === undefined) return refused("notAsked");
    const checked =
      body.kind === "none" ? `the agent sent no quote: ${body.message}` : checkQuote(body, asked);
    if (typeof checked === "string") {
      const [noted] = await refuseQuote(pool, hostId, bootEpoch, checked);
      if (noted === undefined) return refused("attestationOver");
      if (body.kind === "quote") await this.#tell(caller, session, null, "quoteWrong", { problem: checked });
      return granted({ accepted: false, message: checked });
    }
    const [stored] = await storeQuote(
      pool,
      hostId,
      bootEpoch,
      asked.nonce.toString("hex"),
      checked.message,
      checked.signature,
      JSON.stringify(checked.pcrs),
      checked.eventLog,
      JSON.stringify(checked.facts),
    );
    return stored === undefined
      ? refused("attestationOver")
      : granted({ accepted: true, message: stored.state });
  }

  async #askQuote({
    host_id: hostId,
    boot_epoch: bootEpoch,
  }: SessionRow): Promise<ActivationAnswer["quote"]> {
    const nonce = Buffer.from(this.#options.random(nonceBytes));
    const [asked] = await askQuote(this.#options.pool, hostId, bootEpoch, nonce.toString("hex"));
    return asked === undefined ? null : { nonce: base64(nonce), pcrs: measuredPcrs };
  }

  async #session(caller: Caller): Promise<SessionRow | Refused> {
    const { pool, machineUrl, agents } = this.#options;
    const session = await findSession(pool, askedBy(caller, machineUrl));
    if (session === undefined) return (await agents.strange(caller)) ?? refused("unauthorized");
    caller.note({ hostId: session.host_id, reclamationId: null });
    return session;
  }

  async #asked(session: SessionRow): Promise<AttestationAskedRow | undefined> {
    const [row] = await askAttestation(this.#options.pool, session.host_id, session.boot_epoch);
    return row;
  }

  /** A text: why the keys are refused. */
  #offer(
    body: Extract<IdentityBody, { kind: "keys" }>,
    { authorities }: AttestationAskedRow,
  ): OfferedIdentity | string {
    const { now, random } = this.#options;
    try {
      return offerCredential(body, tpmAuthoritiesOf(authorities), now().getTime(), random);
    } catch (error) {
      if (error instanceof TpmFault) return error.message;
      throw error;
    }
  }

  async #store(session: SessionRow, offered: OfferedIdentity): Promise<Outcome<IdentityAnswer>> {
    const { certificate, verdict, credential } = offered;
    const [row] = await offerTpm(
      this.#options.pool,
      session.host_id,
      session.boot_epoch,
      base64(offered.endorsementKey),
      offered.keyDigest,
      certificate === null ? null : base64(certificate),
      verdict === null ? null : JSON.stringify(verdict),
      base64(offered.attestationKey),
      offered.secretHash.toString("hex"),
    );
    if (row === undefined) return refused("attestationOver");
    return granted({
      credential: { blob: base64(credential.blob), secret: base64(credential.secret) },
      message: "open the credential",
    });
  }

  async #noteProblem(
    { host_id: hostId, boot_epoch: bootEpoch }: SessionRow,
    kind: IdentityProblem,
    problem: string,
  ): Promise<Outcome<IdentityAnswer>> {
    const [row] = await noteTpmProblem(this.#options.pool, hostId, bootEpoch, kind, problem);
    return row === undefined ? refused("attestationOver") : stored(problem);
  }

  async #tell(
    caller: Caller,
    { host_id: hostId, boot_epoch: bootEpoch }: SessionRow,
    tenantId: string | null,
    code: RefusalCode,
    facts: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#options.audit({
      action: "agent.attestation",
      code,
      actor: { kind: "agent", id: `${hostId}/${bootEpoch}` },
      hostId,
      tenantId,
      requestId: caller.requestId,
      address: caller.address,
      facts,
    });
  }
}
