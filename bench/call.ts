// Calls a procedure of the system under test over HTTP, as the console does, and measures the time.
import { z } from "zod";

const answered = z.object({ result: z.object({ data: z.object({ json: z.unknown() }) }) });

/** @param token of the caller. Throws if the answer is an error. */
export async function call(
  { webUrl, token }: { readonly webUrl: string; readonly token: string },
  kind: "query" | "mutation",
  procedure: string,
  input: object,
): Promise<{ readonly value: unknown; readonly ms: number }> {
  const began = performance.now();
  const body = JSON.stringify({ json: input });
  const url = `${webUrl}/api/trpc/${procedure}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response =
    kind === "query"
      ? await fetch(`${url}?input=${encodeURIComponent(body)}`, { headers })
      : await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  const ms = performance.now() - began;
  if (!response.ok) throw new Error(`${procedure} was answered ${response.status}: ${text}`);
  return { value: answered.parse(JSON.parse(text)).result.data.json, ms };
}
