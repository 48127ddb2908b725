// Pages and sections of the docs, and words of the glossary, by what was typed.
import GithubSlugger from "github-slugger";
import type { FoundPlace } from "@/server/contract/fleet/search-answers";
import { isTyped } from "@/server/domain/console/typed";
import { docAddress, glossary, headingsOf, wordAnchor, wordsOf } from "@/server/domain/help/docs";
import { perProcess } from "@/server/process/process-state";
import { readDocsForPeople } from "@/server/usecases/help/read-doc";

const most = 5;

async function readEntries(): Promise<readonly FoundPlace[]> {
  const docs = await readDocsForPeople();
  return docs.flatMap(({ page, text }) => {
    const slugger = new GithubSlugger();
    const [title, ...sections] = headingsOf(text).map(({ words }) => ({
      words,
      anchor: slugger.slug(words),
    }));
    const about = `Help: ${title?.words ?? page}`;
    const entry = (words: string, anchor?: string): FoundPlace => ({
      path: docAddress(page, anchor),
      words,
      about,
    });
    return [
      ...(page === glossary ? wordsOf(text).map((word) => entry(word, wordAnchor(word))) : []),
      { ...entry(title?.words ?? page), about: "Help" },
      ...sections.map(({ words, anchor }) => entry(words, anchor)),
    ];
  });
}

/** The docs do not change while a process runs; a read that failed is tried again. */
export const helpRead = perProcess("helpEntries", (): { entries?: readonly FoundPlace[] } => ({}));

/** What is called exactly so comes first, then words of the glossary, pages and sections. */
export async function findHelp(text: string): Promise<readonly FoundPlace[]> {
  const entries = (helpRead().entries ??= await readEntries());
  const found = entries.filter(({ words }) => isTyped(text, words));
  const isSame = ({ words }: FoundPlace) => words.toLowerCase() === text.toLowerCase();
  return [...found.filter(isSame), ...found.filter((place) => !isSame(place))].slice(0, most);
}
