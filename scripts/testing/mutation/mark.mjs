// The syntax of a safety check's mark: `safety: <name>`, then optionally a word in parentheses or `→ <replacement>`
// (docs/adr/0036-safety-checks-are-marked.md).

/**
 * @typedef {object} Mark
 * @property {string} name unique in the repository
 * @property {string | undefined} word one of `words`
 * @property {string | undefined} value source text that replaces the marked expression
 * @property {boolean} isReplaced `value` is explicit text, not that of a word
 */

/** What a word in parentheses replaces the marked expression with. */
const words = {
  always: "true",
  never: "false",
  true: "true",
  false: "false",
  null: "null",
  undefined: "undefined",
  empty: "[]",
  zero: "0",
};

/** @param {string} text @returns {text is keyof typeof words} */
const isWord = (text) => Object.hasOwn(words, text);

/**
 * @param {string} text what follows `safety: `
 * @returns {Mark}
 * @throws if it has no name
 */
export function parseMark(text) {
  const [, said = "", replacement] = /^(.*?)(?: → (.*))?$/.exec(text.trim()) ?? [];
  const word = / \((\w+)\)$/.exec(said)?.[1];
  const isKnown = word !== undefined && isWord(word);
  const name = isKnown ? said.slice(0, -word.length - 3) : said;
  if (name === "") throw new Error(`a safety check has no name: ${text}`);
  return {
    name,
    word,
    value: replacement ?? (isKnown ? words[word] : undefined),
    isReplaced: replacement !== undefined,
  };
}
