// The one Redfish client for all vendors: sessions, limits, versions and errors. The files beside it hold the details.
import type { LookupFunction } from "node:net";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import { isObject } from "@/server/domain/json";
import { readCertificate } from "@/server/hardware/http/certificate";
import { ForbiddenPeer, singleHeader, type Answered } from "@/server/hardware/http/exchange";
import type { BmcTarget, CallOptions, HardwareResult } from "@/server/hardware/interfaces";
import { isInUse } from "@/server/hardware/redfish/client/accesses";
import { Bmcs, credentialDigest, type Access, type Bmc } from "@/server/hardware/redfish/client/bmcs";
import {
  answeredError,
  contentError,
  failure,
  parseJson,
  type Failed,
  type RedfishRequest,
} from "@/server/hardware/redfish/client/errors";
import { Sender, type Call, type Sent } from "@/server/hardware/redfish/client/sender";
import { otherHost } from "@/server/hardware/redfish/client/identity";
import {
  settingsOf,
  type RedfishOptions,
  type RedfishSettings,
} from "@/server/hardware/redfish/client/settings";
import { readHeaders, SignIn, type RootRead } from "@/server/hardware/redfish/client/sign-in";

/** A successful answer. */
export interface RedfishAnswer {
  readonly status: number;
  /** The parsed JSON; undefined if there is none. */
  readonly body: unknown;
  readonly etag: string | null;
  /** The BMC's own time; null: it sends none, or it is no time. ISO. */
  readonly bmcTime: string | null;
  /** Path of a task, job or new resource; null if the BMC does not name one. */
  readonly location: string | null;
}

export type Replied = { readonly ok: true; readonly answer: RedfishAnswer } | Failed;

/**
 * Speaks Redfish with any number of BMCs. `timeoutMs` of the call options is the limit of a whole call with all its
 * requests. Methods reject only with what a permit or the session store throws, and then send nothing more.
 */
export class RedfishClient {
  readonly settings: RedfishSettings;
  readonly #bmcs: Bmcs;
  readonly #sender: Sender;
  readonly #signIn: SignIn;
  readonly #kept = new WeakMap<Call, Map<string, Promise<Replied>>>();
  readonly #keptRoots = new WeakMap<Call, Promise<RootRead>>();

  constructor(options: RedfishOptions) {
    this.settings = settingsOf(options);
    this.#bmcs = new Bmcs(this.settings);
    this.#sender = new Sender(this.settings, this.#bmcs);
    this.#signIn = new SignIn(this.#sender, this.settings.sessions);
  }

