// Client of Ironic's agent command API (ironic_python_agent/api/app.py), with limits on time and size, because the other side is a foreign program.
import { Agent, request } from "undici";
import { z } from "zod";
import { guestCommand, guestCommands, type GuestCommand } from "@/server/domain/agents/ironic/wire";

const connectMs = 5_000;
const readMs = 10_000;
/** For a command that the agent carries out before it answers: identifying the hardware takes a while. */
const syncMs = 60_000;
const maxBytes = 1024 * 1024;

/** The agent answered that it does not do what was requested; nothing was started. */
export class GuestRefusal extends Error {
  override readonly name = "GuestRefusal";
}

/** A foreign program's answer may repeat the address that it was called at, and with it the token of the boot. */
export const withoutToken = (text: string, token: string): string => text.replaceAll(token, "(token)");

/** The agent answered with an error of its own; it is unknown whether it started. */
export class GuestFault extends Error {
  override readonly name = "GuestFault";
}

const fault = z.object({ faultstring: z.string() });

/** The message of an API error. */
function formatFault(text: string): string {
  try {
    return fault.parse(JSON.parse(text)).faultstring;
  } catch {
    return text;
  }
}

export interface GuestAddress {
  readonly callbackUrl: string;
  /** The only certificate that is trusted there. */
  readonly verifyCa: string;
  readonly token: string;
}

export class GuestClient {
  readonly #address: GuestAddress;

  readonly #agent: Agent;

  constructor(address: GuestAddress) {
    this.#address = address;
    this.#agent = new Agent({
      connect: { ca: address.verifyCa, timeout: connectMs },
      connections: 2,
      maxHeaderSize: 16 * 1024,
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** All commands since the agent started, the newest last. */
  async commands(signal: AbortSignal): Promise<readonly GuestCommand[]> {
    const text = await this.#call("GET", "/v1/commands/", null, readMs, signal);
    return guestCommands.parse(JSON.parse(text)).commands;
  }

  /** Runs a command that the agent answers at once. */
  async ask<Schema extends z.ZodType>(
    name: string,
    params: object,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const text = await this.#call("POST", "/v1/commands/", { name, params }, syncMs, signal);
    const { command_status, command_result, command_error } = guestCommand.parse(JSON.parse(text));
    if (command_status !== "SUCCEEDED")
      throw new GuestRefusal(`${name}: ${command_status} ${JSON.stringify(command_error)}`.slice(0, 2000));
    return schema.parse(command_result);
  }

  /** Starts a command and does not wait for it. */
  async start(name: string, params: object, signal: AbortSignal): Promise<GuestCommand> {
    return guestCommand.parse(
      JSON.parse(await this.#call("POST", "/v1/commands/", { name, params }, readMs, signal)),
    );
  }

  /** Throws GuestRefusal if the agent refused (4xx); after any other error it is unknown whether the command started. */
  async #call(
    method: "GET" | "POST",
    path: string,
    body: object | null,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<string> {
    const url = new URL(path, this.#address.callbackUrl);
    url.searchParams.set("agent_token", this.#address.token);
    const answer = await request(url, {
      method,
      dispatcher: this.#agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { accept: "application/json", "content-type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of answer.body) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > maxBytes) throw new Error(`it answered more than ${maxBytes} bytes`);
      parts.push(bytes);
    }
    const text = withoutToken(Buffer.concat(parts).toString("utf8"), this.#address.token);
    if (answer.statusCode === 200) return text;
    // Once more: an answer may contain it in an escape of JSON.
    const words = withoutToken(formatFault(text), this.#address.token);
    const said = `it answered ${answer.statusCode}: ${words.slice(0, 500)}`;
    // The agent's own error may come after the command started.
    throw answer.statusCode >= 400 && answer.statusCode < 500 ? new GuestRefusal(said) : new GuestFault(said);
  }
}
