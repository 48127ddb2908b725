// The docs as pages of the console: their addresses, where their links lead, and what a search finds in them.
import { slug } from "github-slugger";
import { routes } from "@/server/domain/console/routes";

/** A page of the docs: its path below `docs/` without `.md`. A folder is its `README`. */
export type DocPage = string;

export const docsIndex: DocPage = "README";
export const glossary: DocPage = "glossary";

/** The anchor of a word in the glossary. Pure. */
export const wordAnchor = (word: string): string => `word-${slug(word)}`;

/** The address of a page. Pure. */
export const docAddress = (page: DocPage, anchor?: string): string =>
  routes.help(page.replace(/(^|\/)README$/, ""), anchor);

/** The pages that an address below `/help` may mean, in order; none for what no page can be called. Pure. */
export function pagesAt(segments: readonly string[]): readonly DocPage[] {
  if (segments.some((segment) => !/^[a-z0-9][a-z0-9-]{0,63}$/i.test(segment))) return [];
  const path = segments.join("/");
  return path === "" ? [docsIndex] : [path, `${path}/${docsIndex}`];
}

/** Where a link leads. `repository`: a file that the console does not show. */
export type DocLink =
  | { readonly kind: "help"; readonly href: string }
  | { readonly kind: "elsewhere"; readonly href: string }
  | { readonly kind: "repository"; readonly path: string };

/** @param page that has the link @param target as written there. Pure. */
export function docLink(page: DocPage, target: string): DocLink {
  if (/^[a-z]+:/i.test(target)) return { kind: "elsewhere", href: target };
  const url = new URL(target, `https://repository/docs/${page}.md`);
  const path = url.pathname.slice(1);
  const doc = /^docs\/(.+)\.md$/.exec(path)?.[1];
  if (doc === undefined) return { kind: "repository", path };
  return { kind: "help", href: docAddress(doc, url.hash === "" ? undefined : url.hash.slice(1)) };
}

/** Markdown's formatting is left out; of a link its text stays. */
const plain = (markdown: string) =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();

/** A line of a page without fenced code. */
function proseOf(text: string): readonly string[] {
  let isCode = false;
  return text.split("\n").filter((line) => {
    const isFence = /^ {0,3}(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
}

export interface DocHeading {
  /** 1 is the page's title. */
  readonly level: number;
  readonly words: string;
}

/** In the order of the page. Pure. */
export const headingsOf = (text: string): readonly DocHeading[] =>
  proseOf(text).flatMap((line) => {
    const [, marks, words] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
    return marks === undefined || words === undefined ? [] : [{ level: marks.length, words: plain(words) }];
  });

/** The words that a glossary explains: list items that begin with a bold word, which may be a link. Pure. */
export const wordsOf = (text: string): readonly string[] =>
  proseOf(text).flatMap((line) => {
    const word = /^- \[?\*\*(.+?)\*\*/.exec(line)?.[1];
    return word === undefined ? [] : [plain(word)];
  });
