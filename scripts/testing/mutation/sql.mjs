// Safety checks in SQL: `-- safety: <name>` at the end of a line that is one condition. They are found and disabled in the
// statement itself, as it is sent to PostgreSQL (docs/adr/0036-safety-checks-are-marked.md).
import { parseMark } from "./mark.mjs";

const comment = /--\s*safety: (.*)$/;

/** @param {string} sql @returns {import("./mark.mjs").Mark[]} the safety checks in it */
export const marksInSql = (sql) =>
  sql.includes("safety: ")
    ? sql
        .split("\n")
        .flatMap((line) => comment.exec(line)?.[1] ?? [])
        .map((text) => parseMark(text))
    : [];

/** @param {string} text @returns {number} how many parentheses are still open at its end, ignoring quoted text */
function openAtEnd(text) {
  let depth = 0;
  for (const character of text.replace(/--.*$/gm, "").replace(/'[^']*'/g, "")) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return depth;
  }
  return depth;
}

/** @param {string} text @returns {number} where the THEN of its own CASE begins */
function ownThen(text) {
  for (const { index } of text.matchAll(/ THEN /g)) if (openAtEnd(text.slice(0, index)) === 0) return index;
  return -1;
}

/**
 * A disabled condition keeps its text, so that parameter types can still be inferred.
 * @param {string} text lines of one condition, without the mark
 * @param {string} name
 */
function without(text, name) {
  const [, indent = "", keyword, rest = ""] = /^(\s*)(AND|OR|WHERE|ON|WHEN)\b([\s\S]*)$/.exec(text) ?? [];
  if (keyword === "AND" || keyword === "WHERE" || keyword === "ON")
    return `${indent}${keyword} ((${rest}\n) OR true)`;
  if (keyword === "OR") return `${indent}OR ((${rest}\n) AND false)`;
  const then = keyword === "WHEN" ? ownThen(rest) : -1;
  if (then >= 0) return `${indent}WHEN ((${rest.slice(0, then)}\n) AND false)${rest.slice(then)}`;
  throw new Error(
    `safety: ${name}: a marked line of SQL begins with AND, OR, WHERE, ON or WHEN ... THEN, or has a replacement`,
  );
}

/**
 * @param {string} sql a statement
 * @param {string} broken name of a safety check
 * @returns {string} the statement without it, at each place into which it was composed
 */
export function breakSql(sql, broken) {
  const lines = sql.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const said = comment.exec(lines[at] ?? "")?.[1];
    if (said === undefined || parseMark(said).name !== broken) continue;
    const { name, value } = parseMark(said);
    let condition = lines[at]?.replace(comment, "") ?? "";
    let after = at + 1;
    while (openAtEnd(condition) > 0 && after < lines.length) {
      condition += `\n${lines[after]}`;
      after += 1;
    }
    if (openAtEnd(condition) < 0)
      throw new Error(`safety: ${name}: its line closes a parenthesis of another`);
    lines.splice(at, after - at, value ?? without(condition, name));
  }
  return lines.join("\n");
}
