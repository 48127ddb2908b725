// The people of the living demo: they use HTTP and their tokens, like any client.
import { readFileSync } from "node:fs";
import { request } from "undici";
import { z } from "zod";

const login = z.object({
  role: z.string(),
  org: z.string(),
  email: z.string(),
  password: z.string(),
  token: z.string(),
});
const logins = z.array(login);
type Login = z.infer<typeof login>;
const answered = z.object({ result: z.object({ data: z.object({ json: z.unknown() }) }) });
const refused = z.object({
  error: z.object({ json: z.object({ message: z.string(), data: z.object({ httpStatus: z.int() }) }) }),
});

/** The server refused. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const timeoutMs = 10_000;

/** Throws Refused, and what the network throws. */
export interface Person {
  /** Calls a reading procedure of the console; null: it takes no input. */
  read<Schema extends z.ZodType>(
    name: string,
    input: object | null,
    schema: Schema,
  ): Promise<z.output<Schema>>;
  act(name: string, input: object): Promise<void>;
}

class TokenHolder implements Person {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async read<Schema extends z.ZodType>(
    name: string,
    input: object,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const asked = input === null ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
    return schema.parse(await this.#ask("GET", `/api/trpc/${name}${asked}`));
  }

  async act(name: string, input: object): Promise<void> {
    await this.#ask("POST", `/api/trpc/${name}`, { json: input });
  }

  async #ask(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const answer = await request(`${this.#url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const value: unknown = await answer.body.json();
    const good = answered.safeParse(value);
    if (good.success) return good.data.result.data.json;
    const bad = refused.safeParse(value);
    throw new Refused(
      answer.statusCode,
      bad.success ? bad.data.error.json.message : `status ${answer.statusCode}`,
    );
  }
}

export interface People {
  readonly operator: Person;
  /** By organisation. */
  readonly tenantAdmin: (org: string) => Person | null;
  readonly repairTenantAdmin: (org: string) => Person | null;
}

/** The file of demo logins; empty if it does not exist. */
export function readLogins(file: string): readonly Login[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return logins.parse(JSON.parse(text));
}

/** From the file of demo logins; null if it does not exist or names no operator. */
export function readPeople(file: string, url: string): People | null {
  const known = readLogins(file);
  const find = (role: string, org?: string): Person | null => {
    const found = known.find((each) => each.role === role && (org === undefined || each.org === org));
    return found === undefined ? null : new TokenHolder(url, found.token);
  };
  const operator = find("operator");
  return operator === null
    ? null
    : {
        operator,
        tenantAdmin: (org) => find("tenant-admin", org),
        repairTenantAdmin: (org) => find("repair-tenant-admin", org),
      };
}
