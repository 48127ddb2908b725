// The calls of `/boot/token` and `/agent/v1`, one method each (docs/design/agent.md#protocol).
import {
  bootTokenAnswer,
  commandAnswer,
  progressAnswer,
  registerAnswer,
  type Command,
  type DiscoveryBody,
  type DrivesBody,
  type LogsBody,
  type PollBody,
  type ProgressBody,
  type RegisterAnswer,
  type RegisterBody,
  type ResultBody,
  type ValidationBody,
} from "@/server/domain/agents/protocol";
import {
  activationAnswer,
  identityAnswer,
  quoteAnswer,
  wantedAnswer,
  type WantedAnswer,
  type ActivationAnswer,
  type ActivationBody,
  type IdentityAnswer,
  type IdentityBody,
  type QuoteAnswer,
  type QuoteBody,
} from "@/server/domain/attestation/protocol";
import { callTimeoutMs, pollTimeoutMs } from "@/server/domain/agents/signs-of-life";
import { call, type Reply } from "@/agent/protocol/call";
import type { Surroundings } from "@/agent/surroundings";

const valueOf = <Value>(reply: Reply<Value>): Value | null => (reply.kind === "answer" ? reply.value : null);

export class Server {
  #session: string | null = null;

  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The token of this boot window; refused if no window is open for this host. */
  bootToken(uuid: string, mac: string): Promise<Reply<{ bootToken: string }>> {
    const path = `/boot/token?uuid=${encodeURIComponent(uuid)}&mac=${encodeURIComponent(mac)}`;
    return call(
      this.#around,
      { method: "GET", path, token: null, timeoutMs: callTimeoutMs, signal: this.#around.signal },
      bootTokenAnswer,
      { bootToken: "" },
    );
  }

  async register(bootToken: string, body: RegisterBody): Promise<Reply<RegisterAnswer>> {
    const request = {
      method: "POST",
      path: "/agent/v1/register",
      token: bootToken,
      body: JSON.stringify(body),
      timeoutMs: callTimeoutMs,
      signal: this.#around.signal,
    } as const;
    const reply = await call<RegisterAnswer>(this.#around, request, registerAnswer, {
      sessionToken: "",
      bootEpoch: 1,
      heartbeatMs: 1,
      command: { kind: "none" },
    });
    if (reply.kind === "answer") this.#session = reply.value.sessionToken;
    return reply;
  }

  /** Throws Stopped when `signal` fires. */
  async poll(body: PollBody, signal: AbortSignal): Promise<Command> {
    const reply = await this.#post(
      "poll",
      body,
      commandAnswer,
      { command: { kind: "none" } },
      pollTimeoutMs,
      signal,
    );
    return this.#commandOf("poll", reply);
  }

  async progress(stepRunId: string, body: ProgressBody): Promise<Reply<{ abort: boolean }>> {
    return this.#post(`step-runs/${stepRunId}/progress`, body, progressAnswer, { abort: false });
  }

  /** Returns the next command if the server knows it. A refused result is also over, because repeating it would change nothing. */
  async result(stepRunId: string, body: ResultBody): Promise<Command> {
    const path = `step-runs/${stepRunId}/result`;
    return this.#commandOf(
      "result",
      await this.#post(path, body, commandAnswer, { command: { kind: "none" } }),
    );
  }

  async drives(body: DrivesBody): Promise<Command> {
    return this.#commandOf(
      "drives",
      await this.#post("drives", body, commandAnswer, { command: { kind: "none" } }),
    );
  }

  async discovery(body: DiscoveryBody): Promise<Command> {
    return this.#commandOf(
      "discovery",
      await this.#post("discovery", body, commandAnswer, { command: { kind: "none" } }),
    );
  }

  async validation(body: ValidationBody): Promise<Command> {
    return this.#commandOf(
      "validation",
      await this.#post("validation", body, commandAnswer, { command: { kind: "none" } }),
    );
  }

  async logs(body: LogsBody): Promise<void> {
    await this.#post("logs", body, null, null);
  }

  /** Whether the TPM should prove its identity. A server of a release that does not know the call refuses it, and wants nothing. */
  async wantsIdentity(): Promise<WantedAnswer> {
    const nothing = { identity: false };
    return valueOf(await this.#post("attestation/wanted", {}, wantedAnswer, nothing)) ?? nothing;
  }

  /** Null: the server refused. */
  async identity(body: IdentityBody): Promise<IdentityAnswer | null> {
    const nothing = { credential: null, message: "" };
    return valueOf(await this.#post("attestation/identity", body, identityAnswer, nothing));
  }

  /** Null: the server refused. */
  async activation(body: ActivationBody): Promise<ActivationAnswer | null> {
    const nothing = { activated: false, message: "" };
    return valueOf(await this.#post("attestation/activation", body, activationAnswer, nothing));
  }

  /** Says in the log that the server refused. */
  async quote(body: QuoteBody): Promise<QuoteAnswer | null> {
    const nothing = { accepted: false, message: "" };
    const reply = await this.#post("attestation/quote", body, quoteAnswer, nothing);
    if (reply.kind === "refused")
      this.#around.log("warn", `the quote was refused: ${reply.status} ${reply.text}`);
    return valueOf(reply);
  }

  #post<Value>(
    name: string,
    body: unknown,
    schema: Parameters<typeof call<Value>>[2],
    nothing: Value,
    timeoutMs = callTimeoutMs,
    signal = this.#around.signal,
  ): Promise<Reply<Value>> {
    return call(
      this.#around,
      {
        method: "POST",
        path: `/agent/v1/${name}`,
        token: this.#session,
        body: JSON.stringify(body),
        timeoutMs,
        signal,
      },
      schema,
      nothing,
    );
  }

  #commandOf(name: string, reply: Reply<{ command: Command }>): Command {
    if (reply.kind === "answer") return reply.value.command;
    this.#around.log("error", `${name} was refused: ${reply.status} ${reply.text}`);
    return { kind: "none" };
  }
}
