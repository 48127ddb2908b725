// Reads what was typed into the palette: which of its words name an act or a list, and which name the thing.

/** Words that say nothing about which act, list or thing is meant. */
const filler: ReadonlySet<string> = new Set([
  "a",
  "all",
  "for",
  "host",
  "hosts",
  "of",
  "on",
  "the",
  "to",
  "with",
]);

/** A shorter beginning of a word fits nearly every act. */
const fewest = 3;

const split = (text: string): readonly string[] =>
  text.split(/\s+/).filter((word) => word !== "" && !filler.has(word.toLowerCase()));

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Whether a word of `text` begins with what was typed. */
const names = (text: readonly string[], typed: string): boolean =>
  typed.length >= fewest && text.some((word) => word.startsWith(typed.toLowerCase()));

export interface TypedAct {
  /** How many typed words name the act. */
  readonly score: number;
  /** The words that name something else: the thing to act on. Empty: none was typed. */
  readonly target: string;
}

/** The typed text as an act that is called `words`; null if no word names it. Pure. */
export function typedAct(text: string, words: string): TypedAct | null {
  const own = wordsOf(words);
  const typed = split(text);
  const others = typed.filter((word) => !names(own, word));
  return others.length === typed.length
    ? null
    : { score: typed.length - others.length, target: others.join(" ") };
}

/** Whether each typed word begins a word of `words`; false if nothing but filler was typed. Pure. */
export function isTyped(text: string, words: string): boolean {
  const own = wordsOf(words);
  const typed = split(text);
  return typed.length > 0 && typed.every((word) => names(own, word));
}
