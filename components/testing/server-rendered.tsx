// Renders pages as the server program does, with the answers of a real server, and returns what people read of them.
import { createTRPCClient, httpLink } from "@trpc/client";
import { text } from "node:stream/consumers";
import type { ReactNode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import superjson from "superjson";
import { ConsoleProviders } from "@/components/testing/console-providers";
import { makeQueryClient } from "@/components/trpc/query-client";
import type { AppRouter } from "@/server/surfaces/trpc/types";

interface Place {
  readonly url: string;
  readonly token: string;
  readonly path: string;
  readonly search?: string;
}

/** Elements within a sentence; all others separate what stands beside each other. */
const inline = /<\/?(a|b|i|em|strong|span|code|time|button|wbr|u|small)\b[^>]*>|<!--.*?-->/g;
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};
const plain = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (one) => entities[one] ?? one);

/** The text of a page, and each tooltip and label on a line of its own. */
function readable(html: string): string {
  const labels = [...html.matchAll(/ (?:title|aria-label|alt|placeholder)="([^"]*)"/g)].map(
    ([, label = ""]) => label,
  );
  const body = html
    // The choices of a filter say nothing of a host.
    .replaceAll(/<(style|script|template|option)\b.*?<\/\1>/gs, "")
    .replaceAll(inline, " ")
    .split(/<[^>]*>/)
    .map((words) => words.replaceAll(/\s+/g, " ").trim())
    .filter((words) => words !== "")
    .join("  ");
  return plain([body, ...labels].join("\n  "));
}

/** What a person with the token reads. Whatever the page asks for is read from the server before it is rendered once more. */
export async function pageText(page: ReactNode, { url, token, path, search = "" }: Place): Promise<string> {
  const queryClient = makeQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity } });
  const trpcClient = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/api/trpc`,
        transformer: superjson,
        headers: { authorization: `Bearer ${token}` },
      }),
    ],
  });
  const me = await trpcClient.session.me.query();
  const around = { me, path, search, nowMs: Date.now(), queryClient, trpcClient };
  const content = <ConsoleProviders {...around}>{page}</ConsoleProviders>;
  const render = async () => readable(await text((await prerenderToNodeStream(content)).prelude));
  await render();
  const asked = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === "pending" });
  await Promise.allSettled(asked.map((query) => query.fetch()));
  return render();
}