  /** Begins a call; refused if the BMC's address may not be used. */
  begin(target: BmcTarget, options: CallOptions): { readonly ok: true; readonly call: Call } | Failed {
    const at = this.#bmcs.at(target);
    if (at.ok && options.retryCredential === true) {
      at.bmc.refused.delete(credentialDigest(target));
      if (options.background === true) at.bmc.refusedInBackground.delete(credentialDigest(target));
    }
    return at.ok ? { ok: true, call: this.#callOf(target, at.bmc, options) } : at;
  }

  /** Where a BMC is, and a lookup that finds only addresses that may be used; refused if its address may not be. */
  place(
    target: BmcTarget,
  ): { readonly ok: true; readonly url: URL; readonly lookup: LookupFunction } | Failed {
    const at = this.#bmcs.at(target);
    return at.ok ? { ok: true, url: new URL(at.bmc.origin), lookup: this.#bmcs.lookup(at.bmc) } : at;
  }

  /** The certificate that the BMC shows, read before anything is sent; null: its address is http. */
  async certificate(
    target: BmcTarget,
    options: CallOptions,
  ): Promise<HardwareResult<SeenCertificate | null>> {
    const at = this.place(target);
    if (!at.ok) return at;
    const { url, lookup } = at;
    if (url.protocol === "http:") return { ok: true, value: null };
    const timeoutMs = Math.min(options.timeoutMs, this.settings.limits.readTimeoutMs);
    try {
      return {
        ok: true,
        value: await readCertificate({
          url,
          lookup,
          timeoutMs,
          authorities: target.trust?.authorities ?? null,
        }),
      };
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const kind = error instanceof ForbiddenPeer ? "refused" : "unreachable";
      return failure(kind, `the BMC's certificate could not be read: ${words}`);
    }
  }

  #callOf(target: BmcTarget, bmc: Bmc, options: CallOptions): Call {
    const beganAt = this.settings.now();
    const credential = credentialDigest(target);
    return { target, bmc, credential, options, beganAt, endsAt: beganAt + options.timeoutMs };
  }

  /** Whether a waiting call may continue. Extends it if its caller allows that; `whole`: to its whole limit from now. */
  prolong(call: Call, whole = false): Promise<boolean> {
    return this.#sender.prolong(call, whole);
  }

  remainingMs(call: Call): number {
    return this.#sender.remainingMs(call);
  }

  /** Reads the service root, and finds the collection of sessions. */
  serviceRoot(call: Call): Promise<RootRead> {
    if (!this.#kept.has(call)) return this.#readRoot(call);
    const root = this.#keptRoots.get(call) ?? this.#readRoot(call);
    this.#keptRoots.set(call, root);
    return root;
  }

  async #readRoot(call: Call): Promise<RootRead> {
    const found = await this.#signIn.serviceRoot(call);
    if (found.ok) await this.#signIn.findSessions(call, found.root);
    return found;
  }

  /** Reads a resource. Content that is not a JSON object is an error. */
  get(call: Call, path: string): Promise<Replied> {
    const kept = this.#kept.get(call);
    if (kept === undefined) return this.#read(call, path);
    const reply = kept.get(path) ?? this.#read(call, path);
    kept.set(path, reply);
    return reply;
  }

  /** The same of what changes while it is waited for, such as a task: also read again in a call that keeps answers. */
  getNow(call: Call, path: string): Promise<Replied> {
    return this.#read(call, path);
  }

  /** For a call that changes nothing and reads one picture of a BMC: from here on no path is read twice. */
  keepAnswers(call: Call): void {
    this.#kept.set(call, new Map());
  }

  /** Sends an action that changes nothing, such as a component's signed measurements. It is repeated like a read if its answer is lost. */
  async ask(call: Call, path: string, body: Readonly<Record<string, unknown>>): Promise<Replied> {
    const request: RedfishRequest = {
      method: "POST",
      path,
      headers: { ...readHeaders, "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose: "read",
    };
    const sent = await this.#authorised(call, request);
    return sent.ok ? reply(request, sent.answer) : sent;
  }

  async #read(call: Call, path: string): Promise<Replied> {
    const request: RedfishRequest = {
      method: "GET",
      path,
      headers: readHeaders,
      body: null,
      purpose: "read",
    };
    const sent = await this.#authorised(call, request);
    if (!sent.ok) return sent;
    const replied = reply(request, sent.answer);
    return replied.ok && !isObject(replied.answer.body)
      ? contentError(request, replied.answer.status, "its content is not a JSON object")
      : replied;
  }

  /** Sends an action or a change once. Success means that the BMC accepted it, not that it did it. */
  async change(
    call: Call,
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: Readonly<Record<string, unknown>> | null,
    version: string | null = null,
  ): Promise<Replied> {
    const other = await otherHost(this, call);
    // safety: bmc: the machine behind the address before anything is changed
    if (other !== null) return other;
    const headers = {
      ...readHeaders,
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...(version === null ? {} : { "if-match": version }),
    };
    const request: RedfishRequest = {
      method,
      path,
      headers,
      body: body === null ? null : JSON.stringify(body),
      purpose: "change",
    };
    const sent = await this.#authorised(call, request);
    return sent.ok ? reply(request, sent.answer) : sent;
  }

  /** Ends the sessions of hosts that are gone, except those that also serve another host. Best effort: the BMC's answer is ignored. */
  async endSessions(hostIds: ReadonlySet<string>): Promise<void> {
    const endings: Promise<void>[] = [];
    for (const bmc of this.#bmcs.all())
      for (const access of [...bmc.accesses.values()])
        for (const hostId of [...access.hosts].filter((id) => hostIds.has(id)))
          endings.push(this.#signIn.leave(this.#farewell(bmc, hostId), access));
    await Promise.all(endings);
  }

  /** A call for a host whose credential and trust are no longer known: it uses the open connection and only the token. */
  #farewell(bmc: Bmc, hostId: string): Call {
    const target = { hostId, address: bmc.origin, username: "", password: "", links: null, powerState: null };
    return this.#callOf({ ...target, ...bmc.lastTrust }, bmc, {
      timeoutMs: this.settings.limits.farewellTimeoutMs,
    });
  }

