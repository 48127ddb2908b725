// What a browser shows of an address that is refused before the console sees it.
import type { IncomingMessage } from "node:http";
import { routes } from "@/server/domain/console/routes";

/** A person follows a link or types an address; programs ask for something else. Pure. */
export const wantsPage = ({
  method,
  headers,
}: {
  readonly method?: string | undefined;
  readonly headers: Pick<IncomingMessage["headers"], "accept">;
}): boolean =>
  method === "GET" && (headers.accept ?? "").split(",").some((type) => /^\s*text\/html\s*(;|$)/i.test(type));

/** Both texts are our own: nothing of the request is shown. Pure. */
export const refusalPage = ({ title, detail }: { readonly title: string; readonly detail: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
  `<style>body{font:15px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style></head>` +
  `<body><main><h1>${title}</h1><p>${detail}</p><p><a href="${routes.next()}">Open the console</a></p></main></body></html>`;
