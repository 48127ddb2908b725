// Sends the requests of one call: within its time limit, at most two concurrent per BMC, and with the permit asked right before a change.
import { exchange, singleHeader, type Answered, type Exchange } from "@/server/hardware/http/exchange";
import type { BmcTarget, CallOptions } from "@/server/hardware/interfaces";
import type { Bmc, Bmcs } from "@/server/hardware/redfish/client/bmcs";
import {
  failure,
  lostError,
  outOfTime,
  type Failed,
  type RedfishRequest,
} from "@/server/hardware/redfish/client/errors";
import type { RedfishSettings } from "@/server/hardware/redfish/client/settings";

/** One call of an interface. All of its requests share the caller's time limit, signal and permit. */
export interface Call {
  readonly target: BmcTarget;
  readonly bmc: Bmc;
  /** The digest of the target's credential. */
  readonly credential: string;
  readonly options: CallOptions;
  /** On the settings' clock. */
  readonly beganAt: number;
  /** Moves when the call is extended. */
  endsAt: number;
}

export type Sent = { readonly ok: true; readonly answer: Answered } | Failed;

/** Statuses by which a BMC, or a proxy in front of it, says "not now". */
const notNow = new Set([429, 502, 503, 504]);

export class Sender {
  readonly #settings: RedfishSettings;
  readonly #bmcs: Bmcs;

  constructor(settings: RedfishSettings, bmcs: Bmcs) {
    this.#settings = settings;
    this.#bmcs = bmcs;
  }

  remainingMs(call: Call): number {
    return call.endsAt - this.#settings.now();
  }

  /**
   * True while the call has time left. Once no more than half of `timeoutMs` is left, its end moves to `timeoutMs` from now, unless the call is older
   * than `longestCallMs`. A call without `prolong` keeps its limit. False: the host is no longer ours, or the time is over.
   * @param whole also where more than half is left
   */
  async prolong(call: Call, whole = false): Promise<boolean> {
    const { prolong, timeoutMs } = call.options;
    const now = this.#settings.now();
    if (prolong === undefined || (!whole && call.endsAt - now > timeoutMs / 2)) return call.endsAt > now;
    if (now - call.beganAt > this.#settings.limits.longestCallMs) return call.endsAt > now;
    const held = await prolong();
    call.endsAt = held ? this.#settings.now() + timeoutMs : now;
    return held;
  }

  /** The same call without the caller's limits, for work that must finish once it has begun. */
  onItsOwn(call: Call): Call {
    const { signal: _, ...options } = call.options;
    const endsAt = this.#settings.now() + this.#settings.limits.sessionTimeoutMs;
    return { ...call, options, endsAt: Math.max(call.endsAt, endsAt) };
  }

  /** Sends a request and returns the answer, whatever its status. Reads, and the end of a session, are retried, but not after a timeout: more requests do not help a hanging BMC. */
  async send(call: Call, request: RedfishRequest): Promise<Sent> {
    if (request.purpose === "read") await this.prolong(call);
    for (const waitMs of isRepeatable(request) ? this.#settings.limits.retryWaitsMs : []) {
      const { sent, worthRetrying } = await this.#once(call, request);
      // Not before the time that the BMC names in Retry-After.
      const pauseMs = Math.max(waitMs, sent.ok ? retryAfterMs(sent.answer) : 0);
      if (!worthRetrying || this.remainingMs(call) <= pauseMs) return sent;
      await this.#settings.sleep(pauseMs, call.options.signal);
    }
    return (await this.#once(call, request)).sent;
  }

  async #once(call: Call, request: RedfishRequest): Promise<{ sent: Sent; worthRetrying: boolean }> {
    const { slots } = call.bmc;
    const slot = await slots.acquire(this.remainingMs(call), call.options.signal);
    if (slot === null) return { sent: this.#notSent(call, request), worthRetrying: false };
    call.bmc.inFlight += 1;
    try {
      const askedAt = this.#settings.now();
      const requestMs = Math.min(this.remainingMs(call), this.#limitMs(request));
      if (
        request.purpose === "change" &&
        call.options.permit !== undefined &&
        !(await call.options.permit(Math.max(0, requestMs)))
      )
        return {
          sent: failure(
            "refused",
            `${request.method} ${request.path} was not sent: the permit for it was refused`,
          ),
          worthRetrying: false,
        };
      // From before the permit, which holds the host no longer than this: a process that stood still since does not send.
      const timeoutMs = Math.min(this.remainingMs(call), requestMs - (this.#settings.now() - askedAt));
      if (timeoutMs <= 0 || call.options.signal?.aborted === true)
        return { sent: this.#notSent(call, request), worthRetrying: false };
      return conclude(request, await this.#exchange(call, request, slot, timeoutMs));
    } finally {
      call.bmc.inFlight -= 1;
      slots.release(slot);
    }
  }

  async #exchange(call: Call, request: RedfishRequest, slot: number, timeoutMs: number): Promise<Exchange> {
    const { signal } = call.options;
    const startedAt = this.#settings.now();
    const { method, path, headers, body, late } = request;
    const { maxBodyBytes, lateSessionMs } = this.#settings.limits;
    const connection = this.#bmcs.connection(call.bmc, call.target, slot);
    const heard = (answer: Answered | null): void => {
      this.#bmcs.end(connection);
      if (answer !== null) late?.(answer);
    };
    const outcome = await exchange(
      connection,
      { method, path, headers, body },
      {
        timeoutMs,
        maxBytes: maxBodyBytes,
        ...(signal === undefined ? {} : { signal }),
        ...(late === undefined ? {} : { late: { withinMs: lateSessionMs, heard } }),
      },
    );
    if (late !== undefined && outcome.kind === "lost" && outcome.cause === "timeout" && outcome.sent)
      this.#bmcs.leave(call.bmc, slot);
    this.#settings.onRequest({
      hostId: call.target.hostId,
      method,
      path,
      status: outcome.status,
      ms: this.#settings.now() - startedAt,
    });
    return outcome;
  }

  #limitMs(request: RedfishRequest): number {
    const { readTimeoutMs, sessionTimeoutMs, changeTimeoutMs } = this.#settings.limits;
    return { read: readTimeoutMs, session: sessionTimeoutMs, change: changeTimeoutMs }[request.purpose];
  }

  #notSent(call: Call, request: RedfishRequest): Failed {
    const line = `${request.method} ${request.path} was not sent`;
    return call.options.signal?.aborted === true
      ? failure("failed", `${line}: stopped by the caller`)
      : outOfTime(`${line}: the time limit of the call was reached`);
  }
}

/** Seconds only: a date would use the BMC's clock (RFC 9110, 10.2.3). */
function retryAfterMs({ headers }: Answered): number {
  const said = singleHeader(headers, "retry-after") ?? "";
  return /^\d{1,5}$/.test(said) ? Number(said) * 1_000 : 0;
}

/** A session that was deleted already is no harm, and one that stays takes one of the few that a BMC allows. */
const isRepeatable = ({ purpose, method }: RedfishRequest): boolean =>
  purpose === "read" || (purpose === "session" && method === "DELETE");

function conclude(request: RedfishRequest, outcome: Exchange): { sent: Sent; worthRetrying: boolean } {
  if (outcome.kind === "lost")
    return { sent: lostError(request, outcome), worthRetrying: outcome.cause === "connection" };
  return { sent: { ok: true, answer: outcome }, worthRetrying: notNow.has(outcome.status) };
}
