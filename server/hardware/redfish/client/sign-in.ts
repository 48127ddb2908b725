// Signing in: with a session if the BMC has a session service, otherwise with basic authentication. One refusal ends it (docs/design/hardware.md#redfish).
import { z } from "zod";
import { Slots } from "@/server/hardware/http/slots";
import { singleHeader, type Answered } from "@/server/hardware/http/exchange";
import { isInUse, leaveOthers } from "@/server/hardware/redfish/client/accesses";
import type { Access } from "@/server/hardware/redfish/client/bmcs";
import {
  answeredError,
  contentError,
  failure,
  outOfTime,
  parseJson,
  type Failed,
  type RedfishRequest,
} from "@/server/hardware/redfish/client/errors";
import { expandOf, protocolFeatures } from "@/server/hardware/redfish/resources/expand";
import { link, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import type { Call, Sender } from "@/server/hardware/redfish/client/sender";
import type { SessionStore, StoredSession } from "@/server/hardware/redfish/client/session-store";

/** The only path that the Redfish specification fixes (DSP0266, 6.2). */
export const serviceRootPath = "/redfish/v1/";

const serviceRoot = z.object({
  RedfishVersion: text,
  Vendor: text,
  Systems: optionalLink,
  Chassis: optionalLink,
  Managers: optionalLink,
  UpdateService: optionalLink,
  AccountService: optionalLink,
  EventService: optionalLink,
  Registries: optionalLink,
  Tasks: optionalLink,
  ComponentIntegrity: optionalLink,
  SessionService: optionalLink,
  ProtocolFeaturesSupported: protocolFeatures,
  Links: z.object({ Sessions: optionalLink }).nullish().catch(null),
});
export type ServiceRoot = z.infer<typeof serviceRoot>;

/** The content of the service root, and how the BMC expands links; an error if it is none. */
export function takeRoot(call: Call, content: unknown): RootRead {
  const root = serviceRoot.safeParse(content);
  if (!root.success) return contentError(read(serviceRootPath), 200, "it is not a Redfish service root");
  call.bmc.expand = expandOf(root.data.ProtocolFeaturesSupported);
  return { ok: true, root: root.data };
}

export type RootRead = { readonly ok: true; readonly root: ServiceRoot } | Failed;

const sessionService = z.object({ Sessions: optionalLink });

type Signed = { readonly ok: true; readonly access: Access } | Failed;

export class SignIn {
  readonly #sender: Sender;
  readonly #store: SessionStore;

  constructor(sender: Sender, store: SessionStore) {
    this.#sender = sender;
    this.#store = store;
  }

  /** The current access; signs in if there is none. A refused credential is not tried again. */
  async access(call: Call): Promise<Signed> {
    const { credential } = call;
    const known = this.#known(call, credential);
    if (known !== null) return this.#joined(call, known);
    const turn = await call.bmc.signIn.acquire(this.#sender.remainingMs(call), call.options.signal);
    if (turn === null) return notInTime(call, "while another call signs in at the BMC");
    const meanwhile = this.#known(call, credential);
    if (meanwhile === null) return this.#signInToEnd(call, credential, turn);
    call.bmc.signIn.release(turn);
    return this.#joined(call, meanwhile);
  }

  /**
   * Completes the sign-in even if its caller stops waiting. An aborted sign-in would leave a session on the BMC that nobody can delete, and
   * BMCs allow only a few. The next call uses this one.
   */
  async #signInToEnd(call: Call, credential: string, turn: number): Promise<Signed> {
    const end = new Slots(1);
    await end.acquire(0);
    const signing = this.#signIn(this.#sender.onItsOwn(call), credential).finally(() => {
      call.bmc.signIn.release(turn);
      end.release(0);
    });
    // A caller that still waits gets the error below.
    signing.catch(() => undefined);
    const waited = await end.acquire(this.#sender.remainingMs(call), call.options.signal);
    return waited === null ? notInTime(call, "while signing in at the BMC") : signing;
  }

  /**
   * Handles a 401. If the session expired, or another process of ours deleted it, sign in once more. A credential that never worked is not
   * tried again.
   */
  async rejected(call: Call, access: Access): Promise<"sign in again" | "stop"> {
    const { bmc } = call;
    if (bmc.accesses.get(access.credential) !== access) return "sign in again";
    bmc.accesses.delete(access.credential);
    // A BMC that forgot its sessions may have been restarted with different firmware.
    bmc.expand = undefined;
    if (access.kind === "token" && access.proven) {
      bmc.expiredUri = access.uri;
      return "sign in again";
    }
    if (
      access.kind === "token" &&
      access.uri !== null &&
      (await this.#replaced(access.owner, bmc.origin, access.uri))
    )
      return "sign in again";
    refused(call, access.credential);
    return "stop";
  }

  /** Reads the service root, which needs no sign-in. */
  async serviceRoot(call: Call): Promise<RootRead> {
    const request = read(serviceRootPath);
    const sent = await this.#sender.send(call, request);
    if (!sent.ok) return sent;
    if (sent.answer.status !== 200) return answeredError(request, sent.answer);
    return takeRoot(call, parseJson(sent.answer.text));
  }

  /**
   * Keeps the collection of sessions that a service root links to, or that there is none. Where only the session service names it, that takes the credential:
   * one that is refused is not sent, and what was known stays.
   */
  async findSessions(call: Call, root: ServiceRoot): Promise<void> {
    const found = await this.#sessionsPath(call, root);
    if (found !== undefined) call.bmc.sessionsPath = found;
  }

  /** Null: there is none. Undefined: the credential is refused. */
  async #sessionsPath(call: Call, root: ServiceRoot): Promise<string | null | undefined> {
    const direct = root.Links?.Sessions;
    if (direct != null) return pathOf(direct["@odata.id"]);
    const service = root.SessionService == null ? null : pathOf(root.SessionService["@odata.id"]);
    if (service === null) return null;
    if (refusalOf(call) !== null) return undefined;
    const sent = await this.#sender.send(call, {
      ...read(service),
      headers: { ...readHeaders, authorization: basic(call) },
    });
    if (sent.ok && sent.answer.status === 401) {
      if (!call.bmc.accesses.has(call.credential)) refused(call, call.credential);
      return undefined;
    }
    const parsed = sent.ok ? sessionService.safeParse(parseJson(sent.answer.text)) : null;
    return parsed?.success === true && parsed.data.Sessions != null
      ? pathOf(parsed.data.Sessions["@odata.id"])
      : null;
  }

  /** Removes the host from its session, and deletes the session, by its own token, unless another host uses it. */
  async leave(call: Call, access: Access): Promise<void> {
    access.hosts.delete(call.target.hostId);
    if (access.hosts.size > 0) return;
    const { accesses } = call.bmc;
    if (accesses.get(access.credential) === access) accesses.delete(access.credential);
    if (access.kind === "token" && access.uri !== null) await this.delete(call, access.token, access.uri);
  }

  /** Whether the host that signed in has a different session by now, or none. The process that replaced it has deleted this one. */
  async #replaced(owner: string, origin: string, uri: string): Promise<boolean> {
    const stored = await this.#store.load(owner);
    return stored === null || (stored.origin === origin && stored.uri !== uri);
  }

  /** Another host of the service signed in with the same credential, so this host's previous session is no longer needed. */
  async #joined(call: Call, signed: Signed): Promise<Signed> {
    const { hostId } = call.target;
    if (!signed.ok || signed.access.hosts.has(hostId)) return signed;
    const { access } = signed;
    access.hosts.add(hostId);
    const former = await this.#store.load(hostId);
    if (former !== null) await this.#store.delete(hostId);
    if (access.kind === "token") await this.#deleteFormer(call, access, former);
    return signed;
  }

  async #deleteFormer(
    call: Call,
    access: Access & { readonly kind: "token" },
    former: StoredSession | null,
  ): Promise<void> {
    const { bmc } = call;
    const over = new Set([
      ...leaveOthers(call, access),
      ...(former?.origin === bmc.origin ? [former.uri] : []),
    ]);
    for (const uri of over)
      if (uri !== bmc.expiredUri && !isInUse(bmc, uri)) await this.delete(call, access.token, uri);
  }

  #known(call: Call, credential: string): Signed | null {
    const stopped = (until: string): Failed => ({
      ok: false,
      error: {
        ...failure("refused", `the BMC refused this credential; no further attempt is made ${until}`).error,
        // As it was answered, so that whoever reads it knows why.
        status: 401,
      },
    });
    const refusal = refusalOf(call);
    if (refusal !== null) return stopped(refusal.until === null ? "until it is changed" : "for now");
    const access = call.bmc.accesses.get(credential);
    return access === undefined ? null : { ok: true, access };
  }

  async #signIn(call: Call, credential: string): Promise<Signed> {
    const { bmc, target } = call;
    if (bmc.sessionsPath === undefined && target.links === null) {
      const found = await this.serviceRoot(call);
      if (!found.ok) return found;
      await this.findSessions(call, found.root);
      const stopped = this.#known(call, credential);
      if (stopped?.ok === false) return stopped;
    }
    const path = bmc.sessionsPath === undefined ? (target.links?.sessions ?? null) : bmc.sessionsPath;
    return path === null ? this.#basic(call, credential) : this.#session(call, credential, path);
  }

  async #session(call: Call, credential: string, path: string): Promise<Signed> {
    const { bmc, target } = call;
    const former = await this.#store.load(target.hostId);
    const request: RedfishRequest = {
      method: "POST",
      path,
      headers: { ...readHeaders, "content-type": "application/json" },
      body: JSON.stringify({ UserName: target.username, Password: target.password }),
      purpose: "session",
      late: (answer) => void this.#deleteLate(call, answer).catch(() => undefined),
    };
    const sent = await this.#sender.send(call, request);
    if (!sent.ok) return sent;
    const { answer } = sent;
    if ([404, 405, 501].includes(answer.status)) return this.#basic(call, credential);
    if (answer.status === 401) refused(call, credential);
    if (answer.status < 200 || answer.status >= 300) return answeredError(request, answer);
    const token = singleHeader(answer.headers, "x-auth-token");
    if (token === null || token === "")
      return contentError(request, answer.status, "there is no X-Auth-Token");
    const uri = sessionUri(answer);
    const access = {
      kind: "token" as const,
      token,
      uri,
      owner: target.hostId,
      credential,
      proven: false,
      hosts: new Set([target.hostId]),
    };
    bmc.accesses.set(credential, access);
    if (uri !== null) await this.#store.save(target.hostId, { origin: bmc.origin, uri });
    await this.#deleteFormer(call, access, former);
    bmc.expiredUri = null;
    return { ok: true, access };
  }

  /** Deletes a session that opened after everybody stopped waiting: a BMC allows only a few. */
  async #deleteLate(call: Call, answer: Answered): Promise<void> {
    const token = singleHeader(answer.headers, "x-auth-token");
    const uri = sessionUri(answer);
    if (token !== null && uri !== null) await this.delete(this.#sender.onItsOwn(call), token, uri);
  }

  #basic(call: Call, credential: string): Signed {
    const { bmc, target } = call;
    bmc.sessionsPath = null;
    const access: Access = {
      kind: "basic",
      header: basic(call),
      credential,
      proven: false,
      hosts: new Set([target.hostId]),
    };
    bmc.accesses.set(credential, access);
    return { ok: true, access };
  }

  /** Deletes a session, with a token that works. Best effort: a session that is not deleted times out by itself. */
  async delete(call: Call, token: string, uri: string): Promise<void> {
    await this.#sender.send(call, {
      method: "DELETE",
      path: uri,
      headers: { ...readHeaders, "x-auth-token": token },
      body: null,
      purpose: "session",
    });
  }
}

