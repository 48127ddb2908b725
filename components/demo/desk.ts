// The demo desk: what it offers, in its own words, and sending it orders.
import { z } from "zod";
import { problemOf } from "@/components/trpc/query-client";
import { isOffline, offlineError } from "@/components/trpc/refuse-offline";

const offer = z.object({
  words: z.string(),
  switch: z
    .object({
      title: z.string(),
      words: z.string(),
      on: z.boolean(),
      /** What is wrong with it; null: nothing. */
      trouble: z.string().nullable(),
    })
    .nullable(),
  drills: z.array(z.object({ name: z.string(), title: z.string(), words: z.string() })),
});
export type DeskOffer = z.infer<typeof offer>;

const done = z.object({ words: z.string() });
const refused = z.object({ detail: z.string().optional(), error: z.string().optional() });

export type DeskOrder =
  | { readonly act: "switch"; readonly on: boolean }
  | { readonly act: "drill"; readonly drill: string; readonly host: string };

async function ask(init?: RequestInit): Promise<unknown> {
  const answer = await fetch("/api/demo", init);
  const body: unknown = await answer.json();
  if (answer.ok) return body;
  const why = refused.safeParse(body);
  throw new Error(
    (why.success ? (why.data.detail ?? why.data.error) : undefined) ?? `Status ${answer.status}`,
  );
}

export const readDesk = async (): Promise<DeskOffer> => offer.parse(await ask());

/** Returns what was done, in words. Throws with the reason if the order was refused. */
export async function orderAtDesk(order: DeskOrder): Promise<string> {
  if (isOffline()) throw new Error(problemOf(offlineError()).words);
  const body = JSON.stringify(order);
  const headers = { "content-type": "application/json" };
  return done.parse(await ask({ method: "POST", headers, body })).words;
}
