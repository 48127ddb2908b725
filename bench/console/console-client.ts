// The parts of a browser that the bench needs: signs in with the form's own requests, and calls the console's procedures.
import { readFileSync } from "node:fs";
import { z } from "zod";

const logins = z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }));
const csrf = z.object({ csrfToken: z.string() });

function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

export class ConsoleClient {
  readonly #url: string;
  readonly #cookies: string;

  private constructor(url: string, cookies: string) {
    this.#url = url;
    this.#cookies = cookies;
  }

  /** Signs in as the demo's operator. Throws if no session is created. */
  static async signIn(url: string, demoLogins: string): Promise<ConsoleClient> {
    const operator = logins
      .parse(JSON.parse(readFileSync(demoLogins, "utf8")))
      .find(({ role }) => role === "operator");
    if (operator === undefined) throw new Error("the seed has made no operator");
    const jar = new Map<string, string>();
    const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const first = await fetch(`${url}/api/auth/csrf`);
    keepCookies(jar, first);
    const { csrfToken } = csrf.parse(await first.json());
    const answer = await fetch(`${url}/api/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookies() },
      body: new URLSearchParams({
        csrfToken,
        email: operator.email,
        password: operator.password,
        callbackUrl: url,
        json: "true",
      }),
    });
    keepCookies(jar, answer);
    if (!cookies().includes("session-token="))
      throw new Error(`the operator could not sign in: ${answer.status}`);
    return new ConsoleClient(url, cookies());
  }

  /** Calls a query procedure; `input` as superjson's `json`. Returns the answer and the server's response time in ms. */
  async query(
    procedure: string,
    input: object | undefined,
  ): Promise<{ readonly ms: number; readonly json: unknown; readonly bytes: number }> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
    const began = performance.now();
    const response = await fetch(`${this.#url}/api/trpc/${procedure}${query}`, {
      headers: { cookie: this.#cookies },
    });
    const text = await response.text();
    const ms = performance.now() - began;
    if (!response.ok) throw new Error(`${procedure} answers ${response.status}: ${text.slice(0, 300)}`);
    const parsed = z
      .object({ result: z.object({ data: z.object({ json: z.unknown() }) }) })
      .parse(JSON.parse(text));
    return { ms, json: parsed.result.data.json, bytes: text.length };
  }
}
