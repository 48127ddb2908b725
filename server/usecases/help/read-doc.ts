// Reads the docs that came with this version. They are the same for everybody who is signed in.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pagesAt, type DocPage } from "@/server/domain/help/docs";

/** Programs run in the checkout (scripts/supervise/child.mjs). */
const folder = () => join(process.cwd(), "docs");

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

export interface Doc {
  readonly page: DocPage;
  /** Markdown. */
  readonly text: string;
}

/** @param segments of the address below `/help`; null: there is no such page */
export async function readDoc(segments: readonly string[]): Promise<Doc | null> {
  for (const page of pagesAt(segments))
    try {
      return { page, text: await readFile(join(folder(), `${page}.md`), "utf8") };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  return null;
}

/** What a person reads who uses Reclaim: not the decisions, plans and tests of those who build it. */
export async function readDocsForPeople(): Promise<readonly Doc[]> {
  const named = await Promise.all(
    ["", "assurance"].map(async (below) =>
      (await readdir(join(folder(), below)))
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(below, name.slice(0, -".md".length))),
    ),
  );
  return Promise.all(
    named
      .flat()
      .toSorted()
      .map(async (page) => ({ page, text: await readFile(join(folder(), `${page}.md`), "utf8") })),
  );
}