/** A refusal may be an outage of the service that the BMC authenticates with, and nobody watches background calls: it expires, and affects no other calls. */
const backgroundPauseMs = 3_600_000;

function refused({ bmc, options, beganAt }: Call, credential: string): void {
  const { background, retryCredential } = options;
  if (background === true) bmc.refusedInBackground.set(credential, beganAt + backgroundPauseMs);
  // Whoever has it tried again counts the refusals, because BMCs lock accounts after a few: no other call sends it in between.
  if (background !== true || retryCredential === true) bmc.refused.add(credential);
}

export interface Refusal {
  /** On the settings' clock, when calls in the background send the credential again; null: once it is changed, or an operator has it tried. */
  readonly until: number | null;
}

/** Whether the call's credential was refused, so that it is not sent. */
export function refusalOf({ bmc, options, beganAt, credential }: Call): Refusal | null {
  if (bmc.refused.has(credential)) return { until: null };
  if (options.background !== true || bmc.accesses.has(credential)) return null;
  const until = bmc.refusedInBackground.get(credential);
  return until !== undefined && beganAt < until ? { until } : null;
}

const notInTime = (call: Call, doing: string): Failed =>
  call.options.signal?.aborted === true
    ? failure("failed", "stopped by the caller")
    : outOfTime(`the time limit of the call was reached ${doing}`);

export const readHeaders: Readonly<Record<string, string>> = {
  accept: "application/json",
  "odata-version": "4.0",
};

function read(path: string): RedfishRequest {
  return { method: "GET", path, headers: readHeaders, body: null, purpose: "read" };
}

function basic(call: Call): string {
  return `Basic ${Buffer.from(`${call.target.username}:${call.target.password}`, "utf8").toString("base64")}`;
}

/** The path of the new session: from Location, or from the body. */
function sessionUri(answer: Answered): string | null {
  const location = singleHeader(answer.headers, "location");
  if (location !== null) return pathOf(location);
  const body = link.safeParse(parseJson(answer.text));
  return body.success ? pathOf(body.data["@odata.id"]) : null;
}