  /** How many BMCs have open connections, for metrics. */
  get openPools(): number {
    return this.#bmcs.openPools;
  }

  /** Closes all connections. Sessions stay open, for the next process to take over and delete. */
  close(): Promise<void> {
    return this.#bmcs.close();
  }

  async #authorised(call: Call, request: RedfishRequest): Promise<Sent> {
    for (let former: Access | undefined; ;) {
      const signed = await this.#signIn.access(call);
      if (!signed.ok) return signed;
      const sent = await this.#sender.send(call, {
        ...request,
        headers: { ...request.headers, ...authorisation(signed.access) },
      });
      if (!sent.ok) return sent;
      if (sent.answer.status !== 401) {
        if (sent.answer.status < 300) signed.access.proven = true;
        return sent;
      }
      if (former !== undefined && (await this.#isGood(call, signed.access, { former, path: request.path })))
        return sent;
      if ((await this.#signIn.rejected(call, signed.access)) === "stop" || former !== undefined) return sent;
      former = signed.access;
    }
  }

  /**
   * After two sessions were refused at one path: whether the newer one works at the host's system. If it does, the credential is fine and the
   * path is forbidden; some BMCs answer 401 for that. The `former` session was fine too, and is deleted.
   */
  async #isGood(
    call: Call,
    access: Access,
    { former, path }: { readonly former: Access; readonly path: string },
  ): Promise<boolean> {
    const system = call.target.links?.system;
    if (system === undefined || system === path || access.kind !== "token") return false;
    const headers = { ...readHeaders, ...authorisation(access) };
    const sent = await this.#sender.send(call, {
      method: "GET",
      path: system,
      headers,
      body: null,
      purpose: "read",
    });
    if (!sent.ok || sent.answer.status >= 300) return false;
    access.proven = true;
    if (former.kind === "token" && former.uri !== null && !isInUse(call.bmc, former.uri))
      await this.#signIn.delete(call, access.token, former.uri);
    return true;
  }
}

/** Parses the body only when it is read: some BMCs answer a change with the whole resource, which is rarely needed. */
class ParsedWhenRead implements RedfishAnswer {
  readonly status: number;
  readonly etag: string | null;
  readonly bmcTime: string | null;
  readonly location: string | null;
  readonly #text: string;
  #parsed: { readonly body: unknown } | null = null;

  constructor({ status, headers, text }: Answered) {
    this.status = status;
    this.etag = singleHeader(headers, "etag");
    const date = Date.parse(singleHeader(headers, "date") ?? "");
    this.bmcTime = Number.isNaN(date) ? null : new Date(date).toISOString();
    this.location = singleHeader(headers, "location");
    this.#text = text;
  }

  get body(): unknown {
    this.#parsed ??= { body: this.#text === "" ? undefined : parseJson(this.#text) };
    return this.#parsed.body;
  }
}

function authorisation(access: Access): Readonly<Record<string, string>> {
  return access.kind === "token" ? { "x-auth-token": access.token } : { authorization: access.header };
}

function reply(request: RedfishRequest, answer: Answered): Replied {
  if (answer.status < 200 || answer.status >= 300) return answeredError(request, answer);
  return { ok: true, answer: new ParsedWhenRead(answer) };
}

/** The part of a client that reads resources. */
export type Reads = Pick<RedfishClient, "get" | "serviceRoot" | "settings">;
