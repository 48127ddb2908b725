// The command API of Ironic's agent (ironic_python_agent/api/app.py), with limits on time and size: what answers is a foreign program.
import { Agent, request } from "undici";
import { z } from "zod";
import { guestCommand, guestCommands, type GuestCommand } from "@/server/domain/agents/ironic/wire";

const connectMs = 5_000;
const readMs = 10_000;
/** Of a command that it carries out before it answers: asking the hardware what it is takes a while. */
const syncMs = 60_000;
const mostBytes = 1024 * 1024;

/** It answered that it does not do what was asked for: nothing was begun. */
export class GuestRefusal extends Error {
  override readonly name = "GuestRefusal";
}

/** What a foreign program says may repeat the address that it was asked at, and with it the token of the boot. */
export const withoutToken = (text: string, token: string): string =>
  /* safety: guest: no answer shows the token of the boot → text */ text.replaceAll(token, "(token)");

/** It answered with an error of its own: whether it began is not known. */
export class GuestFault extends Error {
  override readonly name = "GuestFault";
}

const fault = z.object({ faultstring: z.string() });

/** An error of its API in its words. */
function faultWords(text: string): string {
  try {
    return fault.parse(JSON.parse(text)).faultstring;
  } catch {
    return text;
  }
}

export interface GuestAddress {
  readonly callbackUrl: string;
  /** The only certificate that is believed there. */
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

  /** All commands since it started, the newest last. */
  async commands(signal: AbortSignal): Promise<readonly GuestCommand[]> {
    const text = await this.#call("GET", "/v1/commands/", null, readMs, signal);
    return guestCommands.parse(JSON.parse(text)).commands;
  }

  /** Asks for something that it answers at once. */
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

  /** Begins a command and does not wait for it. */
  async start(name: string, params: object, signal: AbortSignal): Promise<GuestCommand> {
    return guestCommand.parse(
      JSON.parse(await this.#call("POST", "/v1/commands/", { name, params }, readMs, signal)),
    );
  }

  /** Throws GuestRefusal where it answered, anything else where it is not known whether it was reached. */
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
      if (size > mostBytes) throw new Error(`it answered more than ${mostBytes} bytes`);
      parts.push(bytes);
    }
    const text = withoutToken(Buffer.concat(parts).toString("utf8"), this.#address.token);
    if (answer.statusCode === 200) return text;
    // Once more: an answer may have it in an escape of JSON.
    const words = withoutToken(faultWords(text), this.#address.token);
    const said = `it answered ${answer.statusCode}: ${words.slice(0, 500)}`;
    // An error of its own may come after it began.
    throw answer.statusCode >= 400 && answer.statusCode < 500 ? new GuestRefusal(said) : new GuestFault(said);
  }
}
